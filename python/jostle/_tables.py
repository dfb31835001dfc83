"""Contacts and profiles of a packing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import real
from ._core import InputError
from ._extras import extra

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from ._packing import Packing


@dataclass(frozen=True, eq=False)
class Contacts:
    """Contacts between spheres, and of spheres with walls and bodies.

    Attributes
    ----------
    pairs : numpy.ndarray of int, shape (m, 2)
        Positions of the two spheres in the arrays of the packing, the smaller one first, in increasing order.
    gaps : numpy.ndarray, shape (m,)
        Distance of the surfaces, negative for spheres that overlap.
    normals : numpy.ndarray, shape (m, 3)
        Unit vectors from the center of the first sphere to that of the second one.
    areas : numpy.ndarray, shape (m,)
        Area inside the circle in which the surfaces intersect; 0 for spheres that do not overlap.
    walls : numpy.ndarray of int, shape (k,)
        Positions of the spheres that touch a wall or a body. Each is listed once, with the nearest wall.
    wall_gaps, wall_normals, wall_areas : numpy.ndarray, shapes (k,), (k, 3) and (k,)
        The same for the contacts with walls. Normals point toward the wall.
    forces, wall_forces : numpy.ndarray, shapes (m,) and (k,), or None
        Repulsive force of each contact under a pressure of 1 for each unit of area; None if the packing is not known to be jammed. With forces,
        `walls` lists a sphere once for each wall that presses on it.
    tolerance : float
        Largest gap of a contact, in units of the smaller diameter.
    """

    pairs: NDArray[np.int64]
    gaps: NDArray[np.float64]
    normals: NDArray[np.float64]
    areas: NDArray[np.float64]
    walls: NDArray[np.int64]
    wall_gaps: NDArray[np.float64]
    wall_normals: NDArray[np.float64]
    wall_areas: NDArray[np.float64]
    tolerance: float
    forces: NDArray[np.float64] | None = None
    wall_forces: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        """Returns the number of contacts between spheres."""
        return len(self.pairs)


@dataclass(frozen=True, eq=False)
class Supports:
    """Supports of spheres at rest under gravity, in the order of the spheres.

    Attributes
    ----------
    pairs : numpy.ndarray of int, shape (m, 2)
        Positions of a sphere and of a sphere on which it rests, or -1 for a wall or a body.
    normals : numpy.ndarray, shape (m, 3)
        Unit vectors from the support to the center of the sphere.
    gravity : str
        Direction of gravity, such as ``"-z"``.
    worst_margin : float
        Smallest angle in degrees, over all spheres, between the vertical and the boundary of the cone that the normals of their supports
        span. It is negative if the vertical lies outside, and 0 on a horizontal plane.
    unsupported : int
        Number of spheres that do not rest on their supports.
    max_gap : float
        Largest gap between a sphere and its support, in diameters of the smaller sphere.
    """

    pairs: NDArray[np.int64]
    normals: NDArray[np.float64]
    gravity: str
    worst_margin: float
    unsupported: int
    max_gap: float

    def __len__(self) -> int:
        """Returns the number of supports."""
        return len(self.pairs)


@dataclass(frozen=True, eq=False)
class Profile:
    """Local packing fractions of groups of spheres.

    Attributes
    ----------
    along : str
        ``"x"``, ``"y"``, ``"z"``, ``"depth"`` or ``"radius"``.
    distance : numpy.ndarray, shape (bins,)
        Middle of each bin, in the unit of the diameters.
    groups : dict of str to numpy.ndarray
        Packing fraction of each group in each bin, by the name of the group.
    total : numpy.ndarray, shape (bins,)
        Packing fraction of all spheres in each bin.
    is_exact : bool
        Whether all volumes follow from formulas, not from points.
    """

    along: str
    distance: NDArray[np.float64]
    groups: dict[str, NDArray[np.float64]]
    total: NDArray[np.float64]
    is_exact: bool

    def plot(self, ax: Axes | None = None, unit: str = "") -> Axes:
        """Plots the packing fractions. The plot needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw in; new ones by default.
        unit : str
            Unit of the lengths for the label.

        Returns
        -------
        matplotlib.axes.Axes
        """
        if ax is None:
            _, ax = extra("matplotlib.pyplot", "matplotlib").subplots()
        for name, fractions in self.groups.items():
            ax.plot(self.distance, fractions, label=name)
        if len(self.groups) > 1:
            ax.plot(self.distance, self.total, color="black", label="all")
        ax.set_xlabel(f"{self.along} in {unit}" if unit else self.along)
        ax.set_ylabel("packing fraction")
        ax.set_ylim(bottom=0)
        ax.legend()
        return ax


def supports(packing: Packing) -> Supports:
    """Returns the supports of a packing at rest."""
    found = _core.supports(packing._core)
    if found is None:
        raise InputError("the packing has no supports; jostle.pour makes them, and .json files hold them")
    pairs, normals, gravity, certificate = found
    return Supports(pairs.reshape(-1, 2), normals.reshape(-1, 3), gravity, *certificate)


def contacts(packing: Packing, tolerance: float | None) -> Contacts:
    """Returns the contacts of a packing."""
    largest = None if tolerance is None else real("tolerance", tolerance)
    (pairs, (gaps, normals, areas, forces)), (walls, of_walls), found = _core.contacts(packing._core, largest)
    wall_gaps, wall_normals, wall_areas, wall_forces = of_walls
    return Contacts(
        pairs.reshape(-1, 2), gaps, normals.reshape(-1, 3), areas,
        walls, wall_gaps, wall_normals.reshape(-1, 3), wall_areas, found, forces, wall_forces,
    )  # fmt: skip


def profile(packing: Packing, along: str | None, by: str | ArrayLike) -> Profile:
    """Returns the profile of groups of spheres. `by` is the name of a rule, or holds a label for each sphere."""
    import numpy as np

    if along is None:
        along = "xyz"[packing.centers.shape[1] - 1]
    if not isinstance(along, str):
        raise InputError(f"along is {along!r}; expected x, y, z, depth or radius")
    given: tuple[list[str], list[int]] | None = None
    rule = "class"
    if isinstance(by, str):
        rule = by
    else:
        labels = np.asarray(by)
        if labels.shape != (len(packing),):
            raise InputError(f"by has the shape {labels.shape}; 'class', 'component' or an array of shape ({len(packing)},) is expected")
        names, of = np.unique(labels, return_inverse=True)
        given = ([str(name) for name in names], of.ravel().tolist())
    values: dict[str, Any] = json.loads(_core.profile(packing._core, along, rule, given))
    fractions = (np.array(fractions, dtype=float) for fractions in values["packing_fraction"])
    return Profile(
        along=values["along"],
        distance=np.array(values["distance"], dtype=float),
        groups=dict(zip(values["groups"], fractions, strict=True)),
        total=np.array(values["total"], dtype=float),
        is_exact=values["is_exact"],
    )
