"""The row of one packing. Workers call this module, perhaps in other processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from .._core import InputError
from .._pack import pack
from .._packing import Packing
from ._requests import Request


@dataclass(frozen=True)
class Quantity:
    """A quantity of `Packing.analyze`, by the keys that lead to it: `contacts.mean`."""

    name: str

    def of(self, analysis: Mapping[str, Any]) -> Any:
        """Returns the quantity."""
        found: Any = analysis
        for key in self.name.split("."):
            if not isinstance(found, Mapping) or key not in found:
                raise InputError(f"unknown analysis '{self.name}'; expected one of {', '.join(analysis)}, or a part of it")
            found = found[key]
        return found


# The columns of a study beyond the usual ones.
Analyses = Mapping[str, "Callable[[Packing], Any] | Quantity"]


@dataclass(frozen=True)
class Task:
    """A request with everything that a worker needs."""

    request: Request
    analyses: Analyses = field(default_factory=dict)
    # The extension and the folder of packing files.
    save: tuple[str, str] | None = None

    def file(self) -> Path | None:
        """Returns the name of the packing file."""
        return Path(self.save[1], f"{self.request.key}.{self.save[0]}") if self.save else None


def row(task: Task, stop: Event | None = None) -> dict[str, Any] | None:
    """Packs, and returns the row. A failure becomes a row with its error. Returns None if the study was stopped."""
    # The other cores have packings of their own.
    arguments = {"threads": 1, **task.request.arguments}
    try:
        packing = pack(**arguments, progress=(lambda _: not stop.is_set()) if stop else None)
        if stop and stop.is_set():
            return None
        return finished(task, packing)
    except Exception as error:
        return failed(task.request, error)


def finished(task: Task, packing: Packing) -> dict[str, Any]:
    """Returns the row of a packing."""
    file = task.file()
    if file:
        packing.save(file)
    certificate = packing.certificate
    provenance = packing.provenance or {}
    found = {
        **start(task.request),
        "spheres": len(packing),
        "packing_fraction": packing.packing_fraction,
        "stop_reason": packing.stop_reason,
        "sweeps": provenance.get("sweeps"),
        "max_overlap": certificate.max_overlap,
        "min_gap": certificate.min_gap if certificate.min_gap != float("inf") else None,
        "hash": packing.digest(),
        "seconds": packing.seconds,
        "file": os.fspath(file) if file else None,
        "error": None,
    }
    names = [name for name, analysis in task.analyses.items() if isinstance(analysis, Quantity)]
    # One analysis yields all quantities. Only pores and profiles need random points.
    has_points = any(name.split(".")[0] in ("pores", "profile") for name in names)
    whole = packing.analyze(points=None if has_points else 0) if names else {}
    for name, analysis in task.analyses.items():
        found.update(columns(name, analysis.of(whole) if isinstance(analysis, Quantity) else analysis(packing)))
    return found


def failed(request: Request, error: BaseException) -> dict[str, Any]:
    """Returns the row of a request that failed."""
    return {**start(request), "error": str(error) or type(error).__name__}


def start(request: Request) -> dict[str, Any]:
    """Returns the first columns of a row."""
    return {"key": request.key, **request.parameters()}


def columns(name: str, value: Any) -> dict[str, Any]:
    """Returns the result of an analysis as columns: a dictionary gives one for each number or text in it."""
    if isinstance(value, Mapping):
        parts = [columns(f"{name}.{key}", part) for key, part in value.items()]
        return {key: part for found in parts for key, part in found.items()}
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    return {name: value} if value is None or isinstance(value, (bool, int, float, str)) else {}
