"""trimesh, Gmsh, PoreSpy, tifffile, VTK and POV-Ray read our surfaces, geometries, images and scenes."""

import re
import subprocess

import gmsh
import numpy as np
import porespy
import pyvista
import tifffile
import trimesh
from PIL import Image
from common import BOUNDARIES, JOSTLE, WORK, Packing, check, finish, jostle, same


def check_surfaces(packing):
    """The volume of the surfaces approaches that of the spheres, whole, or cut at the faces with images."""
    for file in ["p.stl", "p.obj"]:
        mesh = trimesh.load(packing.write(file, "--resolution", 3), force="mesh")
        volume = 4 / 3 * np.pi * (packing.radii**3).sum()
        bodies = trimesh.graph.connected_components(mesh.face_adjacency, min_len=1)
        check(f"{packing.name}: trimesh finds every sphere in {file}", len(bodies) == len(packing.radii), len(bodies))
        check(f"{packing.name}: the surface of {file} is closed", mesh.is_watertight)
        check(f"{packing.name}: the spheres of {file} have their volume", 0.98 < mesh.volume / volume < 1.0, mesh.volume / volume)
    mesh = trimesh.load(packing.write("cut.obj", "--resolution", 3, "--cut"), force="mesh", process=False)
    low, high = mesh.bounds
    check(f"{packing.name}: the cut surface is closed", mesh.is_watertight)
    check(f"{packing.name}: the cut surface keeps the volume", 0.98 < mesh.volume / volume < 1.0, mesh.volume / volume)
    check(f"{packing.name}: the cut surface stays in the container", (low >= -1e-9).all() and (high <= packing.lengths + 1e-9).all())
    mesh = trimesh.load(packing.write("bridge.obj", "--bridge", 0.2), force="mesh", process=False)
    check(f"{packing.name}: bridges are closed and not inside out", mesh.is_watertight and mesh.volume > 0.93 * volume)


def check_gmsh(boundary):
    packing = Packing(boundary, "mono:d=1", 50)
    path = packing.write("p.geo", "--format", "gmsh", "--shrink", 0.97)
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.open(str(path))
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 6)
    gmsh.model.mesh.generate(3)
    volumes = {}
    for dimension, tag in gmsh.model.getPhysicalGroups(3):
        entities = gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
        volumes[gmsh.model.getPhysicalName(dimension, tag)] = sum(gmsh.model.occ.getMass(3, entity) for entity in entities)
    spheres = 4 / 3 * np.pi * ((0.97 * packing.radii) ** 3).sum()
    name = f"{packing.name}: Gmsh"
    check(f"{name} makes a mesh", len(gmsh.model.mesh.getElementsByType(4)[0]) > 1000)
    # OpenCASCADE integrates the volumes of cut spheres numerically: their errors differ with the packing.
    check(f"{name} cuts the spheres at the box", abs(volumes["spheres"] / spheres - 1) < 1e-5, (volumes, spheres))
    check(f"{name} fills the box", abs(sum(volumes.values()) / packing.lengths.prod() - 1) < 1e-5, volumes)
    names = {gmsh.model.getPhysicalName(2, tag) for _, tag in gmsh.model.getPhysicalGroups(2)}
    check(f"{name} names the faces", names >= {f"{axis}_{side}" for axis in "xyz" for side in ["low", "high"]}, names)
    for axis, periodic in enumerate(packing.periodic):
        faces = [tag for dimension, tag in gmsh.model.getEntities(2) if gmsh.model.mesh.getPeriodicNodes(2, tag)[0] != tag]
        moved = [tag for tag in faces if gmsh.model.mesh.getPeriodicNodes(2, tag)[3][3 + 4 * axis] != 0]
        check(f"{name} pairs the faces of {'xyz'[axis]}", (len(moved) > 0) == periodic, len(moved))
    gmsh.finalize()


def close(found, written):
    return found.shape == written.shape and np.allclose(found, written, rtol=1e-9, atol=1e-9)


def check_step(packing):
    """OpenCASCADE reads a solid for each sphere."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.model.occ.importShapes(str(packing.write("p.step")))
    gmsh.model.occ.synchronize()
    solids = [tag for _, tag in gmsh.model.getEntities(3)]
    volumes = np.array([gmsh.model.occ.getMass(3, tag) for tag in solids])
    centers = np.array([gmsh.model.occ.getCenterOfMass(3, tag) for tag in solids])
    gmsh.finalize()
    packing.compare("OpenCASCADE of p.step", len(solids), centers, np.cbrt(0.75 * volumes / np.pi), close)


def check_gmsh_of_shape(container):
    """Gmsh divides a round container into spheres and matrix, with names of its faces."""
    packing = Packing("w", "mono:d=1", 30, container)
    path = packing.write("p.geo", "--format", "gmsh", "--shrink", 0.97)
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.open(str(path))
    found = {}
    for dimension in [2, 3]:
        for _, tag in gmsh.model.getPhysicalGroups(dimension):
            entities = gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
            found[gmsh.model.getPhysicalName(dimension, tag)] = sum(gmsh.model.occ.getMass(dimension, entity) for entity in entities)
    gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 6)
    gmsh.model.mesh.generate(3)
    elements = len(gmsh.model.mesh.getElementsByType(4)[0])
    gmsh.finalize()
    name = f"{packing.name}: Gmsh"
    spheres = 4 / 3 * np.pi * ((0.97 * packing.radii) ** 3).sum()
    shape = packing.container
    check(f"{name} makes a mesh", elements > 1000, elements)
    check(f"{name} has the spheres", abs(found["spheres"] / spheres - 1) < 1e-5, found)
    check(f"{name} fills the container", abs((found["spheres"] + found["matrix"]) / shape["volume"] - 1) < 1e-5, (found, shape))
    if shape["shape"] == "sphere":
        expected = {"side": np.pi * shape["d"] ** 2}
    else:
        low, high = (shape["d"], shape["d"]) if shape["shape"] == "cylinder" else (shape["d_bottom"], shape["d_top"])
        slant = np.hypot(shape["h"], 0.5 * (high - low))
        expected = {"z_low": np.pi / 4 * low**2, "z_high": np.pi / 4 * high**2, "side": 0.5 * np.pi * (low + high) * slant}
    areas = {name: area for name, area in found.items() if name not in ["spheres", "matrix"]}
    check(f"{name} names the faces", areas.keys() == expected.keys() and all(abs(areas[key] / expected[key] - 1) < 1e-5 for key in expected), (areas, expected))


def cell_centers(cells, lengths):
    axes = [(np.arange(n) + 0.5) * length / n for n, length in zip(cells, lengths)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def expected_image(packing, cells):
    """The number of the sphere in each cell, from 1, by the distance to every sphere and its images."""
    points = cell_centers(cells, packing.lengths)
    image = np.zeros(cells, int)
    for number, (center, radius) in enumerate(zip(packing.centers, packing.radii), 1):
        way = points - center
        for axis, periodic in enumerate(packing.periodic):
            if periodic:
                way[..., axis] -= packing.lengths[axis] * np.round(way[..., axis] / packing.lengths[axis])
        image[(way**2).sum(axis=-1) <= radius**2] = number
    return image


def check_voxels(boundary):
    packing = Packing(boundary, "power-law-3", 100)
    size = float(packing.lengths.max() / 40)
    cells = tuple(np.round(packing.lengths / size).astype(int))
    expected = expected_image(packing, cells)
    options = ["--voxel", repr(size), "--voxel-values"]
    name = f"{packing.name}: the image"
    found = np.load(packing.write("id.npy", *options, "id"))
    check(f"{name} of NumPy is as computed", same(found, expected), (found != expected).sum() if found.shape == expected.shape else found.shape)
    found = tifffile.imread(packing.write("id.tif", *options, "id"))
    check(f"{name} of tifffile is the same", same(found.transpose(2, 1, 0), expected))
    grid = pyvista.read(packing.write("id.vti", *options, "id"))
    check(f"{name} of VTK is the same", same(grid.cell_data["id"].reshape(cells, order="F"), expected))
    check(f"{name} of VTK has the spacing and origin", np.allclose(grid.spacing, packing.lengths / cells) and same(grid.origin, np.zeros(3)))
    raw = packing.write("solid.raw", *options, "solid")
    header = dict(line.split(" = ", 1) for line in raw.with_suffix(".mhd").read_text().splitlines())
    solid = np.fromfile(raw, "u1").reshape(cells, order="F")
    check(f"{name} of bare numbers is the same", same(solid, expected > 0) and header["DimSize"].split() == [str(n) for n in cells])

    porosity = porespy.metrics.porosity(solid == 0)
    exact = 1 - 4 / 3 * np.pi * (packing.radii**3).sum() / packing.lengths.prod()
    # The error of counting cells: surface cells are right or wrong by chance.
    surface = 4 * np.pi * (packing.radii**2).sum() / size**2
    error = 4 * np.sqrt(surface) / solid.size
    check(f"{packing.name}: PoreSpy's porosity is {porosity:.4f}", abs(porosity - exact) < error, f"{exact:.4f} ± {error:.4f}")


def check_paraview(packing):
    """ParaView's own Python reads the points."""
    packing.write("p.vtp")
    script = WORK / "points.py"
    script.write_text(
        "from paraview.simple import XMLPolyDataReader\n"
        "from paraview import servermanager\n"
        f"reader = XMLPolyDataReader(FileName=[{str(packing.folder / 'p.vtp')!r}])\n"
        "data = servermanager.Fetch(reader)\n"
        "radii = data.GetPointData().GetArray('radius')\n"
        "print('points', data.GetNumberOfPoints(), repr(radii.GetValue(0)), *(repr(x) for x in data.GetPoint(0)))\n"
    )
    run = subprocess.run(["pvpython", script], capture_output=True, text=True)
    line = next((line for line in run.stdout.splitlines() if line.startswith("points")), "")
    expected = [len(packing.radii), packing.radii[0], *packing.centers[0]]
    check(f"{packing.name}: ParaView reads the points", [float(x) for x in line.split()[1:]] == expected, line + run.stderr[-500:])


def check_povray(packing):
    """POV-Ray, looking along each axis, shows the color of the front sphere at each pixel, and white between the spheres."""
    text = packing.write("p.pov").read_text()
    colors = np.array(re.findall(r"pigment { color srgb <(.*?), (.*?), (.*?)> }", text), float)
    check(f"{packing.name}: the scene has every sphere", len(colors) == len(packing.radii), len(colors))
    pixels = 300
    camera, scene = packing.folder / "camera.pov", packing.folder / "camera.png"
    for view in range(3):
        u, v = (view + 1) % 3, (view + 2) % 3
        place, along, right, up = 0.5 * packing.lengths, np.zeros(3), np.zeros(3), np.zeros(3)
        place[view], along[view] = 2 * packing.lengths[view], -1
        right[u], up[v] = packing.lengths[u], packing.lengths[v]
        vector = lambda x: "<" + ", ".join(map(repr, x.tolist())) + ">"
        new = f"camera {{ orthographic location {vector(place)} direction {vector(along)} right {vector(right)} up {vector(up)} }}"
        camera.write_text(re.sub(r"camera {.*?}\n", lambda _: new + "\n", text))
        run = subprocess.run(["povray", f"+W{pixels}", f"+H{pixels}", "+Q1", "-D", "-A", f"+O{scene}", camera], capture_output=True, text=True)
        check(f"{packing.name}: POV-Ray draws the scene", run.returncode == 0, run.stderr[-400:])
        image = np.asarray(Image.open(scene).convert("RGB"), int)
        middles = (np.arange(pixels) + 0.5) / pixels
        first, second = np.meshgrid(middles * packing.lengths[u], middles[::-1] * packing.lengths[v])
        depth, expected = np.full(image.shape[:2], -np.inf), np.full(image.shape, 255.0)
        for center, radius, color in zip(packing.centers, packing.radii, colors):
            rest = radius**2 - (first - center[u]) ** 2 - (second - center[v]) ** 2
            front = np.where(rest > 0, center[view] + np.sqrt(np.maximum(rest, 0)), -np.inf)
            expected[front > depth] = 255 * color
            depth = np.maximum(depth, front)
        wrong = (np.abs(image - expected).max(axis=2) > 2).mean()
        check(f"{packing.name}: POV-Ray along {'xyz'[view]} shows the spheres", wrong < 1e-3 and (depth > -np.inf).mean() > 0.3, wrong)


for boundary in BOUNDARIES:
    packing = Packing(boundary, "fuller-16", 300)
    check_surfaces(packing)
    check_step(packing)
    check_voxels(boundary)
    check_paraview(packing)
for boundary in ["ppp", "www"]:
    check_gmsh(boundary)
for container in ["cylinder:aspect=1.5", "sphere", "cone:taper=0.5,aspect=1.5"]:
    check_gmsh_of_shape(container)
check_povray(Packing("www", "power-law-3", 100))
finish()
