"""The columns of a study."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

# The columns of every packing, between the arguments and the analyses.
RESULTS = (
    "spheres",
    "packing_fraction",
    "stop_reason",
    "sweeps",
    "max_overlap",
    "min_gap",
    "hash",
    "seconds",
    "file",
    "warning",
    "error",
)
# The entry of a row in the journal that says how its analyses were defined. It is no column.
DEFINITIONS = "analyses"
RESERVED = {"key", DEFINITIONS, *RESULTS}


def columns(name: str, value: Any) -> dict[str, Any]:
    """Returns the result of an analysis as columns. A dictionary gives one for each of its values."""
    if isinstance(value, Mapping) and value:
        parts = [columns(f"{name}.{key}", part) for key, part in value.items()]
        return {key: part for found in parts for key, part in found.items()}
    if hasattr(value, "tolist"):
        # Arrays and numbers of NumPy, and columns of pandas.
        value = value.tolist()
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, Mapping):
        value = None
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"a result has the type {type(value).__name__}; a number, a text, an array of these, or a dictionary of these is expected"
        ) from None
    return {name: text if isinstance(value, list) and has_records(value) else value}


def has_records(values: list[Any]) -> bool:
    """Returns whether a list holds anything but numbers, texts and lists of them."""
    return any(isinstance(each, dict) or (isinstance(each, list) and has_records(each)) for each in values)


def without(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Returns a row without the columns of an analysis."""
    return {key: value for key, value in row.items() if key != name and not key.startswith(f"{name}.")}
