"""Functions beside the packing loop."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import lengths, name_or_number, numbers, path_of, real, rows, text, triple, whole
from ._packing import Certificate, Packing
from ._shapes import shape_text, shape_texts
from ._sizes import SizeDistribution

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO, Literal

    from numpy.typing import ArrayLike

    from ._packing import Container
    from ._shapes import Shape


def read(
    path: str | os.PathLike[str] | bytes | IO[Any],
    format: str | None = None,
    *,
    box: float | ArrayLike | None = None,
    boundary: str | None = None,
    container: str | Shape | Container | None = None,
    frame: int | str = "last",
    origin: str | ArrayLike | None = None,
    columns: str | Sequence[str] | None = None,
    diameter: float | None = None,
) -> Packing:
    """Reads a packing from a file or from bytes in memory, and certifies it. A warning names what is not used of the file.

    Parameters
    ----------
    path : path, bytes, or file object
        The name of the file, its content, or an open file such as `io.BytesIO`.
    format : str, optional
        Name of the format, such as ``"yade"``; by default the format of the extension, or of the first lines of the file where formats
        share the extension, and ``"json"`` for bytes and open files. A file may be compressed with gzip. The sentence about an unknown
        name lists all names.
    box : float or array_like of shape (3,), optional
        Lengths of the container, for files that do not contain them, such as ``.csv``.
    boundary : str, optional
        Boundary of each axis, such as ``"ppw"``, for files that do not contain it, such as ``.csv`` and ``.data``.
    container : str, shape or Container, optional
        Container of another shape, such as ``"cylinder:d=20,h=40"``, for files that state at most its bounding box.
    frame : int or str, default: "last"
        Number, from 0, of the frame of a file with several (``.xyz``, ``.dump``, ``.gsd``, MercuryDPM, MUSEN), or ``"last"``.
    origin : str or array_like of shape (3,), optional
        Position of the container in the file: its low corner is the origin (``"corner"``), its center is (``"center"``), or the
        coordinates of its low corner; by default that of the file, or ``"corner"``.
    columns : str or sequence of str, optional
        Names of the columns of a table that does not state them, such as ``"id,type,x,y,z,r"``.
    diameter : float, optional
        Diameter of all spheres, in the unit of the file, for a file with centers only, such as a list of pebbles.

    Returns
    -------
    Packing
        Spheres in the order of the file. They may overlap: see :attr:`Packing.certificate`.

    Raises
    ------
    InputError
        If the content does not follow the format.
    FileError
        If the file cannot be read.
    """
    found = None if box is None else lengths("box", box)
    name = None if format is None else text("format", format)
    edges = None if boundary is None else text("boundary", boundary)
    shape = None if container is None else shape_text("container", container)
    corner = origin if origin is None or isinstance(origin, str) else ",".join(map(repr, triple("origin", origin)))
    names = columns if columns is None or isinstance(columns, str) else ",".join(columns)
    size = None if diameter is None else real("diameter", diameter)
    choices = ((str(frame), corner, names), size)
    return Packing._of(_core.read(_source(path), name, found, edges, shape, choices))


def _source(path: Any) -> str | bytes:
    """Returns the name of a file, or its content."""
    content = path.read() if hasattr(path, "read") else path
    if isinstance(content, str) and content is not path:
        return content.encode()
    return bytes(content) if isinstance(content, (bytes, bytearray, memoryview)) else path_of("path", content)


def certify(
    centers: ArrayLike,
    radii: ArrayLike,
    *,
    box: float | ArrayLike | None = None,
    boundary: str | None = None,
    container: str | Shape | Container | None = None,
    keep_out: str | Shape | Sequence[str | Shape] = (),
) -> Certificate:
    """Looks for overlap among spheres from any source, in double precision.

    Parameters
    ----------
    centers : array_like, shape (n, 3)
        Centers of the spheres.
    radii : array_like, shape (n,)
        Radii in the same unit.
    box : float or array_like of shape (3,), optional
        Length of a cube or lengths of a box with one corner at the origin.
    boundary : str, optional
        Boundary of the x, y and z axis: periodic (``p``) or wall (``w``). A box is periodic by default, other shapes have walls.
    container : str, shape or Container, optional
        Container of another shape, such as ``"cylinder:d=20,h=40"``, instead of `box`.
    keep_out : str, shape, or sequence of these, optional
        Bodies in the container, as in :func:`pack`.

    Returns
    -------
    Certificate

    Examples
    --------
    >>> import jostle
    >>> jostle.certify([[1, 1, 1], [1, 1, 2.5]], [0.5, 0.5], box=4).min_gap
    0.5
    """
    found = None if box is None else lengths("box", box)
    bodies = shape_texts("keep_out", keep_out)
    edges = None if boundary is None else text("boundary", boundary)
    shape = None if container is None else shape_text("container", container)
    certificate = _core.certify(rows("centers", centers), numbers("radii", radii), found, edges, shape, bodies)
    return Certificate._read(json.loads(certificate))


def predicted_packing_fraction(
    sizes: str | os.PathLike[str] | SizeDistribution | ArrayLike, *, model: Literal["rods", "compressible"] = "rods"
) -> float:
    """Returns the packing fraction that a model predicts for a random close packing of spheres in an infinite container.

    Parameters
    ----------
    sizes : str, path, SizeDistribution or array_like of shape (n,)
        A preset, an inline law, a file or a distribution; or radii or diameters, in any order and unit. The result is 0 if a size is
        not positive and finite.
    model : {"rods", "compressible"}
        The rods of Farr & Groot for spheres without friction, or the compressible packing model of de Larrard, with
        the compaction index 9 and equal spheres packed to 0.6435.

    References
    ----------
    R. S. Farr & R. D. Groot, J. Chem. Phys. 131 (2009) 244104, doi:10.1063/1.3276799.
    F. de Larrard, Concrete Mixture Proportioning: A Scientific Approach, E & FN Spon, London 1999.

    Examples
    --------
    >>> import jostle
    >>> round(jostle.predicted_packing_fraction([1.0]), 4)
    0.6435
    """
    name = text("model", model)
    if isinstance(sizes, (str, os.PathLike)):
        sizes = SizeDistribution(sizes)
    if isinstance(sizes, SizeDistribution):
        return _core.predicted_of(sizes._core, name)
    return _core.predicted_packing_fraction(numbers("sizes", sizes), name)


def tune(
    sizes: str | os.PathLike[str] | SizeDistribution,
    *,
    fraction: float = 0.64,
    k: Literal["measure"] | float | None = None,
    dimension: Literal[2, 3] = 3,
    method: Literal["linear", "exponential", "constant", "optimal", "recipe"] = "optimal",
    q: float = 1.0,
    levels: int | None = None,
    search: Literal["top-down", "bottom-up", "every-level"] = "top-down",
) -> dict[str, Any]:
    """Chooses the levels of a hierarchical grid for a size distribution, and predicts their cost.

    Parameters
    ----------
    sizes : str, path or SizeDistribution
        A preset, an inline law, a ``.json`` file or a distribution.
    fraction : float
        Share of space that the spheres fill.
    k : float or "measure", optional
        Cost of opening a cell, in overlap tests. The default is the published one.
    dimension : {2, 3}
        Dimension of space.
    method : {"linear", "exponential", "constant", "optimal", "recipe"}
        Method that chooses the cell sizes.
    q : float
        Number of spheres per cell of a level over that of the next finer level, with the method "constant".
    levels : int, optional
        Number of levels; the number of least work by default.
    search : {"top-down", "bottom-up", "every-level"}
        Levels on which a sphere looks for contacts.

    Returns
    -------
    dict
        The object that ``jostle tune --json`` prints, without the name of the program. Cell sizes are in units of the smallest radius,
        and work is per sphere, in units of one overlap test.
    """
    law = sizes if isinstance(sizes, SizeDistribution) else SizeDistribution(sizes)
    factor = None if k is None else name_or_number("k", k)
    count = None if levels is None else whole("levels", levels, 1)
    chosen = text("method", method), real("q", q)
    direction = text("search", search)
    number = min(whole("dimension", dimension, 0), 255)
    plan: dict[str, Any] = json.loads(
        _core.tune(law._core, real("fraction", fraction), factor, number, chosen, count, direction)
    )
    return plan
