"""The requests of a study: arguments of `jostle.pack`, one set for each row."""

from __future__ import annotations

import inspect
import itertools
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from .._arguments import whole
from .._core import VERSION, InputError
from .._pack import pack
from .._packing import Packing
from .._shapes import Shape
from .._sizes import SizeDistribution
from ._columns import RESERVED

# Arguments that do not belong to a row: they change no packing, or cannot be repeated.
FORBIDDEN = {"progress", "checkpoint", "strict"}
# The entry of a request with the user's own columns.
COLUMNS = "columns"
# Largest number of packings of a study: more would take the memory before the first packing.
MOST_REQUESTS = 10_000_000


@dataclass(frozen=True, eq=False)
class Request:
    """The arguments of one packing, and the user's own columns.

    `key` is a hash of the arguments that determine the packing, and of the version of jostle.
    """

    arguments: dict[str, Any]
    columns: dict[str, Any]
    key: str

    @classmethod
    def of(cls, arguments: dict[str, Any]) -> Request:
        """Takes arguments of `jostle.pack`."""
        arguments = {name: plain(value) for name, value in arguments.items()}
        own = arguments.pop(COLUMNS, {})
        determining = {name: value for name, value in arguments.items() if name != "threads"}
        text = json.dumps([VERSION, determining], sort_keys=True, default=canonical)
        return cls(arguments, columns_of(own), blake2b(text.encode(), digest_size=8).hexdigest())

    def start(self) -> dict[str, Any]:
        """Returns the first columns of a row."""
        return {"key": self.key, **{name: cell(value) for name, value in self.arguments.items()}, **self.columns}


def expand(requests: Mapping[str, Any] | Iterable[Mapping[str, Any]], seeds: Iterable[int] | None) -> list[Request]:
    """Returns a request for each combination of a grid, or each given set of arguments, with each seed."""
    wanted = None if seeds is None else seeds_of(seeds)
    sets = grid(requests) if isinstance(requests, Mapping) else listed(requests)
    unique: dict[str, Request] = {}
    for number, arguments in enumerate(sets):
        check_names(arguments)
        if wanted is not None and "seed" in arguments:
            raise InputError("seed is given in a request and by seeds; give one of them")
        for seed in [None] if wanted is None else wanted:
            request = Request.of(arguments if seed is None else {**arguments, "seed": seed})
            unique[request.key] = request
        check_number((number + 1) * len(wanted or [1]))
    return list(unique.values())


def seeds_of(seeds: Any) -> list[int]:
    """Returns the seeds, which an iterator yields only once."""
    if isinstance(seeds, (str, bytes, Mapping)) or not hasattr(seeds, "__iter__"):
        raise InputError(f"seeds is {seeds!r}; several whole numbers are expected, such as range(1, 11)")
    found = [whole("a seed", plain(seed), 0) for seed in itertools.islice(seeds, MOST_REQUESTS + 1)]
    check_number(len(found))
    if not found:
        raise InputError("seeds is empty; at least one whole number is expected")
    return found


def check_number(count: int) -> None:
    """Refuses more packings than a study can hold."""
    if count > MOST_REQUESTS:
        raise InputError(f"the study has more than {MOST_REQUESTS} packings; fewer values or seeds are expected")


def listed(requests: Any) -> Iterable[dict[str, Any]]:
    """Returns the given sets of arguments."""
    if isinstance(requests, str) or not hasattr(requests, "__iter__"):
        raise InputError(f"requests is {requests!r}; a mapping of arguments, or several such mappings are expected")
    for number, request in enumerate(requests):
        if not isinstance(request, Mapping):
            raise InputError(f"request {number} is {request!r}; a mapping of arguments is expected")
        yield dict(request)


def check_names(arguments: Mapping[str, Any]) -> None:
    """Refuses unknown arguments, and a seed that each run would draw anew."""
    accepted = {COLUMNS, *inspect.signature(pack).parameters} - FORBIDDEN
    for name in arguments:
        if name not in accepted:
            raise InputError(f"unknown argument '{name}' in a request; expected one of {', '.join(sorted(accepted))}")
    if "seed" in arguments and arguments["seed"] is None:
        raise InputError("seed is None in a request; a study that can continue needs whole numbers, such as seeds=range(1, 11)")


def columns_of(own: Any) -> dict[str, Any]:
    """Returns the user's own columns."""
    if not isinstance(own, Mapping):
        raise InputError(f"columns is {own!r}; a mapping of names to numbers or texts is expected")
    taken = {*RESERVED, *inspect.signature(pack).parameters}
    for name, value in own.items():
        if not isinstance(name, str) or name in taken:
            raise InputError(f"columns has the name {name!r}; a text that names no other column is expected")
        if not (value is None or isinstance(plain(value), (bool, int, float, str))):
            raise InputError(f"the column '{name}' is {value!r}; a number or a text is expected")
    return {name: plain(value) for name, value in own.items()}


def grid(axes: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Returns each combination of the values on the axes."""
    values = {name: values_of(name, value) for name, value in axes.items()}
    for name, found in values.items():
        if not found:
            raise InputError(f"the axis {name} has no values; at least one is expected")
    check_number(math.prod(map(len, values.values())))
    return (dict(zip(values, combination)) for combination in itertools.product(*values.values()))


def values_of(name: str, value: Any) -> list[Any]:
    """Returns the values of an axis: those in a list, range, array or iterator. Any other value is the same in all combinations.

    Numbers as `sizes` are the diameters of one packing.
    """
    is_single = isinstance(value, (str, bytes, tuple, Mapping, os.PathLike, SizeDistribution, Packing))
    if is_single or not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        return [value]
    values = list(itertools.islice(value, MOST_REQUESTS + 1))
    is_diameters = name == "sizes" and bool(values) and all(isinstance(plain(each), (int, float)) for each in values)
    return [values] if is_diameters else values


def plain(value: Any) -> Any:
    """Returns a number of NumPy as one of Python."""
    return value.item() if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0 else value


def canonical(value: Any) -> Any:
    """Returns a value that JSON has no form for as one that it has."""
    if isinstance(value, SizeDistribution):
        return value._core.to_json()
    if isinstance(value, Packing):
        return value.digest()
    if isinstance(value, Shape):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise InputError(f"{value!r} cannot be stored in a study; expected a number, a text, an array or a SizeDistribution")


def cell(value: Any) -> Any:
    """Returns an argument as a number or a text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, SizeDistribution):
        return value.name or json.dumps(value.law)
    if isinstance(value, Packing):
        return f"{len(value)} spheres"
    if isinstance(value, Shape):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "__len__") and len(value) > 3:
        return f"{len(value)} diameters"
    if isinstance(value, Sequence) or hasattr(value, "tolist"):
        return json.dumps(value, default=canonical)
    return str(value)
