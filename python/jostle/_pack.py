"""Runs of the packing loop."""

from __future__ import annotations

import atexit
import inspect
import json
import os
import secrets
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._arguments import flag, lengths, name_or_number, numbers, path_of, real, rows, text, vector, whole
from ._packing import Container, Packing
from ._shapes import shape_text, shape_texts
from ._sizes import SizeDistribution

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._packing import StopReason
    from ._shapes import Shape

    Effort: TypeAlias = Literal["quick", "normal", "thorough"] | float
    Exchange: TypeAlias = Literal["off", "auto"] | float
    BreathingShare: TypeAlias = Literal["off", "auto"] | float
    GapShare: TypeAlias = Literal["off"] | float
    Index: TypeAlias = Literal["loose-octree", "strict-octree", "grid", "hgrid", "kd-tree"]
    Sampling: TypeAlias = Literal["stratified", "random"]


class PackingWarning(UserWarning):
    """A request that was not met: a box or packing fraction that was not reached, spheres that were left out, size classes without
    a sphere, or packings of a study that failed."""


class Progress(NamedTuple):
    """The state of a run after a sweep.

    Attributes
    ----------
    sweeps : int
        Number of sweeps so far; each sweep visits every sphere once.
    remaining_sweeps : float
        Estimated number of remaining sweeps.
    spheres : int
        Number of spheres in the container. Where sizes differ much, small spheres are inserted during the run.
    packing_fraction : float
        Volume of all spheres divided by the present volume of the container. Overlaps count twice.
    mean_overlap, max_overlap : float
        Mean over the spheres of the sum of their relative overlaps, and the largest relative overlap.
    relocations, refreshes, exchanges : int
        Number of relocated spheres, of refreshed Verlet lists, and of exchanges so far.
    seconds : float
        Wall time of the run so far.
    """

    sweeps: int
    remaining_sweeps: float
    spheres: int
    packing_fraction: float
    mean_overlap: float
    max_overlap: float
    relocations: int
    refreshes: int
    exchanges: int
    seconds: float


# A request that is refused before its run has no packing.
_core.PackingError.packing = None


class PackingInterrupt(KeyboardInterrupt):
    """Ctrl-C during :func:`pack` or :func:`pour`: a `KeyboardInterrupt` that holds the packing so far."""

    def __init__(self, run: _core.InterruptedRun | _core.InterruptedPour) -> None:
        super().__init__("the attribute packing holds the packing so far")
        self._run = run

    @cached_property
    def packing(self) -> Packing:
        """The packing so far, without overlap.

        The first use waits for the end of the present sweep, compacts the packing by up to 40 sweeps and removes all overlap.
        """
        return Packing._of(self._run.finish())


def pack(
    sizes: str | os.PathLike[str] | SizeDistribution | ArrayLike | None = None,
    n: int | float | None = None,
    *,
    box: float | str | ArrayLike | None = None,
    fraction: float | None = None,
    boundary: str | None = None,
    container: str | Shape | Container | None = None,
    min_gap: float = 0.0,
    effort: Effort | None = None,
    exchange: Exchange = "off",
    index: Index = "loose-octree",
    sampling: Sampling = "stratified",
    seed: int | None = 1,
    threads: int = 0,
    time_limit: float | None = None,
    max_sweeps: int | None = None,
    progress: bool | Callable[[Progress], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    wall_gap: float | None = None,
    keep_out: str | Shape | Sequence[str | Shape] = (),
    fixed: Packing | tuple[ArrayLike, ArrayLike] | None = None,
    fixed_may_overlap: bool = False,
    strict: bool = False,
    breathe: BreathingShare = "off",
    toward_nearest: GapShare = "off",
    porosity: float | None = None,
    start: Packing | str | os.PathLike[str] | tuple[ArrayLike, ArrayLike] | Mapping[str, ArrayLike] | None = None,
    scale_sizes: float = 1.0,
    densest: bool = False,
    fixed_at: ArrayLike | None = None,
    fixed_crop: bool = False,
    jam: bool | float = False,
) -> Packing:
    """Packs spheres of a size distribution without overlap.

    The same arguments give the same bits as ``jostle pack`` on the command line, for any `threads` and any `index`. Other
    Python threads run meanwhile.

    Parameters
    ----------
    sizes : str, path, SizeDistribution or array_like of shape (n,), optional
        A preset such as ``"concrete"``, an inline law such as ``"mono:d=1"``, a ``.json``, ``.csv``, ``.tsv`` or
        ``.txt`` file, a distribution, or the diameters themselves, in any unit. The default is ``"concrete"``, or the sizes of
        `start`.
    n : int, optional
        Number of spheres. The default is 10 000, the number of a list of diameters, or as many as `box` and `fraction` take.
    box : float, str or array_like of shape (3,), optional
        Length of a cube or lengths of a box, in the unit of the diameters. Two lengths are those of a rectangle in the plane, which
        holds disks. Without `n` and `fraction`, it is filled densely. A text
        may have units, as in ``"15cm"``, and one length that follows from `n`, as in ``"30,30,auto"``. The default is the smallest
        cube that the effort finds.
    fraction : float, optional
        Packing fraction to reach, above 0 and below 1. The default is as dense as the effort allows.
    boundary : str, optional
        Boundary of the x, y and z axis, such as ``"ppw"``: periodic (``p``) or wall (``w``). A box is periodic by default, and
        other shapes have walls.
    container : str, shape or Container, optional
        Another shape, as a text or as a value such as :class:`jostle.Cylinder`: exactly this container, such as
        ``"cylinder:d=20,h=40"``, ``"sphere:d=20"`` or ``"cone:d_bottom=20,d_top=10,h=30"``; or the smallest container of a shape,
        such as ``"cylinder:aspect=2"`` or ``"sphere"``; or the body in a triangle mesh, such as ``"mesh:part.stl"`` or
        :meth:`Container.mesh`. ``"cylinder:d=20,h=auto"`` has the height that follows from `n`, ``axis=x`` lays a cylinder or a
        cone down, and lengths may have units. The `boundary` ``"p"`` is that of a periodic cylinder.
    min_gap : float
        Smallest gap between two spheres, in the unit of the diameters. The gap to a wall is at least half of it.
    effort : {"quick", "normal", "thorough"} or float, optional
        From 0 (quick) over 1 (normal) to 2 (thorough): denser, but slower. The default is normal; towards a packing fraction or a
        container it is what the sizes need, up to thorough.
    exchange : {"off", "auto"} or float
        Attempts per sphere and sweep to exchange two spheres of nearly equal size, for denser mixtures.
    index : {"loose-octree", "strict-octree", "grid", "hgrid", "kd-tree"}
        Global index, which changes speed and memory, but not the packing.
    sampling : {"stratified", "random"}
        Diameters as near to the distribution as `n` allows, or independent draws.
    seed : int or None
        Seed of all random numbers. None draws a seed from the system: ``provenance["seed"]`` is the drawn one.
    threads : int
        Number of threads; 0 means one for each core.
    time_limit : float, optional
        Wall time in seconds after which the run ends with a valid packing.
    max_sweeps : int, optional
        Number of sweeps after which the run ends with a valid packing.
    progress : bool or callable, optional
        True shows a progress bar (with tqdm, if it is installed). A callable receives a :class:`Progress` after every sweep
        and stops the run by returning False.
    checkpoint : path, optional
        File that holds the state of the run, written every minute and when the run is interrupted. If the file exists, the
        run continues from it. The file is removed when the run is over. ``jostle resume`` continues it too.
    wall_gap : float, optional
        Smallest gap between a sphere and a wall, in the unit of the diameters; half of `min_gap` by default.
    keep_out : str, shape, or sequence of these, optional
        Bodies, as texts or as values such as :class:`jostle.Sphere` with a position, that keep spheres out of a container of given size, such as ``"cylinder:d=2,h=8@5,5,5,axis=x"``,
        ``"sphere:d=2@5,5,5"``, ``"box:lx=1,ly=2,lz=3@5,5,5"``, ``"cone:d_bottom=3,d_top=1,h=4@5,5,5"`` or
        ``"mesh:part.stl@5,5,5"``. Their volume does not count in the packing fraction.
    fixed : Packing or tuple of array_like, optional
        Spheres that keep their positions in a container of given size: a packing, or centers of shape (n, 3) and radii of shape
        (n,). `n` does not count them, and `fraction` does. They are the last spheres of the result, with the same bits. Spheres
        that find no room around them are left out: ``provenance["left_out"]`` is their number.
    fixed_may_overlap : bool
        Whether the fixed spheres may overlap each other, walls and bodies.
    strict : bool
        Whether a request that is not met raises :class:`PackingError`, which holds the packing. Otherwise it is a
        :class:`PackingWarning`.
    breathe : {"off", "auto"} or float
        Share of its mean overlap by which the radius of each sphere follows, before the given radii return to the spheres in
        this order, for packings still denser than with `exchange`.
    toward_nearest : {"off"} or float
        Share of the gap to its nearest neighbor, from 0 to 1, by which a sphere without overlap moves before each sweep.
    porosity : float, optional
        Porosity to reach, instead of `fraction`: 1 less the packing fraction.
    start : Packing, path, tuple of array_like or mapping, optional
        Spheres that start at their positions instead of at random, with overlaps or without: a packing, a file that
        :func:`read` reads, centers of shape (n, 3) and radii of shape (n,), or a mapping with ``"centers"`` and ``"radii"`` or
        ``"diameters"``. One number serves as the radius or diameter of all spheres. The container is that of the packing, unless
        `box` or `container` gives another one, to which the positions are stretched; arrays need one of them. With `fraction` or
        `densest`, it is similar to that of the packing.
    scale_sizes : float
        Factor on all diameters of `start`; the centers stay.
    densest : bool
        Whether the smallest container similar to that of `start` is found, instead of keeping its size.
    fixed_at : array_like of shape (3,), optional
        Vector by which the fixed spheres are moved.
    fixed_crop : bool
        Whether fixed spheres that cross a wall or a body, or lie outside of the container, are left out.
    jam : bool or float
        Whether the packing is jammed at last: the container shrinks until the contacts bear force, with gaps of at most 1e-6
        diameters, or of this number of diameters. A `box` or `fraction` that is reached is kept. ``provenance["jamming"]`` tells
        the outcome.

    Returns
    -------
    Packing

    Warns
    -----
    PackingWarning
        If the box or the packing fraction is not reached, spheres are left out, or size classes have no sphere. The sentences are
        in :attr:`Packing.unmet`. A run that `progress` stops does not warn about the box and the packing fraction. Before the run, if
        the expected packing fraction lies below the requested one.

    Raises
    ------
    InputError
        If an argument is not accepted.
    FileError
        If a file cannot be read or written.
    PackingError
        If the request is not met and `strict` is True, or if spheres overlap at the end.
    PackingInterrupt
        After Ctrl-C: a `KeyboardInterrupt` whose attribute ``packing`` holds the packing so far, without overlap.

    Examples
    --------
    >>> import jostle
    >>> packing = jostle.pack("mono:d=1", n=500, fraction=0.5, boundary="www", effort="quick")
    >>> packing.stop_reason
    'fraction-reached'
    """
    request = _request(
        sizes=sizes, n=n, box=box, fraction=fraction, boundary=boundary, container=container, min_gap=min_gap, effort=effort,
        exchange=exchange, index=index, sampling=sampling, seed=seed, threads=threads, time_limit=time_limit,
        max_sweeps=max_sweeps, checkpoint=checkpoint, wall_gap=wall_gap, keep_out=keep_out, fixed=fixed,
        fixed_may_overlap=fixed_may_overlap, strict=strict, breathe=breathe, toward_nearest=toward_nearest,
        porosity=porosity, start=start, scale_sizes=scale_sizes, densest=densest, fixed_at=fixed_at, fixed_crop=fixed_crop,
        jam=jam,
    )  # fmt: skip
    # The caller of this function.
    request["warn"] = lambda sentence: warnings.warn(sentence, PackingWarning, stacklevel=4)
    if progress is True:
        from ._progress import bar

        with bar(request) as show:
            packing = _run(request, show)
    elif progress is None or progress is False or callable(progress):
        packing = _run(request, progress or None)
    else:
        raise _core.InputError(f"progress is {progress!r}; True, False or a callable is expected")
    return _judged(packing, strict)


def _judged(packing: Packing, strict: bool) -> Packing:
    """Returns a packing, and warns or raises if it does not meet its request. A packing with overlap always raises."""
    if packing.unmet and (strict or packing.stop_reason == "overlapping"):
        error = _core.PackingError("; ".join(packing.unmet))
        error.packing = packing
        raise error
    for sentence in packing.unmet:
        # The caller of the public function.
        warnings.warn(sentence, PackingWarning, stacklevel=3)
    return packing


def pack_silently(arguments: dict[str, Any], observer: Callable[[Progress], object] | None) -> Packing:
    """Packs without a warning about a request that is not met: see :attr:`Packing.unmet`."""
    defaults = {name: parameter.default for name, parameter in inspect.signature(pack).parameters.items()}
    request = {**defaults, **arguments}
    del request["progress"]
    return _run(_request(**request), observer)


def _run(request: dict[str, Any], observer: Callable[[Progress], object] | None) -> Packing:
    receive = observer and (lambda *row: observer(Progress(*row)))
    try:
        return Packing._of(_core.pack(request, receive))
    except KeyboardInterrupt as error:
        run = getattr(error, "run", None)
        if run is None:
            raise
        if request["checkpoint"] is not None:
            # The run writes its checkpoint after the present sweep.
            atexit.register(run.wait)
        raise PackingInterrupt(run) from None


# Number of the seeds among which one is drawn: every language and file format has integers of this size.
DRAWN_SEEDS = 2**32

# Functions that check arguments and convert them.
CONVERTED: dict[str, Callable[[str, Any], Any]] = {
    "n": lambda name, value: whole(name, value, 1),
    "seed": lambda name, value: secrets.randbelow(DRAWN_SEEDS) if value is None else whole(name, value, 0),
    "threads": lambda name, value: whole(name, value, 0),
    "max_sweeps": lambda name, value: whole(name, value, 1),
    "fraction": real,
    "min_gap": real,
    "time_limit": real,
    "wall_gap": real,
    "effort": name_or_number,
    "exchange": name_or_number,
    "breathe": name_or_number,
    "toward_nearest": name_or_number,
    "jam": lambda name, value: ("auto" if value else "off") if isinstance(value, bool) else name_or_number(name, value),
    "boundary": text,
    "index": text,
    "sampling": text,
    "container": shape_text,
    "box": lengths,
    "checkpoint": path_of,
    "fixed_may_overlap": flag,
    "strict": flag,
    "porosity": real,
    "scale_sizes": real,
    "densest": flag,
    "fixed_at": vector,
    "fixed_crop": flag,
}
# Arguments that may be None.
OPTIONAL = {
    "n", "max_sweeps", "fraction", "time_limit", "wall_gap", "effort", "boundary", "container", "box", "checkpoint", "porosity",
    "fixed_at",
}  # fmt: skip


def _request(*, sizes: Any, **others: Any) -> dict[str, Any]:
    """Returns the arguments as the private module takes them."""
    request = dict(others)
    if request["seed"] is None and request["checkpoint"] is not None:
        raise _core.InputError("seed is None with checkpoint; a run that continues needs the seed with which it began")
    if isinstance(request["box"], str):
        request["container"] = _box(request["box"], request["container"])
        request["box"] = None
    for name, convert in CONVERTED.items():
        if request[name] is not None or name not in OPTIONAL:
            request[name] = convert(name, request[name])
    request["keep_out"] = shape_texts("keep_out", request["keep_out"])
    request["fixed"] = _fixed(request["fixed"])
    if request["fixed_may_overlap"] and request["fixed"] is None:
        raise _core.InputError("fixed_may_overlap is given without fixed")
    if request["fixed"] is None and (request["fixed_at"] is not None or request["fixed_crop"]):
        raise _core.InputError("fixed_at or fixed_crop is given without fixed")
    porosity = request.pop("porosity")
    if porosity is not None:
        if request["fraction"] is not None:
            raise _core.InputError("fraction and porosity are given together; give one of them")
        request["fraction"] = 1.0 - porosity
    request["start"] = _start(request)
    if request["start"] is None:
        if request["scale_sizes"] != 1.0 or request["densest"]:
            raise _core.InputError("scale_sizes or densest is given without start")
        request["sizes"] = _sizes("concrete" if sizes is None else sizes)
    elif sizes is None:
        request["sizes"] = None
    else:
        raise _core.InputError("sizes is given beside start, whose spheres have their sizes; leave one of them out")
    request["warn"] = None
    return request


def _box(box: str, container: str | None) -> str:
    """Returns lengths of a box in a text, such as ``"30,30,auto"``, as a container."""
    if container is not None:
        raise _core.InputError("box and container are given together; give one of them")
    parts = [part.strip() for part in box.split(",")]
    if len(parts) not in (1, 2, 3):
        raise _core.InputError(
            f"box is {box!r}; one length, three lengths x,y,z, or two of a rectangle are expected, such as '20' or '30,30,auto'"
        )
    if len(parts) == 2:
        return f"rectangle:lx={parts[0]},ly={parts[1]}"
    x, y, z = parts * (3 // len(parts))
    return f"box:lx={x},ly={y},lz={z}"


def _start(request: dict[str, Any]) -> dict[str, Any] | None:
    """Returns the spheres of a start, as the private module takes them."""
    start, name = request["start"], "packing"
    if start is None:
        return None
    if isinstance(start, (str, os.PathLike)):
        name = os.fsdecode(start)
        start = _read_start(name, request)
    if isinstance(start, Packing):
        container = json.dumps(start.container.description)
        return {"centers": start.centers, "radii": start.radii, "container": container, "unit": start.unit, "name": name}
    if isinstance(start, Mapping) and "centers" in start and len(start) == 2:
        [(kind, sizes)] = [item for item in start.items() if item[0] != "centers"]
        centers = start["centers"]
    elif isinstance(start, (tuple, list)) and len(start) == 2:
        kind, (centers, sizes) = "radii", start
    else:
        kind = centers = sizes = None
    if kind not in ("radii", "diameters"):
        raise _core.InputError(
            "start is neither a packing nor a file nor a pair of centers and radii nor a mapping with centers and radii or diameters"
        )
    centers = rows("start centers", centers)
    return {
        "centers": centers,
        "radii": _radii(kind, sizes, len(centers)),
        "container": None,
        "unit": "",
        "name": "arrays",
    }


def _read_start(path: str, request: dict[str, Any]) -> Packing:
    """Reads a packing in the container of its file, or else in the requested one."""
    from ._functions import read

    try:
        return read(path)
    except _core.InputError:
        shape = {name: request[name] for name in ("box", "container", "boundary") if request[name] is not None}
        if not shape:
            raise
        return read(path, **shape)


def _radii(kind: str, sizes: Any, count: int) -> NDArray[np.float64]:
    """Returns an array of radii, from one number or many. `kind` tells whether they are diameters."""
    import numpy as np

    found = np.full(count, real(f"start {kind}", sizes)) if np.ndim(sizes) == 0 else numbers(f"start {kind}", sizes)
    return 0.5 * found if kind == "diameters" else found


class Estimate(NamedTuple):
    """The numbers of a run that is not begun.

    Attributes
    ----------
    spheres : float
        Number of spheres, as far as it is known before diameters are drawn.
    memory : float
        Estimated peak memory in bytes.
    expected_packing_fraction : float or None
        Packing fraction that the spheres are expected to reach; None around fixed spheres.
    requested_packing_fraction : float or None
        Packing fraction that the request needs; None for the densest packing.
    seconds : float
        Estimated wall time, from a trial with at most 1000 spheres on one thread.
    warning : str or None
        A sentence if the expected packing fraction lies below the requested one.
    """

    spheres: float
    memory: float
    expected_packing_fraction: float | None
    requested_packing_fraction: float | None
    seconds: float
    warning: str | None


def estimate(*sizes: Any, **arguments: Any) -> Estimate:
    """Returns the numbers of a run without the run, as ``jostle pack --dry-run``.

    Parameters
    ----------
    *sizes, **arguments
        The arguments of :func:`pack`.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> import jostle
    >>> jostle.estimate("mono:d=1", box=10, fraction=0.5).requested_packing_fraction
    0.5
    """
    given = inspect.signature(pack).bind(*sizes, **arguments)
    given.apply_defaults()
    request = dict(given.arguments)
    del request["progress"]
    return Estimate(*_core.estimate(_request(**request)))


def _fixed(fixed: Any) -> Any:
    """Returns the centers and radii of fixed spheres."""
    if fixed is None:
        return None
    if isinstance(fixed, Packing):
        return fixed.centers, fixed.radii
    if not isinstance(fixed, (tuple, list)) or len(fixed) != 2:
        raise _core.InputError("fixed is neither a packing nor a pair of centers and radii")
    return rows("fixed centers", fixed[0]), numbers("fixed radii", fixed[1])


def _sizes(sizes: Any) -> Any:
    """Returns a size distribution, or an array of diameters."""
    if isinstance(sizes, (str, os.PathLike)):
        sizes = SizeDistribution(sizes)
    if isinstance(sizes, SizeDistribution):
        return sizes._core
    if not hasattr(sizes, "__len__"):
        raise _core.InputError(
            f"sizes is {sizes!r}; a preset, a law, a file, a SizeDistribution or an array of diameters is expected, "
            "and the number of spheres is n, as in pack('concrete', n=10_000)"
        )
    return numbers("sizes", sizes)


class Packer:
    """A run of the packing loop, sweep by sweep.

    The parameters are those of :func:`pack`, except `progress` and `checkpoint`.

    Examples
    --------
    >>> import jostle
    >>> packer = jostle.Packer("equal", n=500)
    >>> while (progress := packer.sweep()) and progress.mean_overlap > 0.01:
    ...     pass
    >>> packer.finish().certificate.max_overlap
    0.0
    """

    def __init__(
        self,
        sizes: str | os.PathLike[str] | SizeDistribution | ArrayLike | None = None,
        n: int | float | None = None,
        *,
        box: float | str | ArrayLike | None = None,
        fraction: float | None = None,
        boundary: str | None = None,
        container: str | Shape | Container | None = None,
        min_gap: float = 0.0,
        effort: Effort | None = None,
        exchange: Exchange = "off",
        index: Index = "loose-octree",
        sampling: Sampling = "stratified",
        seed: int | None = 1,
        threads: int = 0,
        time_limit: float | None = None,
        max_sweeps: int | None = None,
        wall_gap: float | None = None,
        keep_out: str | Shape | Sequence[str | Shape] = (),
        fixed: Packing | tuple[ArrayLike, ArrayLike] | None = None,
        fixed_may_overlap: bool = False,
        strict: bool = False,
        breathe: BreathingShare = "off",
        toward_nearest: GapShare = "off",
        porosity: float | None = None,
        start: Packing | str | os.PathLike[str] | tuple[ArrayLike, ArrayLike] | Mapping[str, ArrayLike] | None = None,
        scale_sizes: float = 1.0,
        densest: bool = False,
        fixed_at: ArrayLike | None = None,
        fixed_crop: bool = False,
        jam: bool | float = False,
    ) -> None:
        request = _request(
            sizes=sizes, n=n, box=box, fraction=fraction, boundary=boundary, container=container, min_gap=min_gap,
            effort=effort, exchange=exchange, index=index, sampling=sampling, seed=seed, threads=threads,
            time_limit=time_limit, max_sweeps=max_sweeps, checkpoint=None, wall_gap=wall_gap, keep_out=keep_out, fixed=fixed,
            fixed_may_overlap=fixed_may_overlap, strict=strict, breathe=breathe, toward_nearest=toward_nearest,
            porosity=porosity, start=start, scale_sizes=scale_sizes, densest=densest, fixed_at=fixed_at, fixed_crop=fixed_crop,
            jam=jam,
        )  # fmt: skip
        # The caller of the class.
        request["warn"] = lambda sentence: warnings.warn(sentence, PackingWarning, stacklevel=3)
        self._core = _core.Packer(request)
        self._strict = strict
        self._positions: NDArray[np.float64] | None = None

    def sweep(self) -> Progress | None:
        """Performs one sweep, with the growth, insertions and decisions that follow it.

        Returns
        -------
        Progress or None
            None, without a sweep, when the run is over.
        """
        row = self._core.sweep()
        if self._positions is not None:
            self._core.write_centers(self._positions)
        return Progress(*row) if row else None

    @property
    def progress(self) -> Progress | None:
        """The progress after the last sweep; None before the first."""
        row = self._core.progress
        return Progress(*row) if row else None

    @property
    def stop_reason(self) -> StopReason | None:
        """Reason why the run is over, as in :attr:`Packing.stop_reason`; None while it goes on."""
        reason: StopReason | None = json.loads(self._core.stop_reason)
        return reason

    @property
    def container(self) -> Container:
        """The container at its present size."""
        return Container._read(self._core.container)

    @property
    def centers(self) -> NDArray[np.float64]:
        """Present centers in :attr:`container`, shape (n, 3). Spheres may overlap.

        The array is a view that follows the run: each sweep updates it. It cannot be written to. The coordinates of a sphere
        that is not yet inserted are NaN.
        """
        import numpy as np

        if self._positions is None:
            positions = np.empty((len(self), 3))
            self._core.write_centers(positions)
            self._positions = positions
        view = self._positions.view()
        view.flags.writeable = False
        return view

    def finish(self) -> Packing:
        """Removes all overlap and returns the packing. A run that is not over counts as interrupted.

        A request that is not met warns or raises, as with :func:`pack`.
        """
        return _judged(Packing._of(self._core.finish()), self._strict)

    def __len__(self) -> int:
        return len(self._core)
