"""What the functions return for one puzzle that is given as a `str`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Solved:
    """One solved puzzle: a row of `gridmill.solve`.

    Attributes:
        puzzle: The puzzle on one line.
        status: `unique`, `multiple`, `none`, `undecided` if the search gave up, or `malformed` if it is no puzzle.
        solutions: The number of solutions, counted up to the limit; `None` if it is not known.
        solution: The solution, if there is one and no other; with `first` the first of several.
        branches: The number of guesses of the search; `None` if the search was not complete.
        nanos: The time of the search in nanoseconds.
        detail: Why there is no solution, or no puzzle.
    """

    puzzle: str | None
    status: str
    solutions: int | None
    solution: str | None
    branches: int | None
    nanos: int
    detail: str | None


@dataclass(frozen=True)
class Validated:
    """The verdict on one puzzle: a row of `gridmill.validate`.

    Attributes:
        puzzle: The puzzle on one line.
        verdict: `sound`, or the first of the findings.
        findings: The names of all findings.
        detail: The findings explained.
        clues: The number of clues; `None` if it is no puzzle.
        solutions: The number of solutions, up to 2; `None` if it is not known.
        answer: `right`, `wrong` or `bad`; `None` if there is no answer to judge.
        class_id: The class of a 9x9 puzzle, the same for all its isomorphs; `None` unless it was asked for.
    """

    puzzle: str | None
    verdict: str
    findings: tuple[str, ...]
    detail: str | None
    clues: int | None
    solutions: int | None
    answer: str | None
    class_id: str | None


@dataclass(frozen=True)
class Canonical:
    """The canonical form of one puzzle: a row of `gridmill.canonical`.

    Attributes:
        puzzle: The puzzle on one line.
        canonical: The form, which is the same for all isomorphs of the puzzle; `None` if it has none.
        canonical_solution: The solution of the form, if it has one and no other.
        class_id: The class: the first half of the SHA-256 of the form, in hexadecimal digits.
        automorphisms: The number of ways in which the solution is its own isomorph.
        detail: Why there is no form.
    """

    puzzle: str | None
    canonical: str | None
    canonical_solution: str | None
    class_id: str | None
    automorphisms: int | None
    detail: str | None


@dataclass(frozen=True)
class Rated:
    """How hard one puzzle is for a person: a row of `gridmill.rate`.

    Attributes:
        puzzle: The puzzle on one line.
        status: As that of `Solved`. Only a 9x9 puzzle with the status `unique` has a rating.
        er: The difficulty of the hardest step; `None` if it is above `max_er`, 20.0 if no technique solves the puzzle.
        level: `easy`, `medium`, `hard`, `very hard`, `fiendish` or `extreme`.
        ep: The difficulty of the hardest step up to the first digit.
        ed: The difficulty of the first step.
        hardest: The technique of the first of the hardest steps.
        steps: The number of steps.
        techniques: The number of steps by technique.
        guesses: The mean number of guesses of a search for isomorphs of the puzzle, if they were asked for.
        detail: Why there is no rating, or no exact one.
    """

    puzzle: str | None
    status: str
    er: float | None
    level: str | None
    ep: float | None
    ed: float | None
    hardest: str | None
    steps: int | None
    techniques: dict[str, int]
    guesses: float | None
    detail: str | None
