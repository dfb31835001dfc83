#!/usr/bin/env python3
"""Checks that the code of each package names every dependency of its Cargo.toml: python3 .ci/dependencies.py"""

import json
import re
import subprocess
import sys
from pathlib import Path

FOLDERS = {
    "jostle": ["src", "tests", "examples"],
    "reports": ["src", "../benches"],
    "visits-model": ["src", "../../src/rearrange"],
}

metadata = subprocess.run(["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"], capture_output=True, check=True)
unused, number = [], 0
for package in json.loads(metadata.stdout)["packages"]:
    root = Path(package["manifest_path"]).parent
    folders = [root / folder for folder in FOLDERS.get(package["name"], ["src"])]
    code = "\n".join(file.read_text() for folder in folders for file in folder.rglob("*.rs"))
    for dependency in package["dependencies"]:
        number += 1
        name = (dependency["rename"] or dependency["name"]).replace("-", "_")
        if not re.search(rf"\b{name}(::|\s+as\b|;)", code):
            unused.append(f"{package['name']}: no code names {dependency['name']}")
print("\n".join(unused) if unused else f"{number} dependencies are used")
sys.exit(bool(unused))
