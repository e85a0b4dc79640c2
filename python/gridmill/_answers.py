"""The answers of models to puzzles: texts, chats, lists of cells, and arrays of tokens."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isqrt
from numbers import Real
from typing import Any, NamedTuple

from gridmill import _gridmill
from gridmill._checks import kind_of
from gridmill._inputs import cells_in, number_of_blank, puzzles_of

IGNORED = -100
"""The token of a cell that losses ignore, as PyTorch has it."""


def answer_of(name: str, answer: Any) -> str:
    """An answer as text: a chat or a list of cells as JSON; None and NaN become an empty text."""
    if isinstance(answer, str):
        return answer
    if answer is None or (isinstance(answer, float) and answer != answer):
        return ""
    if isinstance(answer, bytes):
        return answer.decode(errors="replace")
    to_list: Any = getattr(answer, "tolist", None)
    if to_list is not None and not isinstance(answer, Real):
        answer = to_list()
    if is_chat(answer) or is_list_of_cells(answer):
        return json.dumps(answer, default=_fields, ensure_ascii=False)
    raise TypeError(f"{name} must be a str, a chat or a list of cells, not {kind_of(answer)}")


def is_chat(answer: object) -> bool:
    """Whether an answer is a message, or a list of messages: of `dict`, or of objects with `content`."""
    messages = answer if isinstance(answer, list | tuple) else [answer]
    return bool(messages) and all(isinstance(one, Mapping) or hasattr(one, "content") for one in messages)


def is_list_of_cells(answer: object) -> bool:
    """Whether an answer is a list of cells, or of rows of cells."""

    def is_cell(cell: object) -> bool:
        is_symbol = cell is None or isinstance(cell, Real) or (isinstance(cell, str) and len(cell) < 3)
        return is_symbol or is_list_of_cells(cell)

    return isinstance(answer, list | tuple) and all(map(is_cell, answer))


def answers_of(name: str, answers: object) -> object:
    """The answers to several puzzles for the native functions."""
    several = list(answers) if isinstance(answers, list | tuple | Iterator) else puzzles_of(name, answers)
    if not isinstance(several, list):
        return several
    return [answer_of(f"item {number} of {name}", answer) for number, answer in enumerate(several)]


class Tokens(NamedTuple):
    """Arrays of tokens as cells. A token that is not a digit is a blank of its row, which is never right."""

    cells: _gridmill.Cells
    strange: Any
    """The number of such tokens in each row."""


def tokens_in(name: str, answers: object, puzzles: object, blank: int | None, ignore: int | None) -> Tokens | None:
    """The tokens of an array of answers, in the vocabulary of the puzzles; None for other objects."""
    cells: Any = cells_in(name, answers)
    if cells is None:
        if ignore is not None:
            raise ValueError(f"ignore is for arrays of numbers, and {name} is {kind_of(answers)}")
        return None
    import numpy

    clues: Any = cells_in("puzzles", puzzles)
    side, known = isqrt(cells.shape[1]), getattr(clues, "shape", None) == cells.shape
    if known:
        clues = numpy.where(numpy.isnan(clues), 0, clues).astype(numpy.int64)
    elif blank is None and cells.max(initial=0) > side:
        raise ValueError(f"{name} has the number {cells.max()}: pass blank=1 if 1 is a blank there, or blank=0")
    if blank is None:
        blank = number_of_blank("puzzles", clues) if known else 0

    is_ignored = cells == (IGNORED if ignore is None else ignore)
    if is_ignored.any() and (ignore is None or not known):
        seen = f"{name} has the number {cells[is_ignored][0]} in {is_ignored.sum():,} cells"
        raise ValueError(f"{seen}: pass puzzles as an array, and ignore={IGNORED} to take their cells there")
    if known:
        cells = numpy.where(is_ignored, clues, cells)
        # By chance, one in nine agrees.
        difference, other = (cells - clues)[(clues > blank) & ~is_ignored], 1 - 2 * blank
        if difference.size and (difference == other).mean() > 0.5:
            raise ValueError(f"the clues of puzzles are {other:+d} in {name}: write both with the same blank")

    # NaN, like -1, is a blank where 0 is one.
    digits = numpy.nan_to_num(cells.astype(numpy.float64), nan=blank) - blank
    is_cell = (digits >= (-1 if blank == 0 else 0)) & (digits <= side) & (digits % 1 == 0)
    digits = numpy.where(is_cell & (digits > 0), digits, 0).astype(numpy.uint8)
    return Tokens(_gridmill.Cells(digits.tobytes(), "u1", cells.shape[1]), (~is_cell).sum(1))


def _fields(message: Any) -> Any:
    """A message that is an object, for JSON."""
    return message.model_dump() if hasattr(message, "model_dump") else vars(message)
