"""One puzzle as an object."""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from gridmill import _gridmill
from gridmill._checks import kind_of, text
from gridmill._functions import canonical, count, explain, rate, score, solve, steps, validate
from gridmill._inputs import BOXES, SIZES

if TYPE_CHECKING:
    import numpy
    from typing_extensions import Unpack

    from gridmill._options import Count, Explain, RateRows, Rows, ScoreRows, SolveRows, Steps, ValidateRows
    from gridmill._single import Canonical, Rated, Scored, Solved, Validated
    from gridmill._table import Table

    Cells: TypeAlias = numpy.ndarray[Any, Any] | Sequence[int | None] | Sequence[Sequence[int | None]]
    Content: TypeAlias = "str | Puzzle | Cells"
    """The types that a puzzle can be made from."""

ALPHABETS = {16: "1-G", 25: "A-Y"}
"""The symbols of large puzzles, by the side of the grid."""

EXPECTED = "a str, a NumPy array of integers of the shape (81,) or (9, 9), or a list of integers or of rows of them"


class Puzzle:
    """An immutable puzzle of any size from 4x4 to 25x25.

    >>> puzzle = Puzzle([[1, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 4, 0, 2]])
    >>> puzzle
    Puzzle('1.3..........4.2')
    >>> print(puzzle)
    1 . | 3 .
    . . | . .
    ----+----
    . . | . .
    . 4 | . 2
    >>> puzzle.solve().solution
    '1234432121433412'

    Two puzzles are equal if all their cells are. Puzzles can be keys of a `dict`, and can be pickled.
    """

    __slots__ = ("_cells", "_text")

    _cells: bytes
    _text: str

    def __init__(self, content: Content, *, alphabet: str | None = None) -> None:
        """Makes a puzzle of its text or its cells.

        Args:
            content: The puzzle in one line, or as a grid of symbols with or without lines between the boxes; a NumPy
                array of integers of the shape (81,), (9, 9) or the like for other sizes; a list of integers, or a list
                of rows. In arrays and lists, 0, -1, `None` and masked cells are blank, but a puzzle must not mix 0 with
                the rest of these.
            alphabet: The symbols of a text above 9x9, such as `0-F` or `A-P`; by default, they follow from the text, or
                are `1-G` and `A-Y` where the text is ambiguous.

        Raises:
            TypeError: If the content has another type.
            ValueError: If it is not a puzzle. The message says why.
        """
        if alphabet is not None:
            alphabet = text("alphabet", alphabet)
        if isinstance(content, str):
            self._cells = _gridmill.read_puzzle(content, alphabet)
        else:
            self._cells = content._cells if isinstance(content, Puzzle) else _cells_of(content)
        self._text = _gridmill.line_of_cells(self._cells)

    @property
    def text(self) -> str:
        """The puzzle in one line, with `.` for a blank; 16x16 puzzles have the symbols `1-G`, 25x25 puzzles `A-Y`."""
        return self._text

    @property
    def side(self) -> int:
        """The number of rows: 4, 6, 8, 9, 10, 12, 16 or 25."""
        return isqrt(len(self._cells))

    @property
    def clues(self) -> int:
        """The number of clues."""
        return len(self._cells) - self._cells.count(0)

    @property
    def candidates(self) -> tuple[frozenset[int], ...]:
        """The possible digits of each cell, row by row: for a blank, the digits of no clue in its row, column and box.

        A clue is the only candidate of its cell, even if another clue contradicts it.
        """
        houses = [_houses_of(cell, self.side) for cell in range(len(self._cells))]
        clues: dict[tuple[str, int], set[int]] = {house: set() for own in houses for house in own}
        for digit, own in zip(self._cells, houses, strict=True):
            for house in own:
                clues[house].add(digit)
        digits = frozenset(range(1, self.side + 1))
        return tuple(
            frozenset([digit]) if digit else digits.difference(*(clues[house] for house in own))
            for digit, own in zip(self._cells, houses, strict=True)
        )

    def solve(self, **options: Unpack[SolveRows]) -> Solved:
        """Solves the puzzle, with the options of `gridmill.solve`."""
        return solve(self._text, **self._with_alphabet(options))

    def count(self, **options: Unpack[Count]) -> int | None:
        """Counts the solutions, with the options of `gridmill.count`. `None` if the search gave up."""
        return count(self._text, **self._with_alphabet(options))

    def validate(self, answer: str | Puzzle | None = None, **options: Unpack[ValidateRows]) -> Validated:
        """Gives a verdict on the puzzle and an answer, with the options of `gridmill.validate`."""
        given = answer._text if isinstance(answer, Puzzle) else answer
        return validate(self._text, given, **self._with_alphabet(options))

    def score(self, response: object, **options: Unpack[ScoreRows]) -> Scored:
        """Scores an answer, which may be any text, with the options of `gridmill.score`."""
        return score(self._text, response, **self._with_alphabet(options))

    def canonical(self, **options: Unpack[Rows]) -> Canonical:
        """Finds the canonical form, with the options of `gridmill.canonical`."""
        return canonical(self._text, **self._with_alphabet(options))

    def rate(self, **options: Unpack[RateRows]) -> Rated:
        """Rates the puzzle, with the options of `gridmill.rate`."""
        return rate(self._text, **self._with_alphabet(options))

    def steps(self, **options: Unpack[Steps]) -> Table:
        """Finds the steps by which a person solves the puzzle, with the options of `gridmill.steps`."""
        return steps(self._text, **self._with_alphabet(options))

    def explain(self, **options: Unpack[Explain]) -> str:
        """Explains how a person solves the puzzle, in words and grids, with the options of `gridmill.explain`."""
        return explain(self._text, **self._with_alphabet(options))

    def _with_alphabet(self, options: Any) -> Any:
        """Adds the alphabet of the text to the options."""
        return {**options, "alphabet": ALPHABETS[self.side]} if self.side in ALPHABETS else options

    def to_numpy(self) -> numpy.ndarray[Any, Any]:
        """The cells as an array of `uint8` of the shape (9, 9), or another size; 0 is a blank."""
        import numpy

        # A copy, because the array may be written to.
        return numpy.frombuffer(self._cells, dtype=numpy.uint8).reshape(self.side, self.side).copy()

    def _rows(self) -> Iterator[str]:
        """The symbols of each row."""
        return (self._text[start : start + self.side] for start in range(0, len(self._text), self.side))

    def __str__(self) -> str:
        rows, columns = BOXES[self.side]
        lines = []
        for number, row in enumerate(self._rows()):
            if number and number % rows == 0:
                rule = "+".join("-" * (2 * columns + 1) for _ in range(rows))
                lines.append(rule[1:-1])
            lines.append(" | ".join(" ".join(row[start : start + columns]) for start in range(0, self.side, columns)))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Puzzle({self._text!r})"

    def _repr_html_(self) -> str:
        """A picture for notebooks, as SVG."""
        return _gridmill.picture_of_cells(self._cells)

    def __eq__(self, other: object) -> bool:
        return self._cells == other._cells if isinstance(other, Puzzle) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._cells)

    def __reduce__(self) -> tuple[type[Puzzle], tuple[str]]:
        return Puzzle, (self._text,)


def _houses_of(cell: int, side: int) -> list[tuple[str, int]]:
    """The row, the column and the box of a cell."""
    rows, columns = BOXES[side]
    row, column = divmod(cell, side)
    # A band has as many boxes as a box has rows.
    return [("row", row), ("column", column), ("box", row // rows * rows + column // columns)]


def _cells_of(content: object) -> bytes:
    """The cells of an array or a list, a byte each."""
    values = _values_of(content)
    if len(values) not in SIZES:
        raise ValueError(f"{len(values)} cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625")
    side = isqrt(len(values))
    cells = bytes(_cell(value, index, side) for index, value in enumerate(values))
    if 0 in values and any(value is None or value == -1 for value in values):
        name = _name_of(values.index(0), side)
        raise ValueError(f"{name}: 0 beside other blanks (None or -1): its digits may count from 0")
    return cells


def _name_of(index: int, side: int) -> str:
    """The name of a cell."""
    return f"r{index // side + 1}c{index % side + 1}"


def _values_of(content: Any) -> list[object]:
    """The items of an array or a list, row by row."""
    # `content` can only be an array if its module was imported.
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(content, numpy.ndarray):
        if content.dtype.kind not in "iu":
            raise TypeError(f"a puzzle must be an array of integers, not of {content.dtype}")
        if content.ndim not in (1, 2):
            raise ValueError(
                f"a puzzle must have the shape (81,) or (9, 9), or that of another size, not {content.shape}"
            )
        # `tolist` turns masked cells into `None`.
        content = content.tolist()
    if not isinstance(content, list | tuple):
        raise TypeError(f"a puzzle must be {EXPECTED}, not {kind_of(content)}")
    if not any(isinstance(row, list | tuple) for row in content):
        return list(content)

    values: list[object] = []
    for number, row in enumerate(content, 1):
        if not isinstance(row, list | tuple):
            raise TypeError(f"row {number} must be a list of integers, not {kind_of(row)}")
        if len(row) != len(content):
            raise ValueError(f"row {number} has {len(row)} cells, and there are {len(content)} rows")
        values += row
    return values


def _cell(value: Any, index: int, side: int) -> int:
    """The value of a cell, 0 for a blank."""
    name = _name_of(index, side)
    if value is None:
        return 0
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int or None, not {kind_of(value)}")
    number = operator.index(value)
    if not -1 <= number <= side:
        raise ValueError(f"{name}: {number} is {'above' if number > side else 'below'} {side if number > side else 0}")
    return max(number, 0)
