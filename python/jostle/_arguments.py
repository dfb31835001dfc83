"""Arguments of many kinds, as the private module takes them. NumPy is imported when an array is needed."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Set
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

from ._core import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

# The kinds of NumPy's types that are numbers, and words for the others.
NUMBERS = "iuf"
OTHERS = {
    "b": "booleans",
    "c": "complex numbers",
    "m": "time differences",
    "M": "dates",
    "S": "bytes",
    "U": "texts",
    "T": "texts",
    "V": "records",
}


def numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns values as an array of shape (n,)."""
    array = array_of(name, values)
    if array.ndim != 1:
        raise InputError(f"{name} has the shape {array.shape}; an array of shape (n,) is expected")
    return array


def rows(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns values as an array of shape (n, 3), or (n, 2) of disks."""
    array = array_of(name, values)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise InputError(f"{name} has the shape {array.shape}; an array of shape (n, 3) is expected, or (n, 2) for disks")
    return array


def array_of(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns values as an array of any shape."""
    import numpy as np

    try:
        array = np.asarray(values)
        kind = array.dtype.kind
        if kind == "O" or (kind in NUMBERS and isinstance(values, (list, tuple))):
            # Numbers of Python's own types. NumPy would take a boolean among numbers for 1, and None for nan.
            types = {type(value) for value in np.asarray(values, dtype=object).ravel()}
            wrong = [found for found in types if not _is_number(found)]
            if wrong:
                raise InputError(f"{name} holds {wrong[0].__name__}; numbers are expected")
            kind = "f"
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name} is no array of numbers") from None
    if kind not in NUMBERS:
        raise InputError(f"{name} holds {OTHERS.get(kind, 'objects')}; numbers are expected")
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked values; an array without them is expected, such as {name}.compressed()")
    return np.asarray(array, dtype=np.float64, order="C")


def _is_number(kind: type) -> bool:
    """Returns whether values of a type are numbers. Booleans are none, and neither are differences of times."""
    return issubclass(kind, (Real, Decimal)) and kind.__name__ not in ("bool", "bool_", "timedelta64")


def whole(name: str, value: SupportsIndex | float, least: int) -> int:
    """Returns a whole number of at least `least`, such as 10000 or 1e6."""
    number = -1
    if _is_number(type(value)):
        try:
            number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    if not least <= number < 2**64:
        raise InputError(f"{name} is {value!r}; a whole number of at least {least} is expected")
    return number


def wholes(name: str, values: Any, count: int) -> list[int]:
    """Returns whole numbers of at least 0."""
    found = list(values) if hasattr(values, "__len__") else []
    if len(found) != count:
        raise InputError(f"{name} is {values!r}; {count} whole numbers are expected")
    return [whole(name, value, 0) for value in found]


def flag(name: str, value: Any) -> bool:
    """Returns True or False."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise InputError(f"{name} is {value!r}; True or False is expected")
    return bool(value)


def text(name: str, value: Any) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}; a text is expected")
    return value


def path_of(name: str, value: Any) -> str:
    """Returns the name of a file."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}; the name of a file is expected") from None


def real(name: str, value: SupportsFloat | str) -> float:
    """Returns a number."""
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    # An array of one number is no number, except without dimensions.
    is_other = isinstance(value, (bool, str, bytes, bytearray)) or kind not in (None, *NUMBERS) or getattr(value, "ndim", 0) > 0
    try:
        if not is_other:
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"{name} is {value!r}; a number is expected")


def _coordinates(name: str, value: Any) -> list[float]:
    """Returns the numbers of a sequence; a single number counts for all three axes."""
    try:
        has_order = hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping, Set))
        found = [real(name, length) for length in value] if has_order else [real(name, value)]
    except (TypeError, InputError):
        # A length of no dimensions has `__len__`, which fails.
        found = [real(name, value)] if getattr(value, "ndim", None) == 0 else []
    return 3 * found if len(found) == 1 else found


def lengths(name: str, value: Any) -> tuple[float, float, float]:
    """Returns the three lengths of a box, from one length or three. A rectangle has two lengths, and 0 along z."""
    found = _coordinates(name, value)
    is_rectangle = len(found) == 2
    x, y, z = [*found, 0.0] if is_rectangle else found if len(found) == 3 else [0.0] * 3
    if z == 0 and not is_rectangle:
        raise InputError(
            f"{name} is {value!r}; one length, three lengths (x, y, z) above 0, or two lengths (x, y) of a rectangle are expected, "
            "such as 20, (20, 20, 40) or (50, 50)"
        )
    return x, y, z


def triple(name: str, value: Any) -> tuple[float, float, float]:
    """Returns three numbers, from one or three."""
    found = _coordinates(name, value)
    if len(found) != 3:
        raise InputError(f"{name} is {value!r}; one length or three lengths (x, y, z) are expected, such as 20 or (20, 20, 40)")
    x, y, z = found
    return x, y, z


def vector(name: str, value: Any) -> tuple[float, float, float]:
    """Returns the three coordinates of a vector."""
    found = numbers(name, value).tolist()
    if len(found) != 3:
        raise InputError(f"{name} is {value!r}; three coordinates (x, y, z) are expected")
    x, y, z = found
    return x, y, z


def name_or_number(name: str, value: Any) -> str | float:
    """Returns a name as it is, and anything else as a number."""
    if value is None:
        raise InputError(f"{name} is None; a name or a number is expected")
    return value if isinstance(value, str) else real(name, value)
