"""The reports of runs: the same figures as the option `--summary` of the command line writes."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, TypeVar

R = TypeVar("R", bound="Report")


@dataclass(frozen=True, kw_only=True)
class Report:
    """The common part of all reports. `print` shows a line for each figure, a notebook a table.

    Attributes:
        wall_seconds: How long the run took.
    """

    wall_seconds: float

    def __str__(self) -> str:
        """The figures that are not 0."""
        return "\n".join([type(self).__name__, *(f"  {name:12} {figure}" for name, figure in self._figures())])

    def _repr_html_(self) -> str:
        """The same, for notebooks."""
        rows = (f"<tr><td>{name}</td><td>{html.escape(figure)}</td></tr>" for name, figure in self._figures())
        return f"<p>{type(self).__name__}</p><table>{''.join(rows)}</table>"

    def _figures(self) -> Iterator[tuple[str, str]]:
        for field in fields(self):
            shown = _in_words(getattr(self, field.name))
            if shown:
                yield field.name, shown


@dataclass(frozen=True, kw_only=True)
class RecordReport(Report):
    """The common part of the reports of jobs.

    Attributes:
        records_per_second: The mean speed; of `generate`, in puzzles.
        threads: The number of threads.
        engine: The engine, and its vectors.
        stopped_after: The number of the last record of a run that was stopped; `None` if it is complete.
        resumed: The part of the output that the run found and continued, if it did.
    """

    records_per_second: float
    threads: int
    engine: str
    stopped_after: dict[str, Any] | None
    resumed: dict[str, int] | None


@dataclass(frozen=True, kw_only=True)
class SolveReport(RecordReport):
    """The report of `solve`, `count`, `rate`, `steps` and `trace`, and of `merge_files` over their rows.

    Attributes:
        records: The number of records.
        rows: The number of records by status.
        clues: The number of puzzles by number of clues.
        not_all_listed: Puzzles with more solutions than are listed.
        cpu_seconds: The CPU time of the engines, and of the rest.
        busy: The share of the time that reader, workers and writer were busy.
        nanos: Total, percentiles and maximum of the nanoseconds of a search; None without a puzzle.
        nanos_histogram: The numbers of puzzles up to a number of nanoseconds.
        branches, branches_histogram: The same for guesses.
        slowest: The puzzles that took most time.
        limit: The number at which the counting of solutions stops.
        ratings: Levels, ratings and techniques, if puzzles were rated.
    """

    records: int
    rows: dict[str, int]
    clues: dict[str, int]
    not_all_listed: int
    cpu_seconds: dict[str, float]
    busy: dict[str, float]
    nanos: dict[str, int] | None
    nanos_histogram: list[dict[str, int]]
    branches: dict[str, int] | None
    branches_histogram: list[dict[str, int]]
    slowest: list[dict[str, Any]]
    limit: int | None
    ratings: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Scorecard(RecordReport):
    """The report of `validate`.

    Attributes:
        records: The number of records.
        verdicts: The number of records by verdict.
        findings: The number of records by finding; a record can have several.
        clues: The results by number of clues.
        answers: The number of answers that are right, wrong or bad.
        unanswered: Puzzles with one solution from an input without answers.
        without_blank: Puzzles without a blank.
        other_sizes: Puzzles without a class, which are not 4x4, 6x6 or 9x9.
        without_class: Puzzles of these sizes without a class.
        classes: The number of classes, if they were asked for.
        against_records: The number of records of `against`.
        against_malformed: The malformed records of `against`.
        against_sets: The classes, records and puzzles without a class of the sets of classes in `against`, if any.
        failed_on: The findings that make the command line fail, and `unread` if a part of an input was not looked at.
        unread: These parts, in words: text that was not read, and malformed records of `against` that are not allowed.
        audit: The results of the audit, if asked for: `alarms`, each with a `sentence`, `sizes`, `grids`, `order`,
            `pairs` and `ratings`.
    """

    records: int
    verdicts: dict[str, int]
    findings: dict[str, int]
    clues: dict[str, dict[str, int | None]]
    answers: dict[str, int]
    unanswered: int
    without_blank: int
    other_sizes: int
    without_class: int
    classes: int | None
    against_records: int | None
    against_malformed: int | None
    failed_on: list[str]
    unread: list[str]
    against_sets: dict[str, Any] | None = None
    audit: dict[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreReport(RecordReport):
    """The report of `score`.

    Attributes:
        records: The number of records.
        verdicts: The number of records by the verdict on the answer.
        scored: The number of answers with a score.
        mean_score: The mean of their scores, if a puzzle has any.
    """

    records: int
    verdicts: dict[str, int]
    scored: int
    mean_score: float | None


@dataclass(frozen=True, kw_only=True)
class StatesReport(RecordReport):
    """The report of `states`.

    Attributes:
        records: The number of records.
        states: The number of states by their status; a record without a state is malformed.
    """

    records: int
    states: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class CanonicalReport(RecordReport):
    """The report of `canonical`.

    Attributes:
        unique: Puzzles with one solution, which have a form.
        clues: Puzzles with no solution or several, whose clues have a form.
        undecided: Puzzles whose search gave up.
        out_of_bound: Puzzles whose form took too long to find.
        other_sizes: Puzzles that are not 4x4, 6x6 or 9x9.
        malformed: Records that are not puzzles.
    """

    unique: int
    clues: int
    undecided: int
    out_of_bound: int
    other_sizes: int
    malformed: int


@dataclass(frozen=True, kw_only=True)
class AugmentReport(RecordReport):
    """The report of `augment`.

    Attributes:
        puzzles: The number of puzzles.
        copies: The number of copies.
        fewer: Puzzles with fewer copies than wanted.
        malformed: Records that are not puzzles.
        unanswered: Puzzles without an answer.
        wrong_answers: Puzzles with a wrong answer.
    """

    puzzles: int
    copies: int
    fewer: int
    malformed: int
    unanswered: int
    wrong_answers: int


@dataclass(frozen=True, kw_only=True)
class GenerateReport(RecordReport):
    """The report of `generate`.

    Attributes:
        puzzles: The number of puzzles.
        clues: The number of puzzles by number of clues.
        missed: Attempts that did not give a puzzle with the wanted properties.
        repeats: Puzzles that were left out as isomorphs.
        undecided_clues: Clues that stayed because the search without them gave up.
    """

    puzzles: int
    clues: dict[str, int]
    missed: int
    repeats: int
    undecided_clues: int


@dataclass(frozen=True, kw_only=True)
class ClassesReport(RecordReport):
    """The report of `classes_file`.

    Attributes:
        classes: The number of classes in the set.
        grids: The number of classes of grids: solutions, answers and full grids in other columns.
        records: The number of records.
        without_class: Puzzles without a class, which are not found through the set.
        without_grid: Puzzles without a known grid.
        malformed: Records that are not puzzles.
    """

    classes: int
    grids: int
    records: int
    without_class: int
    without_grid: int
    malformed: int


@dataclass(frozen=True, kw_only=True)
class ConvertReport(RecordReport):
    """The report of `convert`.

    Attributes:
        puzzles: Puzzles that were written.
        not_written: Puzzles that the format cannot hold.
        malformed: Records that are not puzzles.
    """

    puzzles: int
    not_written: int
    malformed: int


@dataclass(frozen=True, kw_only=True)
class SplitReport(RecordReport):
    """The report of `split`.

    Attributes:
        records: The number of records.
        parts: The parts, each with its name, its number of records and the share that it should have.
        unsplit: The number of records that belong to no group, by the reason.
        left_out: The number of records in no part.
        values: How the values of the column of `stratify` are shared among the parts.
    """

    records: int
    parts: list[dict[str, Any]]
    unsplit: dict[str, int]
    left_out: int
    values: dict[str, Any] | None


@dataclass(frozen=True, kw_only=True)
class DedupeReport(RecordReport):
    """The report of `dedupe`.

    Attributes:
        records: The number of records.
        kept: The number of records that were kept.
        dropped: The number of records that repeat a kept one.
        not_compared: Records that belong to no group, by the reason; they were kept.
        without_number: Records without a number in the column of `keep_max` or `keep_min`.
    """

    records: int
    kept: int
    dropped: int
    not_compared: dict[str, int]
    without_number: int | None


@dataclass(frozen=True, kw_only=True)
class SampleReport(RecordReport):
    """The report of `sample`.

    Attributes:
        records: The number of records.
        matching: The number of records that meet all conditions and do not have a wrong answer.
        wrong_answers: The number of records that meet all conditions and were left out because of their answers.
        sampled: The number of records in the sample.
        values: The numbers for each value of the column of `stratify`.
    """

    records: int
    matching: int
    wrong_answers: int
    sampled: int
    values: list[dict[str, Any]] | None


@dataclass(frozen=True, kw_only=True)
class BenchReport(Report):
    """The report of `bench`.

    Attributes:
        options: The options of the call.
        limited: The engines that were timed only on a random sample of a set.
        rows: The results, with the seconds of each run, and the slowest puzzles.
    """

    options: dict[str, Any]
    limited: list[dict[str, Any]]
    rows: list[dict[str, Any]]


OF_COMMAND: dict[str, type[Report]] = {
    "solve": SolveReport,
    "rate": SolveReport,
    "trace": SolveReport,
    "validate": Scorecard,
    "score": ScoreReport,
    "states": StatesReport,
    "canon": CanonicalReport,
    "convert": ConvertReport,
    "generate": GenerateReport,
}
"""The type of the report of each command whose shards can be merged."""


def _in_words(value: object) -> str:
    """A figure, or several with their names; an empty text for 0 and for empty values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown}" for name, item in value.items() if (shown := _in_words(item)))
    if isinstance(value, list):
        return "; ".join(filter(None, map(_in_words, value)))
    if isinstance(value, float):
        return f"{value:,.3f}"
    return f"{value:,}" if isinstance(value, int) and value else str(value or "")


def read(kind: type[R], text: str) -> R:
    """Reads a report from JSON."""
    return kind(**json.loads(text))
