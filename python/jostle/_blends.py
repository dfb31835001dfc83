"""Maps of the packing fraction of a blend over its composition."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._arguments import whole
from ._core import InputError
from ._extras import extra
from ._sizes import SizeDistribution

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Beginning of the name of a column with the share of a component; the label follows.
SHARE = "share of "
# Shapes of flat containers.
FLAT_SHAPES = ("rectangle", "circle", "outline")
# Columns with predicted packing fractions, and the names of all columns with packing fractions in the picture.
RODS, COMPRESSIBLE = "predicted by rods", "predicted by compressible packing"
SERIES = {
    "packing_fraction": "measured",
    RODS: "rods of Farr & Groot",
    COMPRESSIBLE: "compressible packing model",
}
# Positions of the pure components in a ternary picture.
CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, 3**0.5 / 2))


def blend_requests(
    blend: SizeDistribution | str | Sequence[str | SizeDistribution], steps: int = 6, **arguments: Any
) -> list[dict[str, Any]]:
    """Returns a request for :func:`jostle.study` for each composition of a blend.

    Parameters
    ----------
    blend : SizeDistribution, str, or sequence of these
        A blend of two or three components, whose shares are replaced; or the components: presets, files or inline laws.
    steps : int
        Shares are multiples of 1/`steps`, from 0 to 1: 3 components in 6 steps give 28 compositions.
    **arguments
        Further arguments of :func:`jostle.pack`, the same for every composition. ``columns`` adds columns.

    Returns
    -------
    list of dict
        Each request has the columns ``share of LABEL`` for each component, ``predicted by rods`` and
        ``predicted by compressible packing``. :func:`jostle.plot_blends` draws the table of the study.

    Examples
    --------
    >>> import jostle
    >>> requests = jostle.blend_requests(["mono:d=1", "mono:d=4"], steps=2, n=500, effort="quick")
    >>> table = jostle.study(requests)
    >>> list(table["share of mono:d=1"])
    [0.0, 0.5, 1.0]
    """
    law = _blend(blend)
    own = arguments.pop("columns", {})
    if not isinstance(own, Mapping):
        raise InputError(f"columns is {own!r}; a mapping of names to numbers or texts is expected")
    if _is_flat(arguments):
        raise InputError("the container is flat; a map of a blend compares packings with models of spheres, not of disks")
    labels, points = _core.blend_map(law._core, whole("steps", steps, 1))
    return [
        {
            "sizes": law.with_shares(shares),
            **arguments,
            "columns": {
                **{SHARE + label: share for label, share in zip(labels, shares)},
                RODS: rods,
                COMPRESSIBLE: compressible,
                **own,
            },
        }
        for shares, rods, compressible in points
    ]


def _is_flat(arguments: Mapping[str, Any]) -> bool:
    """Returns whether the box has two lengths, or the container is flat."""
    box = arguments.get("box")
    if isinstance(box, str):
        return box.count(",") == 1
    if box is not None and hasattr(box, "__len__"):
        return len(box) == 2
    return str(arguments.get("container")).split(":")[0] in FLAT_SHAPES


def plot_blends(table: pd.DataFrame, value: str = "packing_fraction", ax: Axes | None = None) -> Axes:
    """Plots a column of a study over the composition of a blend: a curve of two components, or a ternary picture of three.

    Parameters
    ----------
    table : pandas.DataFrame
        Result of :func:`jostle.study` for :func:`jostle.blend_requests`. Rows of one composition, such as those of several
        seeds, give their mean.
    value : str
        Column to show.
    ax : matplotlib.axes.Axes, optional
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
    """
    labels, means = _means(table, [value])
    if ax is None:
        _, ax = extra("matplotlib.pyplot", "matplotlib").subplots()
    shares = means[[SHARE + label for label in labels]].to_numpy()
    values = means[value].to_numpy(dtype=float)
    if len(labels) == 2:
        ax.plot(shares[:, 0], values, "o-")
        ax.set_xlabel(SHARE + labels[0])
        ax.set_ylabel(value)
        return ax
    x, y = (shares @ [corner[axis] for corner in CORNERS] for axis in (0, 1))
    known = values == values
    # Three compositions or more span triangles.
    if known.sum() >= 3:
        drawn = ax.tricontourf(x[known], y[known], values[known], levels=16, cmap="viridis")
        ax.figure.colorbar(drawn, ax=ax, label=value)
    ax.plot(x[known], y[known], "k.", markersize=3)
    outline = (*CORNERS, CORNERS[0])
    ax.plot([corner[0] for corner in outline], [corner[1] for corner in outline], color="gray", linewidth=0.8)
    for label, (left, height), side in zip(labels, CORNERS, ("top", "top", "bottom")):
        ax.text(left, height + (0.03 if height else -0.03), label, ha="center", va=side)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def write_map(table: pd.DataFrame, folder: Path) -> list[str]:
    """Writes the map of a study as CSV, JSON and SVG. Returns the names of the files."""
    shown = [name for name in SERIES if name in table.columns]
    labels, means = _means(table, shown)
    means.to_csv(folder / "map.csv", index=False)
    means.to_json(folder / "map.json", orient="records", indent=1)
    shares = means[[SHARE + label for label in labels]].to_numpy().tolist()
    series = [(SERIES[name], means[name].astype(float).tolist()) for name in shown]
    (folder / "map.svg").write_text(_core.plot_blends(labels, shares, series), encoding="utf-8")
    return [os.fspath(folder / name) for name in ("map.csv", "map.json", "map.svg")]


def _blend(blend: SizeDistribution | str | Sequence[str | SizeDistribution]) -> SizeDistribution:
    """Returns a blend, with equal shares of the components if these are given."""
    if isinstance(blend, SizeDistribution):
        return blend
    if isinstance(blend, str):
        return SizeDistribution(blend)
    parts = list(blend) if hasattr(blend, "__iter__") else []
    if not parts:
        raise InputError(f"blend is {blend!r}; a blend, or two or three size distributions are expected")
    return SizeDistribution.blend([{"sizes": part, "share": 1 / len(parts)} for part in parts])


def _means(table: pd.DataFrame, values: Sequence[str]) -> tuple[list[str], pd.DataFrame]:
    """Returns the labels of the components, and the means of columns for each composition."""
    columns = [name for name in table.columns if str(name).startswith(SHARE)]
    missing = [name for name in values if name not in table.columns]
    if len(columns) not in (2, 3) or missing:
        lacks = f"the column '{missing[0]}'" if missing else "columns 'share of …' for two or three components"
        raise InputError(f"the table lacks {lacks}; the table of a study of jostle.blend_requests is expected")
    means = table.dropna(subset=columns).groupby(columns, as_index=False)[list(values)].mean()
    return [name[len(SHARE) :] for name in columns], means
