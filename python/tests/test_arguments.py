"""A wrong type is a TypeError that names the expected one, a wrong value a ValueError. Nothing panics."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import gridmill
from gridmill import _options


def augment(puzzles: Any) -> gridmill.Table:
    return gridmill.augment(puzzles, 1)


FUNCTIONS = [
    gridmill.solve,
    gridmill.count,
    gridmill.validate,
    gridmill.canonical,
    gridmill.rate,
    gridmill.steps,
    gridmill.trace,
    augment,
]
PUZZLE = "1.3..........4.2"


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize(
    "puzzles",
    [None, 5, 1.5, b"1.3", {PUZZLE}],
    ids=lambda puzzles: type(puzzles).__name__,
)
def test_what_is_no_puzzles_is_refused(function: Any, puzzles: object) -> None:
    with pytest.raises(TypeError, match=r"puzzles must be a str, a list .* not "):
        function(puzzles)


@pytest.mark.parametrize(
    "function",
    [
        functools.partial(gridmill.split, folds=2),
        gridmill.dedupe,
        functools.partial(gridmill.sample, count=1),
        gridmill.bench,
    ],
    ids=["split", "dedupe", "sample", "bench"],
)
@pytest.mark.parametrize("puzzles", [PUZZLE, 5], ids=["str", "int"])
def test_one_puzzle_is_no_collection(function: Any, puzzles: object) -> None:
    with pytest.raises(
        TypeError,
        match=rf"^puzzles must be a list or tuple of str or of lists of cells, .* not {type(puzzles).__name__}$",
    ):
        function(puzzles)


def test_an_iterator_gives_tables() -> None:
    tables = [pyarrow.table({"puzzle": [PUZZLE], "n": [n]}) for n in range(3)]
    for batches in (iter(tables), (polars.from_arrow(table) for table in tables), (t.to_batches()[0] for t in tables)):
        solved = gridmill.solve(batches, keep=["n"])  # type: ignore[call-overload]
        assert solved["n"] == [0, 1, 2]
        assert solved["line"] == [1, 2, 3]
    with pytest.raises(TypeError, match="item 1 of puzzles must be a table with the Arrow interface, not str"):
        gridmill.solve(iter([tables[0], PUZZLE]))  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="item 0 of puzzles must be a table"):
        gridmill.solve(iter([5]))
    assert gridmill.solve(iter([PUZZLE, None]))["status"] == ["unique", "malformed"]
    assert gridmill.solve(io.StringIO(PUZZLE))["status"] == ["unique"]
    with pytest.raises(ValueError, match="puzzles has no batch"):
        gridmill.solve(iter([]))


TEXTS = [PUZZLE] * 3
OTHER_SCHEMAS: dict[str, tuple[list[Any], str | None]] = {
    "large text": ([{"puzzle": TEXTS}, {"puzzle": pyarrow.array(TEXTS, pyarrow.large_string())}], None),
    "text": ([{"puzzle": pyarrow.array(TEXTS, pyarrow.large_string())}, {"puzzle": TEXTS}], None),
    "text view": ([{"puzzle": TEXTS}, {"puzzle": pyarrow.array(TEXTS, pyarrow.string_view())}], None),
    "dictionary": ([{"puzzle": TEXTS}, {"puzzle": pyarrow.array(TEXTS).dictionary_encode()}], None),
    "many": ([{"puzzle": TEXTS}, {"puzzle": pyarrow.array(TEXTS * 50_000, pyarrow.large_string())}], None),
    "order": ([{"puzzle": TEXTS, "n": [1, 2, 3]}, {"n": [4, 5, 6], "puzzle": TEXTS}], None),
    "narrow": (
        [{"puzzle": TEXTS, "n": [1, 2, 3]}, {"puzzle": TEXTS, "n": pyarrow.array([4, 5, 6], pyarrow.int8())}],
        None,
    ),
    "fractions": (
        [{"puzzle": TEXTS, "n": [1, 2, 3]}, {"puzzle": TEXTS, "n": [1.5, 2.5, 3.5]}],
        "n is double, not int64",
    ),
    "bytes": ([{"puzzle": TEXTS}, {"puzzle": [b"\xff" * 16] * 3}], "puzzle is binary, not string"),
    "fewer columns": ([{"puzzle": TEXTS, "n": [1, 2, 3]}, {"puzzle": TEXTS}], r"columns \['puzzle'\]"),
    "more columns": ([{"puzzle": TEXTS}, {"n": [1, 2, 3], "puzzle": TEXTS}], r"columns \['n', 'puzzle'\]"),
}
"""Tables after each other, and the reason why they are refused."""


@pytest.mark.parametrize("name", OTHER_SCHEMAS)
def test_batches_with_other_schemas_are_cast_or_refused(name: str) -> None:
    columns, reason = OTHER_SCHEMAS[name]
    tables = [pyarrow.table(table) for table in columns]
    keep = ["n"] if "n" in columns[0] else []
    if reason is not None:
        with pytest.raises(ValueError, match=f"item 1 of puzzles .*{reason}"):
            gridmill.solve(iter(tables), keep=keep)  # type: ignore[call-overload]
        return
    solved = gridmill.solve(iter(tables), keep=keep)  # type: ignore[call-overload]
    assert set(solved["solution"]) == {gridmill.solve(PUZZLE).solution}
    assert len(solved) == sum(map(len, tables))
    if keep:
        assert solved["n"] == [1, 2, 3, 4, 5, 6]


def test_a_reader_whose_batches_have_another_schema_is_no_danger() -> None:
    batches = [pyarrow.record_batch({"puzzle": pyarrow.array(TEXTS, pyarrow.large_string())})]
    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("puzzle", pyarrow.string())]), batches)
    assert gridmill.solve(reader)["puzzle"] == TEXTS
    empty = pyarrow.RecordBatchReader.from_batches(batches[0].schema, [])
    assert len(gridmill.solve(empty)) == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, StopAsyncIteration])
def test_an_exception_of_an_iterator_is_raised_as_it_is(error: type[BaseException]) -> None:
    def tables() -> Iterator[pyarrow.Table]:
        yield pyarrow.table({"puzzle": TEXTS})
        raise error("enough")

    with pytest.raises(error, match="enough"):
        gridmill.solve(tables())
    with pytest.raises(error, match="enough"):
        gridmill.split(tables(), folds=2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("item", [5, float("nan")], ids=repr)
def test_items_that_are_no_texts_are_refused(function: Any, item: object) -> None:
    with pytest.raises(TypeError, match="item 1 of the list must be a str or a list of cells, not"):
        function([PUZZLE, item])


@pytest.mark.parametrize(
    "column",
    [
        pyarrow.array([1.5, None]),
        pyarrow.array([1, 2]),
        pyarrow.array([True]),
        pyarrow.array([0], pyarrow.timestamp("us")),
        polars.Series([1, 2]),
        pandas.Series([1.5]),
        pyarrow.table({"puzzle": [1, 2]}),
    ],
    ids=lambda column: str(getattr(column, "type", type(column).__name__)),
)
def test_columns_of_other_types_are_refused(column: object) -> None:
    with pytest.raises(TypeError, match="puzzles are texts or lists of numbers"):
        gridmill.solve(column)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("array", "error"),
    [
        (numpy.zeros((2, 81), bool), TypeError),
        (numpy.zeros((2, 81), complex), TypeError),
        (numpy.zeros(80, int), ValueError),
        (numpy.zeros((2, 80), int), ValueError),
        (numpy.zeros((2, 9, 8), int), ValueError),
        (numpy.zeros((2, 3, 3, 9), int), ValueError),
        (numpy.zeros((2, 0), int), ValueError),
        (numpy.int64(5), TypeError),
        (numpy.array(5), ValueError),
    ],
    ids=lambda value: f"{value.shape}{value.dtype}" if hasattr(value, "shape") else value.__name__,
)
def test_arrays_of_other_shapes_and_types_are_refused(array: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="puzzles must"):
        gridmill.solve(array)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"limit": 0}, ValueError, "limit must be from 1"),
        ({"limit": -1}, ValueError, "limit must be from 1"),
        ({"limit": 2**64}, ValueError, "limit must be from 1"),
        ({"limit": 1.5}, TypeError, "limit must be an int, not float"),
        ({"limit": True}, TypeError, "limit must be an int, not bool"),
        ({"limit": "2"}, TypeError, "limit must be an int, not str"),
        ({"first": 1}, TypeError, "first must be a bool, not int"),
        ({"threads": 0}, ValueError, "threads must be from 1 to 1024, not 0"),
        ({"threads": 1025}, ValueError, "threads must be from 1 to 1024, not 1025"),
        ({"threads": "all"}, TypeError, "threads must be an int, not str"),
        ({"engine": "fast"}, ValueError, "no engine is called 'fast'; there are auto, lanes, bitmask, dlx"),
        ({"engine": None}, TypeError, "engine must be a str, not NoneType"),
        ({"max_branches": "few"}, ValueError, "max_branches: 'few' is not a bound"),
        ({"max_branches": -1}, ValueError, "max_branches must be from 0"),
        ({"max_branches": 1.5}, TypeError, "max_branches must be an int, not float"),
        ({"alphabet": "A-B"}, ValueError, "'A-B' is neither the name of an alphabet"),
        ({"blank": "5"}, ValueError, "'5' is not a symbol for a blank"),
        ({"alphabet": 5}, TypeError, "alphabet must be a list of str, not int"),
        ({"keep": "source"}, TypeError, "keep must be a list of str, not str"),
        ({"keep": [1]}, TypeError, "an item of keep must be a str, not int"),
        ({"keep": ["source"]}, ValueError, "keep are for tables"),
        ({"puzzle_column": "x"}, ValueError, "state_column and keep are for tables"),
        ({"puzzle_column": 1}, TypeError, "puzzle_column must be a str, not int"),
        ({"columns": ["x"]}, ValueError, "there is no column 'x'"),
        ({"columns": ["line", "line"]}, ValueError, "the column line is chosen twice"),
        ({"columns": []}, ValueError, "columns is empty"),
        ({"columns": "line"}, TypeError, "columns must be a list of str, not str"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gridmill.solve([PUZZLE], **options)


def test_columns_of_a_table_must_exist() -> None:
    table = pyarrow.table({"a": [PUZZLE], "b": [PUZZLE]})
    with pytest.raises(ValueError, match="a, b; name it with puzzle_column"):
        gridmill.solve(table)
    with pytest.raises(ValueError, match=r"'c'.*a, b"):
        gridmill.solve(table, puzzle_column="c")
    with pytest.raises(ValueError, match=r"'c'.*a, b"):
        gridmill.solve(table, puzzle_column="a", keep=["c"])
    with pytest.raises(ValueError, match=r"'c'.*a, b"):
        gridmill.validate(table, puzzle_column="a", answer_column="c")


def test_an_alphabet_that_is_not_clear_has_to_be_given() -> None:
    with pytest.raises(ValueError, match=r"is not clear: A-P, 0-F or 1-G; name it with alphabet"):
        gridmill.solve(["A" + "." * 255])


def test_numpy_integers_are_integers() -> None:
    solved = gridmill.solve([PUZZLE], limit=numpy.int64(3), threads=numpy.uint8(1))
    assert solved.to_list("status") == ["unique"]


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", ">i4"])
def test_a_number_that_is_no_digit_is_named(kind: str) -> None:
    largest = numpy.iinfo(kind).max
    arrays = numpy.zeros((3, 81), kind)
    arrays[0, 80], arrays[1, 10], arrays[2, 0] = 10, largest, 9
    details = gridmill.solve(arrays).to_list("detail")
    assert details == ["row 9, column 9: 10 is above 9", f"row 2, column 2: {largest} is above 9", None]
    if numpy.iinfo(kind).min < 0:
        arrays[0], arrays[1, 10] = -1, -2
        solved = gridmill.solve(arrays.reshape(3, 9, 9))
        assert solved.to_list("detail") == [None, "row 2, column 2: -2 is below 0", None]
        assert solved.to_list("puzzle")[0] == "." * 81


def test_a_cell_that_is_masked_is_blank() -> None:
    cells = numpy.array([[int(c) if c != "." else 5 for c in PUZZLE]])
    masked = numpy.ma.masked_array(cells, mask=[[c == "." for c in PUZZLE]])
    assert gridmill.solve(masked).to_list("puzzle") == [PUZZLE]
    masked[0, PUZZLE.index("4")] = 0
    assert gridmill.solve(masked).to_list("status") == ["malformed"]
    texts = numpy.ma.masked_array(numpy.array([PUZZLE, PUZZLE]), mask=[False, True])
    assert gridmill.solve(texts).to_list("status") == ["unique", "malformed"]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("path", ["test.csv", "C:\\data\\puzzles.TXT.gz", "../in.parquet"])
def test_a_path_is_no_puzzle(function: Any, path: str) -> None:
    with pytest.raises(ValueError, match=r"puzzles looks like a path, .*: use solve_file"):
        function(path)


def test_an_array_that_was_given_away_is_refused() -> None:
    class GivenAway:
        capsules = pyarrow.array([PUZZLE]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema: object | None = None) -> object:
            return self.capsules

    assert len(gridmill.solve(GivenAway())) == 1  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="the Arrow array cannot be read"):
        gridmill.solve(GivenAway())  # type: ignore[call-overload]


def test_a_stream_that_breaks_is_an_error() -> None:
    def batches() -> Any:
        yield pyarrow.record_batch({"puzzle": pyarrow.array([PUZZLE] * 5)})
        raise RuntimeError("the disk is on fire")

    schema = pyarrow.schema({"puzzle": pyarrow.string()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(RuntimeError, match="the disk is on fire"):
        gridmill.solve(reader)


def test_other_functions_check_their_arguments(tmp_path: Path) -> None:
    for call, error, message in [
        (lambda: gridmill.generate(-1), ValueError, "count must be from 0"),
        (lambda: gridmill.generate("5"), TypeError, "count must be an int"),  # type: ignore[arg-type]
        (lambda: gridmill.generate(1, size="7x7"), ValueError, "size"),
        (lambda: gridmill.generate(1, clues=82), ValueError, "82"),
        (lambda: gridmill.augment([PUZZLE], -1), ValueError, "copies must be from 0"),
        (lambda: gridmill.validate([PUZZLE], minimal="yes"), TypeError, "minimal must be a bool"),  # type: ignore[call-overload]
        (lambda: gridmill.validate(PUZZLE, [PUZZLE]), TypeError, "answers must be a str"),  # type: ignore[call-overload]
        (lambda: gridmill.solve_file(5, "x"), TypeError, "inputs must be a str or a path"),  # type: ignore[arg-type]
        (lambda: gridmill.solve_file([], "x"), ValueError, "inputs is empty"),
        (lambda: gridmill.solve_file("x", "y", progress=5), TypeError, "progress must be a bool or a function"),  # type: ignore[arg-type]
        (lambda: gridmill.solve_file(tmp_path / "none.txt", tmp_path / "out.csv"), FileNotFoundError, "none.txt"),
        (lambda: gridmill.solve_file(tmp_path, tmp_path / "out.csv"), OSError, "directory"),
        (lambda: gridmill.solve([PUZZLE], limt=5), TypeError, r"solve\(\) got an unexpected keyword argument 'limt'"),  # type: ignore[call-overload]
        (lambda: gridmill.generate(1, keep=[]), TypeError, r"generate\(\) got an unexpected .* 'keep'"),  # type: ignore[call-arg]
        (lambda: gridmill.solve_file("x", "y", header=1), TypeError, "header must be a bool"),  # type: ignore[arg-type]
        (lambda: gridmill.solve_file("x", "y", shard=(1, 2)), TypeError, "shard must be a str"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ({"level": "Very Hard"}, {"level": "very hard"}),
        ({"level": "EASY"}, {"level": "easy"}),
        ({"symmetry": "Anti_Diagonal"}, {"symmetry": "anti-diagonal"}),
        ({"size": 4}, {"size": "4x4"}),
        ({"size": "6"}, {"size": "6x6"}),
        ({"size": "4X4"}, {"size": "4x4"}),
        ({"er": (2.0, 2.5)}, {"er": "2.0..2.5"}),
        ({"clues": (28, 30)}, {"clues": "28..30"}),
        ({"clues": range(28, 31)}, {"clues": "28..30"}),
    ],
    ids=str,
)
def test_a_certain_meaning_is_read(written: dict[str, Any], right: dict[str, Any]) -> None:
    options = [_options.described(_options.GenerateRows)[name].checked(name, value) for name, value in written.items()]
    assert options == list(right.values())
    assert gridmill.generate(2, seed=3, **written) == gridmill.generate(2, seed=3, **right)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gridmill.generate(1, difficulty="hard"), "'difficulty'; did you mean level or er?"),  # type: ignore[call-arg]
        (lambda: gridmill.validate([PUZZLE], answer=[PUZZLE]), "'answer'; did you mean answers?"),  # type: ignore[call-overload]
        (lambda: gridmill.solve(PUZZLE, colums=["line"]), "'colums'; did you mean columns?"),  # type: ignore[call-overload]
        (lambda: gridmill.solve_file("a", "b", formt="csv"), "'formt'"),  # type: ignore[call-arg]
        (
            lambda: gridmill.generate(1, clues=range(24, 30, 2)),
            "a text such as '24..28', or a pair of numbers, not range",
        ),
        (lambda: gridmill.generate(1, er=(3, "4")), "an end of er must be a float, not str"),  # type: ignore[arg-type]
    ],
)
def test_an_error_has_the_right_form(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        call()
