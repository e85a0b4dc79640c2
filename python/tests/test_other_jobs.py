"""validate, canonical, generate and isomorphs."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy
import polars
import pyarrow
import pytest

import gridmill


def wrong(puzzle: str, solution: str) -> str:
    """A full grid with the clues of the puzzle that is not the solution."""
    blank = puzzle.find(".")
    return solution[:blank] + str(int(solution[blank]) % 9 + 1) + solution[blank + 1 :]


def as_text(value: object) -> str:
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
    assert table.summary["verdicts"] == {verdict: verdicts.count(verdict) for verdict in table.summary["verdicts"]}
    assert {"sound", "wrong-answer", "malformed", "multiple"} <= set(verdicts)


def test_answers_come_in_any_kind(puzzles: list[str]) -> None:
    made = gridmill.generate(50, seed=3)
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
    train = gridmill.generate(100, seed=1)
    copies = gridmill.isomorphs(train, 1, seed=5)
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
    made = gridmill.generate(1)
    [puzzle], [solution] = made.to_list("puzzle"), made.to_list("solution")
    sound = gridmill.validate(puzzle, solution, minimal=True)
    assert (sound.verdict, sound.findings, sound.answer, sound.class_id) == ("sound", (), "right", None)
    assert gridmill.validate(puzzle, wrong(puzzle, solution)).verdict == "wrong-answer"
    assert len(gridmill.validate(puzzle, classes=True).class_id or "") == 32


def test_answers_must_be_as_many_as_puzzles() -> None:
    with pytest.raises(ValueError, match="2 puzzles and 1 answers"):
        gridmill.validate(["1", "2"], ["1"])
    with pytest.raises(ValueError, match="name the column with answer_column"):
        gridmill.validate(pyarrow.table({"puzzle": ["1"]}), ["1"])


def test_canonical_forms_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.canonical(puzzles)
    rows = rows_of("canon", puzzles)
    for name in ["puzzle", "canonical", "canonical_solution", "class", "automorphisms"]:
        assert [as_text(value) for value in table.to_list(name)] == [row[name] for row in rows], name
    single = gridmill.canonical(puzzles[0])
    assert (single.canonical, single.class_id) == (table.to_list("canonical")[0], table.to_list("class")[0])
    assert table.summary["malformed"] == gridmill.solve(puzzles).to_list("status").count("malformed")


def test_ratings_are_those_of_the_command_line(puzzles: list[str], rows_of: Any) -> None:
    table = gridmill.rate(puzzles, isomorphs=2, seed=3, max_er=2.5)
    rows = rows_of("rate", puzzles, "--isomorphs", "2", "--seed", "3", "--max-er", "2.5")
    for name in ["puzzle", "status", "ep", "ed", "level", "hardest", "steps", "techniques", "detail"]:
        assert [as_text(value) for value in table.to_list(name)] == [row[name] for row in rows], name
    assert [as_text(er) for er in table.to_list("er")] == ["" if row["er"][:1] == ">" else row["er"] for row in rows]
    assert [guesses for guesses in table.to_list("guesses") if guesses is not None]
    assert "techniques" not in gridmill.rate(puzzles, only_er=True, max_er=2.5).columns
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
    table = gridmill.generate(20, seed=9, clues=30)
    assert [table.columns, *map(list, zip(table.to_list("puzzle"), table.to_list("solution"), strict=True))] == lines
    assert gridmill.generate(20, seed=9, clues=30, solutions=False, threads=1).to_list("puzzle") == table.to_list(
        "puzzle"
    )
    assert table.summary["puzzles"] == 20
    assert len(gridmill.generate(0)) == 0
    with pytest.raises(ValueError, match="the fewest known are 17"):
        gridmill.generate(1, clues=16)


def test_isomorphs_are_the_same_puzzle_in_another_guise(puzzles: list[str]) -> None:
    copies = gridmill.isomorphs(puzzles, 3, seed=4)
    assert copies.columns == ["line", "puzzle", "solution", "detail"]
    assert copies.to_list("line") == [line for line in range(1, len(puzzles) + 1) for _ in range(3)]
    originals = [puzzle for puzzle in puzzles for _ in range(3)]
    solved, again = gridmill.solve(originals), gridmill.solve(copies.to_list("puzzle"))
    assert again.to_list("status") == solved.to_list("status")
    assert copies.to_list("solution") == again.to_list("solution")
    assert gridmill.canonical(originals).to_list("class") == gridmill.canonical(copies).to_list("class")
    malformed = [status == "malformed" for status in solved.to_list("status")]
    assert [puzzle is None for puzzle in copies.to_list("puzzle")] == malformed
    assert gridmill.isomorphs(puzzles, 3, seed=4).to_list("puzzle") == copies.to_list("puzzle")
    assert gridmill.isomorphs(puzzles, 3, seed=5).to_list("puzzle") != copies.to_list("puzzle")
    assert len(set(gridmill.isomorphs(puzzles[0], 1000).to_list("puzzle"))) == 1000


def test_isomorphs_keep_the_symbol_for_a_blank() -> None:
    with_zeros = gridmill.isomorphs("1030000000000402", 5)
    assert all(set(text) <= set("01234") for text in with_zeros.to_list("puzzle"))
    large = gridmill.generate(1, order=4, clues=150)
    copies = gridmill.isomorphs(large.to_list("puzzle")[0], 2)
    assert (numpy.sort(copies.to_numpy("solution")) == numpy.sort(large.to_numpy("solution"))).all()
