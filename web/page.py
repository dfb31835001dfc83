"""Joins the parts of the page of the packer: page.py MODULE.wasm PAGE.html"""

import base64
import sys
from pathlib import Path

HERE = Path(__file__).parent
VIEWER = HERE.parent / "src" / "report" / "page"


def text(*paths):
    return "".join(path.read_text() for path in paths)


def main(module, page):
    scripts = [VIEWER / "data.js", VIEWER / "viewer.js", HERE / "page" / "page.js"]
    parts = {
        "style": text(VIEWER / "page.css", HERE / "page" / "page.css"),
        "scripts": text(*scripts).replace('"use strict";\n', "").replace("</script", "<\\/script"),
        "worker": text(HERE / "page" / "worker.js"),
        "core": base64.b64encode(Path(module).read_bytes()).decode(),
    }
    joined = text(HERE / "page" / "index.html")
    for name, part in parts.items():
        joined = joined.replace("{{" + name + "}}", part)
    Path(page).parent.mkdir(parents=True, exist_ok=True)
    Path(page).write_text(joined)
    print(f"{page}: {len(joined) / 1e6:.2f} MB")


main(*sys.argv[1:])
