"""Packs spheres in the page in headless Chromium, as a visitor does.

Usage: check_page.py PAGE.html JOSTLE AXE.js DIRECTORY FOR SCREENSHOTS

The console stays empty, nothing goes to the network, the view is not blank, the download has the bytes of the program, and axe-core finds
no fault. `tests/browser/check.py` has the driver.
"""

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
AXE = "const done = arguments[0]; axe.run().then((found) => done(found.violations.map((one) => one.id + ': ' + one.help)));"


def wait(session, condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if session.run(f"return {condition}"):
            return True
        time.sleep(0.1)
    return False


def click(session, control):
    session.run("document.getElementById(arguments[0]).click()", control)


def pack(session, **fields):
    for control, value in fields.items():
        session.run(FILL, control, value)
    time.sleep(0.5)
    ready = "!document.getElementById('pack').disabled"
    browser.check("ready", wait(session, ready), session.run("return document.getElementById('message').textContent"))
    click(session, "pack")
    browser.check("packed", wait(session, "!document.getElementById('result').hidden"))


def same_bytes(session, jostle, folder, name, inputs=()):
    """Compares the download with the file of the command that the page shows."""
    command = shlex.split(session.run("return document.getElementById('command').textContent"))
    session.run(FILL, "format", "xyz")
    click(session, "download")
    download = folder / "packing.xyz"
    end = time.monotonic() + 30
    while not download.exists() and time.monotonic() < end:
        time.sleep(0.1)
    for path, content in inputs:
        (folder / path).write_text(content)
    native = folder / "native.xyz"
    subprocess.run([jostle, *command[1:], "--threads", "1", "-q", "-o", native], check=True, cwd=folder)
    browser.check(f"{name}: bits of the program", download.exists() and download.read_bytes() == native.read_bytes())
    download.unlink(missing_ok=True)


def check_page(session, page, jostle, axe, shots, folder):
    session.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    session.send("POST", "/url", {"url": page.as_uri()})
    pack(session, number="1500", boundary="ppw", effort="quick")
    colors, _ = session.run(browser.COLORS, "canvas")
    browser.check("view is not blank", colors > 50, f"{colors} colors")
    same_bytes(session, jostle, folder, "preset")
    session.screenshot(shots / "packer.png")
    pack(session, kind="table", table=GERMAN_TABLE, number="800", shape="cylinder", fraction="0.6")
    # The sentence names the sizes.
    same_bytes(session, jostle, folder, "table", [("sizes.csv", GERMAN_TABLE)])
    session.run(FILL, "kind", "law")
    session.run(FILL, "number", "100000000")
    time.sleep(0.5)
    click(session, "pack")
    refused = "document.getElementById('message').textContent.includes('memory')"
    browser.check("refuses what a tab cannot hold", wait(session, refused, 10))
    session.run(axe.read_text())
    for scheme in ("light", "dark"):
        session.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        found = session.send("POST", "/execute/async", {"script": AXE, "args": []})
        browser.check(f"accessibility, {scheme}", found == [], "; ".join(found))
    session.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    wide = session.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")
    browser.check("fits a phone", not wide)
    session.screenshot(shots / "packer-phone.png")
    messages = [entry["message"] for entry in session.log("browser")]
    browser.check("console is empty", messages == [], "; ".join(messages))


def main(page, jostle, axe, shots):
    shots = Path(shots)
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        session = browser.Browser(Path(folder) / "profile")
        try:
            check_page(session, Path(page).resolve(), Path(jostle).resolve(), Path(axe), shots, Path(folder))
        finally:
            session.close()
    print("the page packs the bits of the program" if not browser.failures else f"{len(browser.failures)} checks failed")
    sys.exit(bool(browser.failures))


main(*sys.argv[1:])
