"""The certificate of a test set: a pass or a fail, by an audit with fixed questions."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING

from gridmill import _gridmill
from gridmill._inputs import length_of, puzzles_or_file, with_cure
from gridmill._options import Certify, check, takes
from gridmill._progress import watched
from gridmill._reports import RecordReport, Scorecard

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._options import File


@dataclass(frozen=True, kw_only=True)
class Certificate(RecordReport):
    """The result of `certify` for a test set and a training set. `print` shows it on a page.

    Attributes:
        passed: Whether there is no failure.
        failures: The faults, and the checks that could not be done, in words.
        records: The number of records of the test set.
        one_solution: The records whose puzzle has exactly one solution.
        right_answers: The records with a right answer.
        repeated: The records that repeat a puzzle of the training set, an isomorph or, apart from these, the solution
            of one.
        repeated_share: The share of these records; None if there are no records.
        largest_class: The share of the test puzzles in the largest class of solutions; None if no class was computed.
        levels: The puzzles by level, if they were rated.
        scorecard: The report of `validate`.
        page: The certificate as text.
    """

    passed: bool
    failures: list[str]
    records: int
    one_solution: int
    right_answers: int
    repeated: dict[str, int]
    repeated_share: float | None
    largest_class: float | None
    levels: dict[str, int] | None
    scorecard: Scorecard
    page: str

    def __bool__(self) -> bool:
        """Whether the test set has passed."""
        return self.passed

    def __str__(self) -> str:
        """The page."""
        return self.page

    def _repr_html_(self) -> str:
        """The page, for notebooks."""
        return f"<pre>{html.escape(self.page)}</pre>"


@takes(Certify)
def certify(train: Many | File, test: Many | File, **options: Unpack[Certify]) -> Certificate:
    """Certifies a test set: right answers, one solution each, and no record that repeats the training set.

    It is an audit by `validate` with fixed questions. A check that could not be done is a failure, too.

    Args:
        train: The training set: puzzles as for `solve`, or the path of a file with them or with a set of classes from
            `classes_file`, which finds isomorphs.
        test: The test set, a table with answers as for `solve`, or the path of a file.

    Returns:
        The certificate, which is true if the test set has passed.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or the training set has no puzzle.
        OSError: If a file cannot be read.
    """
    call = check(certify, options)
    job = _gridmill.Job("validate", audit_ratings=call.run.pop("ratings"), **call.job)
    against, puzzles = puzzles_or_file("train", train), puzzles_or_file("test", test)
    with watched(call.run, None if isinstance(test, str | PathLike) else length_of(test)), with_cure(test):
        page, text = job.certify(puzzles, call.settings, against, **call.run)

    found = json.loads(text)
    facts = {field.name: found[field.name] for field in fields(RecordReport)}
    return Certificate(**found | {"scorecard": Scorecard(**found["scorecard"], **facts)}, page=page.rstrip())
