"""Containers and bodies as values, whose text is the one that the command line takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ._arguments import flag, path_of, real, triple
from ._core import InputError

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Axis: TypeAlias = Literal["x", "y", "z"]

# Fields of shapes that are no parameters of the solid.
PLACE = ("position", "axis")


class Shape:
    """A solid: a container, or with a position a body that keeps spheres out.

    ``str(shape)`` is the text of the command line, such as ``"cylinder:d=3,h=4"``. Every argument `container` and `keep_out` takes a
    shape or its text.
    """

    position: tuple[float, float, float] | None

    def __str__(self) -> str:
        given = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        parameters = [f"{name}={number(name, given[name])}" for name in given if name not in PLACE and given[name] is not None]
        return self._placed(type(self).__name__.lower(), parameters)

    def _placed(self, name: str, parameters: list[str]) -> str:
        """Returns the text of a solid with these parameters at its position."""
        axis = getattr(self, "axis", None)
        direction = [] if axis is None else [f"axis={axis}"]
        if self.position is None:
            return join(name, parameters + direction)
        coordinates = [number("position", each) for each in triple("position", self.position)]
        return f"{join(name, parameters)}@{','.join(coordinates + direction)}"


@dataclass(frozen=True)
class Box(Shape):
    """A cuboid; without lengths, the smallest cube.

    Parameters
    ----------
    lx, ly, lz : float, optional
        Lengths along x, y and z, in the unit of the diameters: all of them or none.
    position : tuple of float, shape (3,), optional
        Center of a body, in the unit of the diameters.

    Examples
    --------
    >>> import jostle
    >>> str(jostle.Box(1, 2, 3, position=(5, 5, 5)))
    'box:lx=1,ly=2,lz=3@5,5,5'
    """

    lx: float | None = None
    ly: float | None = None
    lz: float | None = None
    position: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Cylinder(Shape):
    """A cylinder.

    Parameters
    ----------
    d, h : float, optional
        Diameter and height, in the unit of the diameters. A body without `h` has no ends, along a periodic axis.
    aspect : float, optional
        Height over diameter of the smallest cylinder, instead of `d` and `h`.
    position : tuple of float, shape (3,), optional
        Center of a body, in the unit of the diameters.
    axis : {"x", "y", "z"}, optional
        Direction of the axis; z by default.

    Examples
    --------
    >>> import jostle
    >>> str(jostle.Cylinder(2, 8, position=(5, 5, 5), axis="x"))
    'cylinder:d=2,h=8@5,5,5,axis=x'
    >>> jostle.pack("equal", 50, container=jostle.Cylinder(aspect=2), effort="quick").container.shape.split(":")[0]
    'cylinder'
    """

    d: float | None = None
    h: float | None = None
    aspect: float | None = None
    position: tuple[float, float, float] | None = None
    axis: Axis | None = None


@dataclass(frozen=True)
class Sphere(Shape):
    """A sphere; without a diameter, the smallest one.

    Parameters
    ----------
    d : float, optional
        Diameter, in the unit of the diameters.
    position : tuple of float, shape (3,), optional
        Center of a body, in the unit of the diameters.

    Examples
    --------
    >>> import jostle
    >>> str(jostle.Sphere(2.5))
    'sphere:d=2.5'
    """

    d: float | None = None
    position: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Cone(Shape):
    """The frustum of a cone.

    Parameters
    ----------
    d_bottom, d_top, h : float, optional
        Diameters at the lower and the upper end, and height, in the unit of the diameters.
    taper, aspect : float, optional
        ``d_top / d_bottom`` and ``h / d_bottom`` of the smallest frustum, instead of the lengths.
    position : tuple of float, shape (3,), optional
        Center of a body, in the unit of the diameters.
    axis : {"x", "y", "z"}, optional
        Direction of the axis; z by default.

    Examples
    --------
    >>> import jostle
    >>> str(jostle.Cone(taper=0.5, aspect=1.5))
    'cone:taper=0.5,aspect=1.5'
    """

    d_bottom: float | None = None
    d_top: float | None = None
    h: float | None = None
    taper: float | None = None
    aspect: float | None = None
    position: tuple[float, float, float] | None = None
    axis: Axis | None = None


@dataclass(frozen=True)
class Mesh(Shape):
    """The solid inside a closed triangle mesh.

    Parameters
    ----------
    file : path
        An ``.stl``, ``.obj`` or ``.ply`` file.
    scale : float, optional
        Factor on the coordinates of the file, such as 1000 from meters to millimeters.
    fit : bool
        Whether the mesh is scaled to the smallest container of its shape.
    cap : bool
        Whether planar openings are closed by flat caps.
    inside : tuple of float, shape (3,), optional
        A point in the coordinates of the file, after the factor. The region around it is the solid, such as the cavity of a vessel with
        thick walls.
    position : tuple of float, shape (3,), optional
        Vector that is added to the coordinates of the file, after the factor; for a body.

    Examples
    --------
    >>> import jostle
    >>> str(jostle.Mesh("part.stl", scale=0.001, position=(5, 5, 5)))
    'mesh:part.stl,scale=0.001@5,5,5'
    """

    file: str | os.PathLike[str]
    scale: float | None = None
    fit: bool = False
    cap: bool = False
    inside: tuple[float, float, float] | None = None
    position: tuple[float, float, float] | None = None

    def __str__(self) -> str:
        options = [] if self.scale is None else [f"scale={number('scale', self.scale)}"]
        if self.inside is not None:
            options.append("inside=" + ",".join(number("inside", each) for each in triple("inside", self.inside)))
        options.extend(name for name in ("cap", "fit") if flag(name, getattr(self, name)))
        return self._placed("mesh", [path_of("file", self.file), *options])


def join(name: str, parameters: Sequence[str]) -> str:
    """Returns the name of a shape with its parameters."""
    return f"{name}:{','.join(parameters)}" if parameters else name


def number(name: str, value: Any) -> str:
    """Returns the shortest decimal of a number."""
    return repr(real(name, value)).removesuffix(".0")


def shape_text(name: str, value: Any) -> str:
    """Returns the text of a container or a body."""
    from ._packing import Container

    if isinstance(value, Container):
        return value.shape
    if isinstance(value, (str, Shape)):
        return str(value)
    raise InputError(f"{name} is {value!r}; a text such as 'cylinder:d=3,h=4' or a shape such as jostle.Cylinder(3, 4) is expected")


def shape_texts(name: str, value: Any) -> list[str]:
    """Returns the texts of bodies, from one body or several."""
    is_one = isinstance(value, (str, Shape)) or not hasattr(value, "__iter__")
    return [shape_text(name, each) for each in ([value] if is_one else value)]
