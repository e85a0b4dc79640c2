"""validate, canonical, generate and isomorphs."""

from __future__ import annotations

import functools
import json
import subprocess
from pathlib import Path
from typing import Any

import numpy
import polars
import pyarrow.parquet
import pytest

import gridmill


def wrong(puzzle: str, solution: str) -> str:
    """A full grid with the clues of the puzzle that is not the solution."""
    blank = puzzle.find(".")
    return solution[:blank] + str(int(solution[blank]) % 9 + 1) + solution[blank + 1 :]


def as_text(value: object) -> str:
    if isinstance(value, list):
        return ";".join(value)
    return "" if value is None else str(value)


def test_verdicts_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    solutions = [solution or "?" for solution in gridmill.solve(puzzles).to_list("solution")]
    pairs = enumerate(zip(puzzles, solutions, strict=True))
    answers = [
        wrong(*pair) if index % 3 == 0 and "." in pair[0] and len(pair[1]) == 81 else pair[1] for index, pair in pairs
    ]
    table = gridmill.validate(puzzles, answers, minimal=True, duplicates=True, isomorphs=True)
    rows = rows_of("validate", puzzles, "--minimal", "--duplicates", "--isomorphs", solution=answers)
    for name in ["puzzle", "verdict", "findings", "clues", "solutions", "answer", "class"]:
        assert [as_text(value) for value in table.to_list(name)] == [row[name] for row in rows], name
    verdicts = table.to_list("verdict")
    assert table.report.verdicts == {verdict: verdicts.count(verdict) for verdict in table.report.verdicts}
    assert {"sound", "wrong-answer", "malformed", "multiple"} <= set(verdicts)


def test_answers_come_in_any_kind(puzzles: list[str]) -> None:
    made = gridmill.generate(50, seed=3, with_solution=True)
    right = ["right"] * 50
    texts, cells = made.to_list("solution"), made.to_numpy("solution")
    halves = pyarrow.chunked_array([texts[:7], [], texts[7:]])
    for answers in (texts, cells, cells.reshape(-1, 9, 9), polars.Series(texts), halves):
        assert gridmill.validate(made.to_numpy("puzzle"), answers).to_list("answer") == right
        assert gridmill.validate(made.to_list("puzzle"), answers).to_list("answer") == right
    assert gridmill.validate(made).to_list("answer") == right
    frame = polars.DataFrame({"q": made.to_list("puzzle"), "a": texts[1:] + texts[:1]})
    judged = gridmill.validate(frame, puzzle_column="q", answer_column="a")
    assert set(judged.to_list("answer")) <= {"wrong", "bad"}


def test_leaks_are_found(puzzles: list[str]) -> None:
    train = gridmill.generate(100, seed=1, with_solution=True)
    copies = gridmill.augment(train, 1, seed=5)
    test = [
        *copies.to_list("puzzle")[:10],
        *train.to_list("puzzle")[:10],
        *gridmill.generate(5, seed=2).to_list("puzzle"),
    ]
    verdicts = ["leak-isomorph"] * 10 + ["leak-exact"] * 10 + ["sound"] * 5
    for against in (train, train.to_list("puzzle"), train.to_numpy("puzzle")):
        assert gridmill.validate(test, against=against).to_list("verdict") == verdicts
    assert gridmill.validate(test[0], against=train).findings[0] == "leak-isomorph"
    with pytest.raises(ValueError, match="cannot look for leaks"):
        gridmill.validate(test, against=["nonsense"])


def test_one_text_has_one_verdict() -> None:
    made = gridmill.generate(1, with_solution=True)
    [puzzle], [solution] = made.to_list("puzzle"), made.to_list("solution")
    sound = gridmill.validate(puzzle, solution, minimal=True)
    assert (sound.verdict, sound.findings, sound.answer, sound.class_id) == ("sound", (), "right", None)
    assert gridmill.validate(puzzle, wrong(puzzle, solution)).verdict == "wrong-answer"
    assert len(gridmill.validate(puzzle, classes=True).class_id or "") == 32


def test_an_audit_is_that_of_the_command_line(cli: Path, tmp_path: Path) -> None:
    made = gridmill.generate(300, seed=3, with_solution=True)
    source = tmp_path / "in.csv"
    gridmill.generate_file(300, source, seed=3, with_solution=True)
    summary = tmp_path / "summary.json"
    subprocess.run(
        [cli, "validate", source, "-q", "--audit", "--summary", summary, "-o", tmp_path / "rows"], check=True
    )
    audit = json.loads(summary.read_text())["audit"]
    report = gridmill.validate_file(source, tmp_path / "rows", audit=True)
    assert report.audit == audit
    assert audit["alarms"] == []
    assert gridmill.validate(made).report.audit is None

    copied = gridmill.validate(3 * made.to_list("puzzle"), audit=True, columns=["line"])
    assert copied.report.audit is not None
    assert [alarm["alarm"] for alarm in copied.report.audit["alarms"]] == ["few-grids", "repeated-puzzles"]
    rated = gridmill.validate(made, audit=True, audit_ratings=True).report.audit
    assert rated is not None
    assert sum(rated["ratings"]["levels"].values()) == 300


def test_an_audit_is_of_several_puzzles_in_one_run(tmp_path: Path) -> None:
    [puzzle] = gridmill.generate(1).to_list("puzzle")
    with pytest.raises(ValueError, match="audit is for several puzzles"):
        gridmill.validate(puzzle, audit=True)
    with pytest.raises(ValueError, match="audit_ratings and alarms need audit"):
        gridmill.validate([puzzle], audit_ratings=True)
    source = tmp_path / "in.txt"
    source.write_text(puzzle)
    for options, words in [({"shard": "1/2"}, "needs the complete corpus"), ({"resume": True}, "cannot be resumed")]:
        with pytest.raises(ValueError, match=words):
            gridmill.validate_file(source, tmp_path / "out.csv", audit=True, **options)


def test_answers_must_be_as_many_as_puzzles() -> None:
    with pytest.raises(ValueError, match="2 puzzles and 1 answers"):
        gridmill.validate(["1", "2"], ["1"])
    with pytest.raises(ValueError, match="name the column with answer_column"):
        gridmill.validate(pyarrow.table({"puzzle": ["1"]}), ["1"])


@pytest.mark.parametrize("size", ["4x4", "6x6"])
def test_isomorphs_of_small_sizes_are_recognised(size: str) -> None:
    puzzles = gridmill.generate(10, size=size, seed=1, distinct=True).to_list("puzzle")
    copies = gridmill.augment(puzzles, 1).to_list("puzzle")
    classes = gridmill.canonical(puzzles).to_list("class")
    assert classes == gridmill.canonical(copies).to_list("class")
    assert len(set(classes)) == 10
    assert gridmill.canonical(copies[0]).class_id == classes[0]
    leaks = gridmill.validate(copies, against=puzzles)
    assert set(leaks.to_list("verdict")) <= {"leak-isomorph", "leak-exact"}
    assert len(gridmill.dedupe([*puzzles, *copies])) == 10


def test_other_sizes_have_no_canonical_form() -> None:
    for cells in [64, 100, 144, 256, 625]:
        form = gridmill.canonical("." * cells)
        assert (form.canonical, form.class_id) == (None, None)
        assert form.detail == "only 4x4, 6x6 and 9x9 puzzles have a canonical form"
    with pytest.raises(ValueError, match="isomorphs are recognised among 4x4, 6x6 and 9x9 puzzles, not among 8x8 ones"):
        gridmill.generate(1, size="8x8", distinct=True)


def test_canonical_forms_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.canonical(puzzles)
    rows = rows_of("canon", puzzles)
    for name in ["puzzle", "canonical", "canonical_solution", "class", "automorphisms"]:
        assert [as_text(value) for value in table.to_list(name)] == [row[name] for row in rows], name
    single = gridmill.canonical(puzzles[0])
    assert (single.canonical, single.class_id) == (table.to_list("canonical")[0], table.to_list("class")[0])
    assert table.report.malformed == gridmill.solve(puzzles).to_list("status").count("malformed")


def test_ratings_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.rate(puzzles, max_er=2.5)
    rows = rows_of("rate", puzzles, "--max-er", "2.5")
    for name in ["puzzle", "status", "ep", "ed", "level", "hardest", "steps", "techniques", "detail"]:
        assert [as_text(value) for value in table.to_list(name)] == [row[name] for row in rows], name
    assert [as_text(er) for er in table.to_list("er")] == ["" if row["er"][:1] == ">" else row["er"] for row in rows]
    assert "techniques" not in gridmill.rate(puzzles, only="er", max_er=2.5).columns
    assert table.to_numpy("er").dtype == numpy.float64


def test_one_text_has_one_rating_and_its_steps() -> None:
    puzzle = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83.........."
    rated = gridmill.rate(puzzle)
    assert (rated.er, rated.ep, rated.ed, rated.level, rated.steps) == (2.6, 1.2, 1.2, "medium", 57)
    assert rated.techniques == {"Hidden Single": 52, "Direct Hidden Pair": 4, "Pointing": 1}
    steps = gridmill.steps([puzzle, "rubbish"])
    assert steps.to_list("step") == list(range(1, 58))
    assert max(steps.to_list("difficulty")) == rated.er
    assert all(len(placed) == 1 for placed in steps.to_list("placements")[:10])
    assert {len(candidates) for candidates in steps.to_list("candidates")} == {729}
    assert gridmill.rate("rubbish").techniques == {}
    with pytest.raises(ValueError, match="max_er must be from 0 to 20"):
        gridmill.rate(puzzle, max_er=21)


def test_generated_puzzles_are_those_of_the_command_line(cli: Any) -> None:
    text = subprocess.check_output(
        [cli, "generate", "-n", "20", "--seed", "9", "--clues", "30", "--with-solution", "-q"]
    )
    lines = [line.split(",") for line in text.decode().splitlines()]
    table = gridmill.generate(20, seed=9, clues=30, with_solution=True)
    assert [table.columns, *map(list, zip(table.to_list("puzzle"), table.to_list("solution"), strict=True))] == lines
    assert gridmill.generate(20, seed=9, clues=30, threads=1).to_list("puzzle") == table.to_list("puzzle")
    assert table.report.puzzles == 20
    assert len(gridmill.generate(0)) == 0
    with pytest.raises(ValueError, match="the fewest known are 17"):
        gridmill.generate(1, clues=16)


def test_isomorphs_are_the_same_puzzle_in_another_guise(puzzles: list[str]) -> None:
    solved = gridmill.solve(puzzles)
    unique = [status == "unique" for status in solved.to_list("status")]
    copies = gridmill.augment(solved, 3, seed=4, origin=True)
    assert copies.columns == ["puzzle", "solution", "origin"]
    lines = [line for line, is_unique in enumerate(unique, 1) if is_unique for _ in range(3)]
    assert copies.to_list("origin") == lines
    assert copies.report.malformed == solved.to_list("status").count("malformed")
    assert copies.report.unanswered == len(puzzles) - sum(unique) - copies.report.malformed
    again = gridmill.solve(copies.to_list("puzzle"))
    assert set(again.to_list("status")) == {"unique"}
    assert again.to_list("solution") == copies.to_list("solution")
    originals = [puzzles[line - 1] for line in lines]
    assert gridmill.canonical(originals).to_list("class") == gridmill.canonical(copies).to_list("class")
    assert gridmill.augment(solved, 3, seed=5).to_list("puzzle") != copies.to_list("puzzle")
    assert len(set(gridmill.augment(puzzles[0], 1000).to_list("puzzle"))) == 1000
    relabelled = gridmill.augment(puzzles[0], 5, kind=["digits"], original=True).to_list("puzzle")
    assert relabelled[0] == puzzles[0]
    assert len({tuple(symbol == "." for symbol in puzzle) for puzzle in relabelled}) == 1
    with pytest.raises(ValueError, match="no kind of isomorphs is called 'rotate'; there are digits, rows"):
        gridmill.augment(puzzles, 1, kind=["rotate"])


def test_puzzles_with_wrong_answers_have_no_isomorphs(tmp_path: Path) -> None:
    puzzle, answer = "1.3..........4.2", "1234432121433412"
    source = tmp_path / "answers.csv"
    source.write_text(f"puzzle,solution\n{puzzle},{answer}\n{puzzle},{wrong(puzzle, answer)}\n")
    summary = gridmill.augment_file(source, tmp_path / "copies.csv", copies=2)
    assert (summary.puzzles, summary.copies, summary.wrong_answers) == (1, 2, 1)
    summary = gridmill.augment_file(source, tmp_path / "copies.csv", copies=2, unchecked=True)
    assert (summary.puzzles, summary.copies, summary.wrong_answers) == (2, 4, 0)


def test_isomorphs_are_those_of_the_command_line(puzzles: list[str], cli: Path, tmp_path: Path) -> None:
    source, rows = tmp_path / "puzzles.parquet", tmp_path / "rows.parquet"
    for table in (gridmill.solve(puzzles, columns=["puzzle"]), gridmill.solve(puzzles)):
        pyarrow.parquet.write_table(table.to_arrow(), source)
        options = ["--copies", "3", "--seed", "4", "--origin", "-q", "-o", rows]
        subprocess.run([cli, "augment", source, *options], check=True)
        theirs = pyarrow.parquet.read_table(rows).to_pylist()
        assert gridmill.augment(table, 3, seed=4, origin=True).to_arrow().to_pylist() == theirs
        report = gridmill.augment_file(source, rows, 3, seed=4, origin=True)
        assert pyarrow.parquet.read_table(rows).to_pylist() == theirs
        assert report.copies == len(theirs)


def test_isomorphs_keep_the_symbol_for_a_blank() -> None:
    with_zeros = gridmill.augment("1030000000000402", 5)
    assert all(set(text) <= set("01234") for text in with_zeros.to_list("puzzle"))
    large = gridmill.generate(1, size="16x16", clues=150, with_solution=True)
    copies = gridmill.augment(large, 2)
    assert (numpy.sort(copies.to_numpy("solution")) == numpy.sort(large.to_numpy("solution"))).all()


@pytest.mark.parametrize(
    ("function", "columns"),
    [
        (gridmill.solve, ["solution", "line"]),
        (gridmill.count, ["solutions"]),
        (gridmill.validate, ["findings", "verdict", "file"]),
        (gridmill.canonical, ["class", "detail"]),
        (gridmill.rate, ["er", "techniques"]),
        (gridmill.steps, ["technique", "step", "eliminations"]),
        (functools.partial(gridmill.augment, copies=1), ["origin", "puzzle"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_columns_are_chosen_and_others_kept(puzzles: list[str], function: Any, columns: list[str]) -> None:
    table = pyarrow.table({"puzzle": puzzles[:8], "source": pyarrow.array(range(8), pyarrow.int16())})
    rows = function(table, columns=columns, keep=["source"]).to_arrow()
    assert rows.column_names == [*columns, "source"]
    assert rows.schema.field("source").type == pyarrow.int16()
    assert set(rows["source"].to_pylist()) <= set(range(8))
    everything = function(table, columns=[*columns, "puzzle"] if "puzzle" not in columns else columns).to_arrow()
    assert everything.select(columns) == rows.select(columns)
    with pytest.raises(ValueError, match="there is no column 'x'; the columns are "):
        function(table, columns=["x"])


def test_generated_puzzles_differ_and_have_columns() -> None:
    table = gridmill.generate(20, seed=1, distinct=True, columns=["clues", "puzzle"], with_solution=True)
    assert table.columns == ["clues", "puzzle"]
    clues = [81 - puzzle.count(".") for puzzle in table.to_list("puzzle")]
    assert table.to_list("clues") == clues


def test_lists_are_lists() -> None:
    puzzle = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83.........."
    steps = gridmill.steps(puzzle).to_arrow()
    for name in ("cells", "houses", "eliminations", "placements", "implications"):
        assert steps.schema.field(name).type == pyarrow.list_(pyarrow.field("item", pyarrow.string(), False)), name
    findings = gridmill.validate(["nonsense", puzzle], minimal=True, duplicates=True).to_list("findings")
    assert findings[0] == ["malformed"]
    assert isinstance(findings[1], list)


def test_traces_are_lists() -> None:
    puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7.."
    assert gridmill.solve(puzzle).solution is not None
    for style in ["technique", "search", "order"]:
        [row] = gridmill.trace(puzzle, style=style)
        grid = [0 if symbol == "." else int(symbol) for symbol in puzzle]
        for cell, value, technique in zip(row["cells"], row["values"], row["techniques"], strict=True):
            if technique:
                grid[cell] = value
        assert "".join(map(str, grid)) == row["solution"] == gridmill.solve(puzzle).solution

    table = gridmill.trace(["1.3..........4.2", "1...............", "rubbish"]).to_arrow()
    assert table.schema.field("cells").type == pyarrow.list_(pyarrow.uint64())
    assert table["kinds"].to_pylist() == [[], [], []]
    assert table["detail"][0].as_py() == "only 9x9 puzzles have a trace by techniques"
    with pytest.raises(ValueError, match="style"):
        gridmill.trace(puzzle, style="other")


def test_traces_are_written(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("1.3..........4.2\n")
    # A text may have any name.
    texts = [("out.txt", None), ("out.md", "text"), ("out.csv", "text"), ("out", "text")]
    for name, to in [*texts, ("out.jsonl", None), ("out.parquet", None)]:
        report = gridmill.trace_file(tmp_path / "in.txt", tmp_path / name, style="search", to=to)
        assert report.records == 1
    for name, _ in texts:
        assert (tmp_path / name).read_text().startswith("1.3..........4.2\nstart\nr")
    gridmill.trace_file(tmp_path / "in.txt", tmp_path / "out.npy", style="order")
    assert numpy.load(tmp_path / "out.npy").shape == (1, 325)
    with pytest.raises(ValueError, match="order of placements"):
        gridmill.trace_file(tmp_path / "in.txt", tmp_path / "other.npy")
