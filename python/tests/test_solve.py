"""The package gives the same rows as the command line, from any kind of input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.compute
import pytest
from datasets import Dataset

import gridmill

Make = Callable[[list[str | None]], Any]


def chunked(texts: list[str | None]) -> pyarrow.ChunkedArray:
    """Chunks of all sizes, empty ones, too, cut out of longer arrays."""
    chunks, start, size = [], 0, 0
    while start < len(texts):
        part = texts[start : start + size]
        chunks.append(pyarrow.array(["x", *part, None, "y"], pyarrow.string()).slice(1, len(part)))
        start, size = start + size, size * 2 + 1 if size < 60 else 0
    return pyarrow.chunked_array(chunks, pyarrow.string())


TEXTS: dict[str, Make] = {
    "list": list,
    "tuple": tuple,
    "NumPy array of str": lambda texts: numpy.array(texts, dtype=object),
    "pyarrow string": pyarrow.array,
    "pyarrow large_string": lambda texts: pyarrow.array(texts, pyarrow.large_string()),
    "pyarrow string_view": lambda texts: pyarrow.array(texts, pyarrow.string_view()),
    "pyarrow dictionary": lambda texts: pyarrow.array(texts).dictionary_encode(),
    "pyarrow slice": lambda texts: pyarrow.array([None, "a", *texts, "b"]).slice(2, len(texts)),
    "pyarrow ChunkedArray": chunked,
    "pyarrow Table": lambda texts: pyarrow.table({"id": range(len(texts)), "puzzle": texts}),
    "pyarrow RecordBatch": lambda texts: pyarrow.record_batch({"puzzle": pyarrow.array(texts)}),
    "pyarrow RecordBatchReader": lambda texts: pyarrow.table({"puzzle": chunked(texts)}).to_reader(),
    "Polars Series": polars.Series,
    "Polars DataFrame": lambda texts: polars.DataFrame({"quizzes": texts, "n": range(len(texts))}),
    "pandas Series": lambda texts: pandas.Series(texts, dtype="str"),
    "pandas DataFrame": lambda texts: pandas.DataFrame({"question": texts, "n": range(len(texts))}),
    "DuckDB relation": lambda texts: duckdb.from_arrow(pyarrow.table({"sudoku": texts})),
    "datasets.Dataset": lambda texts: Dataset.from_dict({"puzzle": texts}),
    "filtered datasets.Dataset": lambda texts: Dataset.from_dict({"puzzle": [*texts, "1"]}).select(range(len(texts))),
}


def digits(texts: list[str]) -> list[list[int]]:
    return [[int(symbol) if symbol.isdigit() else 0 for symbol in text] for text in texts]


CELLS: dict[str, Callable[[list[list[int]]], Any]] = {
    "(n, 81) uint8": lambda cells: numpy.array(cells, numpy.uint8),
    "(n, 81) int64": lambda cells: numpy.array(cells),
    "(n, 81) int8, -1 for a blank": lambda cells: numpy.where(numpy.array(cells) == 0, -1, cells).astype(numpy.int8),
    "(n, 9, 9) int32": lambda cells: numpy.array(cells, numpy.int32).reshape(-1, 9, 9),
    "(n, 81) uint8, as recursive reasoning models are trained with": lambda cells: numpy.array(cells, numpy.uint8) + 1,
    "strided": lambda cells: numpy.repeat(numpy.array(cells), 2, axis=0)[::2],
    "Fortran order": lambda cells: numpy.asfortranarray(numpy.array(cells, numpy.uint8)),
    "list<int64>": lambda cells: pyarrow.array(cells),
    "large_list<int32>": lambda cells: pyarrow.array(cells, pyarrow.large_list(pyarrow.int32())),
    "fixed_size_list<uint8>": lambda cells: pyarrow.array(cells, pyarrow.list_(pyarrow.uint8(), 81)),
    "list<list<int64>>": lambda cells: pyarrow.array(numpy.array(cells).reshape(-1, 9, 9).tolist()),
    "slice of list": lambda cells: pyarrow.array([[1], *cells, [2]]).slice(1, len(cells)),
}

OWN = ["status", "solutions", "solution", "branches", "detail"]


def own_rows(table: gridmill.Table) -> list[dict[str, Any]]:
    assert table.to_list("line") == list(range(1, len(table) + 1))
    columns = [table.to_list(name) for name in OWN]
    return [dict(zip(OWN, row, strict=True)) for row in zip(*columns, strict=True)]


def expected(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    numbers = ("solutions", "branches")
    return [
        {name: (int(row[name]) if name in numbers else row[name]) if row[name] else None for name in OWN}
        for row in rows
    ]


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_give_the_rows_of_the_command_line(kind: str, puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.solve(TEXTS[kind](puzzles))
    assert own_rows(table) == expected(rows_of("solve", puzzles))
    assert table.to_list("puzzle") == puzzles


@pytest.mark.parametrize("kind", TEXTS)
def test_a_missing_text_is_a_malformed_record(kind: str, puzzles: list[str]) -> None:
    table = gridmill.solve(TEXTS[kind]([puzzles[0], None, puzzles[1]]))
    assert table.to_list("status")[1] == "malformed"
    assert [row for row in own_rows(table) if row["status"] != "malformed"] == own_rows(gridmill.solve(puzzles[:2]))


@pytest.mark.parametrize("kind", CELLS)
def test_cells_give_the_rows_of_texts(kind: str, puzzles: list[str]) -> None:
    grids = [puzzle for puzzle in puzzles if len(puzzle) == 81 and set(puzzle) <= set(".123456789")]
    table = gridmill.solve(CELLS[kind](digits(grids)))
    assert own_rows(table) == own_rows(gridmill.solve(grids))
    assert (table.to_numpy("puzzle") == digits(grids)).all()


@pytest.mark.parametrize(("side", "clues"), [(4, None), (6, None), (8, 30), (10, 50), (12, 80), (16, 140), (25, 450)])
def test_other_sizes_are_cells_and_texts(side: int, clues: int | None) -> None:
    made = gridmill.generate(3, size=f"{side}x{side}", clues=clues, with_solution=True)
    puzzles, solutions = made.to_numpy("puzzle"), made.to_numpy("solution")
    assert puzzles.shape == (3, side**2)
    for source in (puzzles, puzzles.reshape(3, side, side).astype(numpy.int16), made):
        solved = gridmill.solve(source)
        assert solved.to_list("status") == ["unique"] * 3
        assert (solved.to_numpy("solution") == solutions).all()
        assert (solved.to_numpy("puzzle") == puzzles).all()


@pytest.mark.parametrize("alphabet", ["1-G", "0-F", "A-P"])
def test_the_alphabet_of_large_puzzles_can_be_given(alphabet: str) -> None:
    cells = gridmill.generate(1, size="16x16", clues=150, with_solution=True).to_numpy("solution")[0]
    first = {"1-G": "123456789ABCDEFG", "0-F": "0123456789ABCDEF", "A-P": "ABCDEFGHIJKLMNOP"}[alphabet]
    text = "".join(first[value - 1] for value in cells)
    solved = gridmill.solve(["." + text[1:]], alphabet=alphabet)
    assert solved.to_list("solution") == [text]
    assert (solved.to_numpy("solution") == cells).all()


def test_cells_that_are_no_digits_are_malformed_records() -> None:
    cells = numpy.zeros((6, 81), numpy.int64)
    cells[1:, 5] = [10, 300, -2, 2**40, 256]
    assert gridmill.solve(cells, limit=2).to_list("status") == ["multiple"] + ["malformed"] * 5


def test_the_symbols_of_cells_need_not_be_clear() -> None:
    cells = numpy.zeros((1, 256), numpy.int32)
    cells[0, :2] = [10, 1]
    for alphabet, start in [((), "A1."), ("A-P", "JA."), ("0-F", "90.")]:
        solved = gridmill.solve(cells, first=True, alphabet=alphabet, max_branches=100_000)
        assert solved.to_list("puzzle")[0][:3] == start


@pytest.mark.parametrize(
    "empty",
    [[], (), numpy.zeros((0, 81), int), pyarrow.array([], pyarrow.string()), polars.Series([], dtype=polars.String)],
    ids=lambda empty: type(empty).__name__,
)
def test_no_puzzles_give_no_rows(empty: Any) -> None:
    table = gridmill.solve(empty)
    assert len(table) == 0
    assert table.columns == ["line", "puzzle", "status", "solutions", "solution", "branches", "nanos", "detail"]
    assert table.to_polars().shape == (0, 8)
    assert table.to_numpy("solution").shape == (0, 81)
    assert pyarrow.table(gridmill.solve(pyarrow.table({"puzzle": pyarrow.array([], pyarrow.string())}))).num_rows == 0


def test_one_text_gives_one_object() -> None:
    solved = gridmill.solve("1.3..........4.2")
    assert (solved.status, solved.solutions, solved.solution) == ("unique", 1, "1234432121433412")
    assert gridmill.solve("1...............", first=True).solution == "1234341221434321"
    assert gridmill.solve("nonsense").status == "malformed"
    assert gridmill.solve("11..............").detail == "two 1s in row 1: r1c1, r1c2"


def test_options_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    for options, arguments in [
        (["--limit", "50"], {"limit": 50}),
        (["--first"], {"first": True}),
        (["--limit", "1"], {"limit": 1}),
        (["--engine", "dlx"], {"engine": "dlx"}),
        (["--engine", "bitmask", "--max-branches", "0"], {"engine": "bitmask", "max_branches": 0}),
    ]:
        assert own_rows(gridmill.solve(puzzles, **arguments)) == expected(rows_of("solve", puzzles, *options))


def test_rows_do_not_depend_on_threads(puzzles: list[str]) -> None:
    many = puzzles * 100
    rows = own_rows(gridmill.solve(many, threads=1))
    assert rows == own_rows(gridmill.solve(many, threads=3)) == own_rows(gridmill.solve(chunked(many)))


def test_kept_columns_keep_their_types(puzzles: list[str]) -> None:
    source = pyarrow.table(
        {
            "status": pyarrow.array([None, *range(1, len(puzzles))], pyarrow.int16()),
            "quizzes": puzzles,
            "when": pyarrow.array([1] * len(puzzles), pyarrow.timestamp("us")),
            "tags": [["a", "b"]] * len(puzzles),
            "other": puzzles[::-1],
        }
    )
    solved = gridmill.solve(source, keep=["tags", "status", "when"]).to_arrow()
    assert solved.column_names[-3:] == ["tags", "input_status", "when"]
    for name, kept in [("tags", "tags"), ("status", "input_status"), ("when", "when")]:
        assert solved[kept].combine_chunks() == source[name].combine_chunks()
    other = gridmill.solve(source, puzzle_column="other")
    assert other.to_list("puzzle") == puzzles[::-1]


def test_columns_can_be_chosen(puzzles: list[str]) -> None:
    table = gridmill.solve(puzzles, columns=["solution", "line"])
    assert table.columns == ["solution", "line"]
    assert table.to_list("solution") == gridmill.solve(puzzles).to_list("solution")


def test_the_summary_counts_the_rows(puzzles: list[str]) -> None:
    table = gridmill.solve(puzzles)
    assert table.report.records == len(puzzles) == len(table)
    statuses = table.to_list("status")
    assert table.report.rows == {status: statuses.count(status) for status in table.report.rows}
    assert f"{len(table):,} rows" in repr(table)
    assert f"malformed {statuses.count('malformed')}" in repr(table)


def test_count(puzzles: list[str], rows_of: Any) -> None:
    assert gridmill.count("1...............") == 72
    assert gridmill.count("................", limit=100) == 100
    table = gridmill.count(puzzles, limit=1000)
    expected_counts = [int(row["solutions"] or 0) for row in rows_of("solve", puzzles, "--limit", "1000")]
    assert table.to_list("solutions") == expected_counts
    with pytest.raises(ValueError, match="not a puzzle: 3 cells"):
        gridmill.count("1.3")


def test_tables_go_to_every_library(puzzles: list[str]) -> None:
    table = gridmill.solve(puzzles)
    rows = pyarrow.table(table).to_pylist()
    assert rows == polars.DataFrame(table).to_dicts() == table.to_polars().to_dicts()
    assert [row["status"] for row in rows] == table.to_pandas()["status"].tolist()
    solved = table
    assert duckdb.sql("SELECT count(*) FROM solved").fetchall() == [(len(solved),)]
    assert duckdb.sql("SELECT solution FROM solved").fetchall() == [(row["solution"],) for row in rows]
    assert pyarrow.schema(table) == table.to_arrow().schema


def test_numpy_arrays_of_columns(puzzles: list[str]) -> None:
    table = gridmill.solve([puzzle for puzzle in puzzles if len(puzzle) != 16])
    solution = table.to_numpy("solution")
    assert solution.shape == (len(table), 81)
    assert solution.dtype == numpy.uint8
    for text, cells in zip(table.to_list("solution"), solution, strict=True):
        assert "".join(map(str, cells)) == (text or "0" * 81)
    solution[0] = 0
    assert table.to_numpy("line").tolist() == list(range(1, len(table) + 1))
    assert table.to_numpy("status").tolist() == table.to_list("status")
    assert table.to_numpy("branches").tolist() == table.to_list("branches")
    with pytest.raises(ValueError, match="grids of"):
        gridmill.solve(puzzles).to_numpy("solution")
    with pytest.raises(KeyError, match="no column is called 'x'"):
        table.to_numpy("x")
