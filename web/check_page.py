"""Packs spheres in the page in headless Chromium, as a visitor does.

Usage: check_page.py PAGE.html JOSTLE AXE.js DIRECTORY FOR SCREENSHOTS

The console stays empty, nothing goes to the network, the view is not blank, downloads have the bytes of the program, a run can be stopped,
and axe-core finds no fault in light and dark colors, on a desktop and on a phone. `tests/browser/check.py` has the driver.
"""

import gzip
import json
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import check as browser  # noqa: E402

GERMAN_TABLE = "Sieb mm;Durchgang %\n0,5;0\n1;12\n4;36\n16;100\n"

# Sets a field as a visitor does.
FILL = """
const [id, value] = arguments;
const field = document.getElementById(id);
field.value = value;
for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
"""
# Sets a field of a group by its name.
NAMED = """
const [group, name, value] = arguments;
const field = document.querySelector(`#${group} input[name="${name}"]`);
field.value = value;
field.dispatchEvent(new Event("input", { bubbles: true }));
"""
# Drops a file on the page.
DROP = """
const transfer = new DataTransfer();
transfer.items.add(new File([arguments[1]], arguments[0]));
document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: transfer }));
"""
AXE = """
const done = arguments[0];
axe.run().then((found) => done(found.violations.map((one) => `${one.id}: ${one.help} ${one.nodes.map((node) => node.target)}`)));
"""
SCREENS = {"desktop": (1360, 900, 1, False), "phone": (390, 844, 2, True)}


def wait(session, condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if session.run(f"return {condition}"):
            return True
        time.sleep(0.05)
    return False


def text(session, control):
    return session.run("return document.getElementById(arguments[0]).textContent", control)


def click(session, control):
    session.run("document.getElementById(arguments[0]).click()", control)


def fill(session, fields):
    for control, value in fields.items():
        session.run(FILL, control, value)


def begin(session, **fields):
    """Fills the form, and presses the button after the preview."""
    session.run("document.getElementById('expected').textContent = ''")
    fill(session, fields)
    ready = "document.getElementById('expected').textContent !== '' && !document.getElementById('pack').disabled"
    browser.check("ready", wait(session, ready), text(session, "message"))
    click(session, "pack")


def pack(session, name, **fields):
    begin(session, **fields)
    browser.check(f"{name}: packed", wait(session, "!document.getElementById('result').hidden", 120), text(session, "message"))


def downloaded(session, folder, control, name):
    """Presses a button, and returns the file that it saves."""
    path = folder / name
    path.unlink(missing_ok=True)
    click(session, control)
    end = time.monotonic() + 30
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
    browser.check(f"{name}: downloaded", path.exists(), text(session, "message"))
    return path.read_bytes() if path.exists() else b""


def packing_as(session, folder, form):
    """Downloads the packing in a format."""
    session.run(FILL, "format", form)
    return downloaded(session, folder, "download", f"packing.{form}")


def same_bytes(session, jostle, folder, name):
    """Compares a download with the file of the command that the page shows."""
    command = shlex.split(text(session, "command"))
    native = folder / "native.xyz"
    subprocess.run([jostle, *command[1:], "-q", "-o", native], check=True, cwd=folder)
    browser.check(f"{name}: bits of the program", packing_as(session, folder, "xyz") == native.read_bytes())


def check_runs(session, jostle, shots, folder):
    pack(session, "preset", number="2500", boundary="ppw", effort="quick")
    colors, picture = session.run(browser.COLORS, "canvas")
    browser.check("view is not blank", colors > 50, f"{colors} colors")
    browser.check("the fraction is near the expected one", session.run(
        "return Math.abs(document.getElementById('fraction-now').textContent - document.getElementById('fraction-expected').textContent) < 0.03"
    ))
    for control, value in [("color", "contacts"), ("cut", "0.5")]:
        session.set(control, value)
        _, other = session.run(browser.COLORS, "canvas")
        browser.check(f"{control} changes the view", other != picture)
        picture = other
    same_bytes(session, jostle, folder, "preset")
    session.run(DROP, "sizes.csv", GERMAN_TABLE)
    browser.check("dropped table", wait(session, "document.getElementById('table').value !== ''"))
    pack(session, "table", number="800", shape="cylinder", fraction="0.5")
    saved = downloaded(session, folder, "save-table", "sizes.csv")
    browser.check("the table is saved", saved.decode() == GERMAN_TABLE)
    same_bytes(session, jostle, folder, "table")
    pack(session, "too dense", fraction="0.75")
    browser.check("says what was not reached", "0.75 was not reached" in text(session, "certificate"), text(session, "certificate"))
    pack(session, "blend", kind="text", number="600", shape="box", fraction="", effort="", exchange="auto")
    same_bytes(session, jostle, folder, "blend")
    document = json.loads(packing_as(session, folder, "json"))
    browser.check("JSON has the spheres", len(document["spheres"]) == 600)
    browser.check("a picture", packing_as(session, folder, "png").startswith(b"\x89PNG"))
    browser.check("a report", b"<h2>Figures</h2>" in packing_as(session, folder, "html"))
    session.devtools("Emulation.setDeviceMetricsOverride", width=1360, height=1700, deviceScaleFactor=1, mobile=False)
    session.screenshot(shots / "packer.png")


def check_bodies(session, jostle, shots, folder):
    """A container of given size around bodies."""
    fill(session, {"kind": "law", "law": "mono", "shape": "cylinder", "size": "given", "effort": "quick", "fraction": "0.5"})
    for field, value in [("d", "14"), ("h", "16")]:
        session.run(NAMED, "shape-fields", field, value)
    session.run(FILL, "body", "cylinder")
    click(session, "add-body")
    click(session, "add-body")
    session.run("document.querySelectorAll('#bodies button')[1].click()")
    texts = session.run("return [...document.querySelectorAll('#bodies input')].map((input) => input.value)")
    browser.check("a body in the middle", texts == ["cylinder:d=4.67,h=4.67@7,7,8"], str(texts))
    pack(session, "bodies", boundary="p")
    command = text(session, "command")
    browser.check("the command has the body", "--keep-out cylinder:d=4.67,h=4.67@7,7,8" in command and "--boundary p" in command, command)
    browser.check("Python has the body", 'keep_out=["cylinder:d=4.67,h=4.67@7,7,8"]' in text(session, "python"), text(session, "python"))
    session.set("color", "type")
    session.set("cut", "0.5")
    gray = session.run(browser.GRAY.replace("jostle.meta", "jostle.viewer.meta"), "canvas", 0.95)
    browser.check("the view shows the section of the body", 0.003 < gray < 0.5, f"{gray}")
    session.devtools("Emulation.setDeviceMetricsOverride", width=1360, height=1700, deviceScaleFactor=1, mobile=False)
    session.screenshot(shots / "packer-bodies.png")
    same_bytes(session, jostle, folder, "bodies")


def check_disks(session, jostle, shots, folder):
    """A rectangle of disks, with and without a size."""
    pack(session, "disks", shape="rectangle", size="smallest", number="900", fraction="", kind="law", law="lognormal", exchange="")
    colors, picture = session.run(browser.COLORS, "plane")
    browser.check("disks are not blank", colors > 20, f"{colors} colors")
    browser.check("the 3-D view is hidden", session.run("return document.getElementById('canvas').hidden"))
    browser.check("speaks of disks", "No two disks overlap" in text(session, "certificate"), text(session, "certificate"))
    same_bytes(session, jostle, folder, "disks")
    offered = session.run("return [...document.getElementById('format').options].filter((one) => !one.disabled).map((one) => one.value)")
    browser.check("formats that hold disks", "xyz" in offered and "yade" not in offered, str(offered))
    fill(session, {"shape": "circle", "size": "given"})
    session.run(NAMED, "shape-fields", "d", "30")
    session.run(FILL, "body", "rectangle")
    click(session, "add-body")
    pack(session, "disks around a body")
    browser.check("the body is drawn", session.run("return jostle.viewer.meta.rings.length") == 1)
    session.screenshot(shots / "packer-disks.png")
    same_bytes(session, jostle, folder, "disks around a body")
    browser.check("a report of disks", b"<h2>Figures</h2>" in packing_as(session, folder, "html"))


def check_limits(session):
    begin(session, kind="law", law="fuller", shape="box", size="smallest", number="30000", fraction="", effort="thorough")
    running = "Number(document.getElementById('sweeps-now').textContent) > 0 && document.getElementById('result').hidden"
    browser.check("progress is shown", wait(session, running))
    click(session, "cancel")
    stopped = "!document.getElementById('result').hidden"
    browser.check("a run can be stopped", wait(session, stopped, 60) and text(session, "remaining") == "stopped")
    browser.check("no overlap after a stop", "No two spheres overlap" in text(session, "certificate"))
    begin(session, number="100000000")
    refused = "document.getElementById('message').textContent.includes('memory')"
    browser.check("refuses what a tab cannot hold", wait(session, refused, 10), text(session, "message"))
    session.run(FILL, "kind", "text")
    session.run(FILL, "text", "mono:e=1")
    browser.check("names a wrong parameter", wait(session, "document.getElementById('message').textContent.includes('d')", 10))
    pack(session, "after errors", text="mono:d=1", number="500", effort="quick")


def check_screens(session, axe, shots):
    session.run(axe.read_text())
    for screen, (width, height, scale, is_mobile) in SCREENS.items():
        session.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=is_mobile)
        for scheme in ("light", "dark"):
            name = f"{screen}, {scheme}"
            session.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            found = session.send("POST", "/execute/async", {"script": AXE, "args": []})
            browser.check(f"accessibility, {name}", found == [], "; ".join(found))
            wide = session.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            browser.check(f"fits the width, {name}", wide <= 0, f"{wide} pixels too wide")
            session.run("document.querySelector(arguments[0]).scrollIntoView()", "main" if screen == "desktop" else "#run")
            session.screenshot(shots / f"packer-{screen}-{scheme}.png")


def check_page(session, page, jostle, axe, shots, folder):
    session.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    session.log("performance")
    session.send("POST", "/url", {"url": page.as_uri()})
    check_runs(session, jostle, shots, folder)
    check_disks(session, jostle, shots, folder)
    check_bodies(session, jostle, shots, folder)
    check_limits(session)
    check_screens(session, axe, shots)
    messages = [entry["message"] for entry in session.log("browser") if "GPU stall due to ReadPixels" not in entry["message"]]
    browser.check("console is empty", messages == [], "; ".join(messages))
    events = [json.loads(entry["message"])["message"] for entry in session.log("performance")]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    outside = [url for url in sent if not url.startswith(("file:", "data:", "blob:", "chrome:"))]
    browser.check("no request to the network", not outside, " ".join(outside))
    size = len(gzip.compress(page.read_bytes()))
    browser.check("below 1.5 MB compressed", size < 1_500_000, f"{size} bytes")


def main(page, jostle, axe, shots):
    shots = Path(shots)
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        session = browser.Browser(Path(folder) / "profile")
        try:
            check_page(session, Path(page).resolve(), Path(jostle).resolve(), Path(axe), shots, Path(folder))
        finally:
            session.close()
    print("the page packs the bits of the program" if not browser.failures else f"{len(browser.failures)} checks failed")
    sys.exit(bool(browser.failures))


main(*sys.argv[1:])
