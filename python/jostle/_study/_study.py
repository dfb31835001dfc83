"""The function `jostle.study`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from .._arguments import flag, path_of, text
from .._core import InputError
from .._pack import PackingWarning
from .._packing import OmissionWarning, Packing
from ._columns import DEFINITIONS, RESERVED
from ._journal import Journal
from ._requests import expand
from ._rows import Analyses, Quantity, Task, example, row, sentence

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
    analyses: Mapping[str, Callable[[Packing], Any] | str | Mapping[str, Any]] | Sequence[str] = (),
    progress: bool = False,
    retry_failed: bool = False,
) -> pd.DataFrame:
    """Makes many packings and returns a table with one row for each.

    A study that was killed continues with the same call: finished rows in `out` are neither repeated nor lost. New `analyses` and
    another `save` are applied to finished rows too: to the packing in their ``.json`` file, or else to the packing made again.

    Parameters
    ----------
    requests : mapping or iterable of mappings
        Arguments of :func:`jostle.pack`. In a mapping, each list, range, array or iterator is an axis of a grid, and the study
        makes every combination; a box with three lengths is a tuple, and numbers as ``sizes`` are the diameters of one packing. An
        iterable holds the arguments of each packing. The entry ``columns`` of a request is a mapping of names to numbers or
        texts, which become columns of the table.
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
    analyses : sequence of str, or mapping of str to callable, str or mapping
        Names of quantities of :meth:`Packing.analyze`, such as ``"contacts.mean"`` or ``"rattlers"``. Or a mapping from names of
        columns to quantities, to dictionaries with a quantity and options of :meth:`Packing.analyze`, such as
        ``{"quantity": "contacts.mean", "tolerance": 0.01}``, or to functions of a :class:`Packing`. A function returns a number,
        a text, an array of these, or a dictionary of these, which gives several columns. Workers in other processes must be able
        to import the functions. A function that has changed needs a new name to be applied to finished rows.
    progress : bool
        Whether to show a bar with tqdm.
    retry_failed : bool
        Whether to repeat the rows of `out` that have an error.

    Returns
    -------
    pandas.DataFrame
        The columns are ``key``, the arguments of the requests, ``seed``, ``spheres``, ``packing_fraction``,
        ``stop_reason``, ``sweeps``, ``max_overlap`` and ``min_gap`` of the certificate, ``hash`` of the bits
        (:meth:`Packing.digest`), ``seconds``, ``file``, ``warning``, ``error`` and the analyses. A request that failed has an
        error and no numbers. A packing whose analysis or file failed has an error and all other numbers. Rows have the order of
        the requests; earlier rows of `out` follow.

    Warns
    -----
    PackingWarning
        If packings failed or did not meet their requests; with their number and the first reason.

    Raises
    ------
    InputError
        If a request has an unknown argument, or an analysis an unknown name. No packing is made then.

    Examples
    --------
    >>> import jostle
    >>> table = jostle.study({"sizes": ["equal", "concrete"], "n": 200, "effort": "quick"}, seeds=range(1, 3))
    >>> list(table["sizes"])
    ['equal', 'equal', 'concrete', 'concrete']
    """
    wanted = expand(requests, seeds)
    functions = _functions(analyses)
    examples = _check(functions, save, out)
    flags = flag("progress", progress), flag("retry_failed", retry_failed)
    folder = Path(path_of("out", out)).absolute() if out is not None else None
    pool = None if executor is None else _concurrent(executor)
    journal = Journal(folder)
    target = None
    if save is not None and folder:
        (folder / "packings").mkdir(exist_ok=True)
        target = (save.lstrip("."), os.fspath(folder / "packings"))
    left = []
    for request in wanted:
        earlier = journal.rows.get(request.key, {})
        if flags[1] and earlier.get("error"):
            # All analyses of a row that failed are repeated.
            earlier = {**earlier, "error": None, DEFINITIONS: None}
        task = Task(request, functions, target, earlier)
        if not task.is_done():
            left.append(task)
            continue
        # The user's own columns may be new.
        named = {**request.start(), **earlier, **request.start()}
        if named != earlier:
            journal.add(named)
    try:
        with _bar(flags[0], len(wanted), len(wanted) - len(left)) as advance:

            def add(found: dict[str, Any]) -> None:
                journal.add(found)
                advance()

            _work(left, pool, add)
    finally:
        # After Ctrl-C, too, the folder has the table of the finished rows.
        table = journal.close((request.key for request in wanted), examples)
    _warn([journal.rows[request.key] for request in wanted])
    return table


def _functions(analyses: Any) -> Analyses:
    """Returns the analyses by their names."""
    if isinstance(analyses, str) or not hasattr(analyses, "__iter__"):
        raise InputError(f"analyses is {analyses!r}; a list of names, or a mapping of names to analyses is expected")
    given = analyses if isinstance(analyses, Mapping) else {text("an analysis", name): name for name in analyses}
    return {_name(name): _function(name, analysis) for name, analysis in given.items()}


def _name(name: Any) -> str:
    if not isinstance(name, str) or name in RESERVED:
        raise InputError(f"an analysis has the name {name!r}; a text that names no other column is expected")
    return name


def _function(name: str, analysis: Any) -> Quantity | Callable[[Packing], Any]:
    if isinstance(analysis, str):
        return Quantity(analysis)
    if isinstance(analysis, Mapping) and "quantity" in analysis:
        options = {key: value for key, value in analysis.items() if key != "quantity"}
        return Quantity(text("quantity", analysis["quantity"]), options)
    if not callable(analysis):
        raise InputError(
            f"the analysis '{name}' is {analysis!r}; a function, the name of a quantity, or a dictionary with the quantity and "
            "options of Packing.analyze is expected"
        )
    function: Callable[[Packing], Any] = analysis
    return function


def _check(analyses: Analyses, save: Any, out: Any) -> list[str]:
    """Rejects what would fail after the first packing. Returns the columns of the analyses, as far as they are known."""
    found: list[str] = []
    for name, analysis in analyses.items():
        if isinstance(analysis, Quantity):
            # The columns have the name of the analysis, which need not be that of the quantity.
            found.extend(name + column[len(analysis.name) :] for column in analysis.check())
        else:
            found.append(name)
    if save is None:
        return found
    if out is None:
        raise InputError("save is given without out; the folder of the packing files is needed")
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", OmissionWarning)
        example().save(Path(folder, f"example.{text('save', save).lstrip('.')}"))
    return found


def _warn(rows: list[dict[str, Any]]) -> None:
    """Warns about packings that failed or did not meet their request."""
    for column, what in (("error", "failed"), ("warning", "did not meet their requests")):
        reasons = [row[column] for row in rows if row.get(column)]
        if reasons:
            sentence = f"{len(reasons)} of {len(rows)} packings {what}; the first: {reasons[0]}; all: the column {column}"
            warnings.warn(sentence, PackingWarning, stacklevel=3)


def _work(tasks: list[Task], executor: Executor | None, add: Callable[[dict[str, Any]], object]) -> None:
    """Passes each row to `add` as soon as it is finished."""
    from concurrent.futures import BrokenExecutor, CancelledError, ThreadPoolExecutor
    from queue import SimpleQueue
    from threading import Event

    own = ThreadPoolExecutor(_cores()) if executor is None else None
    pool = own or executor
    assert pool
    # A thread of this process can be told to stop.
    stop = (Event(),) if isinstance(pool, ThreadPoolExecutor) else ()
    waiting = iter(tasks)
    pending: dict[Future[dict[str, Any] | None], Task] = {}
    finished: SimpleQueue[Future[dict[str, Any] | None]] = SimpleQueue()

    def take(future: Future[dict[str, Any] | None]) -> None:
        task = pending.pop(future)
        try:
            found = future.result()
        except (BrokenExecutor, CancelledError):
            raise
        except Exception as error:
            found = {**task.request.start(), **task.earlier, "error": sentence(error)}
        if found:
            add(found)

    try:
        while True:
            for task in islice(waiting, SUBMITTED - len(pending)):
                future = pool.submit(row, task, *stop)
                pending[future] = task
                future.add_done_callback(finished.put)
            if not pending:
                return
            take(finished.get())
    finally:
        for event in stop:
            event.set()
        for future in pending:
            future.cancel()
        if own:
            own.shutdown()
        # No finished row is lost.
        for future in list(pending):
            if future.done() and not future.cancelled() and not future.exception():
                take(future)


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

    with extra("tqdm.auto", "tqdm").tqdm(total=total, initial=finished, unit=" packings") as shown:
        yield lambda: shown.update()
