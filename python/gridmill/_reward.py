"""A reward function for the training of models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridmill import _gridmill
from gridmill._checks import names, text
from gridmill._functions import score
from gridmill._inputs import text_of
from gridmill._options import Formula, Thoughts


class Reward:
    """A reward function for models that solve puzzles, for TRL and for verifiers.

    >>> reward = Reward()
    >>> reward(completions=["1234432121433412", "I cannot."], puzzle=["1.3..........4.2"] * 2)
    [1.0, 0.0]
    >>> reward(completion="1234432121433412", info={"puzzle": "1.3..........4.2"})
    1.0

    The reward is the score from `gridmill.score`, by the same definition of an answer. It is 0 if the score is not
    known, or if the puzzle is malformed or has no solution. The function can be pickled, and called by several threads.
    """

    def __init__(
        self,
        puzzle: str = "puzzle",
        formula: Formula = "blanks",
        *,
        thoughts: Thoughts = "drop",
        answer_tag: str | Iterable[str] = (),
    ) -> None:
        """Makes a function.

        Args:
            puzzle: The column of the data set that holds the puzzles, as text.
            formula, thoughts, answer_tag: As for `score`.

        Raises:
            TypeError: If an argument has a wrong type.
            ValueError: If there is no such formula.
        """
        self.puzzle = text("puzzle", puzzle)
        text("formula", formula)
        tags = names("answer_tag", answer_tag)
        self._options: dict[str, Any] = {"formula": formula, "thoughts": thoughts, "answer_tag": tuple(tags)}
        _gridmill.Job("score", formula=formula, thoughts=thoughts, answer_tag=tags)
        # Trainers log rewards under this name.
        self.__name__ = f"gridmill_{formula}"

    # With a parameter called `completions`, verifiers would take the function for one that rewards groups.
    def __call__(self, completion: object = None, **columns: Any) -> float | list[float]:
        """The reward of an answer or, with `completions`, the list of the rewards of several.

        Args:
            completion: The answer, as for `score`: a text, or a chat, of which the assistant's last message counts.
            columns: The columns of the data set, with a value for each answer, and further arguments of the trainer. If
                there is one answer, the column with the puzzle may also be in `info` or `state`.

        Raises:
            TypeError: If a puzzle is neither a `str` nor a list of cells, or an answer has a wrong type.
            ValueError: If there is no column with the puzzle, or there are not as many puzzles as answers.
        """
        if "completions" not in columns:
            return self._reward(self._puzzle_in(columns, columns.get("info"), columns.get("state")), completion)
        completions, puzzles = columns["completions"], self._puzzle_in(columns)
        if isinstance(puzzles, str) or len(puzzles) != len(completions):
            raise ValueError(f"{self.puzzle} must have a puzzle for each of {len(completions)} completions")
        return [self._reward(*pair) for pair in zip(puzzles, completions, strict=True)]

    def _puzzle_in(self, *places: object) -> Any:
        """The value of the column with the puzzles."""
        for place in places:
            if isinstance(place, Mapping) and self.puzzle in place:
                return place[self.puzzle]
        raise ValueError(f"there is no column {self.puzzle!r} with the puzzles; name it with puzzle=")

    def _reward(self, puzzle: object, completion: object) -> float:
        if not isinstance(puzzle, str):
            try:
                puzzle = text_of(puzzle)
            except TypeError as error:
                raise TypeError(f"{self.puzzle} {error}") from None
        return score(puzzle, completion, **self._options).score or 0.0
