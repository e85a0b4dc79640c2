"""A puzzle as an object: what it is made from, what it says, what is refused."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy
import pytest

import gridmill
from gridmill import Puzzle

EASY = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
ANSWER = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
CELLS = [int(symbol) if symbol.isdigit() else 0 for symbol in HARD]
ROWS = [CELLS[start : start + 9] for start in range(0, 81, 9)]

GRID = """\
4 . . | . . . | 8 . 5
. 3 . | . . . | . . .
. . . | 7 . . | . . .
------+-------+------
. 2 . | . . . | . 6 .
. . . | . 8 . | 4 . .
. . . | . 1 . | . . .
------+-------+------
. . . | 6 . 3 | . 7 .
5 . . | 2 . . | . . .
1 . 4 | . . . | . . ."""


@pytest.mark.parametrize(
    "content",
    [
        HARD,
        HARD.replace(".", "0"),
        GRID,
        "\n".join(HARD[start : start + 9] for start in range(0, 81, 9)),
        CELLS,
        tuple(CELLS),
        ROWS,
        [[value or None for value in row] for row in ROWS],
        [tuple(value or -1 for value in row) for row in ROWS],
        [numpy.int8(value) for value in CELLS],
        numpy.array(CELLS),
        numpy.array(ROWS, dtype=numpy.uint8),
        numpy.array(ROWS, dtype=">i8"),
        numpy.ma.masked_equal(numpy.array(ROWS), 0),
        Puzzle(HARD),
    ],
    ids=range(15),
)
def test_a_puzzle_is_made_from_text_and_cells(content: Any) -> None:
    puzzle = Puzzle(content)
    assert (puzzle.text, puzzle.side, puzzle.clues) == (HARD, 9, 17)
    assert str(puzzle) == GRID
    assert puzzle == Puzzle(HARD) and hash(puzzle) == hash(Puzzle(HARD))


@pytest.mark.parametrize("blank", [None, -1])
def test_a_zero_beside_other_blanks_may_be_a_digit(blank: int | None) -> None:
    cells = [value or blank for value in CELLS]
    cells[cells.index(blank, 10)] = 0
    with pytest.raises(ValueError, match=r"^r\dc\d: 0 beside other blanks"):
        Puzzle(cells)


@pytest.mark.parametrize(("text", "side"), [("1.3..........4.2", 4), ("1G" + "." * 254, 16), ("AY" + "." * 623, 25)])
def test_sizes(text: str, side: int) -> None:
    puzzle = Puzzle(text)
    assert (puzzle.text, puzzle.side) == (text, side)
    for again in (Puzzle(str(puzzle)), Puzzle(puzzle.to_numpy()), eval(repr(puzzle))):
        assert again == puzzle
    lines = str(puzzle).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert len(lines) == side + round(side**0.5) - 1


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("", ValueError, "the text is empty"),
        (HARD[:80], ValueError, "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        (HARD[:80] + "x", ValueError, "x"),
        (HARD + "\n" + HARD, ValueError, "line 2: more text after the puzzle; a string holds one puzzle"),
        ('{"puzzle": 1}', ValueError, "JSON is not read as a puzzle; write a line or a grid of symbols"),
        ("\ud800", ValueError, "is not a symbol of a puzzle"),
        (CELLS[:80], ValueError, "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ([], ValueError, "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        ([*CELLS[:80], 10], ValueError, "r9c9: 10 is above 9"),
        ([-2, *CELLS[1:]], ValueError, "r1c1: -2 is below 0"),
        ([2**70, *CELLS[1:]], ValueError, f"r1c1: {2**70} is above 9"),
        ([1.0, *CELLS[1:]], TypeError, "r1c1 must be an int or None, not float"),
        ([True, *CELLS[1:]], TypeError, "r1c1 must be an int or None, not bool"),
        (["4", *CELLS[1:]], TypeError, "r1c1 must be an int or None, not str"),
        (ROWS[:8], ValueError, "row 1 has 9 cells, and there are 8 rows"),
        ([ROWS[0][:8], *ROWS[1:]], ValueError, "row 1 has 8 cells, and there are 9 rows"),
        ([0, *ROWS[1:]], TypeError, "row 1 must be a list of integers, not int"),
        (numpy.array([CELLS]), ValueError, "row 1 has 81 cells, and there are 1 rows"),
        (numpy.zeros((1, 9, 9), dtype=int), ValueError, "shape"),
        (numpy.array(5), ValueError, "shape"),
        (numpy.zeros(81), TypeError, "a puzzle must be an array of integers, not of float64"),
        (numpy.full(81, 2**63, dtype=numpy.uint64), ValueError, f"r1c1: {2**63} is above 9"),
        (5, TypeError, "a puzzle must be a str, "),
        (None, TypeError, "a puzzle must be a str, "),
        (HARD.encode(), TypeError, "a puzzle must be a str, "),
    ],
    ids=range(25),
)
def test_what_is_no_puzzle_is_refused(content: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        Puzzle(content)


def test_alphabets() -> None:
    text = "AF" + "." * 254
    assert Puzzle(text, alphabet="A-P").to_numpy()[0, :2].tolist() == [1, 6]
    assert Puzzle(text, alphabet="0-F").to_numpy()[0, :2].tolist() == [11, 16]
    puzzle = Puzzle(text, alphabet="A-P")
    assert puzzle.text == "16" + "." * 254
    # The functions get its alphabet, which would not be clear to them.
    assert puzzle.solve(max_branches=1).puzzle == puzzle.text
    assert puzzle.count(limit=2) == 2
    with pytest.raises(ValueError, match="'B-Q' is neither the name of an alphabet"):
        Puzzle(text, alphabet="B-Q")
    with pytest.raises(TypeError, match="alphabet must be a str, not int"):
        Puzzle(text, alphabet=1)  # type: ignore[arg-type]


def test_the_functions_are_those_for_one_puzzle() -> None:
    puzzle = Puzzle(HARD)
    assert puzzle.solve()._replace(nanos=0) == gridmill.solve(HARD)._replace(nanos=0)
    assert puzzle.solve(first=True).solution == ANSWER
    assert puzzle.count() == 1 and Puzzle("1...............").count(limit=70) == 70
    assert puzzle.rate(max_er=7) == gridmill.rate(HARD, max_er=7)
    assert puzzle.canonical() == gridmill.canonical(HARD)
    assert puzzle.validate(ANSWER).answer == puzzle.validate(Puzzle(ANSWER)).answer == "right"
    assert puzzle.validate(minimal=True).verdict == "sound" and puzzle.validate(ANSWER[::-1]).answer == "bad"
    steps = Puzzle(EASY).steps()
    assert len(steps) == Puzzle(EASY).rate().steps == 55
    assert steps.to_list("puzzle")[0] == EASY
    for options in ({}, {"grids": "none"}, {"grids": "all"}):
        assert puzzle.explain(**options) == gridmill.explain(HARD, **options)
    assert len(puzzle.explain(grids="none")) < len(puzzle.explain()) < len(puzzle.explain(grids="all"))
    with pytest.raises(ValueError, match="16x16"):
        Puzzle([0] * 256).explain()
    with pytest.raises(TypeError, match="limit"):
        puzzle.solve(limit="2")  # type: ignore[arg-type]


def test_candidates_are_those_that_no_clue_excludes() -> None:
    puzzle = Puzzle(HARD)
    candidates = puzzle.candidates
    assert len(candidates) == 81 and candidates[0] == {4} and candidates[1] == {1, 6, 7, 9}
    answer = Puzzle(ANSWER).to_numpy().ravel().tolist()
    assert all(digit in cell for digit, cell in zip(answer, candidates, strict=True))
    steps = puzzle.steps(max_er=0.5)
    if len(steps):
        shown = steps.to_list("candidates")[0]
        expected = ["".join(str(digit) if digit in cell else "." for digit in range(1, 10)) for cell in candidates]
        assert shown == "".join(expected)
    assert Puzzle("11..............").candidates[:3] == ({1}, {1}, {2, 3, 4})
    assert Puzzle([0] * 625).candidates == (frozenset(range(1, 26)),) * 625


def test_puzzles_are_values() -> None:
    puzzle = Puzzle(HARD)
    for again in (pickle.loads(pickle.dumps(puzzle)), copy.copy(puzzle), copy.deepcopy(puzzle), eval(repr(puzzle))):
        assert again == puzzle
    assert repr(puzzle) == f"Puzzle('{HARD}')"
    assert puzzle != Puzzle(EASY) and puzzle != HARD and Puzzle([0] * 16) != Puzzle([0] * 81)
    assert {puzzle: 1}[Puzzle(GRID)] == 1
    array = puzzle.to_numpy()
    assert (array.dtype, array.shape) == (numpy.uint8, (9, 9))
    array[:] = 0
    assert puzzle.clues == 17


@pytest.mark.parametrize("text", [HARD, "1.3..........4.2", "1G" + "." * 254, "Y" * 2 + "." * 623], ids=len)
def test_a_notebook_shows_the_picture_of_the_command_line(text: str, cli: Path, tmp_path: Path) -> None:
    (tmp_path / "puzzle.txt").write_text(text)
    subprocess.run([cli, "convert", "puzzle.txt", "-q", "-o", "puzzle.svg"], cwd=tmp_path, check=True)
    assert Puzzle(text)._repr_html_() == (tmp_path / "puzzle.svg").read_text()
