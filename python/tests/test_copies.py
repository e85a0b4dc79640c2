"""split, dedupe and sample: the rows in memory and the files are the same as from the command line."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Any

import numpy
import polars
import pyarrow
import pyarrow.parquet
import pytest

import gridmill

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def corpus() -> pyarrow.Table:
    """Puzzles with isomorphs, repetitions and malformed records, and further columns."""
    puzzles: list[str | None] = list(
        gridmill.augment((ROOT / "data/easy.txt").read_text().split()[:150], 2, seed=1, original=True)["puzzle"]
    )
    puzzles = [*puzzles, *puzzles[:40], "rubbish", None, "1.3..........4.2", "1..............."] * 2
    count = len(puzzles)
    return pyarrow.table(
        {
            "number": pyarrow.array(range(count), pyarrow.int64()),
            "puzzle": puzzles,
            "rating": [None if row % 13 == 0 else row * 7919 % 101 / 10 for row in range(count)],
            "level": [["easy", "hard", "hard", "extreme", None][row % 5] for row in range(count)],
        }
    )


@pytest.fixture
def source(corpus: pyarrow.Table, tmp_path: Path) -> Path:
    path = tmp_path / "corpus.parquet"
    pyarrow.parquet.write_table(corpus, path)
    return path


def run(cli: Path, *arguments: object) -> None:
    subprocess.run([cli, *map(str, arguments), "-q"], check=True)


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pyarrow.parquet.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize(
    "options",
    [
        {"parts": "train=0.8,test=20%", "seed": 3},
        {"parts": "train=rest,test=50", "by": "puzzle"},
        {"folds": 3, "stratify": "level"},
        {"folds": 3, "stratify": "rating", "bins": "1,2.5,4"},
        {"parts": "one=30,other=rest", "by": "solution", "engine": "bitmask"},
    ],
    ids=str,
)
def test_parts_are_those_of_the_command_line(
    cli: Path, corpus: pyarrow.Table, source: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    arguments = [text for name, value in options.items() for text in (f"--{name}", value)]
    run(cli, "split", source, *arguments, "-o", tmp_path / "cli")
    files = sorted(path.stem for path in (tmp_path / "cli").glob("*.parquet"))
    assert "unsplit" in files

    parts = gridmill.split(corpus, **options)
    report = gridmill.split_file(source, tmp_path / "python", **options)
    assert sorted(parts) == files
    for name, table in parts.items():
        assert table.to_arrow().schema.types == corpus.schema.types
        assert table.to_arrow().to_pylist() == rows(tmp_path / f"cli/{name}.parquet"), name
        assert rows(tmp_path / f"python/{name}.parquet") == rows(tmp_path / f"cli/{name}.parquet"), name
        assert (table.report.records, table.report.parts) == (report.records, report.parts)
    assert report.records == len(corpus) == sum(map(len, parts.values())) + report.left_out


@pytest.mark.parametrize(
    "options", [{}, {"by": "puzzle"}, {"keep_max": "rating"}, {"keep_min": "rating", "by": "solution"}], ids=str
)
def test_what_is_kept_is_what_the_command_line_keeps(
    cli: Path, corpus: pyarrow.Table, source: Path, tmp_path: Path, options: dict[str, str]
) -> None:
    arguments = [text for name, value in options.items() for text in ("--" + name.replace("_", "-"), value)]
    run(cli, "dedupe", source, *arguments, "-o", tmp_path / "cli.parquet", "--dropped", tmp_path / "cli.csv")
    kept = gridmill.dedupe(corpus, dropped=tmp_path / "memory.csv", **options)
    assert kept.to_arrow().to_pylist() == rows(tmp_path / "cli.parquet")
    assert (tmp_path / "memory.csv").read_text() == (tmp_path / "cli.csv").read_text()
    report = gridmill.dedupe_file(source, tmp_path / "file.parquet", **options)
    assert rows(tmp_path / "file.parquet") == rows(tmp_path / "cli.parquet")
    assert (report.kept, report.dropped) == (kept.report.kept, kept.report.dropped)
    assert report.kept + report.dropped == len(corpus)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"seed": 7, "stratify": "level"}, ["--seed", 7, "--stratify", "level"]),
        ({"stratify": "rating", "bins": [1, 2.5, 4]}, ["--stratify", "rating", "--bins", "1,2.5,4"]),
        ({"where": "clues<=33 && rating>5"}, ["--where", "clues<=33 && rating>5"]),
        ({"where": ["level=hard", "rating<=3"]}, ["--where", "level=hard", "--where", "rating<=3"]),
    ],
    ids=str,
)
def test_a_sample_is_that_of_the_command_line(
    cli: Path, corpus: pyarrow.Table, source: Path, tmp_path: Path, options: dict[str, Any], arguments: list[object]
) -> None:
    run(cli, "sample", source, "-n", 40, *arguments, "-o", tmp_path / "cli.parquet")
    sample = gridmill.sample(corpus, 40, **options)
    assert sample.to_arrow().to_pylist() == rows(tmp_path / "cli.parquet")
    assert sample.report.sampled == len(sample) == 40
    gridmill.sample_file(source, tmp_path / "file.parquet", 40, **options)
    assert rows(tmp_path / "file.parquet") == rows(tmp_path / "cli.parquet")


def test_files_of_text_are_copied_byte_for_byte(cli: Path, tmp_path: Path) -> None:
    source = ROOT / "data/with-answers.csv"
    run(cli, "sample", source, "-n", 50, "-o", tmp_path / "cli.csv")
    gridmill.sample_file(source, tmp_path / "python.csv", 50)
    assert (tmp_path / "python.csv").read_bytes() == (tmp_path / "cli.csv").read_bytes()
    gridmill.sample_file(source, tmp_path / "python.csv.gz", 50)
    gridmill.sample_file(source, tmp_path / "packed.csv", 50, compress="gzip")
    assert (tmp_path / "packed.csv").read_bytes() == (tmp_path / "python.csv.gz").read_bytes()
    gridmill.split_file([source], tmp_path / "{part}.csv.gz", parts="a=0.5,b=rest")
    assert {path.name for path in tmp_path.glob("?.csv.gz")} == {"a.csv.gz", "b.csv.gz"}


def test_puzzles_with_wrong_answers_are_no_samples() -> None:
    made = gridmill.generate(20, seed=3, with_solution=True).to_polars()
    wrong = made.with_columns(solution=polars.when(polars.int_range(polars.len()) < 5).then(polars.col("puzzle")))
    wrong = wrong.with_columns(solution=polars.col("solution").fill_null(made["solution"]))
    sample = gridmill.sample(wrong, 100)
    assert (len(sample), sample.report.wrong_answers) == (15, 5)
    assert len(gridmill.sample(wrong, 100, unchecked=True)) == 20
    assert len(gridmill.sample(wrong.rename({"solution": "a"}), 100, answer_column="a")) == 15


def test_puzzles_without_a_table_are_copied_too(corpus: pyarrow.Table) -> None:
    made = gridmill.generate(30, seed=5)
    texts, cells = made.to_list("puzzle"), made.to_numpy("puzzle")
    chosen = gridmill.sample(texts, 7, seed=1)
    assert chosen.columns == ["puzzle"]
    assert set(chosen["puzzle"]) < set(texts)
    for puzzles in (tuple(texts), polars.Series(texts), made):
        assert gridmill.sample(puzzles, 7, seed=1)["puzzle"] == chosen["puzzle"]
    indices = [texts.index(puzzle) for puzzle in chosen["puzzle"]]
    of_cells = gridmill.sample(cells, 7, seed=1).to_arrow()["puzzle"].to_pylist()
    assert of_cells == cells[indices].tolist()
    assert len(gridmill.dedupe(numpy.concatenate([cells, cells]))) == 30
    assert gridmill.dedupe([*texts, *texts])["puzzle"] == texts
    parts = gridmill.split(iter(corpus.to_batches(max_chunksize=50)), folds=2)
    assert sum(len(part) for part in parts.values()) == len(corpus)


def test_a_table_without_rows_is_copied() -> None:
    empty = pyarrow.table({"puzzle": pyarrow.array([], pyarrow.string()), "n": pyarrow.array([], pyarrow.int8())})
    assert gridmill.dedupe(empty).to_arrow().schema.types == [pyarrow.string(), pyarrow.int8()]
    assert {name: len(part) for name, part in gridmill.split(empty, folds=2).items()} == {"fold-1": 0, "fold-2": 0}


def test_dropped_records_name_their_files(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("1.3..........4.2\n")
    inputs = [tmp_path / "a.txt", tmp_path / "b.txt"]
    gridmill.dedupe_file(inputs, tmp_path / "kept.txt", by="puzzle", dropped=tmp_path / "dropped.csv")
    [dropped] = csv.DictReader((tmp_path / "dropped.csv").read_text().splitlines())
    assert (dropped["file"], dropped["repeats_file"]) == (str(inputs[1]), str(inputs[0]))


@pytest.mark.parametrize(
    ("function", "options", "message"),
    [
        (gridmill.split, {}, "either parts or folds has to be given"),
        (gridmill.split, {"parts": "a=1.0", "folds": 2}, "parts and folds exclude each other"),
        (gridmill.split, {"parts": "a=0.5"}, "parts: the shares add up to 0.5, not to 1"),
        (gridmill.split, {"folds": 201}, "folds: a split has 1 to 200 parts"),
        (gridmill.split, {"folds": 2, "by": "size"}, "by: no kind of groups is called 'size'; there are puzzle, class"),
        (gridmill.split, {"folds": 2, "stratify": "x"}, "'x'"),
        (gridmill.split, {"folds": 2, "bins": [1, 2]}, "bins are for the numbers of a column: pass stratify"),
        (gridmill.sample, {"count": 5, "stratify": "rating", "bins": [2, 1]}, "bins: bins are ascending numbers"),
        (gridmill.split, {"parts": "a=9999,b=rest"}, "a should have 9999 records"),
        (gridmill.dedupe, {"keep_max": "rating", "keep_min": "rating"}, "keep_max and keep_min exclude each other"),
        (gridmill.dedupe, {"dropped": "dropped.parquet"}, "dropped is Parquet by its name, but the table is CSV"),
        (gridmill.sample, {"count": 5, "where": "clues"}, "where: invalid condition 'clues'"),
        (gridmill.sample, {"count": 5, "where": "nothing=1"}, "'nothing'"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_wrong_values_are_refused(corpus: pyarrow.Table, function: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        function(corpus, **options)
    assert "--" not in str(error.value)


def test_columns_are_those_of_tables() -> None:
    with pytest.raises(ValueError, match="are for tables; these puzzles are not a table, and have no column rating"):
        gridmill.dedupe(["1.3"], keep_max="rating")


def test_an_output_that_is_an_input_is_refused(source: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is an input, too; give output another name"):
        gridmill.dedupe_file(source, source)
    with pytest.raises(ValueError, match="give dropped another name"):
        gridmill.dedupe_file(source, tmp_path / "a.csv", dropped=tmp_path / "a.csv")
    with pytest.raises(ValueError, match="another extension"):
        gridmill.sample_file(source, tmp_path / "a.csv", 5)
    assert list(tmp_path.iterdir()) == [source]


def test_parts_are_a_text_or_a_dict() -> None:
    puzzles = gridmill.generate(60, seed=3)
    text = gridmill.split(puzzles, parts="train=40,val=5,test=rest", seed=2)
    parts = gridmill.split(puzzles, parts={"train": 40, "val": 5, "test": "rest"}, seed=2)
    assert {name: list(part) for name, part in parts.items()} == {name: list(part) for name, part in text.items()}
    with pytest.raises(TypeError, match=r"parts\['train'\] must be a number or a str, not list"):
        gridmill.split(puzzles, parts={"train": [1]})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="parts"):
        gridmill.split(puzzles, parts={})
