"""The choice of spheres in `Packing[...]`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ._core import InputError
from ._core import Packing as CorePacking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._packing import Packing


def select(packing: Packing, key: Any) -> CorePacking:
    """Returns the chosen spheres in their container, certified again."""
    index = positions(key, len(packing))
    whole = json.loads(packing._core.account())
    of = packing.component_ids[index]
    account = {
        "container": whole["container"],
        "fixed": fixed(index, len(packing) - packing.fixed),
        "components": [{**own, "spheres": ranges(of == k)} for k, own in enumerate(whole["components"])],
        "unit": packing.unit,
    }
    arrays = packing.centers[index], packing.radii[index], packing.ids[index]
    return CorePacking.from_parts(*arrays, json.dumps(account), None)


def positions(key: Any, count: int) -> NDArray[np.int64]:
    """Returns the positions of the spheres that a mask, a slice or positions choose among `count` spheres."""
    import numpy as np

    every = np.arange(count)
    if isinstance(key, slice):
        return every[key]
    chosen = np.asarray(key)
    if chosen.size == 0 and chosen.ndim == 1 and chosen.dtype != bool:
        chosen = chosen.astype(np.int64)
    if chosen.ndim != 1 or chosen.dtype.kind not in "biu":
        raise InputError(
            f"the choice of spheres has the type {chosen.dtype} and the shape {chosen.shape}; a mask of shape ({count},), a slice, or "
            "positions of shape (m,) are expected, such as packing[packing.radii > 1] or packing[:10]"
        )
    if chosen.dtype == bool and len(chosen) != count:
        raise InputError(f"the mask has {len(chosen)} values for {count} spheres; their numbers must be equal")
    try:
        index: NDArray[np.int64] = every[chosen]
    except IndexError:
        outside = chosen[(chosen < -count) | (chosen >= count)]
        raise InputError(f"there is no sphere {outside[0]}; positions from 0 to {count - 1} are accepted") from None
    unique, numbers = np.unique(index, return_counts=True)
    if len(unique) < len(index):
        raise InputError(f"sphere {unique[numbers > 1][0]} is chosen twice; each sphere can be chosen once")
    return index


def fixed(index: NDArray[np.int64], first: int) -> int:
    """Returns how many of the last chosen spheres are among those from `first` on."""
    import numpy as np

    others = np.flatnonzero(index < first)
    return len(index) - (int(others[-1]) + 1 if len(others) else 0)


def ranges(mask: NDArray[np.bool_]) -> list[dict[str, int]]:
    """Returns the ranges of positions at which a mask is true."""
    import numpy as np

    ends = np.flatnonzero(np.diff(mask, prepend=False, append=False)).reshape(-1, 2)
    return [{"start": start, "end": end} for start, end in ends.tolist()]
