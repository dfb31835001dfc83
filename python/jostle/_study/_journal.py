"""The folder of a study: a journal to which each finished row is added at once, and the table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core import FileError, InputError
from .._extras import extra, pandas
from ._columns import DEFINITIONS, RESULTS

if TYPE_CHECKING:
    import pandas as pd

JOURNAL = "rows.jsonl"
TABLE = "table.parquet"
# Columns of whole numbers, which rows with an error may lack.
WHOLE = ("n", "seed", "spheres", "sweeps")


class Journal:
    """The rows of a study so far. A row that was added is never lost, whenever the process is killed."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.rows: dict[str, dict[str, Any]] = {}
        self._file = None
        if folder:
            try:
                folder.mkdir(parents=True, exist_ok=True)
                self._file = open(folder / JOURNAL, "ab+")  # noqa: SIM115
            except OSError as error:
                raise FileError(f"cannot write to the folder '{folder}': {error.strerror}") from error
            self._read()

    def _read(self) -> None:
        assert self._file
        self._file.seek(0)
        content = self._file.read()
        # A kill while a row is written leaves a line without an end.
        complete = content[: content.rfind(b"\n") + 1]
        rows = [self._row(number, line) for number, line in enumerate(complete.splitlines(), 1)]
        self._file.truncate(len(complete))
        self.rows.update((row["key"], row) for row in rows)

    def _row(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            row = json.loads(line)
            str(row["key"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"'{self._file and self._file.name}', line {number}: no row of a study") from None
        found: dict[str, Any] = row
        return found

    def add(self, row: dict[str, Any]) -> None:
        """Adds a row, and returns when it is on the disk."""
        self.rows[row["key"]] = row
        if self._file:
            self._file.write(json.dumps(row).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self, order: Iterable[str], analyses: Iterable[str]) -> pd.DataFrame:
        """Returns the table with the rows of these keys first, and writes it to the folder."""
        table = self.table(order, analyses)
        if self._file and self.folder:
            self._file.close()
            write(table, self.folder / TABLE)
        return table

    def table(self, order: Iterable[str], analyses: Iterable[str]) -> pd.DataFrame:
        """Returns the table with the rows of these keys first, and with the columns of `analyses`."""
        keys = dict.fromkeys([*order, *self.rows])
        rows = [self.rows[key] for key in keys if key in self.rows]
        # The arguments precede the results, also where the first packings failed.
        names = {"key": None}
        for row in rows:
            arguments = list(row)
            ends = [arguments.index(name) for name in RESULTS if name in row]
            names.update(dict.fromkeys(arguments[: min(ends, default=None)]))
        names.update(dict.fromkeys([*RESULTS, *analyses, *(name for row in rows for name in row)]))
        names.pop(DEFINITIONS, None)
        table: pd.DataFrame = pandas().DataFrame(rows, columns=list(names))
        for name in table.columns:
            table[name] = typed(name, table[name])
        return table


def typed(name: str, column: pd.Series[Any]) -> pd.Series[Any]:
    """Returns a column whose values have one type. A choice such as the effort has names and numbers, which become texts."""
    if name in WHOLE and column.dropna().map(lambda value: isinstance(value, (int, float)) and float(value).is_integer()).all():
        return column.astype("Int64")
    if column.dtype != object:
        return column
    types = {type(value) for value in column if not (value is None or value != value)}
    if types <= {str} or types <= {list}:
        return column
    if types <= {bool}:
        return column.astype("boolean")
    return column.map(lambda value: None if value is None or value != value else str(value))


def write(table: pd.DataFrame, path: Path) -> None:
    """Writes the table. The file appears when it is complete."""
    extra("pyarrow", "pyarrow")
    temporary = path.with_name(f".{path.name}")
    table.to_parquet(temporary, engine="pyarrow", index=False)
    os.replace(temporary, path)
