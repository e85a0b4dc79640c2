"""A result behaves like a table: length, rows, slices, columns, pickle, pictures for notebooks; reports have types."""

from __future__ import annotations

import dataclasses
import pickle
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy
import polars
import pyarrow
import pyarrow.parquet
import pytest

import gridmill

PUZZLES = ["1.3..........4.2", "1...............", "11..............", "x<b>"]


@pytest.fixture
def table() -> gridmill.Table:
    """A table of several batches, with a list column and one that was kept."""
    batches = [pyarrow.table({"puzzle": PUZZLES, "n": [4 * batch + n for n in range(4)]}) for batch in range(3)]
    return gridmill.validate(iter(batches), keep=["n"], classes=True)


def test_rows_are_dicts(table: gridmill.Table) -> None:
    rows = table.to_arrow().to_pylist()
    assert len(table) == len(rows) == 12
    assert list(table) == rows
    assert [table[index] for index in range(-12, 12)] == rows * 2
    for index in (12, -13):
        with pytest.raises(IndexError, match="there are 12 rows"):
            table[index]
    with pytest.raises(TypeError):
        table[1.5]  # type: ignore[call-overload]


def test_slices_are_tables(table: gridmill.Table) -> None:
    rows = table.to_arrow().to_pylist()
    bounds = [None, 0, 1, 4, 7, 12, 20, -1, -5, -20]
    for start in bounds:
        for stop in bounds:
            for step in (None, 1, 2, 5, -1, -3):
                part = table[start:stop:step]
                assert list(part) == rows[start:stop:step]
                assert part.columns == table.columns
    assert table[3:9][1:3].to_polars().equals(polars.DataFrame(table)[4:6])


def test_columns_are_lists(table: gridmill.Table) -> None:
    assert table["n"] == list(range(12))
    assert table["findings"][:4] == table.to_list("findings")[:4] == [[], ["multiple"], ["conflict"], ["malformed"]]
    with pytest.raises(KeyError, match="no column is called 'x'"):
        table["x"]


def test_tables_are_pickled(table: gridmill.Table) -> None:
    copy = pickle.loads(pickle.dumps(table))
    assert copy.to_arrow() == table.to_arrow()
    assert copy.report == table.report
    empty = pickle.loads(pickle.dumps(table[:0]))
    assert len(empty) == 0
    assert empty.to_arrow().schema == table.to_arrow().schema


def test_a_damaged_pickle_of_a_table_is_an_error(table: gridmill.Table) -> None:
    make, (rows, checksum, report, _) = table.__reduce__()
    for index in range(0, len(rows), 97):
        damaged = bytearray(rows)
        damaged[index] ^= 0x40
        with pytest.raises(ValueError, match="the pickled table is damaged"):
            make(bytes(damaged), checksum, report)


def test_a_notebook_shows_the_first_rows() -> None:
    class Parser(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.tags: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            self.tags.append(tag)

    table = gridmill.solve([*PUZZLES[::-1], *PUZZLES * 5])
    page = table._repr_html_()
    parser = Parser()
    parser.feed(page)
    assert parser.tags.count("tr") == 11
    assert parser.tags.count("td") == 10 * len(table.columns)
    assert "x&lt;b&gt;" in page
    assert "14 more rows" in page
    assert "b" not in parser.tags
    assert "more rows" not in table[:10]._repr_html_()


def test_reports_have_types(tmp_path: Path) -> None:
    puzzle, output = PUZZLES[0], tmp_path / "rows.csv"
    (tmp_path / "in.txt").write_text(puzzle + "\n")
    source = tmp_path / "in.txt"
    reports = {
        gridmill.SolveReport: [
            gridmill.solve([puzzle]).report,
            gridmill.count([puzzle]).report,
            gridmill.rate([puzzle]).report,
            gridmill.steps([puzzle]).report,
            gridmill.solve_file(source, output),
            gridmill.rate_file(source, output),
        ],
        gridmill.Scorecard: [gridmill.validate([puzzle]).report, gridmill.validate_file(source, output)],
        gridmill.ClassesReport: [gridmill.classes_file(source, output)],
        gridmill.CanonicalReport: [gridmill.canonical([puzzle]).report, gridmill.canonical_file(source, output)],
        gridmill.AugmentReport: [gridmill.augment([puzzle], 1).report, gridmill.augment_file(source, output, 1)],
        gridmill.GenerateReport: [gridmill.generate(1).report, gridmill.generate_file(1, output)],
    }
    for kind, found in reports.items():
        for report in found:
            assert type(report) is kind
            assert issubclass(kind, gridmill.Report)
            fields = {field.name for field in dataclasses.fields(report)}
            documented = {name for line in documentation(kind) for name in line.split(":")[0].split(", ")}
            assert fields <= documented
            assert report.wall_seconds > 0
    assert gridmill.solve([puzzle]).report.rows["unique"] == 1
    assert gridmill.solve([puzzle])[:1].report is None


def documentation(kind: type) -> list[str]:
    """The lines of attributes in the documentation of a class and of those that it extends."""
    return [line.strip() for base in kind.__mro__ for line in (base.__doc__ or "").splitlines() if ":" in line]


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert gridmill.__version__ == version("gridmill")


def test_progress_is_a_function_or_a_bar(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calls: list[int] = []
    puzzles = gridmill.generate(3000, progress=calls.append)
    assert sum(calls) == 3000
    calls.clear()
    gridmill.solve(puzzles, progress=calls.append)
    assert sum(calls) == 3000
    assert capfd.readouterr().err == ""

    program = "import gridmill; gridmill._progress.DELAY = 0; gridmill.generate(2000, progress={})"
    for wanted, shown in [("True", True), ("None", False), ("False", False)]:
        command = [sys.executable, "-c", program.format(wanted)]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert ("puzzles" in run.stderr) == shown, run.stderr


def test_no_tqdm_is_an_error_only_if_a_bar_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert len(gridmill.solve(PUZZLES)) == 4
    with pytest.raises(ImportError):
        gridmill.solve(PUZZLES, progress=True)


def test_columns_and_rows_are_chosen(table: gridmill.Table) -> None:
    assert table[["n", "verdict"]].columns == ["n", "verdict"]
    assert table[["n", "verdict"]][2] == {"n": 2, "verdict": "conflict"}
    with pytest.raises(KeyError, match="no column is called 'x'"):
        table[["n", "x"]]
    sound = table.filter(lambda row: row["verdict"] == "sound")
    assert sound["n"] == [0, 4, 8]
    flags = [verdict == "sound" for verdict in table["verdict"]]
    for keep in (flags, numpy.array(flags), polars.Series(flags), pyarrow.array(flags)):
        assert table.filter(keep) == sound
    assert len(table.filter([False] * 12)) == 0
    with pytest.raises(ValueError, match="keep has 1 values, and there are 12 rows"):
        table.filter([True])


def test_tables_are_equal_if_their_rows_are(table: gridmill.Table) -> None:
    again = gridmill.validate(pyarrow.table(table[["puzzle", "n"]]), keep=["n"], classes=True)
    assert table == again
    assert table[:4] != table[4:8]
    assert table[["n"]] != table[["line"]]
    assert table != table[:11]
    assert table != "table"


def test_tables_are_written(table: gridmill.Table, tmp_path: Path) -> None:
    table.to_csv(tmp_path / "table.csv")
    assert gridmill.read_csv(tmp_path / "table.csv")["n"] == table["n"]
    table[["puzzle", "n"]].to_csv(tmp_path / "in.csv")
    gridmill.validate_file(tmp_path / "in.csv", tmp_path / "expected.csv", keep=["n"], classes=True)
    assert (tmp_path / "table.csv").read_text().splitlines()[0].startswith("line,puzzle,verdict")
    written, expected = (gridmill.read_csv(tmp_path / name) for name in ("table.csv", "expected.csv"))
    assert written[["verdict", "findings", "class"]] == expected[["verdict", "findings", "class"]]
    with pytest.raises(ValueError, match=r"its name ends with \.gz"):
        table.to_csv(tmp_path / "table.csv.gz")
    table.to_parquet(tmp_path / "table.parquet")
    assert pyarrow.parquet.read_table(tmp_path / "table.parquet") == table.to_arrow()


def test_reports_are_printed(table: gridmill.Table) -> None:
    lines = str(table.report).splitlines()
    assert lines[0] == "Scorecard"
    assert "  records      12" in lines
    assert "  verdicts     conflict 3, malformed 3, multiple 3, sound 3" in lines
    page = table.report._repr_html_()
    assert "<td>verdicts</td><td>conflict 3, malformed 3, multiple 3, sound 3</td>" in page
