"""Checks with counts, and packings as jostle wrote them, for the parts of tests/readers."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

JOSTLE = sys.argv[1]
WORK = Path(sys.argv[2]).resolve()
BOUNDARIES = ["ppp", "www", "ppw"]

passed = failed = 0


def check(name, holds, detail=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}{': ' if detail != '' else ''}{detail}", flush=True)


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


def near(found, written):
    """Equal up to one unit in the last place, the error of some conversions of decimals."""
    found, written = np.asarray(found), np.asarray(written)
    return found.shape == written.shape and bool((np.abs(found - written) <= np.spacing(np.abs(written))).all())


def same(found, written):
    return np.array_equal(np.asarray(found), np.asarray(written))


def jostle(*arguments):
    """Runs jostle, and returns what it prints on stderr."""
    run = subprocess.run([JOSTLE, *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"jostle {' '.join(map(str, arguments))}: {run.stderr}")
    return run.stderr


class Packing:
    """A packing of one boundary and one container, in its own folder, with its content as in the JSON file."""

    def __init__(self, boundary, sizes="fuller-16", number=2000, container="box"):
        self.name = f"{sizes} {container} {boundary}"
        self.folder = WORK / "-".join([sizes.split(":")[0], container.split(":")[0], boundary])
        self.folder.mkdir(exist_ok=True)
        self.json = self.folder / "p.json"
        shape = ["--container", container, "--boundary", boundary]
        jostle("pack", sizes, "-n", number, *shape, "--effort", "quick", "--seed", 1, "-q", "-o", self.json)
        packing = json.loads(self.json.read_text())
        self.container = packing["container"]
        self.lengths = np.array(self.container["lengths"])
        # Shapes with one letter are periodic along z at most, and a rectangle has two letters.
        letters = self.container["boundary"]
        letters = letters.ljust(3, "w") if len(letters) == 2 else letters.rjust(3, "w")
        self.periodic = [letter == "p" for letter in letters]
        self.spheres = np.array(packing["spheres"])
        self.centers, self.radii = self.spheres[:, :3], self.spheres[:, 3]

    def write(self, file, *options):
        """Converts the packing, and returns the path of the new file."""
        path = self.folder / file
        jostle("convert", self.json, path, *options)
        return path

    def compare(self, program, count, centers, radii, equal=same):
        """Compares the spheres that a program read, in the order of the packing."""
        name = f"{self.name}: {program}"
        check(f"{name} reads every sphere", count == len(self.radii), count)
        check(f"{name} reads the centers", equal(centers, self.centers))
        if radii is not None:
            check(f"{name} reads the radii", equal(radii, self.radii))
