"""The inputs that hold puzzles: one `str`, or several in a list, an array, a column or a table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import isqrt
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gridmill import _gridmill
from gridmill._checks import kind_of, path

if TYPE_CHECKING:
    import numpy

    class ArrowArray(Protocol):
        """An array with the Arrow interface, such as `pyarrow.Array`."""

        def __arrow_c_array__(self, requested_schema: Any | None = None) -> tuple[Any, Any]:
            """See the Arrow PyCapsule interface."""

    class ArrowStream(Protocol):
        """A column or a table with the Arrow interface, such as those of pyarrow, Polars, pandas and DuckDB."""

        def __arrow_c_stream__(self, requested_schema: Any | None = None) -> Any:
            """See the Arrow PyCapsule interface."""

    Many: TypeAlias = (
        "list[str] | list[str | None] | tuple[str | None, ...] | numpy.ndarray[Any, Any] | ArrowArray | ArrowStream | "
        "Iterator[ArrowArray | ArrowStream]"
    )
    """Several puzzles; `gridmill.solve` documents the types."""

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
"""The rows and columns of the boxes of each size, by the side of the grid."""

SIZES = tuple(side**2 for side in BOXES)
"""The numbers of cells of a puzzle."""

FILES = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".npy", ".xlsx", ".sdk", ".sdm"),
    *(".gz", ".zst", ".xz", ".bz2", ".zip"),
)
"""The extensions of files."""

SEVERAL = (
    "a list or tuple of str, a NumPy array of shape (n, 81) or (n, 9, 9), "
    "an object with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...), or an iterator over such objects"
)


ONE_OR_SEVERAL = f"a str, {SEVERAL}"


def puzzles_of(name: str, puzzles: object, expected: str = SEVERAL) -> object:
    """Converts `puzzles`, not one `str`, for the native functions. `expected` describes the right types in an error."""
    if isinstance(puzzles, list):
        return puzzles
    if isinstance(puzzles, tuple):
        return list(puzzles)
    # pyarrow does not check that the batches of a reader have its schema.
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(puzzles, pyarrow.RecordBatchReader):
        return _batches_of(name, iter(puzzles), puzzles.schema)
    if hasattr(puzzles, "__arrow_c_stream__") or hasattr(puzzles, "__arrow_c_array__"):
        return puzzles
    # `puzzles` can only be an array if its module was imported.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(puzzles, numpy.ndarray):
        return _cells_of(name, puzzles)
    if isinstance(puzzles, Iterator):
        return _batches_of(name, puzzles)
    datasets = sys.modules.get("datasets")
    if datasets is not None and isinstance(puzzles, datasets.Dataset):
        return puzzles.with_format("arrow")[:]
    hint = "; for a file, use solve_file" if isinstance(puzzles, PathLike) else ""
    raise TypeError(f"{name} must be {expected}, not {kind_of(puzzles)}{hint}")


def puzzles_or_file(name: str, puzzles: object) -> object:
    """Converts puzzles or the path of a file with them."""
    if isinstance(puzzles, str | PathLike):
        return path(name, puzzles)
    return puzzles_of(name, puzzles, f"{SEVERAL}, or the path of a file")


def length_of(puzzles: Any) -> int | None:
    """The number of puzzles, if it is known before they are read."""
    try:
        return len(puzzles)
    except TypeError:
        return None


def one_puzzle(name: str, puzzle: str) -> str:
    """A puzzle as text; a path is refused."""
    if len(puzzle) not in SIZES and puzzle.lower().endswith(FILES) and not puzzle.count("\n"):
        raise ValueError(
            f"{name} looks like a path, {puzzle!r}: use solve_file, or the like of it for another function"
        )
    return puzzle


def _batches_of(name: str, items: Iterator[Any], schema: Any = None) -> object:
    """The batches of an iterator over objects that pyarrow can turn into tables. All have one schema."""
    import pyarrow

    def tables() -> Iterator[Any]:
        for number, item in enumerate(items):
            if not hasattr(item, "__arrow_c_stream__") and not hasattr(item, "__arrow_c_array__"):
                raise TypeError(
                    f"item {number} of {name} must be a table with the Arrow interface, not {kind_of(item)}"
                )
            yield pyarrow.table(item)

    rest = tables()
    first = next(rest, None) if schema is None else schema.empty_table()
    if first is None:
        raise ValueError(f"{name} has no batch, so that its columns are not known")

    def batches() -> Iterator[Any]:
        yield from first.to_batches() or [pyarrow.RecordBatch.from_pylist([], first.schema)]
        for number, table in enumerate(rest, 1 if schema is None else 0):
            yield from _fitting(f"item {number} of {name}", table, first.schema).to_batches()

    return _gridmill.BatchIterator(batches())


def _fitting(name: str, table: Any, schema: Any) -> Any:
    """A table with the columns of a schema, in their order and of their types, if that loses nothing."""
    import pyarrow

    if table.schema.equals(schema):
        return table
    if sorted(table.schema.names) != sorted(schema.names):
        raise ValueError(f"{name} has the columns {table.schema.names}, but those before it have {schema.names}")
    try:
        return table.select(schema.names).cast(schema)
    except (KeyError, pyarrow.ArrowException) as error:
        types = "; ".join(
            f"{field.name} is {table.schema.field(field.name).type}, not {field.type}"
            for field in schema
            if table.schema.field(field.name).type != field.type
        )
        raise ValueError(f"{name} is not like those before it: {types}: {error}") from error


def _cells_of(name: str, array: Any) -> object:
    """The rows of a NumPy array."""
    import numpy

    if array.ndim == 1 and array.dtype.kind in "OUT":
        return array.tolist()
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be an array of integers, not of {array.dtype}")
    if array.ndim == 3 and array.shape[1] == array.shape[2]:
        array = array.reshape(len(array), array.shape[1] ** 2)
    if array.ndim != 2 or array.shape[1] not in SIZES:
        raise ValueError(f"{name} must have the shape (n, 81) or (n, 9, 9), or that of another size, not {array.shape}")
    # Masked cells are blank. They become -1, because 0 may be a digit next to them.
    if isinstance(array, numpy.ma.MaskedArray):
        array = numpy.ma.filled(array.astype(numpy.int64), -1)
    # Nearly all values fit into bytes, which the engines take without a conversion.
    kind, cells = "u1", array.astype(numpy.uint8)
    if not numpy.array_equal(cells, array):
        kind = f"{array.dtype.kind}8"
        cells = array.astype(kind)
    elif cells.size and cells.min() > 0 and cells.max() == isqrt(array.shape[1]) + 1:
        # The training sets of recursive reasoning models have 1 for a blank and 1 more than the digit for a clue.
        cells -= 1
    return _gridmill.Cells(cells.tobytes(), kind, array.shape[1])
