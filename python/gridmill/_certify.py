"""The certificate of a test set: a pass or a fail, by an audit with fixed questions."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from gridmill import _gridmill
from gridmill._inputs import length_of, puzzles_or_files, with_cure
from gridmill._options import Certify, check, takes
from gridmill._progress import watched
from gridmill._reports import RecordReport, Scorecard

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._options import Files


@dataclass(frozen=True, kw_only=True, repr=False)
class Certificate(RecordReport):
    """The result of `certify` for a test set and a training set. It is shown as a page in Markdown.

    Attributes:
        passed: Whether there is no failure.
        failures: The faults, and the checks that could not be done, in words.
        notes: The limits of the checks, in words.
        records: The number of records of the test set.
        one_solution: The records whose puzzle has exactly one solution.
        right_answers: The records with a right answer.
        repeated: The records that repeat a puzzle of the training set, an isomorph or, apart from these, the grid of a
            solution, of an answer, or in another column.
        repeated_share: The share of these records; None if there are no records.
        repeated_within: The records that repeat an earlier puzzle of the test set, or an isomorph.
        largest_class: The share of the test puzzles in the largest class of solutions; None if no class was computed.
        levels: The puzzles by level, if they were rated.
        files: The files of both sets: set, name, puzzles, malformed records, bytes and SHA-256.
        options: The options that the result depends on.
        version: The version of gridmill.
        date: The time in UTC.
        scorecard: The report of `validate`.
        page: The page.
    """

    passed: bool
    failures: list[str]
    notes: list[str]
    records: int
    one_solution: int
    right_answers: int
    repeated: dict[str, int]
    repeated_share: float | None
    repeated_within: dict[str, int]
    largest_class: float | None
    levels: dict[str, int] | None
    files: list[dict[str, Any]]
    options: dict[str, Any]
    version: str
    date: str
    scorecard: Scorecard
    page: str

    def __bool__(self) -> bool:
        """Whether the test set has passed."""
        return self.passed

    def __repr__(self) -> str:
        """The page."""
        return self.page

    __str__ = _repr_markdown_ = __repr__


@takes(Certify)
def certify(test: Many | Files, train: Many | Files, **options: Unpack[Certify]) -> Certificate:
    """Certifies a test set: right answers, one solution each, and no record that repeats the training set.

    It is an audit by `validate` with fixed questions. A check that could not be done is a failure, too.

    Args:
        test: The test set: a table with answers as for `solve`, the path of a file, or a list of tables or paths.
        train: The training set, likewise; also puzzles without answers, and sets of classes from `classes_file`.

    Returns:
        The certificate, which is true if the test set has passed.

    Raises:
        ValueError: If an argument has a wrong value, or the training set has no puzzle.
        OSError: If a file cannot be read.
    """
    call = check(certify, options)
    job = _gridmill.Job("validate", audit_ratings=call.run.pop("ratings"), **call.job)
    puzzles, against = puzzles_or_files("test", test), puzzles_or_files("train", train)
    with watched(call.run, None if isinstance(puzzles, tuple) else length_of(test)), with_cure(test):
        page, text = job.certify(puzzles, call.settings, against, **call.run)

    found = json.loads(text)
    facts = {field.name: found[field.name] for field in fields(RecordReport)}
    return Certificate(**found | {"scorecard": Scorecard(**found["scorecard"], **facts)}, page=page.rstrip())
