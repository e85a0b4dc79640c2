"""solve_file and validate_file do what the commands do."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import functools
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow.parquet
import pytest

import gridmill
from gridmill import _gridmill

ROOT = Path(__file__).resolve().parents[2]
# Times differ from run to run.
TIMES = {"nanos", "nanos_histogram", "slowest", "wall_seconds", "records_per_second", "cpu_seconds", "busy"}


def without_times(report: gridmill.Report | dict[str, Any]) -> dict[str, Any]:
    figures = report if isinstance(report, dict) else dataclasses.asdict(report)
    return {key: value for key, value in figures.items() if key not in TIMES and value is not None}


@pytest.mark.parametrize("extension", ["csv", "csv.gz", "csv.zst", "jsonl", "parquet"])
def test_rows_and_summary_are_those_of_the_command(cli: Path, tmp_path: Path, extension: str) -> None:
    inputs = [ROOT / "data/mixed.txt", ROOT / "data/with-answers.csv"]
    ours, theirs = tmp_path / f"ours.{extension}", tmp_path / f"theirs.{extension}"
    summary = gridmill.solve_file(inputs, ours, limit=5, engine="bitmask", threads=2)
    options = ["--limit", "5", "--engine", "bitmask", "--threads", "2", "--summary", tmp_path / "summary.json"]
    subprocess.run([cli, "solve", "-q", *inputs, "-o", theirs, *options], check=True)
    assert without_times(summary) == without_times(json.loads((tmp_path / "summary.json").read_text()))
    tables = [read(path).drop(["nanos"]) for path in (ours, theirs)]
    assert tables[0] == tables[1]
    assert tables[0].num_rows == summary.records


def read(path: Path) -> pyarrow.Table:
    """The rows of a file; from CSV, all values are texts."""
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    if path.suffix == ".jsonl":
        return pyarrow.Table.from_pylist([json.loads(line) for line in path.read_text().splitlines()])
    rows = list(csv.DictReader(pyarrow.input_stream(path).read().decode().splitlines()))
    return pyarrow.Table.from_pylist(rows)


def test_arrays_of_numpy_are_read_and_written(tmp_path: Path) -> None:
    made = gridmill.generate(20, seed=1, with_solution=True)
    puzzles, solutions = made.to_numpy("puzzle"), made.to_numpy("solution")
    arrays = [puzzles.astype(kind) for kind in ("u1", "<i2", ">i4", "i8", ">u8")]
    arrays += [numpy.asfortranarray(puzzles), numpy.asfortranarray(puzzles.reshape(-1, 9, 9)), puzzles + 1]
    for number, array in enumerate(arrays):
        numpy.save(tmp_path / f"{number}.npy", array)
        gridmill.solve_file(tmp_path / f"{number}.npy", tmp_path / "solved.npy")
        assert (numpy.load(tmp_path / "solved.npy") == solutions).all()
    for save in (numpy.savez, numpy.savez_compressed):
        save(tmp_path / "both.npz", weights=numpy.zeros(20), inputs=puzzles, labels=solutions)
        gridmill.validate_file(tmp_path / "both.npz", tmp_path / "verdicts.csv")
        assert (tmp_path / "verdicts.csv").read_text().count("right") == 20


def test_an_extension_that_is_not_written_is_refused(tmp_path: Path) -> None:
    easy = ROOT / "data/easy.txt"
    with pytest.raises(ValueError, match="own compression"):
        gridmill.solve_file(easy, tmp_path / "out.parquet.gz")
    with pytest.raises(ValueError, match="Parquet is compressed with zstd, snappy, lz4 or none, not "):
        gridmill.solve_file(easy, tmp_path / "out.parquet", compress="gzip")
    with pytest.raises(ValueError, match="compress snappy is for Parquet"):
        gridmill.solve_file(easy, tmp_path / "out.csv", compress="snappy")
    for name, what in [("out.pdf", "PDF"), ("out.xlsx", "Excel")]:
        with pytest.raises(ValueError, match=f"the output is {what} by its name; name it .csv"):
            gridmill.solve_file(easy, tmp_path / name)
    with pytest.raises(ValueError, match="do not come in the format lines"):
        gridmill.validate_file(easy, tmp_path / "out.txt")
    for name, chosen in [("out.csv", "jsonl"), ("out.csv", "parquet"), ("out.parquet", "csv"), ("out.gz", "parquet")]:
        with pytest.raises(ValueError, match=f"a file of {chosen} has another extension"):
            gridmill.solve_file(easy, tmp_path / name, to=chosen)
    with pytest.raises(ValueError, match="no format is called 'xml'; there are csv, tsv, excel, jsonl, json, lines"):
        gridmill.solve_file(easy, tmp_path / "out", to="xml")
    with pytest.raises(ValueError, match="cannot be resumed"):
        gridmill.solve_file(easy, tmp_path / "out.parquet", resume=True)
    with pytest.raises(ValueError, match="a row for each record"):
        gridmill.rate_file(easy, tmp_path / "out.csv", steps=True, shard="1/2")
    with pytest.raises(ValueError, match="a shard is written K/N"):
        gridmill.solve_file(easy, tmp_path / "out.csv", shard="2")
    assert list(tmp_path.iterdir()) == []


JOBS: dict[str, tuple[Any, Any, list[str]]] = {
    "solve": (gridmill.solve, gridmill.solve_file, ["line", "status", "solution"]),
    "validate": (gridmill.validate, gridmill.validate_file, ["verdict", "findings", "line"]),
    "canonical": (gridmill.canonical, gridmill.canonical_file, ["class", "automorphisms", "detail"]),
    "rate": (gridmill.rate, gridmill.rate_file, ["er", "status", "level"]),
    "augment": (
        functools.partial(gridmill.augment, copies=1),
        functools.partial(gridmill.augment_file, copies=1),
        ["puzzle", "origin"],
    ),
}


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("extension", ["csv", "jsonl", "parquet", "csv.gz"])
def test_each_job_writes_each_format(tmp_path: Path, job: str, extension: str) -> None:
    in_memory, on_files, columns = JOBS[job]
    puzzles = [*(ROOT / "data/easy.txt").read_text().split()[:20], "nonsense"]
    table = pyarrow.table({"puzzle": puzzles, "id": [f"n{index}" for index in range(21)]})
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    output = tmp_path / f"out.{extension}"
    options: dict[str, Any] = {"columns": columns, "keep": ["id"]}
    summary = on_files(tmp_path / "in.parquet", output, **options)
    expected = in_memory(table, **options)
    assert getattr(summary, "malformed" if hasattr(summary, "malformed") else "records") > 0

    rows = expected.to_arrow().to_pylist()
    if extension.startswith("csv"):
        # Numbers are texts, lists have ; between their items.
        rows = [{name: as_text(value) for name, value in row.items()} for row in rows]
    assert read(output).to_pylist() == rows


def as_text(value: object) -> str:
    if isinstance(value, list):
        return ";".join(value)
    return "" if value is None else str(value)


@pytest.mark.parametrize("job", JOBS)
def test_a_header_may_be_left_out(tmp_path: Path, job: str) -> None:
    easy, on_files = ROOT / "data/4x4.txt", JOBS[job][1]
    columns = [name for name in JOBS[job][2] if name != "nanos"]
    for name, header in [("with.csv", True), ("without", False)]:
        on_files(easy, tmp_path / name, columns=columns, header=header)
    first, rest = (tmp_path / "with.csv").read_text().split("\n", 1)
    assert first == ",".join(columns)
    assert (tmp_path / "without").read_text() == rest


@pytest.mark.parametrize("job", ["solve", "validate", "canonical", "rate"])
def test_shards_are_parts_of_the_rows(tmp_path: Path, job: str) -> None:
    on_files = JOBS[job][1]
    # Without these columns, the outputs could not be merged.
    columns = [name for name, _ in _gridmill.columns(job) if name not in ("file", "nanos")]
    path = tmp_path / "puzzles.txt"
    path.write_text((ROOT / "data/4x4.txt").read_text() * 60)
    options: dict[str, Any] = {"columns": columns, "header": False, "to": "csv"}
    on_files(path, tmp_path / "all", **options)
    rows = []
    for shard in ("1/2", "2/2"):
        output = tmp_path / shard.replace("/", "-of-")
        on_files(path, output, shard=shard, **options)
        rows += output.read_text().splitlines()
    assert sorted(rows) == sorted((tmp_path / "all").read_text().splitlines())


def test_steps_are_written(tmp_path: Path) -> None:
    easy = ROOT / "data/easy.txt"
    puzzles = easy.read_text().split()[:5]
    (tmp_path / "in.txt").write_text("\n".join(puzzles) + "\n")
    gridmill.rate_file(tmp_path / "in.txt", tmp_path / "steps.parquet", steps=True)
    rows = pyarrow.parquet.read_table(tmp_path / "steps.parquet")
    assert rows == gridmill.steps(puzzles).to_arrow()
    with pytest.raises(ValueError, match="a row for each step"):
        gridmill.rate_file(easy, tmp_path / "out.csv", steps=True, only="er")


def test_the_bar_of_a_shard_ends_at_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    totals: list[int | None] = []

    @contextlib.contextmanager
    def watched(run: dict[str, Any], total: int | None) -> Iterator[None]:
        run["progress"] = None
        totals.append(total)
        yield

    monkeypatch.setattr("gridmill._files.watched", watched)
    for shard in ("1/4", "3/4", "4/4", None):
        report = gridmill.generate_file(9000, tmp_path / "made.txt", grids=True, shard=shard)
        assert totals[-1] == report.puzzles
    assert totals == [4096, 808, 0, 9000]


def test_generated_puzzles_are_written(tmp_path: Path) -> None:
    made = gridmill.generate(50, seed=4, with_solution=True)
    calls: list[int] = []
    report = gridmill.generate_file(50, tmp_path / "made.csv", seed=4, with_solution=True, progress=calls.append)
    assert sum(calls) == report.puzzles == 50
    assert read(tmp_path / "made.csv").to_pylist() == made.to_arrow().to_pylist()
    gridmill.generate_file(50, tmp_path / "made.txt", seed=4)
    assert (tmp_path / "made.txt").read_text().split() == made.to_list("puzzle")
    for options in ({"output": tmp_path / "lost.txt"}, {"output": tmp_path / "lost", "to": "lines"}):
        with pytest.raises(ValueError, match="the format lines has no columns; with_solution is"):
            gridmill.generate_file(50, with_solution=True, **options)
    assert not list(tmp_path.glob("lost*"))
    for number in (1, 2):
        part = gridmill.generate_file(
            50, tmp_path / f"{number}.csv", seed=4, with_solution=True, shard=f"{number}/2", resume=True
        )
        assert part.puzzles == [50, 0][number - 1]
    gridmill.merge_files([tmp_path / "1.csv", tmp_path / "2.csv"], tmp_path / "merged.csv")
    assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "made.csv").read_bytes()
    gridmill.generate_file(50, tmp_path / "made.parquet", seed=4, columns=["puzzle", "solution", "clues"])
    assert pyarrow.parquet.read_table(tmp_path / "made.parquet").column_names == ["puzzle", "solution", "clues"]


def test_files_give_the_rows_of_puzzles_in_memory(tmp_path: Path) -> None:
    made = gridmill.generate(2000, seed=8, clues=35, with_solution=True).to_arrow()
    pyarrow.parquet.write_table(made, tmp_path / "made.parquet", row_group_size=300)
    gridmill.solve_file(tmp_path / "made.parquet", tmp_path / "solved.parquet", keep=["solution"])
    rows = pyarrow.parquet.read_table(tmp_path / "solved.parquet")
    assert rows["solution"].to_pylist() == rows["input_solution"].to_pylist() == made["solution"].to_pylist()
    in_memory = gridmill.solve(made, keep=["solution"]).to_arrow()
    assert rows.schema.equals(in_memory.schema)
    assert rows.drop(["nanos"]).to_pylist() == in_memory.drop(["nanos"]).to_pylist()


def test_the_callback_gets_the_number_of_records(tmp_path: Path) -> None:
    calls: list[int] = []
    summary = gridmill.solve_file(ROOT / "data/easy.txt", str(tmp_path / "out.csv"), progress=calls.append)
    assert sum(calls) == summary.records == 1000
    calls.clear()
    report = gridmill.validate_file(ROOT / "data/easy.txt", tmp_path / "report.csv", progress=calls.append)
    assert sum(calls) == report.records == 1000


def test_a_scorecard_is_that_of_the_command(cli: Path, tmp_path: Path) -> None:
    mixed, easy = ROOT / "data/mixed.txt", ROOT / "data/easy.txt"
    ours = gridmill.validate_file(
        mixed,
        tmp_path / "ours.csv",
        minimal=True,
        duplicates=True,
        isomorphs=True,
        against=[easy],
        rejects=tmp_path / "rejects.txt",
        threads=2,
    )
    command = [cli, "validate", "-q", mixed, "--minimal", "--duplicates", "--isomorphs", "--against", easy]
    options = ["--threads", "2", "-o", tmp_path / "theirs.csv", "--summary", tmp_path / "card.json"]
    subprocess.run([*command, *options], check=False)
    theirs = json.loads((tmp_path / "card.json").read_text())
    # The command fails on some findings, which it names.
    assert without_times({**theirs, "failed_on": []}) == without_times(ours)
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()
    assert (tmp_path / "rejects.txt").stat().st_size > 0


def test_sound_records_are_copied_with_all_columns(tmp_path: Path) -> None:
    puzzles = gridmill.generate(3, seed=1).to_arrow()["puzzle"].to_pylist()
    rows = [f"{puzzle},{index}" for index, puzzle in enumerate([*puzzles, "53..7"])]
    (tmp_path / "in.csv").write_text("\n".join(["puzzle,id", *rows]) + "\n")
    other = gridmill.generate(1, seed=2).to_arrow()["puzzle"][0].as_py()
    (tmp_path / "other.txt").write_text(f"{other}\n")
    gridmill.validate_file(
        tmp_path / "in.csv",
        tmp_path / "report.csv",
        against=tmp_path / "other.txt",
        accepts=tmp_path / "good.csv",
        rejects=tmp_path / "bad.csv",
        keep=["id"],
    )
    assert (tmp_path / "good.csv").read_text().splitlines() == ["puzzle,id", *rows[:3]]
    assert (tmp_path / "bad.csv").read_text().splitlines() == ["puzzle,id", rows[3]]
    report = (tmp_path / "report.csv").read_text().splitlines()
    assert [row.rsplit(",", 1)[1] for row in report] == ["id", "0", "1", "2", "3"]
    with pytest.raises(ValueError, match="another extension"):
        gridmill.validate_file(tmp_path / "in.csv", tmp_path / "out.csv", accepts=tmp_path / "good.jsonl")


def test_broken_files_are_os_errors(tmp_path: Path) -> None:
    whole = gridmill.generate(2000, with_solution=True).to_arrow()
    pyarrow.parquet.write_table(whole, tmp_path / "whole.parquet")
    data = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(data[: len(data) // 2])
    (tmp_path / "cut.csv.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
    for name in ["cut.parquet", "cut.csv.gz", "missing.txt"]:
        with pytest.raises(OSError, match=name.replace(".", r"\.")):
            gridmill.solve_file(tmp_path / name, tmp_path / "out.csv")
    with pytest.raises(OSError, match="no-such-directory"):
        gridmill.solve_file(tmp_path / "whole.parquet", tmp_path / "no-such-directory/out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_an_output_that_is_an_input_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text("puzzle\n1.3..........4.2\n")
    with pytest.raises(ValueError, match=r"puzzles\.csv"):
        gridmill.solve_file(path, path)
    assert path.read_text() == "puzzle\n1.3..........4.2\n"
    with pytest.raises(ValueError, match="'x'"):
        gridmill.solve_file(path, tmp_path / "out.csv", puzzle_column="x")


def test_an_interrupted_run_is_resumed(tmp_path: Path) -> None:
    path, out, all_at_once = (tmp_path / name for name in ("puzzles.txt", "out.csv", "all.csv"))
    path.write_text((ROOT / "data/easy.txt").read_text() * 200)
    calls = 0

    def stop_later(_: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"engine": "dlx", "threads": 1}
    with pytest.raises(KeyboardInterrupt):
        gridmill.solve_file(path, out, progress=stop_later, **options)
    assert (tmp_path / "out.csv.partial").exists()
    summary = gridmill.solve_file(path, out, resume=True, **{**options, "threads": None})
    assert summary.resumed["records"] > 0
    assert summary.records == 200_000
    assert not all_at_once.exists()
