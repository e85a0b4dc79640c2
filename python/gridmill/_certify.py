"""The certificate of a test set: fixed questions to `validate`, and a pass or a fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gridmill._functions import validate
from gridmill._inputs import puzzles_or_file
from gridmill._reports import Report, Scorecard

if TYPE_CHECKING:
    from gridmill._inputs import Many
    from gridmill._options import File

FAULTS = ("malformed", "conflict", "none", "multiple", "undecided", "bad-answer", "wrong-answer")
LEAKS = {"leak-exact": "exact", "leak-isomorph": "isomorph", "leak-solution": "solution"}


@dataclass(frozen=True, kw_only=True)
class Certificate(Report):
    """The result of `certify` for a test set and a training set.

    Attributes:
        passed: Whether there is no failure.
        failures: The faults, and the checks that could not be done, in words.
        records: The number of records of the test set.
        one_solution: The records whose puzzle has exactly one solution.
        right_answers: The records with a right answer.
        repeated: The records that repeat a puzzle of the training set, an isomorph or, apart from these, the solution
            of one.
        repeated_share: The share of these records.
        largest_class: The share of the test puzzles in the largest class of solutions.
        levels: The puzzles by level, if they were rated.
        scorecard: The report of `validate`.
    """

    passed: bool
    failures: list[str]
    records: int
    one_solution: int
    right_answers: int
    repeated: dict[str, int]
    repeated_share: float
    largest_class: float
    levels: dict[str, int] | None
    scorecard: Scorecard

    def __bool__(self) -> bool:
        """Whether the test set has passed."""
        return self.passed


def certify(train: Many | File, test: Many, *, ratings: bool = False, **options: Any) -> Certificate:
    """Certifies a test set: right answers, one solution each, and no record that repeats the training set.

    It is an audit by `validate` with fixed questions. A check that could not be done is a failure, too.

    Args:
        train: The training set, as `against` of `validate` takes it: puzzles, or the path of a file with them or with
            a set of classes.
        test: The test set, as for `validate`.
        ratings: Whether 9x9 puzzles are counted by level, too, which takes a hundred times as long.
        options: Further options of `validate`, such as `puzzle_column`, `answer_column`, `class_key` and `threads`.

    Returns:
        The certificate, which is true if the test set has passed; `print` shows it on a page.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or a set has no puzzle.
        OSError: If a file cannot be read.
    """
    against: Any = puzzles_or_file("train", train)
    found = validate(test, against=against, audit=True, audit_ratings=ratings, columns=["verdict"], **options)
    report: Scorecard = found.report
    findings, audit = report.findings, report.audit or {}
    repeated = {name: findings[finding] for finding, name in LEAKS.items()}
    not_compared = {
        "test puzzles without a class": report.other_sizes + report.without_class,
        "malformed training records": report.against_malformed or 0,
        "training puzzles without a class": (report.against_sets or {}).get("without_class", 0),
    }
    failures = [f"{findings[name]:,} records are {name}" for name in FAULTS if findings[name]]
    failures += [f"{count:,} records repeat a training puzzle: {name}" for name, count in repeated.items() if count]
    failures += [f"{count:,} {name} could not be compared" for name, count in not_compared.items() if count]
    failures += [f"the audit raises the alarm {alarm['alarm']}" for alarm in audit["alarms"]]
    if not any(report.answers.values()):
        failures.append("there are no answers to check")

    puzzles = sum(size["puzzles"] for size in audit["sizes"])
    largest = max((group["records"] for group in audit["grids"]["largest"]), default=0)
    return Certificate(
        wall_seconds=report.wall_seconds,
        passed=not failures and puzzles > 0,
        failures=failures,
        records=report.records,
        one_solution=sum(counts["unique"] or 0 for counts in report.clues.values()),
        right_answers=report.answers["right"],
        repeated=repeated,
        repeated_share=sum(repeated.values()) / max(report.records, 1),
        largest_class=largest / max(puzzles, 1),
        levels=(audit.get("ratings") or {}).get("levels"),
        scorecard=report,
    )
