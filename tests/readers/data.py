"""OVITO, PyVista (VTK), ASE, MDAnalysis, meshio, gsd, freud, NumPy, pyarrow and pygltflib read our files, and the recipe for OpenMC
runs."""

import contextlib
import json
import re
import runpy
import warnings
from pathlib import Path

import ase.io
import freud
import gsd.hoomd
import MDAnalysis
import meshio
import numpy as np
import pyarrow
import pyarrow.dataset
import pyarrow.feather
import pyarrow.parquet
import pygltflib
import pyvista
import vtk
from common import BOUNDARIES, WORK, Packing, check, finish, jostle, near, same

warnings.filterwarnings("ignore")
from ovito.io import import_file


def check_ovito(packing):
    for file, equal in [("p.xyz", near), ("p.vtp", same), ("p.dump", near)]:
        data = import_file(str(packing.write(file))).compute()
        found = data.particles
        order = np.argsort(found.identifiers) if file == "p.dump" else slice(None)
        radii = np.asarray(found["Radius"])[order]
        name = f"OVITO of {file}"
        packing.compare(name, found.count, np.asarray(found.positions)[order], None, equal)
        # OVITO stores radii in 32 bits.
        check(f"{packing.name}: {name} reads the radii", same(radii, packing.radii.astype(radii.dtype)) or equal(radii, packing.radii.astype(radii.dtype)))
        if file != "p.vtp":
            matrix = np.column_stack([np.diag(packing.lengths), np.zeros(3)])
            check(f"{packing.name}: {name} reads the cell", near(np.asarray(data.cell), matrix), np.asarray(data.cell))
            check(f"{packing.name}: {name} reads the periodicity", list(data.cell.pbc) == packing.periodic, data.cell.pbc)


def of_eleven_digits(found, written):
    """Equal up to the digits of VTK's legacy text."""
    return found.shape == written.shape and np.allclose(found, written, rtol=1e-10, atol=1e-10)


def check_vtk(packing):
    for file in ["p.vtp", "p.vtu", "p.vtk"]:
        found = pyvista.read(packing.write(file))
        packing.compare(f"VTK of {file}", found.n_points, found.points, found["radius"])
        check(f"{packing.name}: VTK reads the ids of {file}", same(found["id"], np.arange(found.n_points)))
    mesh = meshio.read(packing.folder / "p.vtu")
    packing.compare("meshio", len(mesh.points), mesh.points, mesh.point_data["radius"])
    # We read the files that VTK writes: compressed, in text and in base64, and the legacy format with binary numbers and as text.
    box = ",".join(map(repr, packing.lengths.tolist()))
    boundary = "".join("p" if periodic else "w" for periodic in packing.periodic)
    for file, equal in [("vtk.vtp", same), ("text.vtp", near), ("vtk.vtk", same), ("text.vtk", of_eleven_digits)]:
        pyvista.read(packing.folder / "p.vtp").save(packing.folder / file, binary=equal is same)
        back = packing.folder / "back.csv"
        jostle("convert", packing.folder / file, back, "--box", box, "--boundary", boundary)
        table = np.loadtxt(back, delimiter=",", skiprows=1)
        packing.compare(f"jostle of VTK's {file}", len(table), table[:, 1:4], table[:, 4], equal)


def check_pieces(packing):
    """VTK reads our file with pieces, and we read the three pieces that it writes."""
    box = ",".join(map(repr, packing.lengths.tolist()))
    boundary = "".join("p" if periodic else "w" for periodic in packing.periodic)
    reader = vtk.vtkXMLPPolyDataReader()
    reader.SetFileName(str(packing.write("pieces.pvtp")))
    reader.Update()
    found = pyvista.wrap(reader.GetOutput())
    packing.compare("VTK of pieces.pvtp", found.n_points, found.points, found["radius"])
    check(f"{packing.name}: VTK finds the arrays of pieces.pvtp", sorted(found.point_data.keys()) == ["diameter", "id", "radius"])
    check(f"{packing.name}: VTK reads the ids of pieces.pvtp", same(found["id"], np.arange(found.n_points)))
    check(f"{packing.name}: VTK finds a vertex for each sphere", found.n_verts == found.n_points)
    # The filter that divides the points stores them in 32 bits.
    divided = vtk.vtkExtractPolyDataPiece()
    divided.SetInputData(found)
    divided.CreateGhostCellsOff()
    for is_in_folder in [False, True]:
        writer = vtk.vtkXMLPPolyDataWriter()
        writer.SetInputConnection(divided.GetOutputPort())
        writer.SetNumberOfPieces(3)
        writer.SetStartPiece(0)
        writer.SetEndPiece(2)
        writer.SetUseSubdirectory(is_in_folder)
        file = packing.folder / f"vtk-{is_in_folder}.pvtp"
        writer.SetFileName(str(file))
        writer.Write()
        check(f"{packing.name}: VTK writes three pieces", file.read_text().count("<Piece ") == 3)
        back = packing.folder / "back.csv"
        jostle("convert", file, back, "--box", box, "--boundary", boundary)
        table = np.loadtxt(back, delimiter=",", skiprows=1)
        packing.compare(f"jostle of VTK's {file.name}", len(table), table[:, 1:4], None, lambda found, written: same(found, written.astype("f4")))
        check(f"{packing.name}: jostle reads the radii of VTK's {file.name}", same(table[:, 4], packing.radii))


def check_ase(packing):
    atoms = ase.io.read(packing.write("p.xyz"), format="extxyz")
    packing.compare("ASE", len(atoms), atoms.positions, atoms.arrays["radius"])
    check(f"{packing.name}: ASE reads the cell", same(np.diag(atoms.cell.array), packing.lengths))
    check(f"{packing.name}: ASE reads the periodicity", list(atoms.pbc) == packing.periodic)


def check_mdanalysis(packing):
    path = packing.write("p.data")
    universe = MDAnalysis.Universe(path, atom_style="id type radius density x y z", format="DATA", lammps_coordinate_convention="auto")
    order = np.argsort(universe.atoms.ids)
    centers = universe.atoms.positions[order]
    check(f"{packing.name}: MDAnalysis reads every sphere", len(universe.atoms) == len(packing.radii))
    check(f"{packing.name}: MDAnalysis reads the centers", same(centers, packing.centers.astype(centers.dtype)))
    check(f"{packing.name}: MDAnalysis reads the box", same(universe.dimensions[:3], packing.lengths.astype("f4")))


def check_gsd(packing):
    path = packing.write("p.gsd")
    frame = gsd.hoomd.open(path)[0]
    lengths = np.asarray(frame.configuration.box[:3], float)
    centers = np.asarray(frame.particles.position, float) + 0.5 * packing.lengths
    step = np.spacing(np.float32(packing.lengths.max()))
    name = f"{packing.name}: gsd"
    check(f"{name} reads every sphere", frame.particles.N == len(packing.radii))
    check(f"{name} reads the box", (np.abs(lengths - packing.lengths) <= step).all() and (lengths >= packing.lengths).all())
    check(f"{name} reads the centers", np.abs(centers - packing.centers).max() <= step)
    radii = 0.5 * np.asarray(frame.particles.diameter, float)
    check(f"{name} reads the radii", (radii <= packing.radii).all() and np.abs(radii - packing.radii).max() <= 2 * step)
    check(f"{name} reads the name of the type", frame.particles.types == ["1"])
    # freud finds no overlap in the 32-bit numbers of the file, with its own search.
    if all(packing.periodic):
        box = freud.box.Box(*frame.configuration.box[:3])
        query = freud.locality.AABBQuery(box, frame.particles.position)
        reach = min(2.0 * radii.max(), 0.49 * lengths.min())
        pairs = query.query(frame.particles.position, {"r_max": reach, "exclude_ii": True}).toNeighborList()
        way = frame.particles.position[pairs.query_point_indices].astype(float) - frame.particles.position[pairs.point_indices]
        way -= lengths * np.round(way / lengths)
        gaps = np.linalg.norm(way, axis=1) - radii[pairs.query_point_indices] - radii[pairs.point_indices]
        check(f"{packing.name}: freud finds the pairs, and none overlaps", len(gaps) > 0 and gaps.min() >= 0.0, gaps.min())
    # We read the files that gsd writes.
    with gsd.hoomd.open(packing.folder / "hoomd.gsd", "w") as file:
        file.append(frame)
    boundary = "".join("p" if periodic else "w" for periodic in packing.periodic)
    back = packing.folder / "back.npz"
    jostle("convert", packing.folder / "hoomd.gsd", back, "--boundary", boundary)
    arrays = np.load(back)
    check(f"{packing.name}: jostle reads the file of gsd", same(arrays["radii"], radii))


def check_numpy(packing):
    arrays = np.load(packing.write("p.npz"))
    packing.compare("NumPy", len(arrays["radii"]), arrays["centers"], arrays["radii"])
    check(f"{packing.name}: NumPy reads the box", same(arrays["box"], packing.lengths) and same(arrays["origin"], np.zeros(3)))
    check(f"{packing.name}: NumPy reads the periodicity", arrays["periodic"].tolist() == packing.periodic)
    np.savez_compressed(packing.folder / "numpy.npz", centers=packing.centers, radii=packing.radii, box=packing.lengths, periodic=packing.periodic)
    back = packing.folder / "back.npz"
    jostle("convert", packing.folder / "numpy.npz", back)
    packing.compare("jostle of NumPy's archive", len(packing.radii), np.load(back)["centers"], np.load(back)["radii"])

    centers = np.load(packing.write("p.npy"))
    packing.compare("NumPy of p.npy", len(centers), centers, None)
    for file, delimiter in [("p.csv", ","), ("p.tsv", "\t")]:
        table = np.loadtxt(packing.write(file), delimiter=delimiter, skiprows=1)
        packing.compare(f"NumPy of {file}", len(table), table[:, 1:4], table[:, 4])
    table = np.fromfile(packing.write("p.xyzd"), "<f8").reshape(-1, 4)
    packing.compare("NumPy of p.xyzd", len(table), table[:, :3], 0.5 * table[:, 3])


def check_arrow(packing):
    """pyarrow reads our tables, and we read those that it writes: compressed, with 32-bit ids, with diameters."""
    metadata = {}
    for file, read in [("p.parquet", pyarrow.parquet.read_table), ("p.arrow", pyarrow.feather.read_table)]:
        table = read(packing.write(file))
        name = f"pyarrow of {file}"
        columns = {column: table[column].to_numpy() for column in table.column_names}
        check(f"{packing.name}: {name} finds the columns", list(columns) == ["id", "x", "y", "z", "radius"], list(columns))
        centers = np.column_stack([columns[axis] for axis in "xyz"])
        packing.compare(name, table.num_rows, centers, columns["radius"])
        check(f"{packing.name}: {name} reads the ids", same(columns["id"], np.arange(table.num_rows)))
        metadata = json.loads(table.schema.metadata[b"jostle"])
        container = metadata["container"]
        check(f"{packing.name}: {name} reads the box", same(container["lengths"], packing.lengths) and metadata["origin"] == [0, 0, 0])
        check(f"{packing.name}: {name} reads the periodicity", [axis == "p" for axis in container["boundary"]] == packing.periodic)
    # pyarrow reads several of our tables as one data set, and we read its data set.
    folder = packing.folder / "set.parquet"
    folder.mkdir()
    half = len(packing.radii) // 2
    for part, condition in enumerate([f"id<{half}", f"id>={half}"]):
        packing.write(f"set.parquet/part-{part:05}.parquet", "--select", condition)
    table = pyarrow.dataset.dataset(folder).to_table()
    packing.compare("pyarrow of a data set", table.num_rows, np.column_stack([table[axis] for axis in "xyz"]), table["radius"])
    check(f"{packing.name}: pyarrow reads the ids of a data set", same(table["id"], np.arange(table.num_rows)))
    folder = packing.folder / "pyarrow.parquet"
    pyarrow.dataset.write_dataset(table, folder, format="parquet", max_rows_per_file=300, max_rows_per_group=300, preserve_order=True)
    check(f"{packing.name}: pyarrow writes seven tables", len(list(folder.iterdir())) == 7)
    jostle("convert", folder, packing.folder / "back.npz")
    arrays = np.load(packing.folder / "back.npz")
    packing.compare("jostle of pyarrow's data set", len(arrays["radii"]), arrays["centers"], arrays["radii"])
    plain = pyarrow.table({"ID": columns["id"].astype("u4"), "Diameter": 2 * packing.radii, **dict(zip("zyx", packing.centers.T[::-1]))})
    box = ",".join(map(repr, packing.lengths.tolist()))
    for file, write in [
        ("plain.parquet", pyarrow.parquet.write_table),
        ("gzip.parquet", lambda table, path: pyarrow.parquet.write_table(table, path, compression="gzip", data_page_version="2.0")),
        ("plain.feather", pyarrow.feather.write_feather),
    ]:
        write(plain, packing.folder / file)
        back = packing.folder / "back.npz"
        jostle("convert", packing.folder / file, back, "--box", box, "--boundary", metadata["container"]["boundary"])
        arrays = np.load(back)
        packing.compare(f"jostle of pyarrow's {file}", len(arrays["radii"]), arrays["centers"], arrays["radii"])


def check_openmc():
    """The script and the recipe of docs/guide/formats.md build the pebbles, with a stand-in for OpenMC."""
    recipe = (Path(__file__).parents[2] / "docs/guide/formats.md").read_text().split("### OpenMC: a pebble bed")[1].split("### ")[0]
    command, snippet = re.search(r"```sh\njostle (.*?)\n", recipe)[1], re.search(r"```python\n(.*?)```", recipe, re.S)[1]
    folder = WORK / "openmc"
    folder.mkdir()
    with contextlib.chdir(folder):
        command = command.replace("-n 500", "-n 40") + " -q"
        jostle(*command.split())
        jostle(*command.replace(" --script", "").replace(".npy", ".json").split())
        spheres = np.array(json.loads(Path("pebbles.json").read_text())["spheres"])
        scene = runpy.run_path("pebbles.py")
        exec(snippet, recipe_names := {})
    centers, radius = spheres[:, :3], spheres[0, 3]
    check("openmc: the recipe makes every pebble", same([pebble.center for pebble in recipe_names["spheres"]], centers))
    check("openmc: the pebbles of the recipe have their radius", radius == 3.0)
    check("openmc: the script makes every pebble", same([surface.center for surface in scene["surfaces"]], centers))
    check("openmc: the script has the radius", {surface.r for surface in scene["surfaces"]} == {radius})
    with contextlib.chdir(folder):
        jostle("pack", "bidisperse:d_small=1,d_large=2,mass_small=0.5", "-n", 40, "-q", "-o", "two.npy", "-o", "two.json", "--format", "json")
        jostle("convert", "--from", "json", "two.json", "two.npy", "--script")
        two = runpy.run_path("two.py")["surfaces"]
        rows = json.loads(Path("two.json").read_text())["spheres"]
    check("openmc: the script has radii that differ", [[*surface.center, surface.r] for surface in two] == rows)
    low, high = np.array(scene["box"].bounds).T
    points = np.random.default_rng(1).uniform(low, high, (2000, 3))
    inside = (np.linalg.norm(points[:, None] - centers, axis=2) < radius).any(axis=1)
    found = [scene["geometry"].find(point).fill is scene["fuel"] for point in points]
    check("openmc: points lie in pebbles or in the coolant", 0 < inside.sum() < len(points) and same(found, inside))


def check_text(packing):
    """Formats without an available program: columns where the reader's source expects them."""
    for file, name, skip, columns, is_diameter in [
        ("p-mfix.dat", "mfix", 0, [0, 1, 2, 3], False),
        ("p-exa.dat", "mfix-exa", 1, [1, 2, 3, 4], False),
        ("p-neper.txt", "neper", 0, [0, 1, 2, 3], True),
        ("p-mercury.data", "mercury", 1, [0, 1, 2, 6], False),
        ("p-musen.txt", "musen", 0, [15, 16, 17, 5], False),
    ]:
        lines = packing.write(file, "--format", name).read_text().splitlines()
        rows = np.array([[float(line.split()[c]) for c in columns] for line in lines[skip : skip + len(packing.radii)]])
        packing.compare(name, len(rows), rows[:, :3], (0.5 if is_diameter else 1.0) * rows[:, 3])
    lethe = packing.write("p-lethe.dat", "--format", "lethe").read_text().splitlines()
    names = [name.strip() for name in lethe[0].split(";")]
    rows = np.array([[float(value) for value in line.split(";")[:-1]] for line in lethe[1:]])
    at = [names.index(name) for name in ["p_x", "p_y", "p_z", "diameters"]]
    packing.compare("lethe", len(rows), rows[:, at[:3]], 0.5 * rows[:, at[3]])
    pfc = packing.write("p.p3dat", "--format", "pfc").read_text()
    rows = np.array(re.findall(r"ball create id \d+ radius (\S+) position \((\S+?),(\S+?),(\S+?)\)", pfc), float)
    packing.compare("pfc", len(rows), rows[:, 1:], rows[:, 0])
    phasic = np.loadtxt(packing.write("p-phasic.txt", "--format", "phasicflow"), delimiter=",")
    packing.compare("phasicflow", len(phasic), phasic, None)
    centers = np.loadtxt(packing.write("p-coo.txt", "--format", "neper-centers"))
    weights = np.loadtxt(packing.write("p-rad.txt", "--format", "neper-radii"))
    packing.compare("neper-centers", len(centers), centers, weights)


def gltf_array(gltf, number):
    """Returns an array of three columns of 32-bit floats."""
    accessor = gltf.accessors[number]
    view = gltf.bufferViews[accessor.bufferView]
    assert (accessor.componentType, accessor.type) == (pygltflib.FLOAT, "VEC3")
    return np.frombuffer(gltf.binary_blob(), "<f4", 3 * accessor.count, view.byteOffset).reshape(-1, 3)


def check_pictures(packing):
    # meshio reads all columns of PLY, and VTK the points.
    mesh = meshio.read(packing.write("p.ply"))
    packing.compare("meshio of p.ply", len(mesh.points), mesh.points, mesh.point_data["radius"])
    check(f"{packing.name}: meshio reads the ids of p.ply", same(mesh.point_data["id"], np.arange(len(mesh.points))))
    ply = pyvista.read(packing.folder / "p.ply")
    check(f"{packing.name}: VTK reads the vertices of p.ply", same(ply.points, packing.centers.astype(ply.points.dtype)), ply.n_points)
    for origin, low in [("corner", 0.0), ("center", -0.5 * packing.lengths)]:
        gltf = pygltflib.GLTF2().load(packing.write("p.glb", "--origin", origin))
        above, node = gltf.nodes
        arrays = {name: gltf_array(gltf, number) for name, number in node.extensions["EXT_mesh_gpu_instancing"]["attributes"].items()}
        centers = arrays["TRANSLATION"] + np.array(node.translation)
        step = np.spacing(np.float32(packing.lengths.max()))
        name = f"{packing.name}: pygltflib"
        check(f"{name} reads the centers, {origin}", np.abs(centers - low - packing.centers).max() <= step)
        radii = arrays["SCALE"].astype(float)
        check(f"{name} reads the radii", (radii <= packing.radii[:, None]).all() and np.abs(radii - packing.radii[:, None]).max() <= 2 * step)
        colors = arrays["_COLOR_0"]
        distinct = len(np.unique(colors, axis=0))
        check(f"{name} reads colors by size", colors.min() >= 0 and colors.max() <= 1 and 1 < distinct <= len(np.unique(packing.radii)), distinct)
        check(f"{name} reads a rotation that turns z upwards", np.allclose(above.rotation, [-(0.5**0.5), 0, 0, 0.5**0.5]), above.rotation)
    vertices = gltf_array(gltf, gltf.meshes[0].primitives[0].attributes.POSITION)
    check(f"{packing.name}: the mesh of p.glb is a sphere of radius 1", np.allclose(np.linalg.norm(vertices, axis=1), 1, atol=1e-6))


for boundary in BOUNDARIES:
    packing = Packing(boundary)
    for part in [check_ovito, check_vtk, check_pieces, check_ase, check_mdanalysis, check_gsd, check_numpy, check_arrow, check_text, check_pictures]:
        part(packing)
check_openmc()
finish()
