"""Pictures of a packing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._convert import to_pyvista
from ._core import InputError
from ._extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._packing import Packing

# Number of points on a circle around a drawn sphere, which looks round, and of one among many spheres, which is small.
RESOLUTION, COARSE = 12, 8
MANY = 20_000


def show(packing: Packing, *, color: str = "size", off_screen: bool | None = None, **options: Any) -> Any:
    """Shows the spheres with PyVista, colored by a property, the container and the bodies in it."""
    import numpy as np

    pyvista = extra("pyvista", "pyvista")
    from vtkmodules.vtkRenderingCore import vtkActor, vtkGlyph3DMapper

    colors = _colors(packing, color)
    plotter = pyvista.Plotter(off_screen=off_screen)
    points = to_pyvista(packing)
    # One sphere is drawn many times: the triangles of 10⁵ spheres are not in memory together.
    mapper = vtkGlyph3DMapper()
    mapper.SetInputData(points)
    points_around = COARSE if len(packing) > MANY else RESOLUTION
    mapper.SetSourceData(pyvista.Sphere(radius=0.5, theta_resolution=points_around, phi_resolution=points_around))
    mapper.SetScaleArray("diameter")
    mapper.SetScaleModeToScaleByMagnitude()
    mapper.OrientOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    plotter.add_actor(actor)
    # A bar for equal spheres would repeat one number.
    if colors is not None:
        array, title, table, bar = colors
        mapper.SetLookupTable(table)
        mapper.SetScalarRange(*table.scalar_range)
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray(array)
        # The bar stands at the right of the container.
        place = {"position_x": 0.84, "position_y": 0.2, "width": 0.06, "height": 0.6}
        plotter.add_scalar_bar(title, mapper=mapper, vertical=True, **bar, **place)
    else:
        mapper.ScalarVisibilityOff()
        actor.GetProperty().SetColor(pyvista.Color("lightsteelblue").float_rgb)
    lines, triangles = packing._core.outline()
    plotter.add_mesh(pyvista.line_segments_from_points(lines.reshape(-1, 3)), color="black")
    if triangles.size:
        corners = triangles.reshape(-1, 3)
        faces = np.insert(np.arange(len(corners)).reshape(-1, 3), 0, 3, axis=1)
        plotter.add_mesh(pyvista.PolyData(corners, faces.ravel()), color="gray")
    plotter.reset_camera()
    plotter.camera.zoom(0.9)
    return plotter.show(**options)


def _colors(packing: Packing, color: str) -> tuple[str, str, Any, dict[str, Any]] | None:
    """Returns the name of an array of :func:`to_pyvista`, the title of its bar, its lookup table and options of the bar; None for one color."""
    pyvista = extra("pyvista", "pyvista")
    if color == "size":
        smallest, largest = (packing.diameters.min(), packing.diameters.max()) if len(packing) else (1.0, 1.0)
        if smallest == largest:
            return None
        title = f"diameter in {packing.unit}" if packing.unit else "diameter"
        return "diameter", title, pyvista.LookupTable("viridis", scalar_range=(smallest, largest)), {"fmt": "%.4g"}
    if color != "component":
        raise InputError(f"color is {color!r}; it must be 'size' or 'component'")
    labels = [component.label for component in packing.components]
    if not labels:
        raise InputError("the packing has no components; color must be 'size'")
    if (packing.component_ids < 0).any():
        labels.insert(0, "none")
    first = len(packing.components) - len(labels)
    table = pyvista.LookupTable("tab10", n_values=len(labels), scalar_range=(first - 0.5, len(packing.components) - 0.5))
    table.annotations = {first + number: label for number, label in enumerate(labels)}
    return "component", "component", table, {"n_labels": 0}


def plot_sizes(packing: Packing, ax: Axes | None = None) -> Axes:
    """Plots the share of the mass against the diameter."""
    import numpy as np

    ax = ax or new_axes()
    diameters = np.sort(packing.diameters)
    mass = np.cumsum(diameters**3)
    ax.step(diameters, 100 * mass / mass[-1], where="post", label="packing")
    for component in packing.components:
        own = np.sort(packing.diameters[component.spheres])
        if len(own):
            mass = np.cumsum(own**3)
            ax.step(own, 100 * mass / mass[-1], where="post", linewidth=1, label=component.label)
    if packing.sizes:
        curve = np.array(packing.sizes.mass_curve)
        ax.plot(curve[:, 0], 100 * curve[:, 1], "o", markersize=3, label="requested")
    ax.set_xscale("log")
    ax.set_xlabel(f"diameter in {packing.unit}" if packing.unit else "diameter")
    ax.set_ylabel("mass at or below in %")
    ax.legend()
    return ax


def new_axes() -> Axes:
    """Returns the axes of a new figure."""
    axes: Axes = extra("matplotlib.pyplot", "matplotlib").subplots()[1]
    return axes


def plot(panel: dict[str, Any], ax: Axes | None = None) -> Axes:
    """Draws the axes and series of a figure."""
    import numpy as np

    ax = ax or new_axes()
    groups = panel["groups"]
    below = np.zeros(len(groups))
    for series in panel["series"]:
        # A number that is absent is None in JSON, and NaN in an array of numbers.
        x, y, error = np.array(series["points"], dtype=float).reshape(-1, 3).T
        label = series["label"] or None
        if series["mark"] == "bars":
            # Bars of several series stand on each other.
            places = x.astype(int)
            ax.bar(places, y, bottom=below[places], label=label)
            below[places] += y
        elif series["mark"] == "dots":
            ax.errorbar(x, y, yerr=error, fmt="o", markersize=3, label=label)
        else:
            ax.plot(x, y, label=label)
    for name, axis in (("x", panel["x"]), ("y", panel["y"])):
        ax.set(**{f"{name}label": axis["label"], f"{name}scale": "log" if axis["is_log"] else "linear"})
        if axis["includes"] is not None:
            low, high = getattr(ax, f"get_{name}lim")()
            ax.set(**{f"{name}lim": (min(low, axis["includes"]), max(high, axis["includes"]))})
    # A new scale resets the ticks.
    if groups:
        ax.set_xticks(range(len(groups)), groups)
    ax.set_title(panel["title"])
    if any(series["label"] for series in panel["series"]):
        ax.legend()
    return ax
