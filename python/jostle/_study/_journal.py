"""The folder of a study: a journal to which each finished row is added at once, and the table."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core import FileError
from .._extras import extra, pandas

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
        self._file.truncate(len(complete))
        for line in complete.splitlines():
            row = json.loads(line)
            self.rows[row["key"]] = row

    def add(self, row: dict[str, Any]) -> None:
        """Adds a row, and returns when it is on the disk."""
        self.rows[row["key"]] = row
        if self._file:
            self._file.write(json.dumps(row).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self, order: Iterable[str]) -> pd.DataFrame:
        """Returns the table with the rows of these keys first, and writes it to the folder."""
        table = self.table(order)
        if self._file and self.folder:
            self._file.close()
            write(table, self.folder / TABLE)
        return table

    def table(self, order: Iterable[str]) -> pd.DataFrame:
        """Returns the table with the rows of these keys first."""
        keys = dict.fromkeys([*order, *self.rows])
        table: pd.DataFrame = pandas().DataFrame([self.rows[key] for key in keys if key in self.rows])
        for name in table.columns:
            column = table[name]
            if name in WHOLE and column.dropna().map(lambda value: float(value).is_integer()).all():
                table[name] = column.astype("Int64")
            elif column.dtype == object:
                # One column has one type. A choice such as the effort has names and numbers.
                types = {type(value) for value in column.dropna()}
                if types - {str}:
                    table[name] = column.map(lambda value: None if value is None else str(value))
        return table


def write(table: pd.DataFrame, path: Path) -> None:
    """Writes the table. The file appears when it is complete."""
    extra("pyarrow", "PyArrow", "study")
    temporary = path.with_name(f".{path.name}")
    table.to_parquet(temporary, engine="pyarrow", index=False)
    os.replace(temporary, path)
