"""A packing as objects of other packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._extras import extra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._packing import Packing


def in_space(packing: Packing) -> NDArray[np.float64]:
    """Returns the centers with three coordinates; z is 0 in the plane."""
    import numpy as np

    return np.pad(packing.centers, ((0, 0), (0, 3 - packing.centers.shape[1])))


def to_ase(packing: Packing) -> Any:
    """Returns `ase.Atoms`."""
    import numpy as np

    periodic = [letter == "p" for letter in packing.container.boundary.ljust(3, "w")]
    atoms = extra("ase", "ase").Atoms(
        numbers=np.zeros(len(packing), dtype=int), positions=in_space(packing), cell=packing.lengths, pbc=periodic
    )
    atoms.set_array("radius", packing.radii)
    atoms.set_array("id", packing.ids)
    if packing.components:
        atoms.set_array("component", packing.component_ids)
    if packing.unit:
        atoms.info["unit"] = packing.unit
    return atoms


def to_pyvista(packing: Packing) -> Any:
    """Returns `pyvista.PolyData` with a point for each sphere."""
    points = extra("pyvista", "pyvista").PolyData(in_space(packing))
    for name in ("diameter", "radius", "id"):
        values = {"diameter": packing.diameters, "radius": packing.radii, "id": packing.ids}[name]
        points[name] = values.copy()
    if packing.components:
        points["component"] = packing.component_ids.copy()
    return points


def to_xarray(packing: Packing) -> Any:
    """Returns `xarray.Dataset`."""
    container, dimension = packing.container, packing.centers.shape[1]
    units = {"units": packing.unit} if packing.unit else {}
    labels = [component.label for component in packing.components]
    of_components = {"component": (("sphere",), packing.component_ids, {"labels": labels})} if labels else {}
    return extra("xarray", "xarray").Dataset(
        {
            "center": (("sphere", "axis"), packing.centers, units),
            "radius": (("sphere",), packing.radii, units),
            "length": (("axis",), packing.lengths[:dimension], units),
        }
        | of_components,
        coords={"sphere": packing.ids, "axis": list("xyz")[:dimension]},
        attrs={"packing_fraction": packing.packing_fraction, "container": container.shape, "boundary": container.boundary},
    )
