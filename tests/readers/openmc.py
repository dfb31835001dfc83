"""A stand-in for OpenMC, which PyPI does not offer: the names that our script and our recipe use, with the signatures of OpenMC's
manual. Regions answer whether they contain a point, and a geometry finds the cell of a point."""

from dataclasses import dataclass, field
from types import SimpleNamespace


class Region:
    def __init__(self, contains):
        self.contains = contains

    def __contains__(self, point):
        return self.contains(point)

    def __and__(self, other):
        return Intersection([self, other])


class Intersection(Region):
    def __init__(self, nodes):
        nodes = list(nodes)
        super().__init__(lambda point: all(point in node for node in nodes))


class Surface:
    """A surface, whose function is negative inside."""

    def __init__(self, evaluate):
        self.evaluate = evaluate

    def __neg__(self):
        return Region(lambda point: self.evaluate(point) < 0)

    def __pos__(self):
        return Region(lambda point: self.evaluate(point) > 0)


class Sphere(Surface):
    def __init__(self, x0=0.0, y0=0.0, z0=0.0, r=1.0, boundary_type="transmission"):
        self.center, self.r = (float(x0), float(y0), float(z0)), float(r)
        super().__init__(lambda point: sum((a - b) ** 2 for a, b in zip(point, self.center)) - self.r**2)


class RectangularParallelepiped(Surface):
    def __init__(self, xmin, xmax, ymin, ymax, zmin, zmax, boundary_type="transmission"):
        assert boundary_type in ("transmission", "vacuum", "reflective", "periodic", "white")
        self.bounds = ((xmin, xmax), (ymin, ymax), (zmin, zmax))
        super().__init__(lambda point: max(max(low - x, x - high) for x, (low, high) in zip(point, self.bounds)))


@dataclass
class Material:
    material_id: int | None = None
    name: str = ""


@dataclass
class Cell:
    cell_id: int | None = None
    name: str = ""
    fill: object = None
    region: Region | None = None


@dataclass
class Universe:
    universe_id: int | None = None
    name: str = ""
    cells: list = field(default_factory=list)


class Geometry:
    def __init__(self, root):
        self.cells = list(root)

    def find(self, point):
        """Returns the only cell that contains a point."""
        (cell,) = (cell for cell in self.cells if point in cell.region)
        return cell


class TRISO(Cell):
    def __init__(self, outer_radius, fill, center=(0.0, 0.0, 0.0)):
        self.center = tuple(map(float, center))
        super().__init__(fill=fill, region=-Sphere(*self.center, r=outer_radius))


model = SimpleNamespace(RectangularParallelepiped=RectangularParallelepiped, TRISO=TRISO)
