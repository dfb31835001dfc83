"""Compares the analysis of packings with freud (https://freud.readthedocs.io), which finds neighbors by itself.

Usage: analysis.py DIRECTORY...  where each directory contains p.json, a packing in a periodic box, and a.json from
'jostle analyze p.json -o a.json'. The box must be longer than three of the largest diameters, and than twice the
reach of g(r) where the packing is not jammed.
"""

import json
import sys
from pathlib import Path

import freud
import numpy as np

# freud computes in single precision. Pairs whose distance is this close to a limit may count on either side of it.
ROUNDING = 4e-6
TOLERANCE = 1e-6

passed = failed = 0


def check(name, holds, detail=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}{': ' if detail else ''}{detail}")


def near(name, found, expected):
    check(name, abs(found - expected) <= TOLERANCE * max(1.0, abs(expected)), f"{found} instead of {expected}")


class Case:
    """A packing, its analysis, and freud's view of it."""

    def __init__(self, directory):
        packing = json.loads((directory / "p.json").read_text())
        self.name = directory.name
        self.forces = packing.get("forces")
        self.analysis = json.loads((directory / "a.json").read_text())
        lengths = np.array(packing["container"]["lengths"])
        spheres = np.array(packing["spheres"])
        self.centers, self.radii = spheres[:, :3], spheres[:, 3]
        self.lengths = lengths
        self.box = freud.box.Box(*lengths)
        # The box of freud is centered at the origin.
        self.points = self.centers - 0.5 * lengths
        self.system = freud.locality.AABBQuery(self.box, self.points)

    def neighbors(self, share):
        """All pairs with a gap of at most this share of the smaller diameter."""
        largest = 2 * self.radii.max()
        query = self.system.query(self.points, {"r_max": largest * (1 + share) * 1.001, "exclude_ii": True})
        pairs = query.toNeighborList()
        i, j = pairs.query_point_indices, pairs.point_indices
        difference = self.centers[j] - self.centers[i]
        difference -= self.lengths * np.round(difference / self.lengths)
        distance = np.sqrt((difference**2).sum(axis=1))
        smaller = 2 * np.minimum(self.radii[i], self.radii[j])
        excess = distance - self.radii[i] - self.radii[j] - share * smaller
        pairs.filter(excess <= 0)
        return pairs


def check_contacts(case):
    contacts = case.analysis["contacts"]
    pairs = case.neighbors(contacts["tolerance"])
    numbers = np.bincount(pairs.query_point_indices, minlength=len(case.radii))
    near(f"{case.name}: mean contact number", contacts["mean"], numbers.mean())
    for number, share in enumerate(contacts["distribution"][:-1]):
        near(f"{case.name}: share of spheres with {number} contacts", share, (numbers == number).mean())


def check_backbone(case):
    """Compares the contact numbers of spheres that are held, and the pairs that bear force."""
    network = case.analysis["force_network"]
    pairs = case.neighbors(case.analysis["contacts"]["tolerance"])
    i, j = np.array(pairs.query_point_indices), np.array(pairs.point_indices)
    held = np.ones(len(case.radii), bool)
    while True:
        counted = held[i] & held[j]
        numbers = np.bincount(i[counted], minlength=len(held))
        loose = held & (numbers < 4)
        if not loose.any():
            break
        held &= ~loose
    near(f"{case.name}: mean contact number of the backbone", case.analysis["contacts"]["mean_backbone"], numbers[held].mean())
    check(f"{case.name}: spheres of the backbone", network["backbone"] == held.sum(), f"{network['backbone']}, {held.sum()}")
    found = set(zip(i.tolist(), j.tolist()))
    missing = [pair for pair in case.forces["pairs"] if tuple(pair) not in found]
    check(f"{case.name}: pairs that bear force are contacts", not missing, missing[:3])
    # A gap that happens to be as small bears no force.
    others = numbers[held].sum() / 2 - len(case.forces["pairs"])
    check(f"{case.name}: contacts of the backbone bear force", 0 <= others <= 0.002 * len(found), others)


def check_order(case):
    pairs = case.neighbors(0.4)
    for degree in (4, 6):
        steinhardt = freud.order.Steinhardt(degree)
        steinhardt.compute((case.box, case.points), neighbors=pairs)
        mean = np.nan_to_num(steinhardt.particle_order.astype(float)).mean()
        near(f"{case.name}: mean q{degree}", case.analysis["order"][f"q{degree}_mean"], mean)


def check_rdf(case):
    """Compares all bins that do not begin or end at the distance of a pair."""
    rdf = case.analysis["rdf"]
    r, g = np.array(rdf["r"]), np.array(rdf["g"])
    bins, width = len(r), r[1] - r[0]
    function = freud.density.RDF(bins, bins * width)
    function.compute((case.box, case.points))
    # freud counts pairs; its volumes of thin shells have only five digits.
    edges = width * np.arange(bins + 1)
    shells = 4 / 3 * np.pi * np.diff(edges**3) / case.lengths.prod()
    n = len(case.radii)
    expected = function.bin_counts / (n * (n - 1) * shells)
    query = case.system.query(case.points, {"r_max": bins * width * 1.001, "exclude_ii": True})
    distances = query.toNeighborList().distances.astype(float) / width
    border = np.round(distances)
    at_border = border[np.abs(distances - border) * width < ROUNDING].astype(int)
    is_sure = np.ones(bins, bool)
    is_sure[np.clip(np.concatenate([at_border - 1, at_border]), 0, bins - 1)] = False
    check(f"{case.name}: enough bins", is_sure.sum() >= 0.3 * bins, f"{is_sure.sum()} of {bins}")
    difference = np.abs(expected - g)[is_sure]
    check(f"{case.name}: g(r)", difference.max() <= TOLERANCE, f"largest difference {difference.max()}")
    # In bins with a pair at a border, single pairs differ.
    check(f"{case.name}: mean g(r)", abs(expected.mean() - g.mean()) < 1e-3 * g.mean())


for argument in sys.argv[1:]:
    case = Case(Path(argument))
    check_contacts(case)
    check_order(case)
    if case.forces:
        check_backbone(case)
    else:
        check_rdf(case)

print(f"freud: {passed} checks passed, {failed} failed")
sys.exit(bool(failed))
