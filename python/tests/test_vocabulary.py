"""Arrays in the vocabularies of models: 1 for a blank and 2 for the digit 1, strange tokens, ignored cells."""

from __future__ import annotations

import numpy
import pytest

import gridmill

MADE = gridmill.generate(200, seed=3, with_solution=True)
CLUES, GRIDS = MADE.to_numpy("puzzle").astype(numpy.int64), MADE.to_numpy("solution").astype(numpy.int64)
X, Y = CLUES + 1, GRIDS + 1
"""The inputs and labels of a recursive reasoning model."""


def exact(puzzles: object, answers: object, **options: object) -> float:
    table = gridmill.score(puzzles, answers, formula="exact", **options)  # type: ignore[call-overload]
    return sum(table["score"]) / len(table)


def changed(cells: numpy.ndarray, at: tuple[int, int], value: int) -> numpy.ndarray:
    cells = cells.copy()
    cells[at] = value
    return cells


@pytest.mark.parametrize("token", [0, 11, 200, -3])
def test_a_token_that_is_not_a_digit_is_wrong_in_its_row_alone(token: int) -> None:
    assert exact(X, Y) == exact(CLUES, GRIDS) == 1.0
    assert exact(X, changed(Y, (7, 40), token)) == 0.995
    answers = gridmill.validate(X, changed(Y, (7, 40), token))["answer"]
    assert answers == ["right"] * 7 + [answers[7]] + ["right"] * 192
    assert answers[7] != "right"
    assert exact(CLUES, changed(GRIDS, (7, 40), 10 if token == 11 else token)) == 0.995


def test_a_digit_that_is_never_predicted_changes_nothing_else() -> None:
    predicted = numpy.where(Y == 10, 9, Y)
    score = gridmill.score(X, predicted, formula="cells")["score"]
    assert numpy.mean(score) == pytest.approx(8 / 9, abs=0.001)


@pytest.mark.parametrize("size", ["4x4", "9x9"])
def test_single_puzzles_are_read_as_many(size: str) -> None:
    made = gridmill.generate(60, seed=1, size=size, with_solution=True)
    clues, grids = made.to_numpy("puzzle") + 1, made.to_numpy("solution") + 1
    for puzzle, grid in zip(clues, grids, strict=True):
        assert exact(puzzle[None], grid[None]) == 1.0
        assert gridmill.solve(puzzle[None])["status"] == ["unique"]
    # Labels alone are full grids.
    assert gridmill.solve(grids)["status"] == ["unique"] * 60
    assert gridmill.solve(grids - 1)["status"] == ["unique"] * 60


def test_ignored_cells_are_those_of_the_puzzles() -> None:
    labels = numpy.where(X > 1, -100, Y)
    with pytest.raises(ValueError, match=r"has the number -100 in [\d,]+ cells: .* ignore=-100"):
        gridmill.score(X, labels)
    assert exact(X, labels, ignore=-100) == 1.0
    assert exact(X, changed(labels, (0, int(numpy.argmax(X[0] == 1))), 1), ignore=-100) == 0.995
    assert gridmill.validate(X, labels, ignore=-100).report.answers["right"] == 200
    with pytest.raises(ValueError, match="ignore is for arrays"):
        gridmill.score(["1" * 16], ["1" * 16], ignore=-100)


def test_a_vocabulary_can_be_named() -> None:
    assert exact(X, Y, blank=1) == exact(CLUES, GRIDS, blank=0) == 1.0
    assert gridmill.solve(X, blank=1)["status"] == ["unique"] * 200
    texts = MADE["puzzle"]
    assert exact(texts, Y, blank=1) == 1.0
    with pytest.raises(ValueError, match="responses has the number 10: pass blank=1"):
        gridmill.score(texts, Y)
    for puzzles, answers in [(CLUES, Y), (X, GRIDS)]:
        with pytest.raises(ValueError, match=r"the clues of puzzles are [+-]1 in responses"):
            gridmill.score(puzzles, answers)
    with pytest.raises(ValueError, match="blank must be from 0 to 1, not 2"):
        gridmill.score(X, Y, blank=2)
    clash = X.copy()
    clash[:, :2] = 10
    with pytest.raises(ValueError, match="puzzles has numbers from 1 to 10: pass blank=1 if 1 is a blank"):
        gridmill.solve(clash)


def test_wrong_tokens_of_states_are_wrong_cells() -> None:
    states = numpy.stack([X, Y], axis=1)
    states[3, 1, 40] = 0
    moves = gridmill.states(X, states)
    assert moves.alive.sum() == 399
    assert (moves.alive[3].tolist(), moves.wrong[3].tolist()) == ([True, False], [0, 1])
