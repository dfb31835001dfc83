"""Joins the parts of the page of the packer: page.py MODULE.wasm PAGE.html"""

import base64
import gzip
import sys
from pathlib import Path

PAGE = Path(__file__).parent / "page"
VIEWER = Path(__file__).parents[1] / "src" / "report" / "page"


def text(*paths):
    return "".join(path.read_text() for path in paths)


def main(module, page):
    scripts = [VIEWER / "data.js", VIEWER / "viewer.js", VIEWER / "disks.js", PAGE / "chart.js", PAGE / "page.js"]
    parts = {
        "style": text(VIEWER / "page.css", PAGE / "page.css"),
        "scripts": text(*scripts).replace('"use strict";\n', "").replace("</script", "<\\/script"),
        "worker": text(PAGE / "worker.js"),
        "core": base64.b64encode(gzip.compress(Path(module).read_bytes(), mtime=0)).decode(),
    }
    joined = text(PAGE / "index.html")
    for name, part in parts.items():
        joined = joined.replace("{{" + name + "}}", part)
    Path(page).parent.mkdir(parents=True, exist_ok=True)
    Path(page).write_text(joined)
    compressed = len(gzip.compress(joined.encode()))
    print(f"{page}: {len(joined) / 1e6:.2f} MB, {compressed / 1e6:.2f} MB with gzip")


main(*sys.argv[1:])
