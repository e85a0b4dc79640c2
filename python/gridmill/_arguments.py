"""Checks the arguments of the public functions: a wrong type is a `TypeError` that says what is expected."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from gridmill import _gridmill

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack

    from gridmill._options import OfMany

    class ArrowArray(Protocol):
        """An array with the Arrow interface, such as `pyarrow.Array`."""

        def __arrow_c_array__(self, requested_schema: Any | None = None) -> tuple[Any, Any]:
            """See the Arrow PyCapsule interface."""

    class ArrowStream(Protocol):
        """A column or a table with the Arrow interface: of pyarrow, Polars, pandas, DuckDB and others."""

        def __arrow_c_stream__(self, requested_schema: Any | None = None) -> Any:
            """See the Arrow PyCapsule interface."""

    Many: TypeAlias = (
        "list[str] | list[str | None] | tuple[str | None, ...] | numpy.ndarray[Any, Any] | ArrowArray | ArrowStream"
    )
    """Several puzzles; `gridmill.solve` says which types stand for them."""

    Path_: TypeAlias = str | PathLike[str]

MAX_INT = 2**64 - 1
SIZES = (16, 81, 256, 625)
FILES = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".arrow", ".npy", ".xlsx", ".sdk", ".sdm"),
    *(".gz", ".zst", ".xz", ".bz2", ".zip"),
)
"""The extensions of files."""

EXPECTED = (
    "a str, a list or tuple of str, a NumPy array of shape (n, 81) or (n, 9, 9), "
    "or an object with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...)"
)


def puzzles_of(name: str, puzzles: object) -> object:
    """What the native functions take for `puzzles`, which must not be one `str`."""
    if isinstance(puzzles, list):
        return puzzles
    if isinstance(puzzles, tuple):
        return list(puzzles)
    if hasattr(puzzles, "__arrow_c_stream__") or hasattr(puzzles, "__arrow_c_array__"):
        return puzzles
    # An array can only be there if its module was imported.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(puzzles, numpy.ndarray):
        return _cells_of(name, puzzles)
    datasets = sys.modules.get("datasets")
    if datasets is not None and isinstance(puzzles, datasets.Dataset):
        return puzzles.with_format("arrow")[:]
    hint = "; for a file, use solve_file" if isinstance(puzzles, PathLike) else ""
    raise TypeError(f"{name} must be {EXPECTED}, not {_type(puzzles)}{hint}")


def one_puzzle(name: str, puzzle: str) -> str:
    """A puzzle as text, and not the path of a file."""
    if len(puzzle) not in SIZES and puzzle.lower().endswith(FILES) and not puzzle.count("\n"):
        raise ValueError(
            f"{name} looks like a path, {puzzle!r}: use solve_file, or the like of it for another function"
        )
    return puzzle


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
    # A cell that is masked is blank.
    if isinstance(array, numpy.ma.MaskedArray):
        array = array.filled(0)
    kind = f"{array.dtype.kind}{array.dtype.itemsize}"
    return _gridmill.Cells(array.astype(array.dtype.newbyteorder("="), copy=False).tobytes(), kind, array.shape[1])


def settings(
    *,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    answer_column: str | None = None,
    keep: Iterable[str] = (),
    columns: Iterable[str] | None = None,
) -> _gridmill.Settings:
    """The options that most functions share."""
    names = None if columns is None else texts("columns", columns)
    if names == []:
        raise ValueError("columns is empty")
    if not isinstance(max_branches, str):
        max_branches = str(integer("max_branches", max_branches, 0))
    if threads is not None:
        threads = integer("threads", threads, 1, 1024)
    return _gridmill.Settings(
        text("engine", engine),
        max_branches,
        threads,
        [alphabet] if isinstance(alphabet, str) else texts("alphabet", alphabet),
        None if puzzle_column is None else text("puzzle_column", puzzle_column),
        None if answer_column is None else text("answer_column", answer_column),
        texts("keep", keep),
        names,
    )


def output(
    target: object,
    *,
    format: str | None = None,
    header: bool = True,
    resume: bool = False,
    shard: str | None = None,
    progress: Callable[[int], object] | None = None,
    **options: Unpack[OfMany],
) -> tuple[_gridmill.Settings, _gridmill.Output]:
    """The options of the functions on files."""
    return settings(**options), _gridmill.Output(
        path("output", target),
        None if format is None else text("format", format),
        header=flag("header", header),
        resume=flag("resume", resume),
        shard=None if shard is None else text("shard", shard),
        progress=callback("progress", progress),
    )


def integer(name: str, value: object, least: int, most: int = MAX_INT) -> int:
    """An `int`, or an integer of NumPy, in a range."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, not {_type(value)}")
    number = operator.index(value)
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {number}")
    return number


def difficulty(name: str, value: object) -> str:
    """A difficulty such as 3 or 7.1, as text."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a float, not {_type(value)}")
    if not 0 <= value <= 20:
        raise ValueError(f"{name} must be from 0 to 20, not {value}")
    return f"{value:.1f}"


def flag(name: str, value: object) -> bool:
    """A `bool`."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be a bool, not {_type(value)}")
    return value


def text(name: str, value: object) -> str:
    """A `str`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {_type(value)}")
    return value


def texts(name: str, values: Iterable[str]) -> list[str]:
    """Several `str`, but not one that stands for its characters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of str, not {_type(values)}")
    return [text(f"an item of {name}", value) for value in values]


def path(name: str, value: object) -> Path:
    """The path of a file."""
    if not isinstance(value, str | PathLike):
        raise TypeError(f"{name} must be a str or a path, not {_type(value)}")
    return Path(value)


def paths(name: str, value: object) -> list[Path]:
    """The path of a file, or several."""
    if isinstance(value, list | tuple):
        if not value:
            raise ValueError(f"{name} is empty")
        return [path(f"an item of {name}", item) for item in value]
    return [path(name, value)]


def callback(name: str, value: object) -> Callable[[int], object] | None:
    """A function, or none."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, not {_type(value)}")
    return value


def _type(value: object) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
