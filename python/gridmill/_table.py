"""The tables that the functions return."""

from __future__ import annotations

import csv
import html
import operator
import zlib
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from gridmill import _checks, _gridmill
from gridmill._inputs import BOXES
from gridmill._reports import Report

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow
    import torch

GRIDS = ("puzzle", "solution", "backbone", "canonical", "canonical_solution")


BLOCK = 1024
"""The number of rows that become Python objects at a time."""

SHOWN = 10
"""The number of rows that are shown in a notebook."""


class Table:
    """Rows of a job in memory, in the order of the input: a table with typed columns.

    `table[0]` is a row as a `dict`, `table[:5]` a table, `table["status"]` a column as a list, `table[["line", "er"]]`
    a table of these columns. A table can be iterated, row by row, and pickled. Two tables are equal if their columns
    and their rows are.

    It has the Arrow interface, so every library that reads Arrow takes it without a copy: `polars.DataFrame(solved)`,
    `pyarrow.table(solved)`, `duckdb.sql("FROM solved")`. The methods `to_...` do the same. They import the libraries,
    which are optional.
    """

    __slots__ = ("_batches", "_index", "_report")

    def __init__(
        self, batches: _gridmill.Batches, report: Report | Callable[[], Report] | None = None, index: Any = None
    ) -> None:
        """Wraps the result of a native function. `index` is the index of the puzzles, if they come from pandas.

        `report` may be a function that reads it: this takes as long as to solve twenty puzzles, and few callers look.
        """
        self._batches = batches
        self._index = index
        self._report = report

    @property
    def report(self) -> Any:
        """The counts and times of the run, such as a `SolveReport`; `None` for rows that were read or sliced."""
        if callable(self._report):
            self._report = self._report()
        return self._report

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._batches.columns

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._batches)

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, key: slice | list[str]) -> Table: ...

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...

    def __getitem__(self, key: int | slice | str | list[str]) -> dict[str, Any] | Table | list[Any]:
        """A row, some of the rows, a column, or some of the columns.

        Raises:
            IndexError: If there is no such row.
            KeyError: If there is no such column.
            TypeError: If `key` has another type, or a column that was kept has neither numbers nor text.
        """
        if isinstance(key, str):
            return self.to_list(key)
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            index = None if self._index is None else self._index[key]
            return Table(self._batches.rows(max(start, 0), step, len(range(start, stop, step))), index=index)
        if isinstance(key, list):
            return Table(self._batches.select(_checks.texts("columns", key)), index=self._index)
        row = operator.index(key)
        if not -len(self) <= row < len(self):
            raise IndexError(f"there are {len(self):,} rows, and no row {row}")
        return next(iter(Table(self._batches.rows(row % len(self), 1, 1))))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each as a `dict`."""
        names = self.columns
        for start in range(0, len(self), BLOCK):
            block = self._batches.rows(start, 1, min(BLOCK, len(self) - start))
            for values in zip(*map(block.values, names), strict=True):
                yield dict(zip(names, values, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """The rows with their checksum, and the report, for pickle."""
        rows = self._batches.to_ipc()
        return _table_of, (rows, zlib.crc32(rows), self.report, self._index)

    def __eq__(self, other: object) -> bool:
        """Whether another table has the same columns and rows."""
        return self._batches == other._batches if isinstance(other, Table) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """The size, and the number of rows of each kind."""
        lines = [f"gridmill.Table of {len(self):,} rows: {', '.join(self.columns)}"]
        counts = getattr(self.report, "rows", None) or getattr(self.report, "verdicts", None) or {}
        if isinstance(counts, dict) and counts:
            lines.append("  " + ", ".join(f"{name} {count:,}" for name, count in counts.items() if count))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The first rows, for notebooks."""
        names = self.columns
        title = "<br>".join(html.escape(line) for line in repr(self).splitlines())
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape('' if value is None else str(value))}</td>" for value in row.values())
            for row in self[:SHOWN]
        )
        more = "" if len(self) <= SHOWN else f"<p>{len(self) - SHOWN:,} more rows</p>"
        style = "font-family: monospace; text-align: left"
        return f'<p>{title}</p><table style="{style}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}'

    def __arrow_c_schema__(self) -> object:
        """The schema, for libraries that read Arrow."""
        return self._batches.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The rows, for libraries that read Arrow."""
        return self._batches.__arrow_c_stream__(requested_schema)

    def filter(self, keep: Callable[[dict[str, Any]], object] | Iterable[object]) -> Table:
        """The rows that are kept.

        Args:
            keep: A function that says of a row, which is a `dict`, whether it is kept; or a truth value for each row,
                as an array, a column or a list.

        Raises:
            ValueError: If there are not as many values as rows.
        """
        kept = list(map(keep, self) if callable(keep) else keep)
        if len(kept) != len(self):
            raise ValueError(f"keep has {len(kept):,} values, and there are {len(self):,} rows")
        rows = [row for row, is_kept in enumerate(kept) if is_kept]
        return Table(self._batches.take(rows), index=None if self._index is None else self._index[rows])

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Writes the table to a file of CSV, as the command line does: `read_csv` reads it back.

        Raises:
            ValueError: If the name has the extension of a compressed file.
            OSError: If the file cannot be written.
        """
        target = _checks.path("path", path)
        if target.suffix in (".gz", ".zst", ".xz", ".bz2"):
            raise ValueError(f"the file is not compressed, but its name ends with {target.suffix}")
        with target.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.columns)
            writer.writerows(
                [";".join(map(str, value)) if isinstance(value, list) else value for value in row.values()]
                for row in self
            )

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Writes the table to a file of Parquet, by pyarrow."""
        from pyarrow import parquet

        parquet.write_table(self.to_arrow(), _checks.path("path", path), compression="zstd")

    def to_arrow(self) -> pyarrow.Table:
        """The table as a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> polars.DataFrame:
        """The table as a `polars.DataFrame`."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a `pandas.DataFrame`, which is made by pyarrow, with the index that the puzzles had."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        if self._index is not None:
            frame.index = self._index
        return frame

    def to_numpy(self, column: str) -> numpy.ndarray[Any, Any]:
        """A column as a NumPy array.

        Args:
            column: Its name.

        Returns:
            For a column of grids (`puzzle`, `solution`, `backbone`, `canonical`, `canonical_solution`) an array of
            `uint8` of the shape (n, 81), or (n, 16), (n, 256) or (n, 625): the digits of the cells row by row, 0 for a
            blank. All cells are 0 where there is no grid. For `candidates` truth values of the shape (n, 81, 9). For
            other columns an array of the shape (n,): integers, numbers of `float64` (NaN where they are missing), or
            objects if values are missing, are text or are lists.

        Raises:
            KeyError: If there is no such column.
            TypeError: If it was kept from the input and has neither numbers nor text.
            ValueError: If its grids have several sizes.
        """
        import numpy

        if column in GRIDS:
            cells, size = self._batches.grids(column)
            return numpy.frombuffer(cells, dtype=numpy.uint8).reshape(len(self), size)
        values = self._batches.values(column)
        lengths = {len(value) for value in values if isinstance(value, str)}
        side = next((side for side in BOXES if lengths == {side**3}), None)
        if column == "candidates" and side is not None:
            symbols = "".join(value or "." * side**3 for value in values).encode()
            digits = numpy.frombuffer(symbols, dtype=numpy.uint8).reshape(len(self), side**2, side)
            return numpy.not_equal(digits, ord("."))
        if any(isinstance(value, float) for value in values):
            return numpy.array(values, dtype=numpy.float64)
        if any(isinstance(value, list) for value in values):
            objects = numpy.empty(len(values), dtype=object)
            objects[:] = values
            return objects
        if any(value is None or isinstance(value, str) for value in values):
            return numpy.array(values, dtype=object)
        return numpy.array(values) if min(values, default=0) < 0 else numpy.array(values, dtype=numpy.uint64)

    def to_torch(self, column: str) -> torch.Tensor:
        """A column as a tensor of torch: grids as `to_numpy` gives them, without a copy, or numbers.

        Raises:
            KeyError: If there is no such column.
            TypeError: If it has neither grids nor numbers, or numbers are missing.
        """
        import numpy
        from torch.utils.dlpack import from_dlpack

        array = self.to_numpy(column)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"column {column!r} has neither grids nor numbers, or numbers are missing")
        # Most functions of torch do not take unsigned integers of 64 bits.
        return from_dlpack(array.astype(numpy.int64) if array.dtype == numpy.uint64 else array)

    def to_list(self, column: str) -> list[Any]:
        """A column as a list of `int`, `float`, `str`, lists of `str`, and `None`.

        Args:
            column: Its name.

        Raises:
            KeyError: If there is no such column.
            TypeError: If it was kept from the input and has neither numbers nor text.
        """
        return self._batches.values(column)


def read_csv(path: str | PathLike[str]) -> Table:
    """Reads a table from CSV: puzzles, solutions and classes are text, as in other tables of gridmill.

    Other readers take 81 digits for a number.

    Args:
        path: The file, which may be compressed (`.gz`, `.zst`, `.xz`, `.bz2`).

    Returns:
        A table with all columns of the file. A column has numbers or truth values if all its values are, and text
        otherwise: `er` is text if it has a `>7.1`. Values that look like puzzles (as long as a puzzle, or more digits
        than a number holds) and numbers that begin with 0 stay text. An empty value is `None`.

    Raises:
        TypeError: If `path` is not a path.
        OSError: If the file cannot be read.
        ValueError: If it is not a table with a header.
    """
    return Table(_gridmill.read_csv(_checks.path("path", path)))


def _table_of(ipc: bytes, checksum: int, report: Report | None, index: Any = None) -> Table:
    """Restores a pickled table. The checksum is needed: damaged bytes can make the reader of Arrow panic or abort."""
    if zlib.crc32(ipc) != checksum:
        raise ValueError("the pickled table is damaged: its rows have another checksum")
    return Table(_gridmill.Batches.from_ipc(ipc), report, index)
