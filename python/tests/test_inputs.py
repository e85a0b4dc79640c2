"""The inputs of researchers: data sets of Hugging Face, tensors, series, tables. A path is an error with a remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import datasets
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

import gridmill

PUZZLES = ["1.3..........4.2", "1...............", "11.............."]
EXPECTED = ["unique", "multiple", "none"]


@pytest.fixture
def dataset() -> datasets.Dataset:
    return datasets.Dataset.from_dict({"puzzle": PUZZLES, "source": ["a", "b", "c"]})


def test_parts_of_data_sets_are_puzzles(dataset: datasets.Dataset) -> None:
    for puzzles in (
        dataset,
        dataset["puzzle"],
        dataset[:3],
        dataset[:3]["puzzle"],
        dataset.with_format("numpy")[:],
        dataset.to_iterable_dataset(),
        dataset.with_format("arrow")[:],
    ):
        assert gridmill.solve(puzzles)["status"] == EXPECTED
    kept = gridmill.solve(dataset.to_iterable_dataset(), keep=["source"])
    assert kept["source"] == ["a", "b", "c"]
    solved = dataset.map(lambda batch: gridmill.solve(batch, keep=["source"]).to_arrow(), batched=True)
    assert solved["status"][:] == EXPECTED


def test_tables_that_are_not_in_memory_are_read(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"board": PUZZLES, "source": ["a", "b", "c"]}), path)
    dataset = pyarrow.dataset.dataset(path)
    for puzzles in (polars.scan_parquet(path), dataset, dataset.scanner()):
        assert gridmill.solve(puzzles)["status"] == EXPECTED
        assert gridmill.solve(puzzles, keep=["source"])["source"] == ["a", "b", "c"]
    lance = pytest.importorskip("lance")
    written = lance.write_dataset(dataset.to_table(), tmp_path / "puzzles.lance")
    for puzzles in (written, written.scanner()):
        assert gridmill.solve(puzzles)["status"] == EXPECTED


def test_a_list_of_rows_is_a_table() -> None:
    table = gridmill.solve(PUZZLES)
    rows = [{"puzzle": puzzle, "solution": "1234432121433412", "n": n} for n, puzzle in enumerate(PUZZLES)]
    for puzzles in (rows, tuple(rows), iter(rows), (row for row in rows)):
        assert gridmill.validate(puzzles, keep=["n"])["n"] == [0, 1, 2]
    assert gridmill.validate(rows).report.answers["right"] == 1
    assert gridmill.solve(list(table), keep=["line"])["status"] == EXPECTED
    assert gridmill.solve([rows[0], {"board": "1" * 16}], puzzle_column="board")["status"] == ["malformed", "none"]
    with pytest.raises(TypeError, match="item 1 of puzzles must be a dict, as those before it, not str"):
        gridmill.solve([rows[0], "1" * 16])
    # A generator of chats has answers.
    chats = ({"role": "assistant", "content": text} for text in ("1234432121433412", "no", ""))
    assert gridmill.score(PUZZLES, chats)["verdict"] == ["solved", "no-grid", "none"]


def test_every_column_and_iterator_is_read() -> None:
    for puzzles in (
        (puzzle for puzzle in PUZZLES),
        map(str, PUZZLES),
        dict(enumerate(PUZZLES)).values(),
        pandas.Series(PUZZLES, dtype=object),
        pandas.Index(PUZZLES),
        polars.Series(PUZZLES),
        pyarrow.chunked_array([PUZZLES[:1], PUZZLES[1:]]),
        numpy.array(PUZZLES, dtype=object),
    ):
        assert gridmill.solve(puzzles)["status"] == EXPECTED  # type: ignore[call-overload]


def test_there_is_a_result_for_each_split(dataset: datasets.Dataset) -> None:
    splits: Any = datasets.DatasetDict({"train": dataset, "test": dataset.select([0])})
    solved: Any = gridmill.solve(splits)
    assert {name: table["status"] for name, table in solved.items()} == {"train": EXPECTED, "test": EXPECTED[:1]}
    copies: Any = gridmill.augment(splits, 2, seed=1)
    assert copies["test"] == gridmill.augment(dataset.select([0]), 2, seed=1)


class Tensor:
    """A tensor, as torch has them, that shares its memory by DLPack."""

    def __init__(self, array: numpy.ndarray[Any, Any], device: str = "cpu") -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: Any) -> Any:
        if self.device != "cpu":
            raise BufferError("Can't export a tensor on cuda:0")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_tensors_are_puzzles() -> None:
    cells = gridmill.solve(PUZZLES).to_numpy("puzzle")
    for array in (cells, cells.astype(numpy.int64).reshape(-1, 4, 4)):
        assert gridmill.solve(Tensor(array))["status"] == EXPECTED
    with pytest.raises(TypeError, match=r"puzzles cannot be read: .*; take it to the CPU first"):
        gridmill.solve(Tensor(cells, "cuda:0"))
    torch = pytest.importorskip("torch")
    assert gridmill.solve(torch.from_numpy(cells))["status"] == EXPECTED
    assert (gridmill.solve(PUZZLES).to_torch("puzzle").numpy() == cells).all()
    assert gridmill.solve(PUZZLES).to_torch("solutions").tolist() == [1, 2, 0]


def test_the_index_of_a_series_is_kept() -> None:
    frame = pandas.DataFrame({"puzzle": PUZZLES}, index=["x", "y", "z"])
    for puzzles in (frame["puzzle"], frame):
        solved = gridmill.solve(puzzles)
        assert list(solved.to_pandas().index) == ["x", "y", "z"]
        assert list(solved[1:].to_pandas().index) == ["y", "z"]
        assert list(solved.filter([True, False, True])[["status"]].to_pandas().index) == ["x", "z"]
    frame["status"] = gridmill.solve(frame["puzzle"]).to_pandas()["status"]
    assert list(frame["status"]) == EXPECTED
    # These rows are of other numbers than the puzzles.
    assert list(gridmill.augment(frame["puzzle"][:1], 1).to_pandas().index) == [0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: gridmill.solve(Path("x.csv")),  # type: ignore[call-overload]
        lambda: gridmill.split("train.csv", parts={"a": 1}),  # type: ignore[arg-type]
        lambda: gridmill.dedupe("train.parquet"),  # type: ignore[arg-type]
        lambda: gridmill.solve(["a.csv", "b.csv"]),
        lambda: gridmill.validate(PUZZLES, "answers.csv"),  # type: ignore[call-overload]
    ],
)
def test_a_path_says_that_it_is_one(call: Any) -> None:
    with pytest.raises(ValueError, match=r"looks like a path, '[a-z]+\.[a-z]+': use solve_file"):
        call()


def test_numbers_of_digits_have_a_cure() -> None:
    digits = [float("12" * 8)]
    for column, cure in [
        (pandas.DataFrame({"puzzle": digits}), 'pandas.read_csv(path, dtype={"puzzle": str})'),
        (pandas.Series(digits), 'pandas.read_csv(path, dtype={"puzzle": str})'),
        (polars.DataFrame({"puzzle": digits}), 'polars.read_csv(path, schema_overrides={"puzzle": polars.String})'),
        (pyarrow.table({"puzzle": digits}), 'ConvertOptions(column_types={"puzzle": "string"})'),
        (datasets.Dataset.from_dict({"puzzle": digits}), 'converters={"puzzle": str}'),
    ]:
        with pytest.raises(TypeError) as raised:
            gridmill.solve(column)
        assert cure in str(raised.value)
        assert "reads digits as text" in str(raised.value)
        with pytest.raises(TypeError, match="reads digits as text"):
            gridmill.stream.augmented(column, batch_size=1)


def test_read_csv_keeps_types(tmp_path: Path) -> None:
    header = "question,grid,rating,score,seen,id,note,tag,empty,debt"
    (tmp_path / "in.csv").write_text(
        f"{header}\n"
        f"{'12' * 8},{'34' * 8},45,0.30000000000000004,true,007,x,5,,-3\n"
        f"12345,{'3..4' * 4},,1e3,False,12,y,z,,4\n"
    )
    table = gridmill.read_csv(tmp_path / "in.csv")
    assert list(table) == [
        dict(zip(header.split(","), row, strict=True))
        for row in [
            ("12" * 8, "34" * 8, 45, 0.30000000000000004, True, "007", "x", "5", None, -3),
            ("12345", "3..4" * 4, None, 1000.0, False, "12", "y", "z", None, 4),
        ]
    ]
    assert table.to_numpy("debt").tolist() == [-3, 4]


CELLS = [[int(symbol.replace(".", "0")) for symbol in puzzle] for puzzle in PUZZLES]


def grids(rows: list[list[Any]]) -> list[list[list[Any]]]:
    return [[row[start : start + 4] for start in range(0, 16, 4)] for row in rows]


@pytest.mark.parametrize(
    "puzzles",
    [
        CELLS,
        grids(CELLS),
        [tuple(row) for row in CELLS],
        [[cell or None for cell in row] for row in CELLS],
        list(numpy.array(CELLS)),
        [list(row) for row in numpy.array(CELLS)],
        [list(grid) for grid in numpy.array(CELLS).reshape(3, 4, 4)],
        {"puzzle": numpy.array(CELLS).reshape(3, 4, 4)},
        (puzzle for puzzle in PUZZLES),
        iter(CELLS),
        [puzzle.encode() for puzzle in PUZZLES],
        numpy.array(PUZZLES),
        numpy.array(PUZZLES).reshape(3, 1),
        numpy.array([puzzle.encode() for puzzle in PUZZLES]),
        numpy.array(CELLS, dtype=object),
        numpy.array([list(puzzle) for puzzle in PUZZLES]),
        numpy.array(CELLS, dtype="f4"),
        numpy.where(numpy.array(CELLS) == 0, numpy.nan, CELLS),
        numpy.array(CELLS).reshape(3, 4, 4, 1),
        numpy.array(CELLS).reshape(3, 1, 4, 4),
        pandas.DataFrame(CELLS),
        polars.DataFrame(numpy.array(CELLS)),
        pyarrow.table({"puzzle": [puzzle.encode() for puzzle in PUZZLES]}),
    ],
)
def test_lists_and_arrays_of_all_shapes_are_puzzles(puzzles: Any) -> None:
    assert gridmill.solve(puzzles)["status"] == EXPECTED


@pytest.mark.parametrize(
    "puzzle",
    [
        CELLS[0],
        [None if cell == 0 else cell for cell in reversed(CELLS[0])],
        grids(CELLS)[0],
        list(numpy.array(CELLS[0]).reshape(4, 4)),
        list(PUZZLES[0]),
        numpy.array(CELLS[0]),
        numpy.array(CELLS[0], "f8").reshape(4, 4),
    ],
)
def test_the_cells_of_one_puzzle_are_one(puzzle: Any) -> None:
    assert gridmill.solve(puzzle)["status"] == EXPECTED[:1]


@pytest.mark.parametrize("answers", [numpy.array, list])
def test_digits_from_0_are_named(answers: Any) -> None:
    cells = numpy.array(CELLS)
    solutions = [list(map(int, gridmill.solve(PUZZLES[0]).solution or ""))]
    for answer, detail in [
        (numpy.array(solutions) - 1, "answer: its digits count from 0"),
        (cells[:1], "answer: r1c2 is blank"),
    ]:
        assert gridmill.validate(cells[:1], answers(answer))["detail"] == [detail]


@pytest.mark.parametrize("texts", [["x", *PUZZLES * 5], [None, *PUZZLES * 5], [""] * 16, [None] * 16])
def test_sixteen_texts_are_not_cells(texts: Any) -> None:
    assert len(gridmill.solve(texts)) == 16


def test_sixteen_rows_of_sixteen_are_one_puzzle_or_sixteen() -> None:
    large = numpy.zeros((16, 16), int)
    for several in (large, large.tolist()):
        with pytest.raises(ValueError, match="may be a puzzle or sixteen puzzles"):
            gridmill.solve(several)
    large[0, 0] = 5
    for one in (large, large.tolist()):
        assert gridmill.count(one, limit=2)["status"] == ["multiple"]


def test_a_fraction_is_no_digit() -> None:
    halves = numpy.array(CELLS) / 2
    assert gridmill.solve(halves)["detail"][0] == "row 1, column 1: no integer from 0 to 4"


@pytest.mark.parametrize(
    ("puzzles", "words"),
    [
        (numpy.zeros((2, 9, 9, 10), int), r"if it is one-hot, use \.argmax\(-1\)"),
        (numpy.zeros((18, 9), int), r"use \.reshape\(-1, 81\)"),
        (numpy.zeros((81, 2), int), r"if each column is a puzzle, use \.T"),
        (numpy.zeros((2, 81), bool), r"use \.astype\('uint8'\)"),
        (iter([pyarrow.array(PUZZLES)]), r"item 0 of puzzles must be a table, not a column: pass pyarrow\.table"),
        ([1.5], "item 0 of the list must be a str or a list of cells, not float"),
        (pandas.DataFrame({"quizzes": [10**80]}), r'dtype=\{"quizzes": str\}'),
        (pyarrow.table({"quizzes": [1.0]}), r'column_types=\{"quizzes": "string"\}'),
    ],
)
def test_the_error_names_the_call_that_helps(puzzles: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        gridmill.solve(puzzles)
