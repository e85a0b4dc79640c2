"""The inputs that hold puzzles: one `str`, or several in a list, an array, a column or a table."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import chain
from math import isqrt, prod
from numbers import Real
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gridmill import _gridmill
from gridmill._checks import kind_of, path

if TYPE_CHECKING:

    class ArrowArray(Protocol):
        """An array with the Arrow interface, such as `pyarrow.Array`."""

        def __arrow_c_array__(self, requested_schema: Any | None = None) -> Any:
            """See the Arrow PyCapsule interface."""

    class ArrowStream(Protocol):
        """A column or a table with the Arrow interface, for example from pyarrow, Polars, pandas or DuckDB."""

        def __arrow_c_stream__(self, requested_schema: Any | None = None) -> Any:
            """See the Arrow PyCapsule interface."""

    class Tensor(Protocol):
        """An array of numbers in the memory of the CPU, such as `numpy.ndarray` or `torch.Tensor`."""

        def __dlpack__(self, *, stream: Any = None) -> Any:
            """See DLPack."""

    class LazyTable(Protocol):
        """A table that is not read yet, such as `polars.LazyFrame`."""

        def collect(self) -> Any:
            """Reads the table."""

    class Dataset(Protocol):
        """A dataset or a scanner of pyarrow or Lance."""

        def to_table(self) -> Any:
            """Reads the table."""

    Many: TypeAlias = (
        list[Any]
        | tuple[Any, ...]
        | Tensor
        | ArrowArray
        | ArrowStream
        | LazyTable
        | Dataset
        | Mapping[str, Sequence[Any]]
        | Iterator[Any]
    )
    """Several puzzles; `gridmill.solve` documents the types."""

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
"""The rows and columns of the boxes of each size, by the side of the grid."""

SIZES = tuple(side**2 for side in BOXES)
"""The numbers of cells of a puzzle."""

FILES = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".npy", ".xlsx", ".sdk", ".sdm"),
    ".classes",
    *(".gz", ".zst", ".xz", ".bz2", ".zip"),
)
"""The extensions of files."""

SEVERAL = (
    "a list or tuple of str or of lists of cells, a list of dicts, an array or a tensor of shape (n, 81) or (n, 9, 9), "
    "an object with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...), an iterator over such objects, "
    "a dict of columns, or a dataset of Hugging Face, pyarrow or Lance"
)


ONE_OR_SEVERAL = f"a str, {SEVERAL}"

BATCH = 10_000
"""The number of rows that are taken at a time from a data set that is not in memory."""

CURES = {
    "pandas": 'pandas.read_csv(path, dtype={"COLUMN": str})',
    "polars": 'polars.read_csv(path, schema_overrides={"COLUMN": polars.String})',
    "pyarrow": 'pyarrow.csv.ConvertOptions(column_types={"COLUMN": "string"})',
    "duckdb": 'duckdb.read_csv(path, dtype={"COLUMN": "VARCHAR"})',
    "_duckdb": 'duckdb.read_csv(path, dtype={"COLUMN": "VARCHAR"})',
    "datasets": 'datasets.load_dataset("csv", data_files=path, converters={"COLUMN": str})',
}
"""How each library reads a column of digits, `COLUMN`, as text, by the module of its tables."""


def puzzles_of(name: str, puzzles: Any, expected: str = SEVERAL, blank: int | None = None) -> Any:
    """Converts `puzzles`, not one `str`, for the native functions. `expected` describes the right types in an error.

    `blank` is the number of a blank in arrays, 0 or 1; None decides it by the numbers.
    """
    if isinstance(puzzles, str | PathLike):
        raise _not_a_path(name, puzzles, expected)
    # A set has no order.
    if isinstance(puzzles, bytes | Set):
        raise TypeError(f"{name} must be {expected}, not {kind_of(puzzles)}")
    puzzles = _read(puzzles)
    datasets = sys.modules.get("datasets")
    if datasets is not None and isinstance(puzzles, datasets.IterableDataset):
        return _batches_of(name, puzzles.with_format("arrow").iter(BATCH))
    if isinstance(puzzles, Mapping):
        return _table_of(puzzles)
    # A column of a dataset is a sequence, too.
    if isinstance(puzzles, Sequence):
        return _listed(name, puzzles if isinstance(puzzles, list) else list(puzzles))
    # pyarrow does not check that the batches of a reader have its schema.
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(puzzles, pyarrow.RecordBatchReader):
        return _batches_of(name, iter(puzzles), puzzles.schema)
    array = _as_array(name, puzzles)
    if array is not None:
        return _cells_of(name, array, blank)
    if _is_arrow(puzzles):
        return puzzles
    if isinstance(puzzles, Iterable):
        items = iter(puzzles)
        first = next(items, ...)
        items = items if first is ... else chain([first], items)
        is_puzzle = first is None or isinstance(first, PathLike | Sequence | Mapping) or hasattr(first, "tolist")
        return _listed(name, list(items)) if is_puzzle and not _is_arrow(first) else _batches_of(name, items)
    raise TypeError(f"{name} must be {expected}, not {kind_of(puzzles)}")


def _read(puzzles: Any) -> Any:
    """A table of another library that is not in memory yet, read; other objects as they are."""
    datasets, polars = sys.modules.get("datasets"), sys.modules.get("polars")
    if datasets is not None and isinstance(puzzles, datasets.Dataset):
        return puzzles.with_format("arrow")[:]
    if polars is not None and isinstance(puzzles, polars.LazyFrame):
        return puzzles.collect()
    # A dataset or a scanner of pyarrow or Lance.
    return puzzles.to_table() if hasattr(puzzles, "to_table") and not _is_arrow(puzzles) else puzzles


def items_of(values: Any) -> list[Any]:
    """The items of a list, a series, an array or a column."""
    values = _read(values)
    to_list = getattr(values, "to_pylist", None)
    return list(values) if to_list is None else to_list()


def _is_arrow(item: object) -> bool:
    """Whether an object has the Arrow interface."""
    return hasattr(item, "__arrow_c_stream__") or hasattr(item, "__arrow_c_array__")


def _table_of(columns: Mapping[str, Any]) -> Any:
    """A table of columns, each a list or an array. pyarrow takes arrays of one axis only."""
    import pyarrow

    return pyarrow.table(
        {name: _plain(column) if getattr(column, "ndim", 1) > 1 else column for name, column in columns.items()}
    )


def _listed(name: str, puzzles: list[Any]) -> Any:
    """The puzzles of a list, or the only one, if the items are its cells or rows; a table, if they are `dict`."""
    first = puzzles[0] if puzzles else None
    if isinstance(first, Mapping):
        for index, item in enumerate(puzzles):
            if not isinstance(item, Mapping):
                raise TypeError(f"item {index} of {name} must be a dict, as those before it, not {kind_of(item)}")
        columns = dict.fromkeys(column for row in puzzles for column in row)
        return _table_of({column: [row.get(column) for row in puzzles] for column in columns})
    if isinstance(first, str | PathLike) and _is_path(first):
        raise _not_a_path(f"item 0 of {name}", first, "a puzzle")
    if hasattr(first, "tolist"):
        puzzles = _plain(puzzles)
    side = len(puzzles)
    if side in SIZES and all(map(_is_cell, puzzles)) and any(isinstance(cell, Real) or cell for cell in puzzles):
        return [puzzles]
    # Sixteen texts are puzzles.
    is_one = side in BOXES and all(_is_row(item, side) for item in puzzles)
    if not is_one or (side in SIZES and isinstance(first, str)):
        return puzzles
    if side in SIZES and not any(isinstance(cell, Real) and float(cell) > 4 for row in puzzles for cell in row):
        raise ValueError(f"{name} may be a puzzle or sixteen puzzles: pass [puzzle], or each puzzle in four rows")
    return [puzzles]


def _is_row(item: object, side: int) -> bool:
    """Whether the item of a list is a row of a puzzle."""
    return isinstance(item, str | list | tuple) and len(item) == side and (isinstance(item, str) or _is_cell(item[0]))


def _is_cell(item: object) -> bool:
    """Whether the item of a list is a cell of a puzzle."""
    return item is None or isinstance(item, Real) or (isinstance(item, str) and len(item) < 3)


def text_of(puzzle: object) -> str:
    """A puzzle as text: of `bytes`, of a list of its cells or rows, or of such an array."""
    if isinstance(puzzle, bytes):
        return puzzle.decode(errors="replace")
    cells = _plain(puzzle)
    if not isinstance(cells, list):
        raise TypeError(f"must be a str or a list of cells, not {kind_of(puzzle)}")
    return repr(cells)


def _plain(cells: Any) -> Any:
    """Tuples and arrays as lists, the numbers of NumPy as those of Python."""
    if hasattr(cells, "tolist"):
        cells = cells.tolist()
    return [_plain(cell) for cell in cells] if isinstance(cells, list | tuple) else cells


def _has_cells(table: Any) -> bool:
    """Whether a table has a column of numbers for each cell."""
    shape = getattr(table, "shape", None)
    if not isinstance(shape, tuple) or len(shape) != 2 or shape[1] not in SIZES or not hasattr(table, "to_numpy"):
        return False
    return table.to_numpy().dtype.kind in "iuf"


def puzzles_or_file(name: str, puzzles: object) -> object:
    """Converts puzzles or the path of a file with them."""
    if isinstance(puzzles, str | PathLike):
        return path(name, puzzles)
    return puzzles_of(name, puzzles, f"{SEVERAL}, or the path of a file")


def puzzles_or_files(name: str, puzzles: object) -> object:
    """Converts puzzles, a table or several, or the paths of files, which become a tuple."""
    if isinstance(puzzles, str | PathLike):
        return (path(name, puzzles),)
    if isinstance(puzzles, list | tuple) and puzzles:
        if all(isinstance(item, str | PathLike) and _is_path(item) for item in puzzles):
            return tuple(path(name, item) for item in puzzles)
        if all(hasattr(item, "column_names") or hasattr(item, "__arrow_c_stream__") for item in puzzles):
            return puzzles_of(name, iter([puzzles_of(name, item) for item in puzzles]))
    return puzzles_of(name, puzzles, f"{SEVERAL}, the path of a file, or a list of paths or of tables")


def length_of(puzzles: Any) -> int | None:
    """The number of puzzles, if it is known before they are read."""
    try:
        return len(puzzles)
    except TypeError:
        return None


def one_puzzle(name: str, puzzle: str) -> str:
    """A puzzle as text; a path is refused."""
    if _is_path(puzzle):
        raise _not_a_path(name, puzzle, ONE_OR_SEVERAL)
    return puzzle


def _is_path(text: str | PathLike[str]) -> bool:
    """Whether a text is the name of a file, and no puzzle."""
    if not isinstance(text, str):
        return True
    return len(text) not in SIZES and text.lower().endswith(FILES) and not text.count("\n")


def _not_a_path(name: str, given: str | PathLike[str], expected: str) -> Exception:
    """The error for the path of a file in place of puzzles."""
    if not _is_path(given):
        return TypeError(f"{name} must be {expected}, not {kind_of(given)}")
    return ValueError(
        f"{name} looks like a path, {fspath(given)!r}: use solve_file, or the like of it for another function, or read "
        "the file first, as with gridmill.read_csv"
    )


def splits_of(puzzles: Any) -> dict[str, Any] | None:
    """The data sets in a `DatasetDict`, by their names."""
    datasets = sys.modules.get("datasets")
    if datasets is None or not isinstance(puzzles, datasets.DatasetDict | datasets.IterableDatasetDict):
        return None
    return dict(puzzles)


@contextmanager
def with_cure(puzzles: object) -> Iterator[None]:
    """Adds the call that reads digits as text to the error about a column of numbers."""
    try:
        yield
    except (OverflowError, TypeError) as error:
        cure = CURES.get(type(puzzles).__module__.partition(".")[0])
        # pyarrow does not take integers of pandas that are as long as puzzles.
        if cure is None or (not isinstance(error, OverflowError) and " has numbers" not in str(error)):
            raise
        if isinstance(error, OverflowError):
            error = TypeError(f"the column '{next(iter(getattr(puzzles, 'columns', ['puzzle'])))}' has numbers")
        column = re.search("column '([^']*)'", str(error))
        cure = cure.replace("COLUMN", column[1] if column else "puzzle")
        raise TypeError(f"{error}; {cure} reads digits as text") from None


def index_of(puzzles: Any) -> Any:
    """The index of a `pandas.Series` or a `pandas.DataFrame`."""
    pandas = sys.modules.get("pandas")
    has_index = pandas is not None and isinstance(puzzles, pandas.Series | pandas.DataFrame)
    return puzzles.index if has_index else None


def _array_of(name: str, tensor: Any) -> Any:
    """The array that shares the memory of a tensor."""
    import numpy

    try:
        return numpy.from_dlpack(tensor)
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(f"{name} cannot be read: {error}; take it to the CPU first, as with tensor.cpu()") from error


def _batches_of(name: str, items: Iterator[Any], schema: Any = None) -> object:
    """The batches of an iterator over objects that pyarrow can turn into tables. All have one schema."""
    import pyarrow

    def tables() -> Iterator[Any]:
        for number, item in enumerate(items):
            if not _is_arrow(item):
                raise TypeError(
                    f"item {number} of {name} must be a table with the Arrow interface, not {kind_of(item)}"
                )
            try:
                yield pyarrow.table(item)
            except pyarrow.ArrowInvalid:
                raise TypeError(
                    f"item {number} of {name} must be a table, not a column: pass pyarrow.table({{'puzzle': column}})"
                ) from None

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


def _as_array(name: str, puzzles: Any) -> Any:
    """An array, a tensor or a table of cells as an array of NumPy; None for other objects."""
    if _has_cells(puzzles):
        return puzzles.to_numpy()
    # `puzzles` can only be an array if its module was imported.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(puzzles, numpy.ndarray):
        return puzzles
    return _array_of(name, puzzles) if hasattr(puzzles, "__dlpack__") and not _is_arrow(puzzles) else None


def cells_in(name: str, puzzles: object) -> Any:
    """The cells of an array of numbers, a row for each puzzle; None for other objects."""
    array = _as_array(name, puzzles)
    return None if array is None or array.dtype.kind not in "iuf" else _in_rows(name, array)


def number_of_blank(name: str, cells: Any) -> int:
    """The number of a blank in rows of numbers: 0, or 1 where each digit is one more.

    Training sets of recursive reasoning models have such numbers. Without a 0, each row is read both ways: full grids
    by the rules have digits, and puzzles by the rules have numbers that are one more.
    """
    side = isqrt(cells.shape[1])
    if not cells.size or cells.min() <= 0 or cells.max() > side + 1:
        return 0
    if _keep_rules(cells, 0).any():
        return 0
    if _keep_rules(cells, 1).mean() >= 0.5:
        return 1
    if cells.max() <= side:
        return 0
    raise ValueError(
        f"{name} has numbers from {cells.min()} to {cells.max()}: pass blank=1 if 1 is a blank and 2 is the digit 1, "
        "or blank=0"
    )


def _keep_rules(cells: Any, blank: int) -> Any:
    """Whether each row keeps the rules, if this number is a blank. No number of a cell is 0."""
    import numpy

    rows, columns = BOXES[isqrt(cells.shape[1])]
    side = rows * columns
    kept = numpy.empty(len(cells), bool)
    for start in range(0, len(cells), BATCH):
        part = cells[start : start + BATCH].astype(numpy.int64)
        bits = numpy.where(part > blank, 1 << part, 0)
        grids = bits.reshape(-1, side, side)
        boxes = bits.reshape(-1, side // rows, rows, side // columns, columns).swapaxes(2, 3).reshape(-1, side, side)
        kept[start : start + BATCH] = (part - blank <= side).all(1)
        for houses in (grids, grids.swapaxes(1, 2), boxes):
            # Bits that differ have the same sum as union.
            kept[start : start + BATCH] &= (houses.sum(2) == numpy.bitwise_or.reduce(houses, 2)).all(1)
    return kept


def _cells_of(name: str, array: Any, blank: int | None = None) -> object:
    """The rows of a NumPy array."""
    import numpy

    if array.dtype.kind == "S":
        array = numpy.char.decode(array, "utf-8", "replace")
    # A text of more than two characters is a puzzle, not a cell.
    is_long = array.dtype.kind == "T" or (array.dtype.kind == "U" and array.dtype.itemsize > 8)
    if is_long or (array.ndim < 2 and array.dtype.kind in "OU"):
        return _listed(name, numpy.atleast_1d(array.squeeze()).tolist())
    array = _in_rows(name, array)
    if array.dtype.kind in "OU":
        return array.tolist()
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be an array of numbers or texts, not of {array.dtype}: use .astype('uint8')")
    # Masked cells are blank. They become -1, because 0 may be a digit next to them.
    if isinstance(array, numpy.ma.MaskedArray):
        array = numpy.ma.filled(array.astype(numpy.int64), -1)
    # Nearly all values fit into bytes, which the engines take without a conversion.
    with numpy.errstate(invalid="ignore"):
        kind, cells = "u1", array.astype(numpy.uint8)
    if not numpy.array_equal(cells, array):
        kind = f"{array.dtype.kind}8"
        cells = array.astype(kind)
    elif (number_of_blank(name, cells) if blank is None else blank) == 1:
        cells -= 1
    return _gridmill.Cells(cells.tobytes(), kind, array.shape[1])


def _in_rows(name: str, array: Any) -> Any:
    """An array with a row of cells for each puzzle. Axes of 1 do not matter."""

    def is_puzzle(*axes: int) -> bool:
        axes = tuple(axis for axis in axes if axis != 1)
        return axes[0] in SIZES if len(axes) == 1 else len(axes) == 2 and axes[0] == axes[1] and axes[0] in BOXES

    rows, *axes = array.shape or (0,)
    is_one = is_puzzle(rows, *axes)
    if is_one and rows > 1 and is_puzzle(*axes):
        if array.dtype.kind not in "iuf" or not (array > 4).any():
            raise ValueError(
                f"{name} of the shape {array.shape} may be a puzzle or sixteen puzzles: use .reshape(1, 16, 16), or "
                ".reshape(16, 4, 4)"
            )
        return array.reshape(1, -1)
    if is_puzzle(*axes):
        return array.reshape(rows, prod(axes))
    if is_one:
        return array.reshape(1, -1)
    first, *rest = [axis for axis in array.shape if axis != 1] or [0]
    if is_puzzle(*rest):
        return array.reshape(first, -1)

    cure = ""
    if array.ndim > 2 and (is_puzzle(*array.shape[1:-1]) or is_puzzle(*array.shape[:-1])):
        cure = "; if it is one-hot, use .argmax(-1)"
    elif array.ndim == 2 and is_puzzle(rows):
        cure = "; if each column is a puzzle, use .T"
    elif array.size % 81 == 0:
        cure = "; if the cells of each puzzle are successive, use .reshape(-1, 81)"
    raise ValueError(
        f"{name} must have the shape (n, 81) or (n, 9, 9), for other sizes such as (n, 256) or (n, 16, 16), not "
        f"{array.shape}{cure}"
    )
