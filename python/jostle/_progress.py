"""The progress bar of a run."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._pack import Progress

# Time in seconds from one drawing of the line to the next: often enough to look alive, seldom enough to cost nothing.
REDRAW = 0.1


@contextmanager
def bar(request: dict[str, Any]) -> Iterator[Callable[[Progress], None]]:
    """Shows a bar with tqdm, or else one line on stderr."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        with _line() as show:
            yield show
        return
    with tqdm(desc="packing", unit=" sweeps", mininterval=REDRAW) as shown:

        def show(progress: Progress) -> None:
            shown.total = round(progress.sweeps + progress.remaining_sweeps)
            shown.set_postfix_str(f"φ {progress.packing_fraction:.4f}, overlap {progress.mean_overlap:.1e}", refresh=False)
            shown.update(progress.sweeps - shown.n)

        yield show
        shown.total = shown.n
        shown.refresh()


@contextmanager
def _line() -> Iterator[Callable[[Progress], None]]:
    drawn = 0.0

    def show(progress: Progress) -> None:
        nonlocal drawn
        if time.monotonic() - drawn >= REDRAW:
            drawn = time.monotonic()
            done = progress.sweeps / (progress.sweeps + progress.remaining_sweeps)
            print(
                f"\rpacking {done:4.0%}, {progress.sweeps} sweeps, φ {progress.packing_fraction:.4f}",
                end="",
                file=sys.stderr,
                flush=True,
            )

    try:
        yield show
    finally:
        if drawn:
            print(file=sys.stderr)
