"""The result of a run."""

from __future__ import annotations

import inspect
import io
import json
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._arguments import flag, numbers, path_of, real, text, triple, whole, wholes
from ._core import InputError
from ._core import Packing as CorePacking

if TYPE_CHECKING:
    from typing import IO, Literal, TypeAlias

    import ase
    import numpy as np
    import pandas
    import pyvista
    import xarray
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from ._tables import Contacts, Profile, Supports
    from ._view import View

    StopReason: TypeAlias = Literal["converged", "fraction-reached", "stalled", "sweep-limit", "time-limit", "interrupted", "overlapping"]


class OmissionWarning(UserWarning):
    """Parts of a packing that the format of a file does not hold."""


@dataclass(frozen=True)
class Container:
    """The region that holds the spheres, with one corner of its bounding box at the origin.

    Attributes
    ----------
    lengths : tuple of float
        Lengths of the bounding box along x, y and z, in the unit of the diameters; 0 along z in the plane.
    boundary : str
        Boundary of each axis: periodic (``p``) or wall (``w``), such as ``"ppw"``, or ``"pw"`` in the plane.
    shape : str
        The shape with its parameters, such as ``"cylinder:d=3,h=4"``; an argument `container` of :func:`jostle.pack`.
    volume : float
        Volume inside the walls and outside of the bodies, in the unit of the diameters cubed; an area in the plane.
    description : dict
        The form of the container in `.json` files; its bodies are the item ``"keep_out"``.
    """

    lengths: tuple[float, float, float]
    boundary: str
    shape: str
    volume: float
    description: dict[str, Any] = field(repr=False)

    @classmethod
    def _read(cls, row: tuple[list[float], str, float, str, str]) -> Container:
        (x, y, z), boundary, volume, shape, description = row
        return cls((x, y, z), boundary, shape, volume, json.loads(description))

    @classmethod
    def mesh(
        cls,
        path: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        cap: bool = False,
        inside: ArrayLike | None = None,
        fit: bool = False,
    ) -> Container:
        """Reads the body in a triangle mesh, and repairs the mesh: an argument `container` of :func:`jostle.pack`.

        Small cracks are joined, and triangles are turned to the outside. :attr:`repairs` states what was changed.

        Parameters
        ----------
        path : str or path
            File with the extension ``.stl``, ``.obj`` or ``.ply``.
        scale : float
            Factor of all lengths.
        cap : bool
            Whether planar openings are closed by flat caps.
        inside : array_like of shape (3,), optional
            A point in the coordinates of the file, after `scale`. The region around it is the container, such as the cavity of a
            vessel with thick walls.
        fit : bool
            Whether :func:`jostle.pack` finds the smallest body of this shape, whose size is not that of the file.

        Returns
        -------
        Container

        Raises
        ------
        InputError
            If the file cannot be read, or if its triangles are not the surface of a body after the repairs.
        """
        shape = f"mesh:{path_of('path', path)},scale={real('scale', scale)!r}"
        if inside is not None:
            point = numbers("inside", inside).tolist()
            shape += ",inside=" + ",".join(map(repr, point))
        shape += ",cap" * flag("cap", cap) + ",fit" * flag("fit", fit)
        lengths, boundary, volume, _, description = _core.container(shape)
        return cls._read((lengths, boundary, volume, shape, description))

    @property
    def repairs(self) -> dict[str, float]:
        """What was repaired in a mesh: numbers of vertices, triangles and openings, and ``"capped_area"``. It is empty for a mesh that
        was accepted as it is, and for other shapes."""
        repairs: dict[str, float] = self.description.get("repairs", {})
        return repairs


@dataclass(frozen=True)
class Certificate:
    """The result of the independent check for overlap, in double precision.

    Attributes
    ----------
    max_overlap : float
        Largest overlap of two spheres, of a sphere and a wall or body, or of periodic images, in the unit of the diameters. It
        is 0 in every packing that jostle makes, except for overlaps that `fixed_may_overlap` allowed.
    min_gap : float
        Smallest gap in the unit of the diameters; infinite for a sphere without neighbors and walls.
    closest : dict or None
        The pair with the smallest gap: ``{"spheres": [i, j]}``, a sphere with a ``"wall"`` or its own ``"image"`` and the axis,
        a sphere at a curved ``"side"``, or a sphere with a ``"body"`` and its number. All numbers count from 0.
    """

    max_overlap: float
    min_gap: float
    closest: dict[str, list[int]] | None

    @classmethod
    def _read(cls, values: dict[str, Any]) -> Certificate:
        gap = values["min_gap"]
        return cls(values["max_overlap"], float("inf") if gap is None else gap, values["closest"])


@dataclass(frozen=True)
class SizeReport:
    """The requested and the achieved sizes.

    Attributes
    ----------
    d_min, d_max : float
        Smallest and largest diameter.
    mass_curve : list of list of float
        Rows [diameter, requested share, achieved share] by rising diameter. A share is the mass at or below the diameter.
    mass_curve_error : float
        Largest difference between requested and achieved share.
    warning : str or None
        One sentence about size classes without a sphere, or about a mass curve that is missed by more than 5 %.
    sufficient : dict or None
        Number (``spheres``) and total volume (``volume``) of the spheres that would do; None without a warning.
    """

    d_min: float
    d_max: float
    mass_curve: list[list[float]]
    mass_curve_error: float
    warning: str | None
    sufficient: dict[str, float] | None = None


class Neighbors(NamedTuple):
    """Pairs of spheres whose centers are near each other.

    Attributes
    ----------
    pairs : numpy.ndarray of int, shape (m, 2)
        Positions of both spheres in the arrays of the packing, the smaller one first. Rows are sorted, and each pair occurs once.
    distances : numpy.ndarray, shape (m,)
        Distance between the centers, to the nearest image along periodic axes, in the unit of the diameters.
    """

    pairs: NDArray[np.int64]
    distances: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Component:
    """A component of a blend in a packing.

    Attributes
    ----------
    label : str
        Name of the component.
    density : float or None
        Density of the spheres; None if all components have one density.
    spheres : ndarray, shape (k,)
        Positions of its spheres in the arrays of the packing.
    """

    label: str
    density: float | None
    spheres: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.spheres)


class Packing:
    """Spheres in a container, with the certificate of the check for overlap, and the provenance.

    :func:`jostle.pack`, :func:`jostle.read` and :meth:`jostle.Packer.finish` return packings. ``packing[mask]`` and ``packing[:10]``
    are packings of the chosen spheres in the same container: see :meth:`__getitem__`. A packing does not change. Its
    arrays are views of its memory and cannot be written to. Two packings are equal if their centers, radii, containers and numbers
    of fixed spheres are: not every format holds ids, sizes and provenance.
    """

    __slots__ = ("__dict__", "_core")

    _core: CorePacking

    def __init__(self) -> None:
        raise TypeError("jostle.pack and jostle.read make packings")

    @classmethod
    def _of(cls, core: CorePacking) -> Packing:
        packing = cls.__new__(cls)
        packing._core = core
        return packing

    @property
    def centers(self) -> NDArray[np.float64]:
        """Centers of the spheres, shape (n, 3), in the unit of the diameters; of the disks of a flat packing, shape (n, 2)."""
        return self._core.centers

    @property
    def radii(self) -> NDArray[np.float64]:
        """Radii of the spheres, shape (n,)."""
        return self._core.radii

    @property
    def diameters(self) -> NDArray[np.float64]:
        """Diameters of the spheres, shape (n,)."""
        return self._core.diameters

    @property
    def ids(self) -> NDArray[np.int64]:
        """Ids of the spheres in the file that was read, or else their positions from 0, shape (n,)."""
        return self._core.ids

    @property
    def coordination(self) -> NDArray[np.int64]:
        """Contact number of each sphere, without walls, shape (n,).

        Two spheres touch if their gap is at most :attr:`contact_tolerance` smaller diameters.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=500, effort="quick")
        >>> bool(packing.coordination.mean() == packing.analyze()["contacts"]["mean"])
        True
        """
        return self._structure[0]

    @property
    def rattlers(self) -> NDArray[np.bool_]:
        """Whether the contacts of each sphere cannot hold it, shape (n,): it has fewer than four contacts with walls and with spheres
        that are no rattlers. ``packing[~packing.rattlers]`` is the backbone."""
        return self._structure[1]

    @property
    def contact_tolerance(self) -> float:
        """Tolerance of contacts in units of the smaller diameter, for :attr:`coordination` and :attr:`rattlers`: the one that suits the
        packing (``docs/guide/analysis.md``)."""
        return self._structure[2]

    @cached_property
    def _structure(self) -> tuple[NDArray[np.int64], NDArray[np.bool_], float]:
        numbers, rattlers, tolerance = _core.structure(self._core, None)
        numbers.flags.writeable = rattlers.flags.writeable = False
        return numbers, rattlers, tolerance

    @cached_property
    def local_density(self) -> NDArray[np.float64]:
        """Packing fraction in the radical cell of each sphere, shape (n,): its volume divided by that of the cell.

        A cell has the points whose ``distance² − radius²`` from its sphere is the smallest (Gellatly & Finney 1982). Cells fill a box; at
        a curved wall they reach beyond it by up to 10⁻³ radii. The value is infinite for a sphere to which no point belongs, because
        others overlap it. Containers with bodies, and meshes, are an :class:`InputError`.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("concrete", n=500, effort="quick")
        >>> volumes = packing.diameters**3
        >>> bool(abs(volumes.sum() / (volumes / packing.local_density).sum() - packing.packing_fraction) < 1e-9)
        True
        """
        density = _core.local_densities(self._core)
        density.flags.writeable = False
        return density

    @cached_property
    def force_contacts(self) -> NDArray[np.int64] | None:
        """Number of contacts of each sphere that bear force, shape (n,), with walls and bodies; None if the packing is not known to be jammed.

        The number is 0 for a rattler. ``packing[packing.force_contacts > 0]`` is the backbone."""
        numbers = _core.force_contacts(self._core)
        if numbers is None:
            return None
        total = numbers[0] + numbers[1]
        total.flags.writeable = False
        return total

    def neighbors(self, cutoff: float) -> Neighbors:
        """Returns all pairs of spheres whose centers are at most `cutoff` apart.

        Parameters
        ----------
        cutoff : float
            Largest distance of two centers in the unit of the diameters; along periodic axes at most half of the shortest length.

        Returns
        -------
        Neighbors
            ``pairs``, shape (m, 2), and ``distances``, shape (m,).

        Raises
        ------
        InputError
            If the cutoff is not accepted.
        MemoryError
            If the pairs need more memory than there is.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=500, effort="quick")
        >>> pairs, distances = packing.neighbors(1.5 * packing.diameters.max())
        >>> pairs.shape[1], bool((distances >= packing.radii[pairs].sum(axis=1)).all())
        (2, True)
        """
        ids, distances = _core.neighbors(self._core, real("cutoff", cutoff))
        return Neighbors(ids.reshape(-1, 2), distances)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """Lengths of the container's bounding box, shape (3,)."""
        import numpy as np

        return np.array(self.container.lengths)

    @property
    def packing_fraction(self) -> float:
        """Volume of the spheres divided by the volume of the container."""
        return self._core.packing_fraction

    @cached_property
    def _account(self) -> dict[str, Any]:
        account: dict[str, Any] = json.loads(self._core.account())
        return account

    @cached_property
    def container(self) -> Container:
        """The container of the spheres."""
        return Container._read(self._core.container)

    @property
    def fixed(self) -> int:
        """Number of fixed spheres, which are the last ones."""
        fixed: int = self._account["fixed"]
        return fixed

    @property
    def component_ids(self) -> NDArray[np.int64]:
        """Position of the component of each sphere in :attr:`components`, shape (n,). It is -1 for spheres without a component,
        such as fixed spheres."""
        return self._core.component_ids

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The components of the blend from which the spheres come, or the types in the file from which the packing was read; empty for other
        packings.

        Examples
        --------
        >>> import jostle
        >>> blend = jostle.SizeDistribution.blend({"mono:d=1": 0.5, "mono:d=2": 0.5})
        >>> packing = jostle.pack(blend, n=180, effort="quick")
        >>> [(component.label, len(component)) for component in packing.components]
        [('mono:d=1', 160), ('mono:d=2', 20)]
        """
        import numpy as np

        ids = self.component_ids
        found = enumerate(self._account["components"])
        return tuple(Component(own["label"], own.get("density"), np.flatnonzero(ids == k)) for k, own in found)

    @cached_property
    def certificate(self) -> Certificate:
        """The result of the check for overlap."""
        return Certificate._read(self._account["certificate"])

    @cached_property
    def sizes(self) -> SizeReport | None:
        """Requested and achieved sizes; None if the diameters came without a size distribution."""
        sizes = self._account["sizes"]
        return SizeReport(**sizes) if sizes else None

    @property
    def provenance(self) -> dict[str, Any] | None:
        """The request behind the packing and the account of its run, as in `.json` files; None if the file had none.

        The dictionary is a copy.
        """
        provenance: dict[str, Any] | None = json.loads(self._core.account())["provenance"]
        return provenance

    @property
    def stop_reason(self) -> StopReason | None:
        """Reason why the run ended: ``converged``, ``fraction-reached``, ``stalled``, ``sweep-limit``, ``time-limit``,
        ``interrupted`` or ``overlapping``; None without provenance."""
        provenance = self._account["provenance"]
        return provenance["stop"] if provenance else None

    @property
    def unit(self) -> str:
        """Unit of all lengths, such as ``"mm"``; empty if it is unknown."""
        unit: str = self._account["unit"]
        return unit

    @property
    def seconds(self) -> float | None:
        """Wall time of the run in seconds; None if the packing was read from a file."""
        run = self._core.run
        return run[0] if run else None

    @property
    def threads(self) -> int | None:
        """Number of threads of the run; None if the packing was read from a file."""
        run = self._core.run
        return run[1] if run else None

    @property
    def unmet(self) -> list[str]:
        """Sentences about parts of the request that the run did not meet; empty if the packing was read from a file."""
        run = self._core.run
        return run[2] if run else []

    def save(
        self,
        path: str | os.PathLike[str] | IO[Any] | Iterable[str | os.PathLike[str]],
        format: str | None = None,
        *,
        density: float = 1.0,
        scale: float = 1.0,
        origin: Literal["corner", "center", "mesh"] = "corner",
        types: int | Literal["classes", "components"] = "components",
        select: str | None = None,
        images: bool = False,
        repeat: Sequence[int] = (1, 1, 1),
        script: bool = False,
        bonds: float | None = None,
        resolution: int = 2,
        shrink: float = 1.0,
        bridge: float = 0.0,
        cut: bool = False,
        voxel: float | None = None,
        voxel_values: Literal["solid", "id", "class"] = "solid",
    ) -> None:
        """Writes the packing to a file, to several files, or to an open file such as `io.BytesIO`.

        A file appears when it is complete or not at all. An :class:`OmissionWarning` names the parts of the packing that a file does
        not hold.

        Parameters
        ----------
        path : path, iterable of paths, or file object
            The extension names the format: ``.json`` holds everything. The sentence about an unknown format lists all formats.
        format : str, optional
            Name of the format of all files, such as ``"yade"``; by default the format of each extension, and ``"json"`` in an open
            file.
        density : float
            Density of the spheres, in the unit of the target program.
        scale : float
            Factor on all lengths, such as 0.001 from millimeters to meters.
        origin : {"corner", "center", "mesh"}
            Point of the container at the origin of coordinates, or ``"mesh"`` for the coordinates of the file of a mesh.
        types : int, "classes" or "components"
            Number of types of equal ratio of diameters, one type for each diameter, or one type for each component of a blend. Without
            components, all spheres have type 1.
        select : str, optional
            Conditions on d, r, x, y, z or id that written spheres meet, such as ``"d>2,z<10"``, in the unit of the packing.
        images : bool
            Add copies of spheres that cross periodic faces at the opposite faces, and state no periodicity.
        repeat : sequence of int, shape (3,)
            Number of copies of a periodic container along x, y and z.
        script : bool
            Write a script beside each file, with which LAMMPS, LIGGGHTS, YADE and others start from the packing.
        bonds : float, optional
            LAMMPS data (``atom_style bpm/sphere``), GenGeo and MUSEN: bond spheres whose gap is at most this number of smaller diameters.
        resolution : int
            Surfaces: number of times that the triangles of an icosahedron are divided into four; 2 makes 320 triangles.
        shrink : float
            Surfaces and Gmsh: factor on the radii, above 0 and at most 1.
        bridge : float
            Surfaces and Gmsh: radius of cylinders between spheres that nearly touch, in units of the smaller radius.
        cut : bool
            Surfaces: cut spheres and their images at the faces of the container.
        voxel : float, optional
            Voxel images: length of a voxel, adjusted so that whole voxels fill the container.
        voxel_values : {"solid", "id", "class"}
            Voxel images: number in the cells of a sphere. The void is 0.

        Raises
        ------
        InputError
            If the format is unknown, or an option does not fit the packing or the format.
        FileError
            If a file cannot be written.

        Examples
        --------
        >>> import jostle, tempfile
        >>> packing = jostle.pack("equal", n=100, effort="quick")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     packing.save(f"{folder}/p.txt", "yade", scale=0.001)
        ...     len(jostle.read(f"{folder}/p.txt", "yade"))
        100
        """
        options = _export_options(
            density=density, scale=scale, origin=origin, types=types, images=images, repeat=repeat, script=script,
            bonds=bonds, resolution=resolution, shrink=shrink, bridge=bridge, cut=cut, voxel=voxel, voxel_values=voxel_values,
            select=select, format=format,
        )  # fmt: skip
        if hasattr(path, "write"):
            sentences = self._write(path, options)
        else:
            is_one = isinstance(path, (str, bytes, os.PathLike)) or not hasattr(path, "__iter__")
            paths = [path_of("path", each) for each in ([path] if is_one else path)]  # type: ignore[union-attr]
            if not paths:
                raise InputError("path is empty; the name of at least one file is expected")
            sentences = self._core.save(paths, options)
        for sentence in sentences:
            warnings.warn(sentence, OmissionWarning, stacklevel=2)

    def _write(self, file: Any, options: dict[str, Any]) -> list[str]:
        """Writes to an open file, and returns sentences about the parts of the packing that it does not hold."""
        content, sentences = self._content(options)
        if isinstance(file, io.TextIOBase):
            try:
                file.write(content.decode())
            except UnicodeDecodeError:
                raise InputError(f"the format {options['format']} is binary; a file that is opened with 'b' is expected") from None
        else:
            file.write(content)
        return sentences

    def _content(self, options: dict[str, Any]) -> tuple[bytes, list[str]]:
        """Returns the bytes of a file, and sentences about the parts of the packing that it does not hold."""
        if options["script"]:
            raise InputError("script is given with an open file; a script stands beside a file with a name")
        options["format"] = options["format"] or "json"
        return self._core.to_bytes(options)

    def to_bytes(self, format: str = "json", **options: Any) -> bytes:
        """Returns the content of a file, without a file. :func:`jostle.read` takes it with the same `format`.

        Parameters
        ----------
        format : str
            Name of the format, such as ``"npz"``; ``"json"`` holds everything.
        **options
            Options of :meth:`save`, such as ``scale=0.001``, except `script`.

        Returns
        -------
        bytes

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=100, effort="quick")
        >>> jostle.read(packing.to_bytes()) == packing
        True
        """
        content, sentences = self._content(_export_options(format=format, **options))
        for sentence in sentences:
            warnings.warn(sentence, OmissionWarning, stacklevel=2)
        return content

    def voxels(self, size: float, values: Literal["solid", "id", "class"] = "solid", *, types: int | Literal["classes", "components"] = "components") -> NDArray[Any]:
        """Returns the container as a grid of voxels, each with the number of the sphere that contains its center.

        Parameters
        ----------
        size : float
            Length of a voxel in the unit of the diameters, adjusted so that whole voxels fill the container. At most the shortest length
            of the container is accepted.
        values : {"solid", "id", "class"}
            Number in the voxels of a sphere: 1, its id + 1, or its type from 1. The void is 0.
        types : int, "classes" or "components"
            Types of the spheres for ``values="class"``, as in :meth:`save`.

        Returns
        -------
        numpy.ndarray of unsigned int, shape (nx, ny, nz), of disks (nx, ny)
            The image, by x, y and z. Its type has 8, 16 or 32 bits, as the largest number needs.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=200, fraction=0.5, effort="quick")
        >>> image = packing.voxels(packing.lengths[0] / 60)
        >>> image.shape, bool(abs(image.mean() - 0.5) < 0.01)
        ((60, 60, 60), True)
        """
        import numpy as np

        longest = min(length for length in self.container.lengths if length > 0)
        if not 0 < real("size", size) <= longest:
            raise InputError(f"size is {size!r}; the length of a voxel, above 0 and at most {longest:g}, is expected")
        options = _export_options(format="voxel-npy", voxel=size, voxel_values=values, types=types)
        image: NDArray[Any] = np.load(io.BytesIO(self._content(options)[0]))
        return image

    def digest(self) -> str:
        """Returns a hash of ids, centers and radii, 32 hexadecimal digits. Equal bits have equal hashes.

        Examples
        --------
        >>> import jostle
        >>> first, second = (jostle.pack("equal", n=100, effort="quick", threads=k) for k in (1, 2))
        >>> first.digest() == second.digest()
        True
        """
        digest = blake2b(digest_size=16)
        for array, kind in ((self.ids, "<u8"), (self.centers, "<f8"), (self.radii, "<f8")):
            digest.update(array.astype(kind, order="C", copy=False).data)
        return digest.hexdigest()

    def analyze(
        self, *, tolerance: float | None = None, axis: Literal["x", "y", "z", 0, 1, 2] | None = None, points: int | None = None
    ) -> dict[str, Any]:
        """Returns contacts, rattlers, order, fabric, pores, profiles and distributions, and the network of forces of a jammed packing.

        Parameters
        ----------
        tolerance : float, optional
            Largest gap of two spheres in contact, in units of the smaller diameter; by default the one that suits the packing
            (``docs/guide/analysis.md``). The result states it as ``contacts["tolerance"]``, and ``contacts["note"]`` says so if the
            contacts hold no sphere.
        axis : {"x", "y", "z"} or {0, 1, 2}, optional
            Axis of the profile of the packing fraction; z by default, and y in the plane.
        points : int, optional
            Number of random points for the pore sizes and sampled profiles; 500 000 by default.

        Returns
        -------
        dict
            The object that ``jostle analyze --json`` prints, without names of program and file. Lengths have the unit of the diameters.

        Raises
        ------
        InputError
            If an argument is not accepted.
        MemoryError
            If the random points need more memory than there is.

        Examples
        --------
        >>> import jostle
        >>> analysis = jostle.pack("equal", n=500).analyze(tolerance=0.01)
        >>> analysis["contacts"]["mean"] > 4
        True
        """
        analysis: dict[str, Any] = json.loads(self._core.analyze(*_analysis_settings(tolerance, axis, points)))
        return analysis

    def contacts(self, tolerance: float | None = None) -> Contacts:
        """Returns all contacts, with their gaps, normals and overlaps.

        Parameters
        ----------
        tolerance : float, optional
            Largest gap of two spheres in contact, in units of the smaller diameter; by default the one that suits the packing
            (``docs/guide/analysis.md``).

        Returns
        -------
        Contacts
            ``pairs``, ``gaps``, ``normals``, ``areas`` and ``forces``, and the same for walls. ``jostle analyze --contacts`` writes these columns.

        Raises
        ------
        InputError
            If the tolerance is not accepted.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=500, effort="quick")
        >>> contacts = packing.contacts(tolerance=0.01)
        >>> bool((contacts.gaps <= 0.01 * packing.diameters.max()).all())
        True
        """
        from ._tables import contacts

        return contacts(self, tolerance)

    def supports(self) -> Supports:
        """Returns the supports of spheres at rest, as :func:`pour` makes them.

        Returns
        -------
        Supports
            Each sphere with the spheres, walls and bodies on which it rests. ``jostle analyze --supports`` writes these columns.

        Raises
        ------
        InputError
            If the packing has no supports: :func:`pour` makes them, and ``.json`` files hold them.

        Examples
        --------
        >>> import jostle
        >>> bed = jostle.pour("mono:d=1", n=200, container="cylinder:d=6")
        >>> supports = bed.supports()
        >>> supports.unsupported
        0
        """
        from ._tables import supports

        return supports(self)

    def profile(self, along: str | None = None, by: str | ArrayLike = "class") -> Profile:
        """Returns the local packing fraction of groups of spheres along an axis, from the walls, or along a radius.

        Parts of spheres in slices, shells and layers have exact volumes in boxes, cylinders and spheres (``docs/guide/analysis.md``).

        Parameters
        ----------
        along : {"x", "y", "z", "depth", "radius"}, optional
            Position along an axis (z by default, and y in the plane), distance from the nearest wall, or distance from the axis of a cylinder
            or cone or from the center of another container.
        by : {"class", "component"} or array_like, shape (n,)
            Groups of spheres: size classes, components of a blend, or a label for each sphere.

        Returns
        -------
        Profile

        Raises
        ------
        InputError
            If an argument is not accepted, for ``"depth"`` without walls, and for ``"component"`` without a blend.

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("equal", n=500, boundary="ppw", effort="quick")
        >>> profile = packing.profile("depth")
        >>> bool(profile.total.max() > packing.packing_fraction)
        True
        """
        from ._tables import profile

        return profile(self, along, by)

    def plot_profile(self, along: str | None = None, by: str | ArrayLike = "class", ax: Axes | None = None) -> Axes:
        """Plots the local packing fraction of groups of spheres. The plot needs Matplotlib.

        Parameters
        ----------
        along, by
            See :meth:`profile`.
        ax : matplotlib.axes.Axes, optional
            The axes to draw in; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
        """
        return self.profile(along, by).plot(ax, self.unit)

    def to_dict(self) -> dict[str, Any]:
        """Returns the packing as a dictionary of arrays, numbers, texts, and dictionaries of these."""
        sizes = self.sizes
        return {
            "ids": self.ids,
            "centers": self.centers,
            "radii": self.radii,
            "packing_fraction": self.packing_fraction,
            "container": json.loads(self._core.account())["container"],
            "certificate": asdict(self.certificate),
            "components": self._account["components"],
            "sizes": asdict(sizes) if sizes else None,
            "provenance": self.provenance,
            "unit": self.unit,
        }

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a table with a row for each sphere and the columns x, y, z and radius. The index holds the ids.

        The spheres of a blend have the column ``component`` with the label, a category.

        The table needs pandas.
        """
        from ._extras import pandas as load_pandas

        library = load_pandas()
        table: pandas.DataFrame = library.DataFrame(self.centers, columns=["x", "y", "z"][: self.centers.shape[1]], index=self.ids)
        table["radius"] = self.radii
        if self.components:
            labels = [component.label for component in self.components]
            table["component"] = library.Categorical.from_codes(self.component_ids, labels)
        table.index.name = "id"
        return table

    def to_ase(self) -> ase.Atoms:
        """Returns `ase.Atoms` with a nameless atom (``X``) for each sphere, the cell of the container's bounding box, and the arrays
        ``radius`` and ``id``. Lengths keep their unit, which is ``info["unit"]``. The atoms need ASE."""
        from ._convert import to_ase

        atoms: ase.Atoms = to_ase(self)
        return atoms

    def to_pyvista(self) -> pyvista.PolyData:
        """Returns `pyvista.PolyData` with a point for each sphere and the arrays ``diameter``, ``radius`` and ``id``. The points need
        PyVista; ``points.glyph(scale="diameter", geom=pyvista.Sphere(radius=0.5), orient=False)`` draws spheres."""
        from ._convert import to_pyvista

        points: pyvista.PolyData = to_pyvista(self)
        return points

    def to_xarray(self) -> xarray.Dataset:
        """Returns `xarray.Dataset` with ``center`` of shape (sphere, axis), ``radius`` of shape (sphere,) and ``length``, the lengths of the
        container's bounding box. The coordinate ``sphere`` holds the ids; packing fraction, container and boundary are attributes. The
        data set needs xarray."""
        from ._convert import to_xarray

        data: xarray.Dataset = to_xarray(self)
        return data

    def report(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tolerance: float | None = None,
        axis: Literal["x", "y", "z", 0, 1, 2] | None = None,
        points: int | None = None,
    ) -> str:
        """Returns the HTML report of ``jostle report``: numbers, figures, three-dimensional view and slices.

        Parameters
        ----------
        path : path, optional
            File to which the page is also written, such as ``"report.html"``.
        tolerance, axis, points
            As in :meth:`analyze`.

        Returns
        -------
        str
            The page, which needs no other file and no network.
        """
        page = _core.report_page(self._core, _analysis_settings(tolerance, axis, points))
        if path is not None:
            _core.write_file(path_of("path", path), page.encode())
        return page

    def render(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        view: ArrayLike = (1, 0.62, 0.52),
        cut: tuple[Literal["x", "y", "z"], float] | None = None,
        color: str = "size",
        side: int = 640,
        outline: bool = True,
        legend: bool = True,
    ) -> bytes:
        """Draws a still picture, without a GPU and without other packages, as ``jostle render`` does.

        Parameters
        ----------
        path : path, optional
            File to which the picture is also written, such as ``"packing.png"``. The picture is an SVG or a PDF if the name ends with
            ``.svg`` or ``.pdf``, and otherwise a PNG.
        view : array_like, shape (3,)
            Direction from the packing to the viewer.
        cut : tuple of str and float, optional
            Axis of a cutting plane, and its position as a share of the container's length, such as ``("z", 0.5)``. The viewer's side is
            removed.
        color : str
            Property that colors show: ``"size"``, ``"contacts"``, ``"type"``, ``"component"``, ``"level"`` or
            ``"strict-level"``.
        side : int
            Side of the picture in pixels, at most 8192.
        outline : bool
            Whether the edges of the container are drawn.
        legend : bool
            Whether a PNG has a legend of the colors below the picture.

        Returns
        -------
        bytes
            The picture. In a notebook, ``IPython.display.Image(packing.render())`` shows it.

        Examples
        --------
        >>> import jostle
        >>> jostle.pack("equal", n=50, effort="quick").render(side=32)[:4]
        b'\\x89PNG'
        """
        name = None if path is None else path_of("path", path)
        picture = _core.still(
            self._core,
            {
                "view": triple("view", view),
                "cut": _cut(cut),
                "color": text("color", color),
                "side": whole("side", side, 1),
                "outline": flag("outline", outline),
                "legend": flag("legend", legend),
                "format": _picture_format(name),
            },
        )
        if name is not None:
            _core.write_file(name, picture)
        return picture

    def view(self, *, height: int = 760) -> View:
        """Returns an interactive three-dimensional view with a cutting plane and slices, which a notebook shows in a frame.

        The view needs neither PyVista nor a network. The notebook grows by the page: about 13 bytes for each sphere, and the scripts.

        Parameters
        ----------
        height : int
            Height of the frame in pixels.

        Returns
        -------
        View
            ``view.html`` is the page, and ``view.save(path)`` writes it.
        """
        from ._view import View

        return View(_core.viewer(self._core), whole("height", height, 1))

    def plot(
        self,
        figure: str = "sizes",
        ax: Axes | None = None,
        *,
        tolerance: float | None = None,
        axis: Literal["x", "y", "z", 0, 1, 2] | None = None,
        points: int | None = None,
    ) -> Axes:
        """Plots a figure of ``jostle plot``, from an analysis of the packing. The plot needs Matplotlib.

        Parameters
        ----------
        figure : str
            Name of the figure: ``"sizes"``, ``"rdf"``, ``"partial-rdf"``, ``"structure-factor"``, ``"gaps"``, ``"contacts"``,
            ``"force-contacts"``, ``"force-contacts-depth"``, ``"forces"``, ``"small-gaps"``, ``"pores"``,
            ``"profile"``, ``"wall"``, ``"radius"``, each of these three with ``"-by-group"`` for the components or the size classes, or
            ``"homogeneity"``.
        ax : matplotlib.axes.Axes, optional
            The axes to draw in; new ones by default.
        tolerance, axis, points
            As in :meth:`analyze`.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If the packing has no such figure, such as ``"wall"`` without walls.
        """
        from ._plots import plot

        panel = _core.figure(self._core, text("figure", figure), _analysis_settings(tolerance, axis, points))
        return plot(json.loads(panel), ax)

    def show(self, *, color: Literal["size", "component"] = "size", **options: Any) -> Any:
        """Shows the spheres, the container and the bodies in it. The picture needs PyVista.

        Parameters
        ----------
        color : {"size", "component"}
            Property that colors show: the diameter, or the component of a blend.
        **options
            Options of :meth:`pyvista.Plotter.show`, such as ``screenshot="packing.png"``. With ``off_screen=True`` no window
            opens.

        Returns
        -------
        object
            The result of :meth:`pyvista.Plotter.show`.
        """
        from ._plots import show

        return show(self, color=color, **options)

    def plot_sizes(self, ax: Axes | None = None) -> Axes:
        """Plots the share of the mass against the diameter. The plot needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw in; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes
            The axes with the achieved curve and, if it is known, the requested one.
        """
        from ._plots import plot_sizes

        return plot_sizes(self, ax)

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, key: slice | ArrayLike) -> Packing:
        """Returns a packing of the chosen spheres, in the same container.

        The new packing is certified again: its certificate and its packing fraction are those of the chosen spheres. It keeps their ids,
        components and the unit, but neither sizes nor provenance, which describe the whole packing. Fixed spheres remain fixed if they are the last
        ones.

        Parameters
        ----------
        key : slice or array_like
            A mask of shape (n,), such as ``packing.radii > 1``, a slice, or positions of shape (m,).

        Examples
        --------
        >>> import jostle
        >>> packing = jostle.pack("concrete", n=500, effort="quick")
        >>> coarse = packing[packing.diameters > 4]
        >>> coarse.packing_fraction < packing.packing_fraction, coarse.certificate.max_overlap
        (True, 0.0)
        """
        from ._selection import select

        return Packing._of(select(self, key))

    # A packing is no sequence of packings: without this, Python would iterate with `__getitem__`.
    __iter__ = None

    def __eq__(self, other: object) -> bool:
        return self._core == other._core if isinstance(other, Packing) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Packing:
        # A packing does not change, and neither do its arrays.
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Packing:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        ids = self.ids if self._core.has_file_ids else None
        core = self._core
        states = (core.forces(), core.supports_text())
        return _restore, (self.centers, self.radii, ids, core.account(), core.run, *states)

    def __repr__(self) -> str:
        return f"<jostle.Packing: {self._summary()}>"

    def _repr_html_(self) -> str:
        from html import escape

        certificate = self.certificate
        rows = {
            "spheres": str(len(self)),
            "packing fraction": f"{self.packing_fraction:.4f}",
            "container": f"{self._size()}, {self.container.boundary}",
            "diameters": self._range(),
            "largest overlap": f"{certificate.max_overlap:g}",
            "smallest gap": f"{certificate.min_gap:.3g}",
            "ended": self.stop_reason or "",
        }
        cells = (f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in rows.items() if value)
        return f"<table>{''.join(cells)}</table>"

    def _summary(self) -> str:
        ended = f", {self.stop_reason}" if self.stop_reason else ""
        return (
            f"{len(self)} spheres, packing fraction {self.packing_fraction:.4f}, "
            f"container {self._size()}, {self.container.boundary}{ended}"
        )

    def _size(self) -> str:
        if not self.container.shape.startswith("box"):
            return self.container.shape
        size = " × ".join(f"{length:.5g}" for length in self.container.lengths)
        return f"{size} {self.unit}".strip()

    def _range(self) -> str:
        if len(self) == 0:
            return ""
        smallest, largest = 2.0 * self.radii.min(), 2.0 * self.radii.max()
        text = f"{smallest:.4g}" if smallest == largest else f"{smallest:.4g} to {largest:.4g}"
        return f"{text} {self.unit}".strip()


# Functions that check the options of `Packing.save` and convert them.
EXPORTED: dict[str, Callable[[str, Any], Any]] = {
    "density": real,
    "scale": real,
    "origin": text,
    "types": lambda name, value: value if isinstance(value, str) else str(whole(name, value, 1)),
    "images": flag,
    "repeat": lambda name, value: wholes(name, value, 3),
    "script": flag,
    "bonds": lambda name, value: None if value is None else real(name, value),
    "resolution": lambda name, value: whole(name, value, 0),
    "shrink": real,
    "bridge": real,
    "cut": flag,
    "voxel": lambda name, value: None if value is None else real(name, value),
    "voxel_values": text,
    "select": lambda name, value: None if value is None else text(name, value),
    "format": lambda name, value: None if value is None else text(name, value),
}


def _export_options(**given: Any) -> dict[str, Any]:
    """Returns options of `Packing.save` as the private module takes them, with the defaults of those that are not given."""
    call = inspect.signature(Packing.save).bind(None, None, **given)
    call.apply_defaults()
    return {name: convert(name, call.arguments[name]) for name, convert in EXPORTED.items()}


def _analysis_settings(tolerance: Any, axis: Any, points: Any) -> tuple[float | None, int | None, int | None]:
    """Returns tolerance, axis and number of points of an analysis as the private module takes them."""
    index = None
    if axis is not None:
        index = {"x": 0, "y": 1, "z": 2}.get(axis, 3) if isinstance(axis, str) else whole("axis", axis, 0)
        if index > 2:
            raise InputError(f"axis is {axis!r}; expected x, y or z")
    return None if tolerance is None else real("tolerance", tolerance), index, None if points is None else whole("points", points, 0)


def _cut(value: Any) -> tuple[int, float] | None:
    """Returns the number of the axis of a cutting plane, and its share of the length."""
    if value is None:
        return None
    if not isinstance(value, (tuple, list)) or len(value) != 2 or value[0] not in ("x", "y", "z"):
        raise InputError(f"cut is {value!r}; an axis and a share of its length are expected, such as ('z', 0.5)")
    return "xyz".index(value[0]), real("cut", value[1])


def _restore(
    centers: Any,
    radii: Any,
    ids: Any,
    account: str,
    run: tuple[float, int, list[str]] | None,
    forces: str | None = None,
    supports: str | None = None,
) -> Packing:
    """Returns the packing that was pickled."""
    return Packing._of(CorePacking.from_parts(centers, radii, ids, account, run, forces, supports))


def _picture_format(name: str | None) -> str:
    """Returns the format of a picture, which the extension of its file names."""
    extension = "" if name is None else os.path.splitext(name)[1].lower()
    return extension[1:] if extension in (".svg", ".pdf") else "png"
