"""The row of one packing. Workers call this module, perhaps in other processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

from .._core import InputError
from .._functions import read
from .._pack import pack, pack_silently
from .._packing import Packing
from ._columns import DEFINITIONS, columns, without
from ._requests import Request


@dataclass(frozen=True)
class Quantity:
    """A quantity of `Packing.analyze`, by the keys that lead to it, such as `contacts.mean`, and the options of the analysis."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def of(self, packing: Packing, analyses: dict[str, Any]) -> Any:
        """Returns the quantity. `analyses` holds the analyses of this packing so far."""
        key = repr(sorted(self._options().items()))
        if key not in analyses:
            analyses[key] = packing.analyze(**self._options())
        return self.part(analyses[key])

    def part(self, analysis: Mapping[str, Any]) -> Any:
        """Returns the quantity of an analysis. It is None where a part of the analysis is absent."""
        found: Any = analysis
        for key in self.name.split("."):
            if found is None:
                return None
            if isinstance(found, list) and key.isdecimal() and int(key) < len(found):
                found = found[int(key)]
            elif isinstance(found, Mapping) and key in found:
                found = found[key]
            else:
                raise InputError(f"unknown analysis '{self.name}'; expected one of {', '.join(analysis)}, or a part of it")
        return found

    def check(self) -> dict[str, Any]:
        """Rejects an unknown name and options that are not accepted. Returns the columns of an example."""
        try:
            example().analyze(**{**self._options(), "points": 0})
        except TypeError as error:
            raise InputError(f"the analysis '{self.name}' has unknown options: {error}") from None
        return columns(self.name, self.part(example().analyze(points=1000)))

    def _options(self) -> dict[str, Any]:
        # Only pores and profiles need random points.
        has_points = self.name.split(".")[0] in ("pores", "profile")
        return {"points": None if has_points else 0, **self.options}


@cache
def example() -> Packing:
    """Returns a packing that is large enough for every quantity."""
    return pack("equal", n=500, effort="quick", threads=1)


# The columns of a study beyond the usual ones.
Analyses = Mapping[str, "Callable[[Packing], Any] | Quantity"]


@dataclass(frozen=True, eq=False)
class Task:
    """A request with everything that a worker needs."""

    request: Request
    analyses: Analyses = field(default_factory=dict)
    # The extension and the folder of packing files.
    save: tuple[str, str] | None = None
    # The row so far, which lacks analyses or the file.
    earlier: dict[str, Any] = field(default_factory=dict)

    def file(self) -> str | None:
        """Returns the name of the packing file."""
        return os.fspath(Path(self.save[1], f"{self.request.key}.{self.save[0]}")) if self.save else None

    def missing_analyses(self) -> Analyses:
        """Returns the analyses that the row so far lacks, or has by another definition."""
        known = self.earlier.get(DEFINITIONS) or {}
        return {name: analysis for name, analysis in self.analyses.items() if known.get(name) != definition(analysis)}

    def is_saved(self) -> bool:
        """Returns whether the packing need not be saved."""
        file = self.file()
        return file is None or (self.earlier.get("file") == file and os.path.exists(file))

    def is_done(self) -> bool:
        """Returns whether the row so far is complete. A packing that failed is not repeated."""
        if not self.earlier.get("hash"):
            return bool(self.earlier.get("error"))
        return not self.missing_analyses() and self.is_saved()


def definition(analysis: Callable[[Packing], Any] | Quantity) -> str:
    """Returns a text that tells one analysis from another. The code of a function is not part of it."""
    if isinstance(analysis, Quantity):
        return f"{analysis.name} {dict(analysis.options)}" if analysis.options else analysis.name
    return f"{getattr(analysis, '__module__', '')}.{getattr(analysis, '__qualname__', type(analysis).__name__)}"


def row(task: Task, stop: Event | None = None) -> dict[str, Any] | None:
    """Packs, and returns the row. A failure becomes an error in the row, which keeps everything else.

    Returns None if the study was stopped.
    """
    first = task.request.start()
    found = {**first, **task.earlier, **first}
    try:
        packing = _stored(task.earlier) or _packed(task.request, stop)
    except Exception as error:
        return {**found, "error": sentence(error)}
    if packing is None:
        return None
    if packing.digest() != found.get("hash"):
        found = {**first, **results(packing)}
    errors = [found["error"]] if found.get("error") else []
    if not task.is_saved():
        try:
            packing.save(task.file() or "")
            found["file"] = task.file()
        except Exception as error:
            errors.append(sentence(error))
    analyses: dict[str, Any] = {}
    for name, analysis in task.missing_analyses().items():
        found = {**without(found, name), DEFINITIONS: {**(found.get(DEFINITIONS) or {}), name: definition(analysis)}}
        try:
            value = analysis.of(packing, analyses) if isinstance(analysis, Quantity) else analysis(packing)
            found.update(columns(name, value))
        except Exception as error:
            found[name] = None
            errors.append(f"analysis '{name}': {sentence(error)}")
    return {**found, "error": "; ".join(errors) or None}


def _stored(earlier: Mapping[str, Any]) -> Packing | None:
    """Returns the packing of an earlier row, if its file holds all of it."""
    file = earlier.get("file")
    if not file or not file.endswith(".json"):
        return None
    try:
        packing = read(file)
    except (InputError, OSError):
        return None
    return packing if packing.digest() == earlier.get("hash") else None


def _packed(request: Request, stop: Event | None) -> Packing | None:
    # The other cores have packings of their own.
    arguments = {"threads": 1, **request.arguments}
    packing = pack_silently(arguments, (lambda _: not stop.is_set()) if stop else None)
    return None if stop and stop.is_set() else packing


def results(packing: Packing) -> dict[str, Any]:
    """Returns the columns of a packing."""
    certificate = packing.certificate
    provenance = packing.provenance or {}
    return {
        "spheres": len(packing),
        "packing_fraction": packing.packing_fraction,
        "stop_reason": packing.stop_reason,
        "sweeps": provenance.get("sweeps"),
        "max_overlap": certificate.max_overlap,
        "min_gap": certificate.min_gap if certificate.min_gap != float("inf") else None,
        "hash": packing.digest(),
        "seconds": packing.seconds,
        "file": None,
        "warning": "; ".join(packing.unmet) or None,
        "error": None,
    }


def sentence(error: BaseException) -> str:
    """Returns the sentence of an error."""
    return str(error) or type(error).__name__
