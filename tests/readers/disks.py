"""LAMMPS and OVITO read our files of disks, and freud computes our hexatic order."""

import json

import freud
import numpy as np
from common import Packing, check, finish, jostle, near, same
from granular import check_lammps, moved, read_with_lammps
from ovito.io import import_file

TWO_SIZES = "bidisperse:d_small=1,d_large=1.4,number_small=0.5"


def check_lammps_data(packing):
    data = check_lammps(packing)
    # LAMMPS must also report a force where there is overlap.
    center = packing.centers[1] + (0.1, 0.0, 0.0)
    found = read_with_lammps(moved(data, 0, center), packing)
    check(f"{packing.name}: LAMMPS computes a force between overlapping disks", found["force"] > 0.0 and found["contacts"] >= 2)


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
    check_lammps_data(packing)
    check_ovito(packing)
check_order(Packing("pp", "mono:d=1", 500, "rectangle"))
finish()
