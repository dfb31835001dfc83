"""The function `jostle.study`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core import InputError
from .._packing import Packing
from ._journal import Journal
from ._requests import Request, expand
from ._rows import Analyses, Quantity, Task, failed, row

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    import distributed
    import pandas as pd

# Largest number of packings that are submitted to an executor at a time. A scheduler sees enough work for any cluster, and a
# study of a million packings needs little memory.
SUBMITTED = 10_000


def study(
    requests: Mapping[str, Any] | Iterable[Mapping[str, Any]],
    *,
    seeds: Iterable[int] | None = None,
    executor: Executor | distributed.Client | None = None,
    out: str | os.PathLike[str] | None = None,
    save: str | None = None,
    analyses: Mapping[str, Callable[[Packing], Any]] | Sequence[str] = (),
    progress: bool = False,
    retry_failed: bool = False,
) -> pd.DataFrame:
    """Makes many packings and returns a table with one row for each.

    A study that was killed continues with the same call: finished rows in `out` are neither repeated nor lost.

    Parameters
    ----------
    requests : mapping or iterable of mappings
        Arguments of :func:`jostle.pack`. In a mapping, each list or range is an axis of a grid, and the study makes every
        combination; a box with three lengths is a tuple. An iterable holds the arguments of each packing.
    seeds : iterable of int, optional
        Makes every packing with each of these seeds.
    executor : concurrent.futures.Executor or distributed.Client, optional
        The workers. By default the study runs on this machine, with one packing on each core.
    out : path, optional
        Folder of the study. ``rows.jsonl`` receives each row as soon as its packing is finished, and ``table.parquet`` the
        table at the end. Without a folder, the table is only returned.
    save : str, optional
        Extension of packing files, such as ``"json"``, which go to the folder ``packings`` in `out`. Workers on other
        machines need a shared file system.
    analyses : mapping of str to callable, or sequence of str
        Names of quantities of :meth:`Packing.analyze`, such as ``"contacts.mean"`` or ``"rattlers"``, or functions of a
        :class:`Packing` that return a number, a text or a dictionary of these; each gives columns. Workers in other processes
        must be able to import the functions.
    progress : bool
        Whether to show a bar with tqdm.
    retry_failed : bool
        Whether to repeat the rows of `out` that have an error.

    Returns
    -------
    pandas.DataFrame
        The columns are ``key``, the arguments of the requests, ``seed``, ``spheres``, ``packing_fraction``,
        ``stop_reason``, ``sweeps``, ``max_overlap`` and ``min_gap`` of the certificate, ``hash`` of the bits
        (:meth:`Packing.digest`), ``seconds``, ``file``, ``error`` and the analyses. A request that failed has an error and no
        numbers. Rows have the order of the requests; earlier rows of `out` follow.

    Raises
    ------
    InputError
        If a request has an unknown argument. No packing is made then.

    Examples
    --------
    >>> import jostle
    >>> table = jostle.study({"sizes": ["equal", "concrete"], "n": 200, "effort": "quick"}, seeds=range(1, 3))
    >>> list(table["sizes"])
    ['equal', 'equal', 'concrete', 'concrete']
    """
    wanted = expand(requests, seeds)
    if save is not None and out is None:
        raise InputError("save is given without out; the folder of the packing files is needed")
    folder = Path(out).absolute() if out is not None else None
    journal = Journal(folder)
    target = None
    if save is not None and folder:
        (folder / "packings").mkdir(exist_ok=True)
        target = (save.lstrip("."), os.fspath(folder / "packings"))
    is_finished = [request for request in wanted if _is_finished(journal, request, retry_failed)]
    left = [request for request in wanted if request not in is_finished]
    tasks = [Task(request, _functions(analyses), target) for request in left]
    try:
        with _bar(progress, len(wanted), len(is_finished)) as advance:
            for found in _rows(tasks, executor):
                journal.add(found)
                advance()
    finally:
        # After Ctrl-C, too, the folder has the table of the finished rows.
        table = journal.close(request.key for request in wanted)
    return table


def _is_finished(journal: Journal, request: Request, retry_failed: bool) -> bool:
    found = journal.rows.get(request.key)
    return found is not None and not (retry_failed and found["error"])


def _functions(analyses: Mapping[str, Callable[[Packing], Any]] | Sequence[str]) -> Analyses:
    if isinstance(analyses, Mapping):
        return dict(analyses)
    if isinstance(analyses, str):
        raise InputError(f"analyses is {analyses!r}; a list of names, or a mapping of names to functions is expected")
    return {name: Quantity(name) for name in analyses}


def _rows(tasks: list[Task], executor: Executor | distributed.Client | None) -> Iterator[dict[str, Any]]:
    """Yields the rows in the order in which they are finished."""
    from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ThreadPoolExecutor, wait
    from threading import Event

    own = ThreadPoolExecutor(_cores()) if executor is None else None
    pool = own or _concurrent(executor)
    # A thread of this process can be told to stop.
    stop = (Event(),) if isinstance(pool, ThreadPoolExecutor) else ()
    waiting = iter(tasks)
    pending: dict[Future[dict[str, Any] | None], Task] = {}
    try:
        while True:
            for task in islice(waiting, SUBMITTED - len(pending)):
                pending[pool.submit(row, task, *stop)] = task
            if not pending:
                return
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                task = pending.pop(future)
                error = future.exception()
                if isinstance(error, BrokenExecutor):
                    raise error
                found = failed(task.request, error) if error else future.result()
                if found:
                    yield found
    finally:
        for event in stop:
            event.set()
        for future in pending:
            future.cancel()
        if own:
            own.shutdown()


def _concurrent(executor: Any) -> Executor:
    """Returns an executor with the interface of `concurrent.futures`."""
    # Every row is its own task, although rows of equal tasks would be equal.
    adapted: Executor = executor.get_executor(pure=False) if hasattr(executor, "get_executor") else executor
    if not hasattr(adapted, "submit"):
        raise InputError("executor has no submit; expected None, a concurrent.futures.Executor or a distributed.Client")
    return adapted


def _cores() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _bar(is_shown: bool, total: int, finished: int) -> Iterator[Callable[[], object]]:
    if not is_shown:
        yield lambda: None
        return
    from .._extras import extra

    with extra("tqdm.auto", "tqdm", "study").tqdm(total=total, initial=finished, unit=" packings") as shown:
        yield lambda: shown.update()
