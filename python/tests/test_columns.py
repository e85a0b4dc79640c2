"""Expressions of Polars, functions of SQL and series of pandas have the columns of the functions; certificates."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pytest

import gridmill
import gridmill.pandas
import gridmill.polars

ROOT = Path(__file__).resolve().parents[2]
ANSWERS = ["1234432121433412", "4" * 16, None, "no"]
PUZZLES = ["1.3..........4.2", "1...............", None, "x"]


@pytest.fixture(scope="module")
def expected() -> dict[str, list[object]]:
    puzzles = [*PUZZLES, *(ROOT / "data/easy.txt").read_text().split()[:20]]
    answers = [*ANSWERS, *puzzles[4:]]
    return {
        "puzzle": puzzles,
        "answer": answers,
        "solve": gridmill.solve(puzzles)["solution"],
        "status": gridmill.solve(puzzles)["status"],
        "count": gridmill.count(puzzles)["solutions"],
        "clues": gridmill.convert(puzzles)["clues"],
        "er": gridmill.rate(puzzles)["er"],
        "level": gridmill.rate(puzzles)["level"],
        "key": gridmill.canonical(puzzles)["class"],
        "verdict": gridmill.validate(puzzles, answers)["verdict"],
        "score": gridmill.score(puzzles, answers)["score"],
    }


def test_expressions_of_polars(expected: dict[str, list[object]]) -> None:
    puzzle, answer = polars.col("puzzle"), polars.col("answer")
    frame = polars.LazyFrame({"puzzle": expected["puzzle"], "answer": expected["answer"]})
    made = frame.with_columns(
        puzzle.gridmill.solve(),  # type: ignore[attr-defined]
        *(getattr(puzzle.gridmill, name)() for name in ("status", "count", "clues", "er", "level")),  # type: ignore[attr-defined]
        puzzle.gridmill.key(),  # type: ignore[attr-defined]
        puzzle.gridmill.verdict(answer),  # type: ignore[attr-defined]
        puzzle.gridmill.score(answer),  # type: ignore[attr-defined]
    )
    types = dict(made.collect_schema())
    assert {types[name] for name in ("solve", "status", "level", "key", "verdict")} == {polars.String}
    assert {types[name] for name in ("count", "clues")} == {polars.Int64}
    assert {types[name] for name in ("er", "score")} == {polars.Float64}
    assert made.collect().to_dict(as_series=False) == expected
    assert made.collect(engine="streaming").to_dict(as_series=False) == expected
    alone = frame.select(puzzle.gridmill.verdict(), puzzle.gridmill.solve(first=True))  # type: ignore[attr-defined]
    assert alone.collect()["verdict"].to_list() == gridmill.validate(expected["puzzle"])["verdict"]  # type: ignore[call-overload]


def test_functions_of_sql(expected: dict[str, list[object]]) -> None:
    connection = duckdb.connect()
    for another in (connection, connection, connection.cursor()):
        gridmill.duckdb.register(another)
    frame = polars.DataFrame({"puzzle": expected["puzzle"], "answer": expected["answer"]})
    one = [f"gridmill_{name}(puzzle) AS {name}" for name in ("solve", "status", "count", "clues", "er", "level")]
    made = connection.sql(
        f"SELECT *, {', '.join(one)}, gridmill_class(puzzle) AS key, gridmill_verdict(puzzle, answer) AS verdict, "
        "gridmill_score(puzzle, answer) AS score FROM frame"
    )
    assert made.pl().to_dict(as_series=False) == expected
    assert len(frame) == 24


def test_functions_of_sql_take_options() -> None:
    connection = duckdb.connect()
    gridmill.duckdb.register(connection)

    def value(call: str) -> object:
        return connection.sql(f"SELECT gridmill_{call}").fetchall()[0][0]

    puzzle, almost = "'1.3..........4.2'", "'1234432121433422'"
    assert value(f"score({puzzle}, {almost})") == 0.916666
    assert value(f"score({puzzle}, {almost}, 'formula=exact')") == 0
    assert value("count('1...............', 'limit=7')") == 7
    assert value("solve('1...............', 'first=true')") is not None
    assert value("solve(NULL)") is None
    for call, message in [
        (f"score({puzzle})", "gridmill_score takes a puzzle and an answer"),
        (f"er({puzzle}, 'mx_er=1')", "unexpected keyword argument 'mx_er'; did you mean max_er?"),
        (f"er({puzzle}, 5)", "an option must be a text such as 'limit=5', the same for all rows, not 5"),
        ("count(p, p) FROM (VALUES ('limit=2'), ('limit=3')) AS t(p)", "the same for all rows"),
    ]:
        with pytest.raises(duckdb.Error, match=re.escape(message)):
            value(call)


def test_series_of_pandas(expected: dict[str, list[object]]) -> None:
    names = [f"n{number}" for number in range(24)]
    puzzles, answers = (pandas.Series(expected[name], index=names, dtype="str") for name in ("puzzle", "answer"))
    made = {
        "solve": puzzles.gridmill.solve(),  # type: ignore[attr-defined]
        **{name: getattr(puzzles.gridmill, name)() for name in ("status", "count", "clues", "er", "level")},  # type: ignore[attr-defined]
        "key": puzzles.gridmill.key(),  # type: ignore[attr-defined]
        "verdict": puzzles.gridmill.verdict(answers),  # type: ignore[attr-defined]
        "score": puzzles.gridmill.score(answers),  # type: ignore[attr-defined]
    }
    for name, series in made.items():
        assert list(series.index) == names
        assert [None if pandas.isna(value) else value for value in series] == expected[name]


@pytest.fixture(scope="module")
def sets() -> dict[str, gridmill.Table]:
    made = gridmill.generate(60, seed=1, with_solution=True, distinct=True)
    return {"train": made[:40], "test": made[40:], "copies": gridmill.augment(made[:10], 1, seed=1)}


def test_a_test_set_is_certified(sets: dict[str, gridmill.Table], tmp_path: Path, cli: Path) -> None:
    files = [tmp_path / name for name in ("train.csv", "test.csv", "copies.csv")]
    for name, file in zip(("train", "test", "copies"), files, strict=True):
        sets[name].to_csv(file)
    gridmill.classes_file(files[0], tmp_path / "train.classes")
    trains: list[Any] = [sets["train"], files[0], str(files[0]), [files[0]], (tmp_path / "train.classes",)]
    halves = [sets["train"][:20].to_pandas(), sets["train"][20:].to_pandas()]
    trains += [halves, [files[0], tmp_path / "train.classes"]]
    for train in trains:
        certificate = gridmill.certify(sets["test"], train)
        assert certificate.passed, certificate.failures
        assert certificate
        assert (certificate.records, certificate.one_solution, certificate.right_answers) == (20, 20, 20)
        assert certificate.repeated_share == 0
        leaking = gridmill.certify(test=sets["copies"], train=train)
        assert not leaking
        assert leaking.repeated == {"exact": 0, "isomorph": 10, "solution": 0}
        assert leaking.repeated_share == 1
        assert leaking.failures == ["10 records: an isomorph is in the training set"]
    assert repr(leaking).startswith("# Certificate: failed\n\n- failure: 10 records: an isomorph")
    rated = gridmill.certify(sets["test"], files[0], ratings=True)
    assert sum(rated.levels.values()) == 20  # type: ignore[union-attr]
    assert [(file["set"], file["name"], file["puzzles"]) for file in rated.files] == [
        ("test", "memory", 20),
        ("training", str(files[0]), 40),
    ]
    # The command gives the same certificate, at another time.
    for test, code in [(files[1], 0), (files[2], 1)]:
        arguments: list[str | Path] = [cli, "certify", test, "--train", files[0], "-q"]
        run = subprocess.run(arguments, capture_output=True, text=True)
        assert (run.returncode, run.stderr) == (code, "")
        page = gridmill.certify(test, files[0]).page
        assert run.stdout.splitlines()[:-1] == page.splitlines()[:-1]


def test_a_check_that_could_not_be_done_is_a_failure(sets: dict[str, gridmill.Table]) -> None:
    alone = gridmill.certify(sets["test"][["puzzle"]], sets["train"])
    assert alone.failures == ["20 records: without an answer"]
    assert (alone.scorecard.unanswered, alone.scorecard.unread) == (20, [])
    wrong = [sets["test"]["solution"][1], *sets["test"]["solution"][1:]]
    table = {"puzzle": sets["test"]["puzzle"], "solution": wrong}
    assert gridmill.certify(table, sets["train"]).failures == [
        "1 record: the answer is missing or not full, or changes a clue"
    ]
    large = gridmill.generate(1, size="16x16", seed=1, with_solution=True)
    assert not gridmill.certify(large, large)
    nothing = gridmill.certify(sets["test"][:0], sets["train"])
    assert not nothing
    assert (nothing.repeated_share, nothing.largest_class) == (None, None)
    # A test solution in another column of the training set, and a puzzle, which is not compared.
    train = {"puzzle": sets["train"]["puzzle"][:20], "gold": sets["test"]["solution"], "aug": sets["test"]["puzzle"]}
    leaking = gridmill.certify(sets["test"], train)
    assert leaking.repeated["solution"] == 20
    assert leaking.failures[1].startswith("column 'aug' of memory has puzzles not compared")


def test_malformed_records_to_compare_with_do_not_pass(sets: dict[str, gridmill.Table]) -> None:
    puzzles = list(sets["train"]["puzzle"])
    words = "1 of 41 records of memory is malformed; it is on line 1: 1 cell"
    report = gridmill.validate(sets["test"], against=["x", *puzzles]).report
    assert report.failed_on == ["unread"]
    assert [text.split("; a puzzle")[0] for text in report.unread] == [words]
    assert not gridmill.certify(sets["test"], ["x", *puzzles])
    assert gridmill.certify(sets["test"], ["x", *puzzles], allow_malformed=True)
    assert gridmill.validate(sets["test"], against=["x", *puzzles], allow_malformed=True).report.failed_on == []
    for call in [
        lambda **options: gridmill.validate(sets["test"], against=["x"] * 41 + puzzles, **options),
        lambda **options: gridmill.certify(sets["test"], ["x"] * 41 + puzzles, **options),
        lambda **options: gridmill.generate(1, not_in=["x", *puzzles], **options),
    ]:
        with pytest.raises(ValueError, match=r"records of memory .*; allow_malformed leaves them out"):
            call()
        assert call(allow_malformed=True)


def test_findings_that_fail_are_named(sets: dict[str, gridmill.Table], tmp_path: Path) -> None:
    def failed(**options: object) -> list[str]:
        return gridmill.validate(sets["copies"], **options).report.failed_on  # type: ignore[call-overload, no-any-return]

    assert failed(against=sets["train"]) == []
    assert failed(against=sets["train"], fail_on="leak") == ["leak-isomorph"]
    assert failed(against=sets["train"], fail_on=["multiple", "leak-exact"]) == []
    assert failed(against=sets["train"], fail_on="all") == ["leak-isomorph"]
    for options, message in [
        ({"fail_on": "leak"}, "fail_on leak needs against"),
        ({"fail_on": "audit"}, "fail_on audit needs audit"),
        ({"fail_on": "leek"}, "fail_on: no finding is called 'leek'"),
    ]:
        with pytest.raises(ValueError, match=message):
            failed(**options)
    (tmp_path / "in.txt").write_text("1...............\n")
    report = gridmill.validate_file(tmp_path / "in.txt", tmp_path / "out.csv", fail_on="multiple")
    assert report.failed_on == ["multiple"]
