"""Several answers of a model to each puzzle: the probability that one of k is right, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import TYPE_CHECKING, Any, Literal

from gridmill._checks import integers
from gridmill._functions import rate, score
from gridmill._options import Formula

if TYPE_CHECKING:
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
    puzzles: Sequence[str],
    samples: Sequence[Sequence[object]],
    *,
    k: int | Iterable[int] = 1,
    by: Literal["level", "technique"] | None = None,
    formula: Formula = "blanks",
) -> Samples:
    """Scores several answers to each puzzle.

    Args:
        puzzles: The puzzles, each a `str`.
        samples: A list of answers to each, as for `score`. A puzzle without a solution is an error.
        k: The numbers of answers of which one has to be right. Each puzzle needs as many answers.
        by: Also give the results for each level, or for each hardest technique, as `rate` finds them.
        formula: As for `score`.

    Returns:
        The estimates: `pass_at[k]` is free of bias, as it counts all choices of k answers.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If there are not as many lists of answers as puzzles, a list has fewer than k answers, or a puzzle
            has no score.
    """
    numbers = integers(1, 2**32)("k", k)
    if len(puzzles) != len(samples) or not puzzles:
        raise ValueError(f"there are {len(puzzles)} puzzles and {len(samples)} lists of answers")
    fewest = min(map(len, samples))
    if fewest < max(numbers):
        raise ValueError(f"k is {max(numbers)}, and a puzzle has {fewest} answers")

    flat = [puzzle for puzzle, own in zip(puzzles, samples, strict=True) for _ in own]
    table = score(flat, [answer for own in samples for answer in own], formula=formula)
    if None in table["score"] or "malformed" in table["verdict"]:
        raise ValueError("a puzzle has no solution, or is malformed")
    rows = iter(table)
    answers = [[next(rows) for _ in own] for own in samples]

    groups: dict[str, list[int]] = {}
    if by is not None:
        names = rate(list(puzzles), columns=["level" if by == "level" else "hardest"])
        for index, row in enumerate(names):
            groups.setdefault(str(next(iter(row.values())) or "unrated"), []).append(index)

    def of(indices: Iterable[int], parts: dict[str, Samples]) -> Samples:
        chosen = [answers[index] for index in indices]
        passed = {number: Estimate.of([_pass_at(number, own) for own in chosen]) for number in numbers}
        means = [sum(row["score"] for row in own) / len(own) for own in chosen]
        return Samples(passed, Estimate.of(means), parts, table)

    return of(range(len(puzzles)), {name: of(indices, {}) for name, indices in groups.items()})


def _pass_at(k: int, rows: list[dict[str, Any]]) -> float:
    """The share of the choices of k answers with one that is solved."""
    wrong = sum(row["verdict"] != "solved" for row in rows)
    return 1 - comb(wrong, k) / comb(len(rows), k)
