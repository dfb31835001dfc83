"""The command ``jostle study``."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from .._arguments import whole
from .._blends import blend_requests, write_map
from .._core import InputError
from .._pack import PackingWarning
from ._journal import TABLE
from ._requests import grid
from ._study import study

DONE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130

# Number of reasons of failures that are printed; the table has all of them.
REASONS = 5

DESCRIPTION = """\
Make the packings of a plan, and write a table with one row for each. The same command continues a study that was killed.

plan.toml:
  out = "lognormals"                  # folder of the study
  seeds = 20                          # seeds 1 to 20, or a list
  save = "json"                       # optional: keep the packings

  [grid]                              # every combination of the lists
  sizes = ["lognormal:d50=1,sigma=0.2", "lognormal:d50=1,sigma=0.4"]
  n = 10000

  [[requests]]                        # or: single packings
  sizes = "concrete"
  box = [20, 20, 40]
  fraction = 0.5
  columns = {batch = "A"}             # columns of your own

  [blend]                             # optional: a map over the composition of a blend, with one value of each other argument
  components = ["sand.csv", "gravel.csv", "chippings.csv"]
  steps = 6                           # shares are multiples of 1/6

  [analyses]                          # optional: columns with quantities of the analysis, or a list of their names
  contacts = {quantity = "contacts.mean", tolerance = 0.01}

The arguments are those of jostle.pack in Python. A map has a table (map.csv, map.json) and a picture (map.svg) in the folder:
measured packing fractions beside those of the rods of Farr & Groot and of the compressible packing model of de Larrard.

Exit codes:
  0    every packing is finished
  1    some requests failed; the column error tells why
  2    wrong usage or a bad plan
  130  ended by Ctrl-C; finished rows are kept
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    try:
        plan = _plan(options.plan)
        folder = options.out or plan.pop("out", None) or str(options.plan.with_suffix(""))
        plan.pop("out", None)
        requests = _requests(plan)
        with _executor(options) as executor, warnings.catch_warnings():
            # The reasons are printed below.
            warnings.simplefilter("ignore", PackingWarning)
            table = study(
                requests, seeds=_seeds(plan.get("seeds")), executor=executor, out=folder, save=plan.get("save"),
                analyses=plan.get("analyses", {}), progress=not options.quiet, retry_failed=options.retry_failed,
            )  # fmt: skip
        files = [str(Path(folder, TABLE)), *(write_map(table, Path(folder)) if "blend" in plan else [])]
    except KeyboardInterrupt:
        print("interrupted: the finished rows are kept; the same command continues the study", file=sys.stderr)
        return INTERRUPTED
    except (ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return REFUSED
    failures, shortfalls = (int(table[name].notna().sum()) for name in ("error", "warning"))
    if not options.quiet:
        missed = f", {shortfalls} did not meet their requests" if shortfalls else ""
        print(f"{len(table)} packings, {failures} failed{missed}; the table is in {', '.join(files)}")
    for name in ("error", "warning"):
        for reason, number in table[name].value_counts().head(REASONS).items():
            if name == "error" or not options.quiet:
                print(f"{name}, {number} of {len(table)} packings: {reason}", file=sys.stderr)
    return FAILED if failures else DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jostle study", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", type=Path, help="plan of the study, a .toml file")
    parser.add_argument("--out", metavar="FOLDER", help="folder of the study [default: out in the plan, or the plan's name]")
    parser.add_argument("--jobs", type=int, metavar="N", help="number of packings at a time [default: one for each core]")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="run on the Dask cluster of this scheduler")
    parser.add_argument("--retry-failed", action="store_true", help="repeat the rows that have an error")
    parser.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    return parser


def _plan(path: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        plan = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OSError(f"cannot read '{path}': {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"'{path}': {error}") from error
    known = ("out", "seeds", "save", "analyses", "blend", "grid", "requests")
    for name in plan:
        if name not in known:
            raise InputError(f"'{path}': unknown key '{name}'; expected one of {', '.join(known)}")
    return plan


def _requests(plan: dict[str, Any]) -> Any:
    if "blend" in plan:
        return _blend_requests(plan)
    if ("grid" in plan) == ("requests" in plan):
        raise InputError("the plan needs either [grid] or [[requests]]")
    found: Any = plan.get("grid") or plan.get("requests")
    return found


def _blend_requests(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the requests of a map."""
    blend = plan["blend"]
    known = ("components", "steps")
    if not isinstance(blend, dict):
        raise InputError(f"blend is {blend!r}; a table with components and steps is expected")
    unknown = [name for name in blend if name not in known]
    if unknown or "components" not in blend:
        wrong = f"the unknown key '{unknown[0]}'" if unknown else "no components"
        raise InputError(f"[blend] has {wrong}; components, a list of two or three size distributions, and steps are expected")
    if "requests" in plan:
        raise InputError("the plan has [blend] and [[requests]]; the arguments of a blend are in [grid]")
    arguments = list(grid(plan.get("grid", {})))
    if len(arguments) != 1:
        raise InputError(f"[grid] has {len(arguments)} combinations; a map of a blend needs one value of each argument")
    if "sizes" in arguments[0]:
        raise InputError("[grid] has sizes; the sizes of a map are those of [blend]")
    return blend_requests(blend["components"], blend.get("steps", 6), **arguments[0])


def _seeds(seeds: Any) -> Any:
    return range(1, whole("seeds", seeds, 1) + 1) if isinstance(seeds, int) else seeds


def _executor(options: argparse.Namespace) -> Any:
    if options.scheduler:
        from .._extras import extra

        return extra("distributed", "distributed").Client(options.scheduler)
    if options.jobs is not None and options.jobs < 1:
        raise InputError(f"--jobs is {options.jobs}; a whole number of at least 1 is expected")
    if options.jobs:
        return ThreadPoolExecutor(options.jobs)
    from contextlib import nullcontext

    return nullcontext()
