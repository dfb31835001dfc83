"""LAMMPS, OVITO, Gmsh and ezdxf read our files of disks, ezdxf writes outlines, and freud computes our hexatic order."""

import json
import math

import ezdxf
import ezdxf.addons.importer
import ezdxf.path
import freud
import gmsh
import numpy as np
import shapely
import tifffile
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


def check_dxf(packing):
    drawing = ezdxf.readfile(packing.write("p.dxf"))
    check(f"{packing.name}: ezdxf finds no fault", not drawing.audit().errors)
    circles = [entity.dxf for entity in drawing.modelspace().query("CIRCLE") if entity.dxf.layer.startswith("disks")]
    centers = np.array([list(circle.center) for circle in circles])
    packing.compare("ezdxf", len(circles), centers, np.array([circle.radius for circle in circles]))
    for border in drawing.modelspace().query("POLYLINE"):
        area = shapely.Polygon([(point[0], point[1]) for point in border.points()]).area
        check(f"{packing.name}: ezdxf reads the container", border.is_closed and np.isclose(area, np.prod(packing.lengths[:2])))


def check_gmsh(packing):
    path = packing.write("p.geo", "--format", "gmsh", "--shrink", 0.97)
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 1)
    gmsh.open(str(path))
    gmsh.model.mesh.generate(2)
    areas = {}
    for dimension, tag in gmsh.model.getPhysicalGroups(2):
        entities = gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
        areas[gmsh.model.getPhysicalName(dimension, tag)] = sum(gmsh.model.occ.getMass(2, entity) for entity in entities)
    name = f"{packing.name}: Gmsh"
    disks = math.pi * ((0.97 * packing.radii) ** 2).sum()
    check(f"{name} has the disks", np.isclose(areas["disks"], disks, rtol=1e-6), (areas, disks))
    check(f"{name} has the matrix", np.isclose(sum(areas.values()), packing.container["volume"], rtol=1e-6), areas)
    check(f"{name} makes a mesh", len(gmsh.model.mesh.getElementsByType(2)[0]) > 1000)
    names = {gmsh.model.getPhysicalName(1, tag) for _, tag in gmsh.model.getPhysicalGroups(1)}
    sides = {"side"} if packing.container["shape"] == "circle" else {"x_low", "x_high", "y_low", "y_high"}
    check(f"{name} has the sides", names == sides, names)
    for axis in (axis for axis in range(2) if packing.periodic[axis]):
        curves = [tag for _, tag in gmsh.model.getEntities(1) if gmsh.model.mesh.getPeriodicNodes(1, tag)[0] != tag]
        moved = [tag for tag in curves if gmsh.model.mesh.getPeriodicNodes(1, tag)[3][3 + 4 * axis] != 0]
        check(f"{name} pairs the sides of axis {axis}", len(moved) > 1, len(moved))
    gmsh.finalize()


def check_images(packing):
    image = np.load(packing.write("p.npy", "--voxel", 0.1))
    check(f"{packing.name}: the image has two axes", image.ndim == 2, image.shape)
    fraction = (math.pi * packing.radii**2).sum() / np.prod(packing.lengths[:2])
    check(f"{packing.name}: the image has the packing fraction", abs(image.mean() - fraction) < 0.01, image.mean())
    tif = tifffile.imread(packing.write("p.tif", "--voxel", 0.1))
    check(f"{packing.name}: tifffile reads the image", same(tif.T, image), tif.shape)


def check_outlines(folder):
    """ezdxf writes outlines, of which shapely knows the area."""
    drawing = ezdxf.new()
    space = drawing.modelspace()
    slot = [(0, 0, 0), (40, 0, 1), (40, 20, 0), (0, 20, -0.3)]
    space.add_lwpolyline(slot, format="xyb", close=True)
    space.add_circle((10, 10), 3)
    # A half disk of lines and an arc, in the hole of the outline.
    space.add_polyline2d([(30, 5, 0.5), (36, 5, 0.5), (33, 12, 0.5)], format="xyb", close=True)
    space.add_line((20, 4), (20, 16))
    space.add_arc((20, 10), 6, 270, 90)
    space.add_text("outline")
    rings = []
    for entity in space.query("LWPOLYLINE POLYLINE CIRCLE ARC"):
        rings.append([point.vec2 for point in ezdxf.path.make_path(entity).flattening(1e-4)])
    expected = shapely.Polygon()
    for ring in rings:
        expected = expected.symmetric_difference(shapely.Polygon(ring))
    for version in ["R2000", "R2018"]:
        copy = ezdxf.new(version)
        ezdxf.addons.importer.Importer(drawing, copy).import_modelspace()
        path = folder / f"{version}.dxf"
        copy.saveas(path)
        jostle("pack", "mono:d=0.8", "--container", f"outline:{path}", "--effort", "quick", "-q", "-o", folder / "o.json")
        area = json.loads((folder / "o.json").read_text())["container"]["volume"]
        check(f"the area of an outline in DXF {version}", abs(area / expected.area - 1) < 1e-3, (area, expected.area))


for boundary in ["pp", "pw", "ww"]:
    packing = Packing(boundary, TWO_SIZES, 500, "rectangle")
    check_lammps_data(packing)
    check_ovito(packing)
    check_dxf(packing)
    check_gmsh(packing)
    check_images(packing)
check_gmsh(Packing("w", TWO_SIZES, 200, "circle"))
check_outlines(packing.folder)
check_order(Packing("pp", "mono:d=1", 500, "rectangle"))
finish()
