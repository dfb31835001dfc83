"""Pictures of a packing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._extras import extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._packing import Packing

# Angle in degrees between two points of a drawn sphere: spheres look round, and a million spheres can still be drawn.
RESOLUTION = 12


def show(packing: Packing, *, off_screen: bool | None = None, **options: Any) -> Any:
    """Shows the spheres with PyVista, coloured by their radius."""
    pyvista = extra("pyvista", "PyVista", "plot")
    points = pyvista.PolyData(packing.centers.copy())
    points["diameter"] = packing.diameters.copy()
    sphere = pyvista.Sphere(radius=0.5, theta_resolution=RESOLUTION, phi_resolution=RESOLUTION)
    plotter = pyvista.Plotter(off_screen=off_screen)
    glyphs = points.glyph(scale="diameter", geom=sphere, orient=False)
    plotter.add_mesh(glyphs, scalars="diameter", smooth_shading=True, scalar_bar_args={"title": f"diameter {packing.unit}".strip()})
    x, y, z = packing.container.lengths
    plotter.add_mesh(pyvista.Box((0, x, 0, y, 0, z)), style="wireframe", color="black")
    return plotter.show(**options)


def plot_sizes(packing: Packing, ax: Axes | None = None) -> Axes:
    """Plots the share of the mass against the diameter."""
    import numpy as np

    if ax is None:
        _, ax = extra("matplotlib.pyplot", "Matplotlib", "plot").subplots()
    diameters = np.sort(packing.diameters)
    mass = np.cumsum(diameters**3)
    ax.step(diameters, 100 * mass / mass[-1], where="post", label="packing")
    if packing.sizes:
        curve = np.array(packing.sizes.mass_curve)
        ax.plot(curve[:, 0], 100 * curve[:, 1], "o", markersize=3, label="requested")
    ax.set_xscale("log")
    ax.set_xlabel(f"diameter in {packing.unit}" if packing.unit else "diameter")
    ax.set_ylabel("mass at or below in %")
    ax.legend()
    return ax
