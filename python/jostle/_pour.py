"""Beds of spheres at rest under gravity."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._arguments import real, rows, text, vector, whole
from ._pack import PackingInterrupt, _judged, _request, pack
from ._packing import Packing

if TYPE_CHECKING:
    import os
    from typing import Literal, TypeAlias

    from numpy.typing import ArrayLike

    from ._pack import Sampling
    from ._packing import Container
    from ._shapes import Shape
    from ._sizes import SizeDistribution

    Direction: TypeAlias = Literal["-x", "+x", "-y", "+y", "-z", "+z"]
    Order: TypeAlias = Literal["random", "as-given", "large-first", "layers"]


class PourProgress(NamedTuple):
    """The state of a deposition after a step.

    Attributes
    ----------
    deposited : int
        Number of spheres in the bed.
    spheres : int
        Number of spheres that are dropped at most.
    height : float
        Height of the highest point of a sphere above the lowest point of the container.
    share : float
        Share of the work that is done, from 0 to 1.
    taps : int
        Number of taps so far.
    seconds : float
        Wall time of the run so far.
    """

    deposited: int
    spheres: int
    height: float
    share: float
    taps: int
    seconds: float


def pour(
    sizes: str | os.PathLike[str] | SizeDistribution | ArrayLike,
    n: int | None = None,
    *,
    container: str | Shape | Container | None = None,
    box: float | str | ArrayLike | None = None,
    height: float | None = None,
    mass: float | None = None,
    volume: float | None = None,
    density: float | None = None,
    gravity: Direction = "-z",
    order: Order = "random",
    source: ArrayLike | None = None,
    source_diameter: float | None = None,
    passes: int = 1,
    stop_angle: float = 0.0,
    sticking: float = 0.0,
    taps: int | None = None,
    fraction: float | None = None,
    jam: bool | float = False,
    boundary: str | None = None,
    keep_out: str | Shape | Sequence[str | Shape] = (),
    fixed: Packing | tuple[ArrayLike, ArrayLike] | None = None,
    fixed_may_overlap: bool = False,
    fixed_at: ArrayLike | None = None,
    fixed_crop: bool = False,
    sampling: Sampling = "stratified",
    seed: int | None = 1,
    time_limit: float | None = None,
    progress: bool | Callable[[PourProgress], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    strict: bool = False,
) -> Packing:
    """Pours spheres into an open vessel, where they roll to a stable position and stay at rest.

    The same arguments give the same bits as ``jostle pour`` on the command line. Spheres fall one after the other, on one thread.
    Arguments that are not listed are those of :func:`pack`.

    Parameters
    ----------
    sizes : str, path, SizeDistribution or array_like of shape (n,)
        Sizes as for :func:`pack`.
    n : int, optional
        Number of spheres. One of `n`, `height`, `mass` and `volume` is needed, except for a list of diameters.
    container, box : optional
        The vessel, whose face against gravity is open. ``"cylinder:d=12"`` and ``"30,30,auto"`` have the height that follows from the
        spheres or from `height`.
    height : float, optional
        Height above the lowest point of the vessel up to which spheres are poured.
    mass, volume : float, optional
        Mass or volume of all spheres.
    density : float, optional
        Density of all spheres for `mass`. It multiplies the densities of the components of a blend.
    gravity : {"-x", "+x", "-y", "+y", "-z", "+z"}
        Direction of gravity.
    order : {"random", "as-given", "large-first", "layers"}
        Order of the spheres; ``"layers"`` are the components of a blend, one after the other.
    source : array_like of shape (3,) or (m, 3), optional
        Outlet from which the spheres fall, or the points between which it moves. Without one, spheres rain on the whole cross-section.
    source_diameter : float, optional
        Diameter of the outlet, in which centers start. Without one, four diameters of the largest sphere.
    passes : int
        Number of passes of the outlet over its path.
    stop_angle : float
        Slope in degrees below which spheres stop, as friction does.
    sticking : float
        Probability that a sphere sticks where it touches another one, as cohesion does.
    taps : int, optional
        Number of taps after the deposition, which compact the bed.
    fraction : float, optional
        Packing fraction between floor and surface to which the bed is compacted: by taps, and with ``stop_angle``
        by rearrangements before.
    jam : bool or float
        Whether the bed is jammed at last: the spheres come to rest together under their weights, without friction, until the contacts
        bear force, with gaps of at most 1e-6 diameters, or of this number of diameters. A `fraction` that is reached is kept.
    progress : callable, optional
        Receives a :class:`PourProgress` after every step and stops the deposition by returning False.

    Returns
    -------
    Packing
        :meth:`Packing.supports` has the supports of the spheres. A jammed bed has none, and :meth:`Packing.contacts` has the forces
        that carry the weights.

    Warns
    -----
    PackingWarning
        If the bed does not reach its height or its packing fraction or is not jammed, or if spheres find no room. The sentences are in
        :attr:`Packing.unmet`.

    Raises
    ------
    InputError
        If an argument is not accepted.
    PackingError
        If the request is not met and `strict` is True.
    PackingInterrupt
        After Ctrl-C: a `KeyboardInterrupt` whose attribute ``packing`` holds the bed so far.

    Examples
    --------
    >>> import jostle
    >>> bed = jostle.pour("mono:d=1", n=200, container="cylinder:d=6")
    >>> bed.certificate.max_overlap, bed.supports().unsupported
    (0.0, 0)
    >>> jammed = jostle.pour("mono:d=1", n=200, container="cylinder:d=6", jam=True)
    >>> jammed.packing_fraction > bed.packing_fraction
    True
    """
    arguments = locals().copy()
    shared = inspect.signature(pack).parameters
    request = {name: parameter.default for name, parameter in shared.items()}
    request |= {name: value for name, value in arguments.items() if name in shared and name != "fraction"}
    del request["progress"]
    if sizes is None:
        raise _core.InputError("sizes is None; a preset, a law, a file, a SizeDistribution or an array of diameters is expected")
    if not (progress is None or progress is False or callable(progress)):
        raise _core.InputError(f"progress is {progress!r}; False or a callable is expected")
    return _judged(_run(_request(**request), _deposition(arguments), progress or None), strict)


# Functions that check arguments of a deposition and convert them.
CONVERTED: dict[str, Callable[[str, Any], Any]] = {
    "height": real,
    "mass": real,
    "volume": real,
    "density": real,
    "gravity": text,
    "order": text,
    "source": lambda name, value: _path(name, value),
    "source_diameter": real,
    "passes": lambda name, value: whole(name, value, 1),
    "stop_angle": real,
    "sticking": real,
    "taps": lambda name, value: whole(name, value, 1),
    "fraction": real,
}
# Arguments that may be None.
OPTIONAL = {"height", "mass", "volume", "density", "source", "source_diameter", "taps", "fraction"}

# Largest number of passes that the private module takes.
MOST_PASSES = 2**32 - 1


def _deposition(arguments: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a deposition as the private module takes them."""
    found = {name: arguments[name] for name in CONVERTED}
    for name, convert in CONVERTED.items():
        if found[name] is not None or name not in OPTIONAL:
            found[name] = convert(name, found[name])
    if found["passes"] > MOST_PASSES:
        raise _core.InputError(f"passes is {found['passes']}; at most {MOST_PASSES} is accepted")
    if found["source"] is None and (found["source_diameter"] is not None or found["passes"] != 1):
        raise _core.InputError("source_diameter or passes is given without source")
    found["compact_to"] = found.pop("fraction")
    return found


def _path(name: str, value: Any) -> list[tuple[float, float, float]]:
    """Returns the points of the path of an outlet."""
    import numpy as np

    if np.ndim(value) < 2:
        return [vector(name, value)]
    return [(x, y, z) for x, y, z in rows(name, value).tolist()]


def _run(request: dict[str, Any], deposition: dict[str, Any], observer: Callable[[PourProgress], object] | None) -> Packing:
    receive = observer and (lambda *row: observer(PourProgress(*row)))
    try:
        return Packing._of(_core.pour(request, deposition, receive))
    except KeyboardInterrupt as error:
        run = getattr(error, "run", None)
        if run is None:
            raise
        raise PackingInterrupt(run) from None
