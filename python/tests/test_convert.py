"""convert, explain, merge_files and bench give the same results as the command line."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Any

import polars
import pyarrow.parquet
import pytest

import gridmill

ROOT = Path(__file__).resolve().parents[2]
EASY = ROOT / "data/easy.txt"


def test_puzzles_are_read_as_by_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.convert([*puzzles, None])
    rows = rows_of("convert", [*puzzles, None])
    for name in ["line", "puzzle", "clues", "detail"]:
        found = ["" if value is None else str(value) for value in table[name]]
        assert found[: len(puzzles)] == [row[name] for row in rows][: len(puzzles)] or name == "line", name
    assert table.report.malformed == sum(detail is not None for detail in table["detail"])
    assert gridmill.convert("1030000000000402")[0] == {
        "line": 1,
        "puzzle": "1030000000000402",
        "clues": 4,
        "detail": None,
    }


@pytest.mark.parametrize(
    "name", ["a.csv", "a.jsonl.gz", "a.txt", "a.sdm", "a.sdk", "a.opensudoku", "a.svg", "a.parquet"]
)
def test_files_are_those_of_the_command_line(cli: Path, tmp_path: Path, name: str) -> None:
    source = tmp_path / "puzzles.txt"
    source.write_text("\n".join(EASY.read_text().split()[:50]) + "\nrubbish\n")
    ours, theirs = tmp_path / f"ours-{name}", tmp_path / f"theirs-{name}"
    report = gridmill.convert_file(source, ours)
    subprocess.run([cli, "convert", source, "-q", "-o", theirs], check=True)
    assert ours.read_bytes() == theirs.read_bytes()
    assert (report.puzzles, report.malformed) == (50, 1)


def test_a_format_is_chosen_where_the_name_leaves_it_open(cli: Path, tmp_path: Path) -> None:
    for to in ["grids", "svg", "opensudoku"]:
        source = tmp_path / "puzzles.txt"
        source.write_text("\n".join(EASY.read_text().split()[:5]))
        gridmill.convert_file(source, tmp_path / to, to=to)
        assert (tmp_path / to).read_bytes() == subprocess.check_output([cli, "convert", source, "-q", "--to", to])
    with pytest.raises(ValueError, match="a picture has at most 100 puzzles"):
        gridmill.convert_file(EASY, tmp_path / "all.svg")
    with pytest.raises(ValueError, match="a picture has no rows; leave out header"):
        gridmill.convert_file(EASY, tmp_path / "all.svg", header=False)
    with pytest.raises(ValueError, match="is SVG by its name"):
        gridmill.solve_file(EASY, tmp_path / "solved.svg")


MEDIUM = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83.........."
PENCILMARKS = "".join(
    "123456789" if symbol == "." else symbol.rjust(int(symbol), ".").ljust(9, ".")
    for symbol in "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7.."
)


@pytest.mark.parametrize("grids", ["eliminations", "all", "none"])
def test_explanations_are_those_of_the_command_line(cli: Path, tmp_path: Path, grids: str) -> None:
    lines = [MEDIUM, *EASY.read_text().split()[:2], PENCILMARKS, "." * 81, "rubbish"]
    explained = gridmill.explain(lines, grids=grids)
    for puzzle, text in zip(lines[:4], explained, strict=False):
        assert text == subprocess.check_output([cli, "explain", "--grids", grids, puzzle], text=True)
        assert text == gridmill.explain(puzzle, grids=grids)
        assert text.splitlines()[-1].startswith("Solved in ")
    assert explained[4:] == [
        "No steps: the puzzle has several solutions\n",
        "No steps: 7 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\n",
    ]

    source = tmp_path / "puzzles.txt"
    source.write_text("\n".join(lines[:3]))
    text = gridmill.explain_file(source, grids=grids)
    assert text == subprocess.check_output([cli, "explain", "--grids", grids, source], text=True)


def test_what_cannot_be_explained_is_refused() -> None:
    for puzzle, message in [
        ("rubbish", "7 cells"),
        ("1.3..........4.2", "only 9x9 puzzles"),
        ("." * 81, "several solutions"),
        ("puzzles.txt", "looks like a path"),
    ]:
        with pytest.raises(ValueError, match=message):
            gridmill.explain(puzzle)
    with pytest.raises(
        ValueError, match="grids: no choice of steps is called 'some'; there are eliminations, all, none"
    ):
        gridmill.explain(["rubbish"], grids="some")


def test_merged_shards_are_one_run(tmp_path: Path) -> None:
    functions: list[tuple[Any, dict[str, Any]]] = [
        (gridmill.solve_file, {"columns": ["line", "status", "solution", "detail"]}),
        (gridmill.rate_file, {"only": "er"}),
        (gridmill.validate_file, {}),
        (gridmill.canonical_file, {}),
        (gridmill.convert_file, {"to": "jsonl"}),
    ]
    for function, options in functions:
        parts = [tmp_path / f"{function.__name__}-{shard}" for shard in (1, 2)]
        for shard, part in enumerate(parts, 1):
            function(ROOT / "data/4x4.txt", part, shard=f"{shard}/2", **options)
        whole = function(ROOT / "data/4x4.txt", tmp_path / "whole", **options)
        report = gridmill.merge_files(parts, tmp_path / "merged.gz")
        assert pyarrow.input_stream(tmp_path / "merged.gz").read() == (tmp_path / "whole").read_bytes()
        assert type(report) is type(whole)
        gridmill.merge_files(parts[::-1], tmp_path / "packed", compress="xz")
        assert (tmp_path / "packed").read_bytes()[:5] == b"\xfd7zXZ"


def test_what_is_no_shard_is_refused(tmp_path: Path) -> None:
    part = tmp_path / "part.csv"
    gridmill.solve_file(EASY, part, shard="1/2")
    with pytest.raises(ValueError, match="shard 2 of 2 is missing"):
        gridmill.merge_files(part, tmp_path / "merged.csv")
    with pytest.raises(ValueError, match="is not a finished shard"):
        gridmill.merge_files(EASY, tmp_path / "merged.csv")
    with pytest.raises(ValueError, match="give output another name"):
        gridmill.merge_files([part], part)
    other = tmp_path / "other.csv"
    gridmill.solve_file(EASY, other, shard="2/2")
    part.write_text(part.read_text() + "more\n")
    with pytest.raises(ValueError, match="run this shard again with resume") as error:
        gridmill.merge_files([part, other], tmp_path / "merged.csv")
    assert "--" not in str(error.value)
    with pytest.raises(ValueError, match="outputs is empty"):
        gridmill.merge_files([], tmp_path / "merged.csv")


def test_a_bench_has_the_rows_of_the_command_line(cli: Path, tmp_path: Path) -> None:
    table = tmp_path / "bench.csv"
    small = ROOT / "data/4x4.txt"
    options = ["--engines", "bitmask,dlx", "--threads", "1,2", "--seconds", "0.1", "--export", table]
    subprocess.run([cli, "bench", small, *options, "-q"], check=True, stdout=subprocess.DEVNULL)
    theirs = list(csv.DictReader(table.read_text().splitlines()))

    arguments: dict[str, Any] = {"engines": ["bitmask", "dlx"], "threads": [1, 2], "seconds": 0.1, "top": 2}
    ours = gridmill.bench_file(small, **arguments, times=tmp_path / "times.parquet")
    assert ours.columns == list(theirs[0])
    for name in ("file", "puzzles", "solver", "threads", "clock", "branches_per_puzzle", "without_branch"):
        assert [str(value) for value in ours[name]] == [row[name] for row in theirs], name
    assert pyarrow.parquet.read_table(tmp_path / "times.parquet").num_rows == 4 * 200
    assert {len(row["slowest"]) for row in ours.report.rows} == {2}
    assert ours.report.options["reference"] == "bitmask"

    in_memory = gridmill.bench(small.read_text().split(), **arguments, reference="dlx", shuffle=1, isomorphs=2)
    assert in_memory["file"] == ["memory"] * 4
    assert in_memory["ratio"][2] == 1
    assert polars.DataFrame(in_memory)["puzzles_per_second"].min() > 0


def test_a_bench_of_what_is_no_puzzle_is_refused() -> None:
    with pytest.raises(ValueError, match="memory:2: 7 cells"):
        gridmill.bench(["1.3..........4.2", "rubbish"], seconds=0)
    for options, message in [
        ({"engines": ["fast"]}, "engines: no engine is called 'fast'"),
        ({"threads": 0}, "threads must be from 1 to 1024"),
        ({"seconds": -1}, "seconds must be from 0"),
        ({"reference": "fast"}, "reference: there is no solver 'fast'"),
        ({"times": "times.txt"}, r"times: its name should end in .csv, .jsonl or .parquet"),
    ]:
        with pytest.raises(ValueError, match=message):
            gridmill.bench(["1.3..........4.2"], **options)  # type: ignore[arg-type]
