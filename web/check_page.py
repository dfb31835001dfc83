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


def begin(session, **fields):
    """Fills the form, and presses the button after the preview."""
    session.run("document.getElementById('expected').textContent = ''")
    for control, value in fields.items():
        session.run(FILL, control, value)
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


def check_limits(session):
    begin(session, kind="law", number="30000", exchange="", effort="thorough")
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
