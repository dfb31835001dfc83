"""Arguments of many kinds, as the private module takes them. NumPy is imported when an array is needed."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

from ._core import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


def numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns values as an array of shape (n,)."""
    array = _array(name, values)
    if array.ndim != 1:
        raise InputError(f"{name} has the shape {array.shape}; an array of shape (n,) is expected")
    return array


def rows(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns values as an array of shape (n, 3)."""
    array = _array(name, values)
    if array.ndim != 2 or array.shape[1] != 3:
        raise InputError(f"{name} has the shape {array.shape}; an array of shape (n, 3) is expected")
    return array


def _array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    import numpy as np

    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is no array of numbers") from None


def whole(name: str, value: SupportsIndex | float, least: int) -> int:
    """Returns a whole number of at least `least`, such as 10000 or 1e6."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not least <= number < 2**64:
        raise InputError(f"{name} is {value!r}; a whole number of at least {least} is expected")
    return number


def wholes(name: str, values: Any, count: int) -> list[int]:
    """Returns whole numbers of at least 0."""
    found = list(values) if hasattr(values, "__len__") else []
    if len(found) != count:
        raise InputError(f"{name} is {values!r}; {count} whole numbers are expected")
    return [whole(name, value, 0) for value in found]


def text(name: str, value: Any) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}; a text is expected")
    return value


def texts(name: str, value: Any) -> list[str]:
    """Returns a list of texts, from one text or several."""
    found = [value] if isinstance(value, str) else list(value) if hasattr(value, "__iter__") else [value]
    return [text(name, each) for each in found]


def real(name: str, value: SupportsFloat) -> float:
    """Returns a number."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r}; a number is expected") from None


def lengths(name: str, value: Any) -> tuple[float, float, float]:
    """Returns the three lengths of a box, from one length or three."""
    try:
        found = [float(length) for length in value] if hasattr(value, "__len__") else [float(value)]
    except (TypeError, ValueError):
        found = []
    if len(found) == 1:
        found *= 3
    if len(found) != 3:
        raise InputError(f"{name} is {value!r}; one length or three lengths (x, y, z) are expected, such as 20 or (20, 20, 40)")
    x, y, z = found
    return x, y, z


def name_or_number(name: str, value: Any) -> str | float:
    """Returns a name as it is, and anything else as a number."""
    return value if isinstance(value, str) else real(name, value)
