"""CSV that is read back has the puzzles that were written, with `read_csv` and with the calls of docs/columns.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import datasets
import duckdb
import pandas
import polars
import pyarrow.csv
import pytest

import gridmill

PAGE = (Path(__file__).resolve().parents[2] / "docs/columns.md").read_text()
CALLS = dict(re.findall(r"^\| ([^|]+) \| `(\w+\.[^`|]*\"solved\.csv\"[^`|]*)` \|$", PAGE, re.MULTILINE))
PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
LIBRARIES = {"datasets": datasets, "duckdb": duckdb, "pandas": pandas, "polars": polars, "pyarrow": pyarrow}


@pytest.fixture
def solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The solution in `solved.csv`, which also has a puzzle with 0 for a blank."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(f"puzzle,steps,class\n{PUZZLE.replace('.', '0')},7,1234\n")
    gridmill.solve_file("in.csv", "solved.csv", keep=["steps", "class"])
    return gridmill.solve(PUZZLE).solution or ""


def test_the_page_has_a_call_for_each_reader() -> None:
    assert set(CALLS) == {"pandas", "Polars", "pyarrow", "DuckDB", "Hugging Face datasets"}


@pytest.mark.parametrize("reader", CALLS)
def test_a_call_of_the_page_gives_texts(reader: str, solution: str) -> None:
    table: Any = eval(CALLS[reader], {**LIBRARIES})
    if reader == "DuckDB":
        table = table.arrow().read_all()
    if reader == "Hugging Face datasets":
        table = table["train"]
    assert list(table["solution"]) == [solution] or table["solution"].to_pylist() == [solution]
    first = table["puzzle"][0]
    assert str(first) == PUZZLE.replace(".", "0")


def test_read_csv_gives_the_table_that_was_written(solution: str) -> None:
    table = gridmill.read_csv("solved.csv").to_arrow()
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "line": "uint64",
        "puzzle": "large_string",
        "status": "large_string",
        "solutions": "uint64",
        "solution": "large_string",
        "branches": "uint64",
        "nanos": "uint64",
        "detail": "large_string",
        "steps": "uint64",
        "class": "large_string",
    }
    row = table.to_pylist()[0]
    assert (row["solution"], row["solutions"], row["detail"], row["class"]) == (solution, 1, None, "1234")


def test_read_csv_takes_compressed_files_and_any_column(tmp_path: Path) -> None:
    gridmill.solve_file(_lines(tmp_path, 70_000), tmp_path / "out.csv.gz", columns=["line", "puzzle"])
    table = gridmill.read_csv(tmp_path / "out.csv.gz")
    assert table.to_list("line") == list(range(1, 70_001))
    (tmp_path / "other.csv").write_text('line,er,a\n1,7.1,"x,\n"\nmany,>7.1,\n')
    other = gridmill.read_csv(tmp_path / "other.csv")
    assert [other.to_list(name) for name in other.columns] == [["1", "many"], ["7.1", ">7.1"], ["x,\n", None]]


def test_read_csv_refuses_what_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="path must be a str or a path, not int"):
        gridmill.read_csv(5)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        gridmill.read_csv(tmp_path / "none.csv")
    (tmp_path / "bad.csv").write_text("a,b\n1\n")
    with pytest.raises(ValueError, match=r"bad\.csv"):
        gridmill.read_csv(tmp_path / "bad.csv")
    (tmp_path / "bytes.csv").write_bytes(b"a\n\xff\n")
    with pytest.raises(ValueError, match=r"bytes\.csv"):
        gridmill.read_csv(tmp_path / "bytes.csv")
    (tmp_path / "empty.csv").write_text("")
    assert len(gridmill.read_csv(tmp_path / "empty.csv")) == 0


def _lines(directory: Path, count: int) -> Path:
    path = directory / "in.txt"
    path.write_text("1.3..........4.2\n" * count)
    return path
