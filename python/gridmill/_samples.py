"""Several answers of a model to each puzzle: the probability that one of k is right, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from gridmill._answers import is_chat
from gridmill._checks import integers
from gridmill._functions import rate, score
from gridmill._inputs import SIZES
from gridmill._options import ScoreRows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._table import Table

Z = 1.959964
"""The quantile of the normal distribution for an interval of 95 %."""


@dataclass(frozen=True)
class Estimate:
    """A mean over puzzles, from 0 to 1, with its interval.

    Attributes:
        mean: The mean.
        low, high: The ends of Wilson's interval of 95 % for a share of the puzzles. It is too wide rather than too
            narrow for means of numbers between 0 and 1.
        puzzles: The number of puzzles.
    """

    mean: float
    low: float
    high: float
    puzzles: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Estimate:
        """The mean of some numbers, at least one."""
        count = len(values)
        mean = sum(values) / count
        middle = (mean + Z**2 / (2 * count)) / (1 + Z**2 / count)
        half = Z * sqrt(mean * (1 - mean) / count + Z**2 / (4 * count**2)) / (1 + Z**2 / count)
        return cls(mean, max(middle - half, 0.0), min(middle + half, 1.0), count)


@dataclass(frozen=True)
class Samples:
    """The result of `score_samples`.

    Attributes:
        pass_at: For each k, the probability that at least one of k answers is solved.
        score: The mean score of the answers.
        groups: The same for each group of puzzles, if they were grouped.
        table: The rows of `score`, one for each answer.
    """

    pass_at: dict[int, Estimate]
    score: Estimate
    groups: dict[str, Samples]
    table: Table


def score_samples(
    puzzles: Many,
    answers: Iterable[object],
    *,
    k: int | Iterable[int] = 1,
    by: Literal["level", "technique"] | None = None,
    **options: Unpack[ScoreRows],
) -> Samples:
    """Scores one answer or several to each puzzle.

    Args:
        puzzles: The puzzles: a list, a series, an array, ... A puzzle without a solution is an error.
        answers: For each puzzle an answer, as for `score`, or a list of answers.
        k: The numbers of answers, one of which has to be right. Each puzzle needs at least this number of answers.
        by: Also give the results for each level, or for each hardest technique, as `rate` finds them.
        options: The options of `score`.

    Returns:
        The estimates: `pass_at[k]` is free of bias, as it counts all choices of k answers.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If puzzles and answers differ in number, a puzzle has fewer than k answers, or has no score.
    """
    numbers = integers(1, 2**32)("k", k)
    if isinstance(answers, str):
        raise TypeError("answers must have an item for each puzzle, not be a str")
    several: list[Any] = list(puzzles)  # type: ignore[arg-type]
    samples = [_samples_of(own) for own in answers]
    if len(several) != len(samples) or not several:
        raise ValueError(f"there are {len(several)} puzzles and answers to {len(samples)}")
    fewest = min(map(len, samples))
    if fewest < max(numbers):
        raise ValueError(f"k is {max(numbers)}, and a puzzle has {fewest} answers")

    repeated = [puzzle for puzzle, own in zip(several, samples, strict=True) for _ in own]
    table = score(_joined(repeated), _joined([answer for own in samples for answer in own]), **options)
    if None in table["score"] or "malformed" in table["verdict"]:
        raise ValueError("a puzzle has no solution, or a puzzle or a chat is malformed")
    rows = iter(table)
    judged = [[next(rows) for _ in own] for own in samples]

    groups: dict[str, list[int]] = {}
    if by is not None:
        names = rate(several, columns=["level" if by == "level" else "hardest"])
        for index, row in enumerate(names):
            groups.setdefault(str(next(iter(row.values())) or "unrated"), []).append(index)

    def of(indices: Iterable[int], parts: dict[str, Samples]) -> Samples:
        chosen = [judged[index] for index in indices]
        passed = {number: Estimate.of([_pass_at(number, own) for own in chosen]) for number in numbers}
        means = [sum(row["score"] for row in own) / len(own) for own in chosen]
        return Samples(passed, Estimate.of(means), parts, table)

    return of(range(len(several)), {name: of(indices, {}) for name, indices in groups.items()})


def _samples_of(own: Any) -> Sequence[object]:
    """The answers to a puzzle: the items of a list, or one answer, which is a text, a chat, or cells."""
    if own is None or isinstance(own, str | bytes | Mapping) or is_chat(own):
        return [own]
    items = list(own)
    first: Any = items[0] if items else None
    is_grid = hasattr(first, "__len__") and len(first) == len(items) and isinstance(first[0], Real)
    if is_grid and len(items) in SIZES:
        raise ValueError("an item of answers may be a grid of 16 rows or 16 grids: write the grids as texts")
    return [own] if is_grid or isinstance(first, Real) else items


def _joined(items: list[Any]) -> Any:
    """Arrays of cells as one array."""
    if not all(hasattr(item, "dtype") and item.dtype.kind in "iuf" for item in items):
        return items
    import numpy

    return numpy.stack(items)


def _pass_at(k: int, rows: list[dict[str, Any]]) -> float:
    """The share of the choices of k answers with one that is solved."""
    wrong = sum(row["verdict"] != "solved" for row in rows)
    return 1 - comb(wrong, k) / comb(len(rows), k)
