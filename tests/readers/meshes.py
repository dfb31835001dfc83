#!/usr/bin/env python3
"""Packs two concave meshes, and checks with trimesh that all spheres lie inside: meshes.py JOSTLE FOLDER [SECTIONS SPHERES]

The default takes seconds. Meshes of 100 000 triangles with 20 000 spheres (500 20000) take more than ten minutes.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import trimesh
from scipy.spatial import cKDTree

# Pairs of a sphere and a triangle, and points of rays, that are in memory at once.
PAIRS = 500_000
POINTS = 500


def wall_distances(mesh, points):
    """Returns the distance of each point from the nearest triangle."""
    corners = mesh.triangles
    middles = corners.mean(axis=1)
    size = np.linalg.norm(corners - middles[:, None], axis=2).max()
    tree = cKDTree(middles)
    # The nearest triangle has its middle within the nearest middle's distance and the size of a triangle.
    reach = tree.query(points)[0] + 1.001 * size
    distances = np.full(len(points), np.inf)
    lengths = tree.query_ball_point(points, reach, return_length=True)
    parts = np.cumsum(lengths) // PAIRS
    for part in np.unique(parts):
        chosen = np.flatnonzero(parts == part)
        lists = tree.query_ball_point(points[chosen], reach[chosen])
        sphere = np.repeat(chosen, [len(near) for near in lists])
        triangle = np.concatenate(lists).astype(int)
        closest = trimesh.triangles.closest_point(corners[triangle], points[sphere])
        found = np.linalg.norm(closest - points[sphere], axis=1)
        np.minimum.at(distances, sphere, found)
    return distances


def check(path):
    with open(path, encoding="utf-8") as file:
        packing = json.load(file)
    container = packing["container"]
    assert container["shape"] == "mesh", container["shape"]
    vertices = np.array(container["vertices"]) * container["scale"]
    mesh = trimesh.Trimesh(vertices, container["triangles"], process=False)
    assert mesh.is_watertight and mesh.is_winding_consistent
    assert abs(mesh.volume / container["volume"] - 1) < 1e-9, (mesh.volume, container["volume"])

    rows = np.array(packing["spheres"])
    centers, radii = rows[:, :3], rows[:, 3]
    outside = sum(np.count_nonzero(~mesh.contains(part)) for part in np.array_split(centers, len(centers) // POINTS + 1))
    assert outside == 0, f"{outside} centers are outside of the mesh"
    gaps = wall_distances(mesh, centers) - radii
    rounding = 1e-12 * vertices.max()
    assert gaps.min() > -rounding, f"sphere {gaps.argmin()} crosses the wall by {-gaps.min()}"
    fraction = 4 / 3 * np.pi * np.sum(radii**3) / mesh.volume
    print(f"{path}: {len(radii)} spheres in {len(mesh.faces)} triangles, smallest gap {gaps.min():.2g}, packing fraction {fraction:.4f}")


def divided(corners, parts):
    """Returns a line through corners, with each stretch divided into parts."""
    stretches = zip(corners, corners[1:])
    lines = [np.linspace(a, b, parts, endpoint=False) for a, b in stretches]
    return np.vstack([*lines, corners[-1]])


if __name__ == "__main__":
    jostle, folder = sys.argv[1], Path(sys.argv[2])
    sections, spheres = (int(number) for number in sys.argv[3:] or (100, 2000))
    hopper = [[0, 0], [0.6, 0], [0.6, 0.5], [1.5, 2], [1.5, 4], [0, 4]]
    ring = [[1, 0], [3, 0], [3, 2], [1, 2], [1, 0]]
    for name, corners, parts in [("hopper", hopper, 20), ("ring", ring, 25)]:
        mesh = trimesh.creation.revolve(divided(np.array(corners, float), parts), sections=sections)
        mesh.export(folder / f"{name}.stl")
        options = ["-n", str(spheres), "--container", f"mesh:{folder / name}.stl,fit", "--effort", "quick"]
        subprocess.run([jostle, "pack", "fuller-16", *options, "-q", "-o", folder / f"{name}.json"], check=True)
        check(folder / f"{name}.json")
