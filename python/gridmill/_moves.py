"""The states of several moves at once, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy

    from gridmill._answers import Tokens
    from gridmill._table import Table


class Moves(NamedTuple):
    """The states after the moves of n puzzles: arrays of the shape (n, T).

    Attributes:
        alive: Whether the state has a solution.
        wrong: The number of cells that are filled otherwise than in the only solution, or -1 if it is not known.
        forced: The number of blanks that naked and hidden singles fill.
        candidates: The number of true candidates: digits of cells that occur in some solution.
    """

    alive: numpy.ndarray[Any, Any]
    wrong: numpy.ndarray[Any, Any]
    forced: numpy.ndarray[Any, Any]
    candidates: numpy.ndarray[Any, Any]


COLUMNS = ["solutions", "wrong", "forced", "candidates"]


def repeated(puzzles: Any, states: Any) -> tuple[Any, Any] | None:
    """A puzzle for each of the states of the shape (n, T, 81), and these states; nothing for other arguments."""
    shape: Any = getattr(puzzles, "shape", ())
    of_states: Any = getattr(states, "shape", ())
    if len(shape) != 2 or len(of_states) != 3 or (shape[0], shape[1]) != (of_states[0], of_states[2]):
        return None
    import numpy

    return numpy.repeat(numpy.asarray(puzzles), of_states[1], axis=0), states.reshape(-1, shape[1])


def moves_of(table: Table, count: int, tokens: Tokens | None) -> Moves:
    """The arrays for the rows of `count` puzzles. Tokens that are not digits are wrong cells."""
    import numpy

    def of(values: list[int]) -> Any:
        return numpy.array(values, dtype=numpy.int64).reshape(count, -1)

    strange = 0 if tokens is None else tokens.strange.reshape(count, -1)
    wrong = of([-1 if wrong is None else wrong for wrong in table["wrong"]])
    candidates = table.to_numpy("candidates")
    return Moves(
        alive=(of([solutions or 0 for solutions in table["solutions"]]) > 0) & (strange == 0),
        wrong=numpy.where(wrong < 0, wrong, wrong + strange),
        forced=of([len(blanks) for blanks in table["forced"]]),
        candidates=candidates.sum(axis=(1, 2)).reshape(count, -1),
    )
