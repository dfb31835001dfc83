"""The requests of a study: arguments of `jostle.pack`, one set for each row."""

from __future__ import annotations

import inspect
import itertools
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from .._core import VERSION, InputError
from .._pack import pack
from .._sizes import SizeDistribution

# Arguments that do not belong to a row: they change no packing, or cannot be repeated.
FORBIDDEN = {"progress", "checkpoint"}


@dataclass(frozen=True)
class Request:
    """The arguments of one packing.

    `key` is a hash of the arguments that determine the packing, and of the version of jostle.
    """

    arguments: dict[str, Any]
    key: str

    @classmethod
    def of(cls, arguments: dict[str, Any]) -> Request:
        """Takes arguments of `jostle.pack`."""
        determining = {name: value for name, value in arguments.items() if name != "threads"}
        text = json.dumps([VERSION, determining], sort_keys=True, default=canonical)
        return cls(arguments, blake2b(text.encode(), digest_size=8).hexdigest())

    def parameters(self) -> dict[str, Any]:
        """Returns the arguments as the columns of a row."""
        return {name: cell(value) for name, value in self.arguments.items()}


def expand(
    requests: Mapping[str, Any] | Iterable[Mapping[str, Any]], seeds: Iterable[int] | None
) -> list[Request]:
    """Returns a request for each combination of a grid, or each given set of arguments, with each seed."""
    sets = list(grid(requests)) if isinstance(requests, Mapping) else [dict(request) for request in requests]
    accepted = set(inspect.signature(pack).parameters) - FORBIDDEN
    for arguments in sets:
        for name in arguments:
            if name not in accepted:
                raise InputError(f"unknown argument '{name}' in a request; expected one of {', '.join(sorted(accepted))}")
    if seeds is not None:
        sets = [{**arguments, "seed": int(seed)} for arguments in sets for seed in seeds]
    unique = {request.key: request for request in map(Request.of, sets)}
    return list(unique.values())


def grid(axes: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Returns each combination of the values in lists and ranges. Any other value is the same in all combinations."""
    values = [list(value) if is_axis(value) else [value] for value in axes.values()]
    return (dict(zip(axes, combination)) for combination in itertools.product(*values))


def is_axis(value: Any) -> bool:
    """Returns whether a value of a grid lists values."""
    return isinstance(value, (list, range))


def canonical(value: Any) -> Any:
    """Returns a value that JSON has no form for as one that it has."""
    if isinstance(value, SizeDistribution):
        return value._core.to_json()
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
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "__len__") and len(value) > 3:
        return f"{len(value)} diameters"
    if isinstance(value, Sequence) or hasattr(value, "tolist"):
        return json.dumps(value, default=canonical)
    return str(value)
