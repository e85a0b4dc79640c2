"""The rows that the functions return for one puzzle given as a `str`. They are made on the calling thread."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from gridmill import _gridmill
from gridmill._options import Checked
from gridmill._table import Table


class Solved(NamedTuple):
    """One solved puzzle: a row of `gridmill.solve`.

    Attributes:
        puzzle: The puzzle on one line.
        status: `unique`, `multiple`, `none`, `undecided` if the search gave up, or `malformed` if it is not a puzzle.
        solutions: The number of solutions, counted up to the limit; `None` if it is not known.
        solution: The solution, if there is exactly one; with `first` the first of several.
        branches: The number of guesses of the search; `None` if the search was not complete.
        nanos: The time of the search in nanoseconds.
        detail: Why there is no solution, or no puzzle.
    """

    puzzle: str
    status: str
    solutions: int | None
    solution: str | None
    branches: int | None
    nanos: int
    detail: str | None


class Counted(NamedTuple):
    """The columns of `Solved` that `gridmill.count` needs."""

    status: str
    solutions: int | None
    detail: str | None


class Validated(NamedTuple):
    """The verdict on one puzzle: a row of `gridmill.validate`.

    Attributes:
        puzzle: The puzzle on one line.
        verdict: `sound`, or the first of the findings.
        findings: The names of all findings.
        detail: The findings explained.
        clues: The number of clues; `None` if it is not a puzzle.
        solutions: The number of solutions, up to 2; `None` if it is not known.
        answer: `right`, `wrong` or `bad`; `None` if there is no answer to judge.
        class_id: The class of a 4x4, 6x6 or 9x9 puzzle, the same for all its isomorphs; `None` unless it was asked for.
    """

    puzzle: str
    verdict: str
    findings: tuple[str, ...]
    detail: str | None
    clues: int | None
    solutions: int | None
    answer: str | None
    class_id: str | None


class Scored(NamedTuple):
    """The score of one answer to a puzzle: a row of `gridmill.score`.

    Attributes:
        puzzle: The puzzle on one line.
        verdict: `solved`, `wrong`, `changed`, `incomplete` or `no-grid`; `none` if the puzzle has no solution,
            `malformed` if it is not a puzzle, or the answer is a chat that cannot be read.
        score: A number from 0 to 1; `None` if it is not known, or the puzzle has no solution.
        grid: The grid in the answer, on one line; without a grid, this and all the following but `found` are `None`.
        found: Where the grid was found: `answer`, `boxed` or `text`. Of `no-grid`, `thoughts` if only these have one,
            or `answer` if its tag has none.
        start: The byte of the answer, in UTF-8, at which it starts.
        grids: The number of different grids in that place.
        another: Whether another grid in the answer is a solution: `yes` or `no`; `None` if this one is.
        blanks: The number of blanks of the puzzle.
        filled: The number of blanks that the grid fills.
        right: The number of blanks that it fills like the nearest solution; `None` if it is not known.
        conflicts: The number of its cells whose digit occurs again in their row, column or box.
        changed: The number of clues that the grid lacks or has changed.
        solvable: Whether a grid with blanks has a solution: `yes` or `no`; `None` if it is not known.
        detail: The reason for the verdict, where there is one to give.
    """

    puzzle: str
    verdict: str
    score: float | None
    grid: str | None
    found: str | None
    start: int | None
    grids: int | None
    another: str | None
    blanks: int | None
    filled: int | None
    right: int | None
    conflicts: int | None
    changed: int | None
    solvable: str | None
    detail: str | None


class State(NamedTuple):
    """A partly filled grid of a puzzle: a row of `gridmill.states`.

    Attributes:
        puzzle: The puzzle on one line.
        state: The state on one line; `None`, like all the following, if there is no state.
        status: The status of the state: `unique`, `multiple`, `none`, `undecided` if the search gave up, or
            `malformed`.
        solutions: The number of its solutions: 0, 1, or 2 for more; `None` if it is not known.
        blanks: The number of blanks of the puzzle.
        filled: The number of blanks that the state fills.
        wrong: The number of blanks that it fills differently from the only solution of the puzzle; `None` without such
            a solution.
        conflicts: The number of its cells whose digit occurs again in their row, column or box.
        changed: The number of clues that the state lacks or has changed.
        forced: The blanks that singles fill, such as `r1c2=3`, if they were asked for.
        backbone: The digits that all solutions share, if candidates were asked for.
        candidates: A symbol for each cell and digit, the digit itself if it occurs in a solution, if they were asked
            for.
        detail: The reason for the status, where there is one to give.
    """

    puzzle: str
    state: str | None
    status: str
    solutions: int | None
    blanks: int | None
    filled: int | None
    wrong: int | None
    conflicts: int | None
    changed: int | None
    forced: tuple[str, ...]
    backbone: str | None
    candidates: str | None
    detail: str | None


class Canonical(NamedTuple):
    """The canonical form of one puzzle: a row of `gridmill.canonical`.

    Attributes:
        puzzle: The puzzle on one line.
        canonical: The form, which is the same for all isomorphs of the puzzle; `None` if it has none.
        canonical_solution: The solution of the form, if it has one and no other.
        class_id: The class: the first half of the SHA-256 of the form, in hexadecimal digits.
        automorphisms: The number of isomorphisms from the solution to itself.
        detail: Why it has no form.
    """

    puzzle: str
    canonical: str | None
    canonical_solution: str | None
    class_id: str | None
    automorphisms: int | None
    detail: str | None


class Rated(NamedTuple):
    """How hard one puzzle is for a person: a row of `gridmill.rate`.

    Attributes:
        puzzle: The puzzle on one line.
        status: As in `Solved`. Only a 9x9 puzzle with the status `unique` has a rating.
        er: The difficulty of the hardest step; `None` if it is above `max_er`, 20.0 if no technique solves the puzzle.
        level: `easy`, `medium`, `hard`, `very hard`, `fiendish` or `extreme`.
        ep: The difficulty of the hardest step up to the first digit.
        ed: The difficulty of the first step.
        hardest: The technique of the first of the hardest steps.
        steps: The number of steps.
        techniques: The number of steps by technique.
        detail: Why there is no rating, or no exact one.
    """

    puzzle: str
    status: str
    er: float | None
    level: str | None
    ep: float | None
    ed: float | None
    hardest: str | None
    steps: int | None
    techniques: dict[str, int]
    detail: str | None


Row = TypeVar("Row", Solved, Counted, Validated, Scored, State, Canonical, Rated)

Prepare = Callable[[dict[str, Any]], tuple[_gridmill.Job, Checked]]
"""Checks the options of a function, and turns them into a job."""


def row(kind: type[Row], prepare: Prepare, options: Mapping[str, Any], puzzle: str, answer: str | None = None) -> Row:
    """The row of a puzzle, and of its answer, if it has one.

    The job is cached by the options, because checking them takes longer than solving an easy puzzle.
    """
    try:
        make = _made_once(kind, prepare, answer is not None, **options)
    except TypeError:
        make = None
    # The options cannot be a key of the cache: one has no hash, or the wrong type. The checks raise the right error.
    if make is None:
        make = _made(kind, prepare, answer is not None, **options)
    return make(puzzle, answer)  # type: ignore[no-any-return]


def first_row(kind: type[Row], table: Table) -> Row:
    """The first row of a table."""
    values = (table[0][name] for name in _columns_of(kind))
    return kind._make(tuple(value) if isinstance(value, list) else value for value in values)


def _columns_of(kind: type[Any]) -> list[str]:
    """The columns of a table for the attributes; `class` cannot be the name of an attribute in Python."""
    return ["class" if name == "class_id" else name for name in kind._fields]


def _made(kind: type[Any], prepare: Prepare, has_answer: bool, /, **options: Any) -> Callable[[str, str | None], Any]:
    """A function that makes rows."""
    job, call = prepare(options)
    values = job.single(call.settings, _columns_of(kind), answers=has_answer).row
    return lambda puzzle, answer: kind._make(values(puzzle, answer))


_made_once: Callable[..., Callable[[str, str | None], Any]] = functools.lru_cache(maxsize=64, typed=True)(_made)
