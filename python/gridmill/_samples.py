"""Several answers of a model to each puzzle: the probability that one of k is right, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import comb, sqrt
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

from gridmill._answers import is_chat
from gridmill._checks import integers
from gridmill._functions import convert, rate, score
from gridmill._inputs import SIZES, items_of
from gridmill._options import ScoreRows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._table import Table

Z = 1.959964
"""The quantile of the normal distribution for an interval of 95 %."""


@dataclass(frozen=True)
class Difference:
    """The mean of one estimate less the mean of another one, over the same puzzles.

    Attributes:
        mean: The difference.
        low, high: The ends of its interval of 95 %, from means over puzzles that are drawn with replacement.
        p: The probability of a difference as far from 0, if the two are equally good.
    """

    mean: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Estimate:
    """A mean over puzzles, from 0 to 1, with its interval.

    Attributes:
        mean: The mean.
        low, high: The ends of Wilson's interval of 95 % for a share of the puzzles. It is too wide rather than too
            narrow for means of numbers between 0 and 1.
        puzzles: The number of puzzles.
        values: The number of each puzzle, after the puzzle.
    """

    mean: float
    low: float
    high: float
    puzzles: int
    values: list[tuple[str, float]] = field(repr=False)

    @classmethod
    def of(cls, values: list[tuple[str, float]]) -> Estimate:
        """The mean of the numbers of some puzzles, at least one."""
        count = len(values)
        mean = sum(value for _, value in values) / count
        middle = (mean + Z**2 / (2 * count)) / (1 + Z**2 / count)
        half = Z * sqrt(mean * (1 - mean) / count + Z**2 / (4 * count**2)) / (1 + Z**2 / count)
        return cls(mean, max(middle - half, 0.0), min(middle + half, 1.0), count, values)

    def compare(self, other: Estimate, *, resamples: int = 10_000, seed: int = 0) -> Difference:
        """Compares with an estimate for another model, puzzle by puzzle, by a bootstrap over puzzles.

        Args:
            other: The same estimate, of answers to the same puzzles in the same order.
            resamples: How often puzzles are drawn.
            seed: Each seed draws other puzzles.

        Raises:
            ValueError: If it is about other puzzles.
        """
        import numpy

        if [puzzle for puzzle, _ in self.values] != [puzzle for puzzle, _ in other.values]:
            raise ValueError("the estimates are about different puzzles, or have them in another order")
        pairs = zip(self.values, other.values, strict=True)
        differences = numpy.array([one - another for (_, one), (_, another) in pairs])
        random = numpy.random.default_rng(seed)
        drawn = numpy.array([random.choice(differences, len(differences)).mean() for _ in range(resamples)])
        low, high = numpy.percentile(drawn, [2.5, 97.5])
        # The draws are around the difference that was seen.
        mean = float(differences.mean())
        far = int((abs(drawn - mean) >= abs(mean) - 1e-12).sum())
        return Difference(mean, float(low), float(high), (far + 1) / (resamples + 1))


@dataclass(frozen=True)
class Samples:
    """The result of `score_samples`.

    Attributes:
        pass_at: For each k, the probability that at least one of k answers is solved.
        maj_at: For each k, the probability that the most frequent grid of k answers is solved. Answers without a grid
            do not count, and of several most frequent grids, each is taken with the same probability.
        score: The mean score of the answers.
        groups: The same for each group of puzzles, if they were grouped.
        table: The rows of `score`, one for each answer.
    """

    pass_at: dict[int, Estimate]
    maj_at: dict[int, Estimate]
    score: Estimate
    groups: dict[str, Samples]
    table: Table


def score_samples(
    puzzles: Many,
    answers: Iterable[object],
    *,
    k: int | Iterable[int] = 1,
    by: Literal["level", "technique", "er", "clues"] | Iterable[object] | None = None,
    bins: Iterable[float] | None = None,
    **options: Unpack[ScoreRows],
) -> Samples:
    """Scores one answer or several to each puzzle.

    Args:
        puzzles: The puzzles: a list, a series, an array, ... A puzzle without a solution is an error.
        answers: For each puzzle an answer, as for `score`, or a list of answers.
        k: The numbers of answers, one of which has to be right. Each puzzle needs at least this number of answers.
        by: Also give the results for each level, hardest technique or ER, as `rate` finds them, for each number of
            clues, or for each value of a list, a series or a column with a value for each puzzle.
        bins: The ends of the bins that numbers of `by` are put into, such as `[1.0, 2.5, 4.0]`. The last bin includes
            its end; the numbers outside are `other`.
        options: The options of `score`.

    Returns:
        The estimates: `pass_at[k]` and `maj_at[k]` are free of bias, as they count all choices of k answers. `compare`
        of an estimate tests the difference to the same estimate for another model.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If puzzles and answers differ in number, a puzzle has fewer than k answers, or has no score.
    """
    numbers = integers(1, 2**32)("k", k)
    if isinstance(answers, str):
        raise TypeError("answers must have an item for each puzzle, not be a str")
    several = items_of(puzzles)
    samples = [_samples_of(own) for own in items_of(answers)]
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
    for index, name in enumerate([] if by is None else _groups_of(several, by, bins)):
        groups.setdefault(name, []).append(index)

    def of(indices: Iterable[int], parts: dict[str, Samples]) -> Samples:
        chosen = [judged[index] for index in indices]

        def estimate(value: Callable[[list[dict[str, Any]]], float]) -> Estimate:
            return Estimate.of([(own[0]["puzzle"], value(own)) for own in chosen])

        passed = {number: estimate(partial(_pass_at, number)) for number in numbers}
        voted = {number: estimate(partial(_maj_at, number)) for number in numbers}
        mean = estimate(lambda own: sum(row["score"] for row in own) / len(own))
        return Samples(passed, voted, mean, parts, table)

    return of(range(len(several)), {name: of(indices, {}) for name, indices in groups.items()})


def _groups_of(puzzles: list[Any], by: Any, bins: Iterable[float] | None) -> list[str]:
    """The group of each puzzle."""
    if isinstance(by, str):
        column = {"technique": "hardest"}.get(by, by)
        made: Any = convert if by == "clues" else rate
        values = made(_joined(puzzles), columns=[column])[column]
    else:
        values = items_of(by)
    if len(values) != len(puzzles):
        raise ValueError(f"by has {len(values)} values, and there are {len(puzzles)} puzzles")
    if bins is None:
        return [("unrated" if isinstance(by, str) else "other") if value is None else str(value) for value in values]

    ends = sorted(bins)
    if any(isinstance(value, str) for value in values):
        raise TypeError("bins are for numbers, such as by='er'")

    def bin_of(value: float | None) -> str:
        for low, high in pairwise(ends):
            if value is not None and (low <= value < high or value == high == ends[-1]):
                return f"{low}..{high}"
        return "other"

    return [bin_of(value) for value in values]


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


def _maj_at(k: int, rows: list[dict[str, Any]]) -> float:
    """The share of the choices of k answers whose most frequent grid is solved; of several such grids, one is drawn."""
    solved = Counter(row["grid"] for row in rows if row["verdict"] == "solved")
    counts = Counter(row["grid"] for row in rows if row["grid"] is not None)
    without = len(rows) - counts.total()
    share = 0.0
    for right in solved:
        for votes in range(1, min(counts[right], k) + 1):
            # The choices of other answers, by their number and the number of other grids with as many votes.
            choices = {(size, 0): comb(without, size) for size in range(k - votes + 1)}
            for count in (count for grid, count in counts.items() if grid != right):
                longer: Counter[tuple[int, int]] = Counter()
                for (size, ties), ways in choices.items():
                    for own in range(min(count, votes, k - votes - size) + 1):
                        longer[size + own, ties + (own == votes)] += ways * comb(count, own)
                choices = longer
            ways_of = sum(ways / (ties + 1) for (size, ties), ways in choices.items() if size == k - votes)
            share += comb(counts[right], votes) * ways_of
    return share / comb(len(rows), k)
