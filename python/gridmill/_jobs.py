"""The jobs, made from the arguments of the public functions, which are checked here."""

from __future__ import annotations

from collections.abc import Iterable

from gridmill import _gridmill
from gridmill._arguments import difficulty, flag, integer, texts


def solving(limit: int, first: bool) -> _gridmill.Job:
    """Solves puzzles."""
    return _gridmill.Job.solve(integer("limit", limit, 1), flag("first", first))


def rating(
    max_er: float | None, isomorphs: int | None = None, seed: int = 0, only_er: bool = False, steps: bool = False
) -> _gridmill.Job:
    """Rates puzzles."""
    only_er, steps = flag("only_er", only_er), flag("steps", steps)
    if steps and (only_er or isomorphs is not None):
        raise ValueError("only_er and isomorphs are for puzzles, and steps gives a row for each step")
    return _gridmill.Job.rate(
        None if max_er is None else difficulty("max_er", max_er),
        None if isomorphs is None else integer("isomorphs", isomorphs, 1, 1_000_000),
        integer("seed", seed, 0),
        only_er=only_er,
        steps=steps,
    )


def validating(minimal: bool, duplicates: bool, isomorphs: bool, classes: bool) -> _gridmill.Job:
    """Gives verdicts on puzzles."""
    return _gridmill.Job.validate(
        minimal=flag("minimal", minimal),
        duplicates=flag("duplicates", duplicates),
        isomorphs=flag("isomorphs", isomorphs),
        classes=flag("classes", classes),
    )


def copying(
    copies: int, seed: int, kinds: Iterable[str], original: bool, origin: bool, unchecked: bool
) -> _gridmill.Job:
    """Draws isomorphs of puzzles."""
    return _gridmill.Job.isomorphs(
        integer("copies", copies, 0, 1_000_000),
        integer("seed", seed, 0),
        texts("kinds", kinds),
        original=flag("original", original),
        origin=flag("origin", origin),
        unchecked=flag("unchecked", unchecked),
    )


def generating(
    n: int, seed: int, clues: int | None, order: int, solutions: bool, distinct: bool
) -> _gridmill.Generator:
    """Makes puzzles."""
    return _gridmill.Generator(
        integer("n", n, 0),
        integer("seed", seed, 0),
        None if clues is None else integer("clues", clues, 0, 625),
        integer("order", order, 2, 5),
        solutions=flag("solutions", solutions),
        distinct=flag("distinct", distinct),
    )
