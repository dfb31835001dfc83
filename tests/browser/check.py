"""Loads reports in headless Chromium and checks what a reader sees.

Usage: check.py AXE.js DIRECTORY FOR SCREENSHOTS REPORT.html...

For each page: no message on the console, no request to the network, a 3-D view and slices that are not blank, a cutting plane
that changes the picture (of disks: a view that zooms and moves, and the numbers of a disk), colors that follow the choice, figures within
their frames, axes and scale, values at the pointer, keys, files to download, a layout for phones, and no fault that axe-core finds in
light and dark mode. The driver speaks the WebDriver protocol
(https://www.w3.org/TR/webdriver2/) and needs no package.
"""

import base64
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--hide-scrollbars", "--window-size=1200,900",
]  # fmt: skip

# Number of distinct colors, and the mean of all bytes, of a canvas.
COLORS = """
const source = document.getElementById(arguments[0]);
const copy = document.createElement("canvas");
[copy.width, copy.height] = [300, 200];
const context = copy.getContext("2d");
context.drawImage(source, 0, 0, 300, 200);
const bytes = context.getImageData(0, 0, 300, 200).data;
const colors = new Set();
let sum = 0;
for (let i = 0; i < bytes.length; i += 4) {
  colors.add((bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2]);
  sum += bytes[i] + 2 * bytes[i + 1] + 3 * bytes[i + 2];
}
return [colors.size, sum];
"""

# Share of the pixels of a canvas that have the color of a body, which is gray, with a brightness.
GRAY = """
const [id, brightness] = arguments;
const canvas = document.getElementById(id), copy = document.createElement("canvas");
[copy.width, copy.height] = [canvas.width, canvas.height];
const context = copy.getContext("2d");
context.drawImage(canvas, 0, 0);
const bytes = context.getImageData(0, 0, copy.width, copy.height).data;
const level = brightness * parseInt(jostle.meta.body.substr(0, 2), 16);
let count = 0;
for (let i = 0; i < bytes.length; i += 4) count += [0, 1, 2].every((part) => Math.abs(bytes[i + part] - level) < 1.5);
return (4 * count) / bytes.length;
"""

# Sets a control as a reader does, and waits for the next picture.
SET = """
const [id, value, done] = arguments;
const control = document.getElementById(id);
control.value = value;
control.dispatchEvent(new Event(control.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
"""

# Faults of accessibility.
AXE = """
const done = arguments[0];
axe.run().then((found) => done(found.violations.map((one) => `${one.id}: ${one.help} ${one.nodes.slice(0, 3).map((node) => node.target)}`)));
"""

# Moves the pointer to a share of the width and of the height of a canvas, and waits for the words.
POINT = """
const [id, across, down, done] = arguments;
const canvas = document.getElementById(id), box = canvas.getBoundingClientRect();
canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + across * box.width, clientY: box.top + down * box.height, bubbles: true }));
requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
"""

# Calls the buttons of downloads, and returns the names and the first bytes of the files.
SAVE = """
const [selector, done] = arguments;
const earlier = download;
download = (name, content) => {
  download = earlier;
  content.arrayBuffer().then((bytes) => done([name, Array.from(new Uint8Array(bytes.slice(0, 400))), bytes.byteLength]));
};
document.querySelector(selector).click();
"""

failures = []


def check(name, holds, detail=""):
    if not holds:
        failures.append(name)
        print(f"FAILED {name}{': ' if detail else ''}{detail}")


class Browser:
    """A session of ChromeDriver."""

    def __init__(self, profile):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL)
        options = {"args": [*FLAGS, f"--user-data-dir={profile}"]}
        logging = {"browser": "ALL", "performance": "ALL"}
        capabilities = {"alwaysMatch": {"goog:chromeOptions": options, "goog:loggingPrefs": logging}}
        for attempt in range(100):
            try:
                answer = self.send("POST", "/session", {"capabilities": capabilities}, root=True)
                break
            except OSError:
                if attempt == 99:
                    raise
                time.sleep(0.1)
        self.session = answer["sessionId"]
        self.send("POST", "/timeouts", {"script": 120_000, "pageLoad": 120_000})

    def send(self, method, path, body=None, root=False):
        address = f"http://127.0.0.1:{self.port}" + (path if root else f"/session/{self.session}{path}")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=180) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": arguments})

    def set(self, control, value):
        self.send("POST", "/execute/async", {"script": SET, "args": [control, value]})

    def log(self, kind):
        return self.send("POST", "/se/log", {"type": kind})

    def devtools(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.send("GET", "/screenshot")))

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()


def check_bodies(browser, name):
    """The sections of bodies are gray areas in the view and in the slices."""
    section = browser.run(GRAY, "canvas", 0.95)
    check(f"{name}: the view shows the section of a body", 0.01 < section < 0.5, f"{section}")
    for canvas in ["slice0", "slice1", "slice2"]:
        section = browser.run(GRAY, canvas, 1)
        check(f"{name}: {canvas} shows the section of a body", 0.01 < section < 0.5, f"{section}")
    # From below, the half that remains hides the section.
    browser.run("jostle.viewer.pitch = -0.42; jostle.viewer.render()")
    hidden = browser.run(GRAY, "canvas", 0.95)
    check(f"{name}: the kept half hides the section", hidden < 0.005, f"{hidden}")
    browser.run("jostle.viewer.pitch = 0.42; jostle.viewer.render()")


def check_tools(browser, name):
    """Axes, scale bar, values at the pointer, keys and files."""
    words = browser.run("return [...document.querySelectorAll('#over text')].map((text) => text.textContent)")
    check(f"{name}: axes and scale", sorted(words)[-3:] == ["x", "y", "z"] and len(words) == 4, str(words))
    # The scale bar is as long as its number: two points at this distance, across the view, at the middle of the container.
    error = browser.run("""
        const { viewer, meta } = jostle, { turn, project } = viewer.camera();
        const [left, right] = document.querySelector("#over path").getAttribute("d").match(/M([\\d.]+) [\\d.]+v5H([\\d.]+)/).slice(1).map(Number);
        const length = parseFloat(document.querySelector("#over text:last-child").textContent);
        const at = (point) => {
          const eye = [0, 1, 2, 3].map((k) => turn[k] * point[0] + turn[4 + k] * point[1] + turn[8 + k] * point[2] + turn[12 + k]);
          return (0.5 + (0.5 * project[0] * eye[0]) / -eye[2]) * viewer.canvas.clientWidth;
        };
        const middle = meta.lengths.map((x) => x / 2), right_axis = [0, 1, 2].map((k) => turn[4 * k]);
        const other = middle.map((x, k) => x + length * right_axis[k]);
        return Math.abs(at(other) - at(middle) - (right - left));
    """)
    check(f"{name}: the scale bar has its length", error < 1.5, f"{error} pixels")
    for canvas, note in [("canvas", "note"), ("slice2", "slice-note")]:
        # Some points lie between spheres or in bodies.
        for across, down in [(0.47, 0.46), (0.2, 0.25), (0.24, 0.3), (0.75, 0.25), (0.8, 0.7), (0.3, 0.75), (0.22, 0.8), (0.7, 0.8)]:
            browser.send("POST", "/execute/async", {"script": POINT, "args": [canvas, across, down]})
            told = browser.run("return document.getElementById(arguments[0]).textContent", note)
            if told.startswith("d = "):
                break
        check(f"{name}: {canvas} tells about the sphere at the pointer", told.startswith("d = ") and "center (" in told, told)
    # The sphere at the pointer is under it: its center projects to a point within its radius.
    hit = browser.run("""
        const { viewer, spheres } = jostle, found = sphereAt(viewer, 0.47, 0.46), { turn, project } = viewer.camera();
        const c = [0, 1, 2].map((axis) => spheres.center(found, axis));
        const eye = [0, 1, 2].map((k) => turn[k] * c[0] + turn[4 + k] * c[1] + turn[8 + k] * c[2] + turn[12 + k]);
        const off = [eye[0] + eye[2] * (2 * 0.47 - 1) / project[0], eye[1] + eye[2] * (1 - 2 * 0.46) / project[5]];
        return Math.hypot(...off) / spheres.radius(found);
    """)
    check(f"{name}: the sphere is at the pointer", hit < 1.05, f"{hit} radii")
    before = browser.run("return jostle.viewer.yaw")
    browser.run("""const canvas = document.getElementById("canvas"); canvas.focus();
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }))""")
    check(f"{name}: keys turn the view", browser.run("return jostle.viewer.yaw") != before)
    value = browser.run("return document.getElementById('at0-value').textContent")
    check(f"{name}: sliders have values", float(value.split()[0]) > 0, value)
    for selector, beginning in [("#save", b"\x89PNG"), (".figures button", b"\x89PNG"), (".figures button + button", b"series,")]:
        file, content, size = browser.send("POST", "/execute/async", {"script": SAVE, "args": [selector]})
        check(f"{name}: {file} can be saved", bytes(content).startswith(beginning) and size > 60, f"{bytes(content[:20])}, {size} bytes")
    broken = browser.run("return [...document.querySelectorAll('.numbers a')].filter((a) => !document.querySelector(a.hash)).length")
    check(f"{name}: numbers have explanations", broken == 0 and browser.run("return document.querySelectorAll('dd').length") >= 8)


def check_screens(browser, name, axe, folder):
    """Layouts and accessibility, in light and dark mode, on a desktop and on a phone."""
    browser.run(axe)
    for screen, (width, height) in {"desktop": (1200, 900), "phone": (390, 844)}.items():
        browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=screen == "phone")
        for mode in ["light", "dark"]:
            browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": mode}])
            faults = browser.send("POST", "/execute/async", {"script": AXE, "args": []})
            check(f"{name}: axe-core, {screen}, {mode}", not faults, "; ".join(faults))
            wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(f"{name}: the page fits a {screen}", wide <= 0, f"{wide} pixels too wide")
            browser.screenshot(folder / f"{name}-{screen}-{mode}.png")
    browser.devtools("Emulation.clearDeviceMetricsOverride")


def check_spheres(browser, name, folder):
    """The view in space, with its cutting plane and its slices."""
    check(f"{name}: a 3-D view", browser.run("return jostle.viewer !== null"))
    pictures = {}
    for canvas in ["canvas", "slice0", "slice1", "slice2"]:
        colors, pictures[canvas] = browser.run(COLORS, canvas)
        check(f"{name}: {canvas} is not blank", colors > 20, f"{colors} colors")
    browser.screenshot(folder / f"{name}.png")
    browser.set("axis", "2")
    browser.set("cut", "0.5")
    colors, cut = browser.run(COLORS, "canvas")
    check(f"{name}: the cutting plane changes the view", cut != pictures["canvas"] and colors > 20)
    browser.screenshot(folder / f"{name}-cut.png")
    check_tools(browser, name)
    if browser.run("return jostle.bodies.count > 0"):
        # The pages with bodies have them in their middle.
        check_bodies(browser, name)
    browser.set("cut", "0.4")
    check(f"{name}: the cutting plane moves", browser.run(COLORS, "canvas")[1] != cut)
    for color in ["contacts", "type"]:
        browser.set("color", color)
        check(f"{name}: colors by {color}", browser.run(COLORS, "canvas")[1] != cut)
    browser.set("at0", "0.1")
    check(f"{name}: a slice moves", browser.run(COLORS, "slice0")[1] != pictures["slice0"])


# Turns the wheel over the middle of the view, points at a disk, or drags from there; and draws at once.
EVENT = """
const [kind, values] = arguments;
const view = jostle.viewer, box = view.canvas.getBoundingClientRect();
const scale = view.scale() * box.width / view.canvas.width;
const [x, y] = [0, 1].map((axis) => jostle.spheres.center(0, axis) - view.middle[axis]);
const at = { clientX: box.left + 0.5 * box.width + scale * x, clientY: box.top + 0.5 * box.height - scale * y, pointerId: 1, bubbles: true };
view.canvas.setPointerCapture = () => {};
const event = kind === "wheel" ? new WheelEvent(kind, { ...at, ...values }) : new PointerEvent(kind, { ...at, ...values });
view.canvas.dispatchEvent(event);
view.render();
return [view.zoom, ...view.middle, view.note.textContent];
"""


def check_disks(browser, name, folder):
    """The view in the plane, which can be zoomed, moved and pointed at."""
    colors, picture = browser.run(COLORS, "canvas")
    check(f"{name}: the view is not blank", colors > 20, f"{colors} colors")
    check(f"{name}: no slices", browser.run("return document.querySelector('.slices') === null"))
    browser.screenshot(folder / f"{name}.png")
    *_, note = browser.run(EVENT, "pointermove", {})
    check(f"{name}: a disk shows its numbers", note.startswith("diameter "), note)
    zoom, *_ = browser.run(EVENT, "wheel", {"deltaY": -500, "ctrlKey": True})
    colors, zoomed = browser.run(COLORS, "canvas")
    check(f"{name}: the wheel zooms", zoom > 1.5 and zoomed != picture, f"{zoom}")
    _, x, *_ = browser.run(EVENT, "pointerdown", {})
    _, moved, *_ = browser.run(EVENT, "pointermove", {"movementX": 1, "clientX": 700, "clientY": 400})
    browser.run(EVENT, "pointerup", {})
    check(f"{name}: the view moves", moved != x, f"{x} {moved}")
    keyed, further = browser.run("""
        const view = jostle.viewer, press = (key) => view.canvas.dispatchEvent(new KeyboardEvent("keydown", { key }));
        press("+");
        press("ArrowRight");
        return [view.zoom, view.middle[0]];
    """)
    check(f"{name}: keys zoom and move the view", keyed > zoom and further > moved, f"{zoom} {keyed}, {moved} {further}")
    browser.screenshot(folder / f"{name}-zoomed.png")
    for color in ["contacts", "type"]:
        browser.set("color", color)
        check(f"{name}: colors by {color}", browser.run(COLORS, "canvas")[1] != zoomed)
        zoomed = browser.run(COLORS, "canvas")[1]


def check_page(browser, page, axe, folder):
    name = page.stem
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    browser.log("performance")
    began = time.monotonic()
    browser.send("POST", "/url", {"url": page.resolve().as_uri()})
    browser.send("POST", "/execute/async", {"script": SET, "args": ["color", "size"]})
    seconds = time.monotonic() - began
    megabytes = page.stat().st_size / 1e6
    spheres = browser.run("return jostle.spheres.count")
    print(f"{name}: {spheres} spheres, {megabytes:.2f} MB, first picture after {seconds:.2f} s")
    check_view = check_disks if browser.run("return jostle.meta.lengths[2] === 0") else check_spheres
    check_view(browser, name, folder)
    outside = browser.run(
        "return [...document.querySelectorAll('.figures svg')].filter(svg => {"
        "const box = svg.getBBox(); return box.x < -1 || box.y < -1 || box.x + box.width > 481 || box.y + box.height > 321;"
        "}).map(svg => svg.getAttribute('aria-label'))"
    )
    check(f"{name}: figures within their frames", not outside, str(outside))
    figures = browser.run("return document.querySelectorAll('.figures svg').length")
    check(f"{name}: figures", figures >= 7, str(figures))
    check_screens(browser, name, axe, folder)
    browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    paper = browser.run("return getComputedStyle(document.body).backgroundColor")
    check(f"{name}: dark mode", paper == "rgb(21, 24, 29)", paper)
    browser.run("document.querySelector('.figures').scrollIntoView()")
    browser.screenshot(folder / f"{name}-dark.png")
    printed = browser.send("POST", "/print", {"background": True})
    (folder / f"{name}.pdf").write_bytes(base64.b64decode(printed))
    check(f"{name}: a printed page", len(printed) > 20_000, f"{len(printed)} bytes")
    # Chromium's driver remarks that this test reads pixels.
    messages = [entry["message"] for entry in browser.log("browser") if "GPU stall due to ReadPixels" not in entry["message"]]
    check(f"{name}: no message on the console", not messages, "; ".join(messages))
    events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    outside = [url for url in sent if not url.startswith(("file:", "data:", "chrome:"))]
    check(f"{name}: no request to the network", not outside, " ".join(outside))
    return seconds


def main():
    axe, folder, pages = Path(sys.argv[1]).read_text(), Path(sys.argv[2]), [Path(page) for page in sys.argv[3:]]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for page in pages:
                check_page(browser, page, axe, folder)
        finally:
            browser.close()
    print(f"{len(pages)} pages, {len(failures)} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
