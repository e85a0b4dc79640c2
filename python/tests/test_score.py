"""Scores of answers, compared with the command line and with a search through all 4x4 grids; and hostile texts."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridmill

PAGE = (Path(__file__).resolve().parents[2] / "docs/models.md").read_text()

PUZZLE, SOLUTION = "1.3..........4.2", "1234432121433412"
SEVERAL, STORED, OTHER = ".2.4.4.221434321", "1234341221434321", "3214143221434321"
"""A puzzle with two solutions: 1 and 3 can change places in two rows."""

NINE = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7.."


def lines(grid: str, between: str = " ") -> str:
    side = round(len(grid) ** 0.5)
    return "\n".join(between.join(grid[start : start + side]) for start in range(0, len(grid), side))


def answers_to(puzzle: str) -> list[str]:
    """Answers of all kinds to a puzzle."""
    solution = gridmill.solve(puzzle, first=True).solution or puzzle.replace(".", "1")
    changed = solution[::-1]
    wrong = "".join(a if a != "." else b for a, b in zip(puzzle, solution[1:] + solution[0], strict=True))
    partial = "".join(b if index % 3 else a for index, (a, b) in enumerate(zip(puzzle, solution, strict=True)))
    table = "".join(f"| {number} | {row} |\n" for number, row in enumerate(lines(solution, " | ").split("\n"), 1))
    return [
        *("", "I do not know.", solution, wrong, changed, partial, puzzle, solution[1:], lines(wrong), table),
        *(f"{wrong} no: <answer>\n{lines(solution)}\n</answer>", f"\\boxed{{{partial}}} and {solution}", "\ud800\0é"),
        *(f"é{lines(wrong)}\n\n{lines(solution)}", json.dumps([list(map(int, row)) for row in [solution[:4]] * 4])),
    ]


@pytest.mark.parametrize("formula", ["blanks", "cells", "exact", "sudoku-bench"])
def test_rows_are_those_of_the_command_line(formula: str, rows_of: Callable[..., Any], puzzles: list[str]) -> None:
    wanted = [PUZZLE, SEVERAL, "1...............", "11..............", "x", *puzzles[:12], NINE]
    pairs = [(puzzle, answer) for puzzle in wanted for answer in answers_to(puzzle if len(puzzle) > 9 else PUZZLE)]
    given, responses = [puzzle for puzzle, _ in pairs], [answer for _, answer in pairs]
    table = gridmill.score(given, responses, formula=formula)
    # A file is text: no lone surrogates.
    texts = [answer.replace("\ud800", "\ufffd\ufffd\ufffd") for answer in responses]
    expected = rows_of("score", given, "--formula", formula, response=texts)
    assert len(expected) == len(table) == len(pairs)
    for index, (row, theirs, (puzzle, answer)) in enumerate(zip(table, expected, pairs, strict=True)):
        found = {name: value for name, value in row.items() if name != "line"}
        shown = {
            name: f"{value:.6f}" if name == "score" else str(value)
            for name, value in found.items()
            if value is not None
        }
        assert shown == {name: theirs[name] for name in found if theirs[name]}, (index, answer)
        # One call has the row of the table.
        assert gridmill.score(puzzle, answer, formula=formula)._asdict() == found
    verdicts = {verdict for verdict, count in table.report.verdicts.items() if count}
    assert verdicts == {"solved", "wrong", "changed", "incomplete", "no-grid", "none", "malformed"}
    assert 0 < table.report.mean_score < 1


def test_answers_are_read_from_every_table(tmp_path: Path) -> None:
    columns = {"puzzle": [PUZZLE, PUZZLE, PUZZLE], "completion": [SOLUTION, None, lines(SOLUTION)], "id": [7, 8, 9]}
    expected = ["solved", "no-grid", "solved"]
    frame = polars.DataFrame(columns)
    for table in (frame, pyarrow.table(columns)):
        assert gridmill.score(table)["verdict"] == expected
        assert gridmill.score(table, keep=["id"])["id"] == [7, 8, 9]
    assert gridmill.score(frame, response_column="puzzle")["verdict"] == ["incomplete"] * 3
    for responses in (tuple(columns["completion"]), frame["completion"], numpy.array(columns["completion"])):
        assert gridmill.score(columns["puzzle"], responses)["verdict"] == expected  # type: ignore[call-overload]
    cells = numpy.array([[int(digit) for digit in SOLUTION]] * 3)
    assert gridmill.score(frame["puzzle"], cells)["verdict"] == ["solved"] * 3
    assert gridmill.score(numpy.zeros((3, 16), int), cells.reshape(3, 4, 4))["verdict"] == ["solved"] * 3

    frame.write_parquet(tmp_path / "in.parquet")
    report = gridmill.score_file(tmp_path / "in.parquet", tmp_path / "scores.csv", formula="exact", keep=["id"])
    assert (report.verdicts["solved"], report.scored, report.mean_score) == (2, 3, 2 / 3)
    assert gridmill.read_csv(tmp_path / "scores.csv")["score"] == [1.0, 0.0, 1.0]
    for shard in ("1/2", "2/2"):
        gridmill.score_file(tmp_path / "in.parquet", tmp_path / f"{shard[0]}.csv", shard=shard)
    merged = gridmill.merge_files([tmp_path / "1.csv", tmp_path / "2.csv"], tmp_path / "all.csv")
    assert isinstance(merged, gridmill.ScoreReport)
    assert merged.verdicts["no-grid"] == 1
    assert gridmill.Puzzle(PUZZLE).score(SOLUTION).verdict == "solved"


def every_grid() -> list[str]:
    """All 4x4 grids, found by trying all rows."""
    rows = ["".join(row) for row in itertools.permutations("1234")]

    def follows(above: tuple[str, ...], row: str) -> bool:
        in_columns = all(a != b for other in above for a, b in zip(other, row, strict=True))
        return in_columns and (len(above) % 2 == 0 or not set(above[-1][:2]) & set(row[:2]))

    grids: list[tuple[str, ...]] = [()]
    for _ in range(4):
        grids = [(*grid, row) for grid in grids for row in rows if follows(grid, row)]
    return ["".join(grid) for grid in grids]


GRIDS = every_grid()


def keeps(clues: str, grid: str) -> bool:
    return all(clue in (".", digit) for clue, digit in zip(clues, grid, strict=True))


def by_brute_force(puzzle: str, grid: str) -> tuple[str, float | None]:
    """The verdict on a grid, and its score by blanks."""
    solutions = [solution for solution in GRIDS if keeps(puzzle, solution)]
    blanks = [cell for cell, clue in enumerate(puzzle) if clue == "."]
    if not solutions:
        return "none", None
    if not keeps(puzzle, grid):
        return "changed", 0.0
    if grid in solutions:
        return "solved", 1.0
    right = max(sum(solution[cell] == grid[cell] for cell in blanks) for solution in solutions)
    return "incomplete" if "." in grid else "wrong", int(right / len(blanks) * 1e6) / 1e6


def test_scores_are_those_of_brute_force() -> None:
    assert len(GRIDS) == 288
    rng = random.Random(1)
    pairs = []
    for _ in range(3000):
        grid, near = rng.choice(GRIDS), list(rng.choice(GRIDS))
        puzzle = "".join(digit if rng.random() < 0.4 else "." for digit in grid)
        near = [
            clue if clue != "." and rng.random() < 0.98 else digit for clue, digit in zip(puzzle, near, strict=True)
        ]
        blanks = rng.random() if rng.random() < 0.5 else 0
        pairs.append((puzzle, "".join("." if rng.random() < blanks else digit for digit in near)))
    pairs += [(puzzle[:15] + "1", answer) for puzzle, answer in pairs[:200]]
    table = gridmill.score([puzzle for puzzle, _ in pairs], [lines(answer) for _, answer in pairs])
    for row, (puzzle, answer) in zip(table, pairs, strict=True):
        assert (row["verdict"], row["score"]) == by_brute_force(puzzle, answer), (puzzle, answer)


PIECES = st.sampled_from(
    [
        *"0123456789. \n\t|,[]{}<>\\",
        "<answer>",
        "</answer>",
        "\\boxed{",
        "1 2 3 4\n",
        SOLUTION,
        NINE,
        "²",
        "\uff11",
        "\ud800",
        "é",
        "\0",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=60).map("".join), st.sampled_from([PUZZLE, NINE]))
def test_no_text_raises_an_exception(text: str, puzzle: str) -> None:
    one = gridmill.score(puzzle, text)
    assert 0 <= (one.score or 0) <= 1
    assert one._asdict() == {name: gridmill.score([puzzle], [text])[name][0] for name in one._fields}
    assert gridmill.Reward()(completions=[text], puzzle=[puzzle]) == [one.score]


HOSTILE = [
    *(None, "", b"", b"\xff\xfe", b"\xff" * 100, float("nan"), [], [[1, 2], [3, 4]], {"a": 1}, [{}], [5]),
    *(numpy.zeros(9), "\ud800" * 16, "\0" * 16, "x" * 3_000_000, "[" * 200_000, "<" * 200_000),
    *("<answer>" * 50_000, "\\boxed{" * 50_000, "1 " * 1_000_001, "\n1" * 100_001, "9" * 1_000_000),
]
"""Answers without a grid."""


@pytest.mark.parametrize("response", HOSTILE, ids=lambda response: f"{type(response).__name__}-{str(response)[:8]!r}")
def test_what_has_no_grid_is_worth_nothing(response: object) -> None:
    scored = gridmill.score(PUZZLE, response)
    assert (scored.verdict, scored.score, scored.grid) == ("no-grid", 0, None)
    assert gridmill.score([PUZZLE], [response])["verdict"] == ["no-grid"]
    assert gridmill.Reward()(completions=[response], puzzle=[PUZZLE]) == [0.0]


@pytest.mark.parametrize("response", [5, 1.5, True, object(), ["1234432121433412"], [["123"] * 4], {1, 2}])
def test_an_answer_that_is_not_an_answer_is_a_mistake(response: object) -> None:
    message = "must be a str, a chat or a list of cells, not "
    with pytest.raises(TypeError, match=f"responses {message}"):
        gridmill.score(PUZZLE, response)
    with pytest.raises(TypeError, match=f"item 1 of responses {message}"):
        gridmill.score([PUZZLE] * 2, [SOLUTION, response])
    with pytest.raises(TypeError, match=message):
        gridmill.Reward()(completions=[response], puzzle=[PUZZLE])


def test_chats_and_cells_are_answers() -> None:
    cells = [int(digit) for digit in SOLUTION]
    rows = [cells[start : start + 4] for start in range(0, 16, 4)]
    last = {"role": "assistant", "content": SOLUTION}
    parts = {"role": "assistant", "content": [{"type": "thinking", "text": "x"}, {"type": "text", "text": SOLUTION}]}
    call = {"role": "assistant", "content": None, "tool_calls": [{"function": {"arguments": {"grid": rows}}}]}
    chats = [
        last,
        [{"role": "user", "content": PUZZLE}, last],
        [last, {"role": "user", "content": "1" * 16}],
        [parts],
        [call],
    ]
    for answer in [cells, rows, tuple(cells), numpy.array(rows), *chats]:
        assert gridmill.score(PUZZLE, answer).verdict == "solved", answer
        assert gridmill.score([PUZZLE], [answer])["verdict"] == ["solved"], answer
        assert gridmill.Reward()(completions=[answer], puzzle=[PUZZLE]) == [1.0]
    table = pyarrow.table({"puzzle": [PUZZLE] * 2, "response": [chats[1], [{"role": "assistant", "content": "No."}]]})
    assert gridmill.score(table)["verdict"] == ["solved", "no-grid"]
    assert gridmill.score(polars.from_arrow(table))["verdict"] == ["solved", "no-grid"]


THOUGHTS = [
    (f"<think>{SOLUTION} Let me double-check row", "no-grid", "thoughts"),
    (f"<think>{SOLUTION}</think> I could not solve it.", "no-grid", "thoughts"),
    (f"<think>{SOLUTION}</think>", "no-grid", "thoughts"),
    (f"<think>{SOLUTION}</think> Final answer: 2{SOLUTION[1:]}", "changed", "text"),
    (f"<think>{SOLUTION}</think> Final answer: {SOLUTION[:15]}.", "changed", "text"),
    (f"<think>{SOLUTION}</think> Final answer: {SOLUTION[:15]}", "no-grid", "thoughts"),
    (f"<think>{SOLUTION}</think> Final answer: {lines(SOLUTION[:12])}", "no-grid", "thoughts"),
    (f"<think><answer>{SOLUTION}</answer></think>{SOLUTION[:15]}3", "changed", "text"),
    (f"{SOLUTION} <answer>I give up.</answer>", "no-grid", "answer"),
    (f"<think>{SOLUTION[::-1]}</think> {SOLUTION}", "solved", "text"),
]


@pytest.mark.parametrize(("answer", "verdict", "found"), THOUGHTS)
def test_thoughts_are_not_the_answer(answer: str, verdict: str, found: str) -> None:
    scored = gridmill.score(PUZZLE, answer)
    assert (scored.verdict, scored.found) == (verdict, found)
    chat = [{"role": "assistant", "content": answer}]
    for response in (answer, chat):
        reward = gridmill.Reward(formula="exact")(completions=[response], puzzle=[PUZZLE])
        assert reward == [float(verdict == "solved")]
        assert gridmill.score([PUZZLE], [response])["verdict"] == [verdict]
    kept = gridmill.score(PUZZLE, answer, thoughts="keep", answer_tag="nothing")
    assert kept.verdict == ("solved" if "<think>" in answer else verdict)
    assert gridmill.score(PUZZLE, f"{SOLUTION} <grid>no</grid>", answer_tag="grid").verdict == "no-grid"


def test_bytes_are_text() -> None:
    assert gridmill.score(PUZZLE, b"\xff so " + SOLUTION.encode()).verdict == "solved"
    assert gridmill.score([PUZZLE], [SOLUTION.encode()])["verdict"] == ["solved"]
    # Not even a lone surrogate is a cell.
    assert gridmill.score(PUZZLE, SOLUTION[:15] + "\ud800").verdict == "no-grid"


def test_mistakes_of_the_caller_are_refused() -> None:
    wrong: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
        ((5, [SOLUTION]), {}, TypeError, "puzzles must be a str, a list"),
        ((PUZZLE,), {}, TypeError, "responses must be the answer to the puzzle"),
        (([PUZZLE],), {}, ValueError, "puzzles that are not a table need responses"),
        (([PUZZLE], SOLUTION), {}, TypeError, "responses must be a list"),
        (([PUZZLE], None), {}, TypeError, "responses must be a list"),
        (([PUZZLE], [SOLUTION, ""]), {}, ValueError, "there are 1 puzzles and 2 responses"),
        (([PUZZLE], [SOLUTION]), {"response_column": "x"}, ValueError, "state_column and keep are for tables"),
        ((polars.DataFrame({"puzzle": [PUZZLE]}),), {}, ValueError, "no column is called 'response'"),
        ((polars.DataFrame({"puzzle": [PUZZLE]}), [SOLUTION]), {}, ValueError, "name the column with response_column"),
        (
            (PUZZLE, SOLUTION),
            {"formula": "best"},
            ValueError,
            "no formula is called 'best'; there are exact, blanks, cells, sudoku-bench",
        ),
        ((PUZZLE, SOLUTION), {"answer_column": "x"}, TypeError, "unexpected keyword"),
    ]
    for arguments, options, kind, message in wrong:
        with pytest.raises(kind, match=re.escape(message)):
            gridmill.score(*arguments, **options)


def digits(puzzle: str, stored: str, text: str) -> float:
    """All digits of an answer, from the first one on, against one stored solution, at the blanks."""
    found = "".join(filter(str.isdigit, text))
    pairs = itertools.zip_longest(puzzle, found[: len(puzzle)], stored)
    at_blanks = [digit == right for clue, digit, right in pairs if clue == "."]
    return sum(at_blanks) / len(at_blanks)


def lines_of_digits(puzzle: str, stored: str, text: str) -> float:
    """The first lines with as many digits as a row, against one stored solution; less for long texts."""
    if text == lines(stored):
        return 1.0
    side = round(len(puzzle) ** 0.5)
    rows = ["".join(re.findall("[1-9]", line)) for line in text.split("\n")]
    found = "".join([row for row in rows if len(row) == side][:side])
    equal = sum(digit == right for digit, right in zip(found, stored, strict=False))
    return 0.9 * equal / len(stored) * min(1, len(lines(stored)) / max(1, len(text)))


WRONG = SOLUTION[:4] + "3" + SOLUTION[5:]
ROWS = lines(SOLUTION).split("\n")
FULL_WIDTH = {ord("0") + digit: 0xFF10 + digit for digit in range(10)}

JUDGED = {
    "the stored solution": (SEVERAL, lines(STORED), STORED),
    "another solution of the puzzle": (SEVERAL, lines(OTHER), OTHER),
    "a solution in one line": (PUZZLE, SOLUTION, SOLUTION),
    "as lists of JSON": (PUZZLE, json.dumps([list(map(int, row.split())) for row in ROWS]), SOLUTION),
    "in rows with numbers, `1. 1 2 3 4`": (PUZZLE, "\n".join(f"{n}. {row}" for n, row in enumerate(ROWS, 1)), SOLUTION),
    "below a header, `C1 C2 C3 C4`": (PUZZLE, f"C1 C2 C3 C4\n{lines(SOLUTION)}", SOLUTION),
    "in full-width digits": (PUZZLE, lines(SOLUTION).translate(FULL_WIDTH), SOLUTION),
    "after a wrong try": (PUZZLE, f"{lines(WRONG)}\nNo, it is\n{lines(SOLUTION)}", SOLUTION),
    "before a wrong second thought": (PUZZLE, f"{lines(SOLUTION)}\nNo, it is\n{lines(WRONG)}", WRONG),
    "with one clue changed": (PUZZLE, lines("2" + SOLUTION[1:]), "2" + SOLUTION[1:]),
}
"""Answers to a puzzle, with the grid that a person would take of each."""


def test_other_scorers_are_wrong_where_the_page_says_so() -> None:
    table = []
    for title, (puzzle, text, grid) in JUDGED.items():
        stored = STORED if puzzle == SEVERAL else SOLUTION
        for answer in (text, f"So:\n<answer>{text}</answer>", f"\\boxed{{{text}}}"):
            scored = gridmill.score(puzzle, answer)
            assert (scored.verdict, scored.score) == by_brute_force(puzzle, grid), title
        scores = [scored.score or 0, *(scorer(puzzle, stored, text) for scorer in (digits, lines_of_digits))]
        table.append(f"| {title} | {' | '.join(f'{score:.2f}' for score in scores)} |")
    assert "\n".join(table) in PAGE, "\n".join(table)
