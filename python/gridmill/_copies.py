"""The functions that copy records as they are: to parts, without repetitions, or a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridmill import _checks, _gridmill
from gridmill._inputs import length_of, puzzles_of, with_cure
from gridmill._options import (
    Checked,
    Dedupe,
    DedupeFile,
    Sample,
    SampleFile,
    Split,
    SplitFile,
    check,
    takes,
)
from gridmill._progress import watched
from gridmill._reports import DedupeReport, R, Report, SampleReport, SplitReport, read
from gridmill._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._options import File, Files


@takes(Split)
def split(puzzles: Many, **options: Unpack[Split]) -> dict[str, Table]:
    """Splits puzzles into parts, such as a training set and a test set, without leaks.

    Records that belong together go to the same part. The part of a record depends only on its group, the seed and the
    parts: it is the same in any order, and when records are added. Exact sizes and `stratify` are exceptions.

    Args:
        puzzles: As for `solve`, but not one `str`. Either `parts` or `folds` is needed.

    Returns:
        The rows of each part by its name, with all columns of the input and their types, in order. If some rows belong
        to no group, these are `unsplit`. All tables have the same `report`.

    Raises:
        ValueError: If an argument has a wrong value, or a part cannot have its exact size.
    """
    call = check(split, options)
    return _copies(_gridmill.CopyJob.split(**call.job), puzzles, call, SplitReport)


@takes(Dedupe)
def dedupe(puzzles: Many, **options: Unpack[Dedupe]) -> Table:
    """Leaves out repetitions: keeps one record of each puzzle or class.

    Args:
        puzzles: As for `solve`, but not one `str`.

    Returns:
        The rows that are kept, with all columns of the input and their types, in order. Rows that cannot be compared
        are kept; `report` has their number.

    Raises:
        OSError: If the file `dropped` cannot be written.
    """
    call = check(dedupe, options)
    return _copies(_gridmill.CopyJob.dedupe(**call.job), puzzles, call, DedupeReport)[""]


@takes(Sample)
def sample(puzzles: Many, count: int, **options: Unpack[Sample]) -> Table:
    """Takes a random sample of records. The same seed gives the same sample.

    Args:
        puzzles: As for `solve`, but not one `str`. Of a table, puzzles with wrong answers are left out.
        count: The number of records; if there are fewer, all are taken.

    Returns:
        The rows of the sample, with all columns of the input and their types, in order.
    """
    call = check(sample, options)
    job = _gridmill.CopyJob.sample(_checks.integer()("count", count), **call.job)
    return _copies(job, puzzles, call, SampleReport)[""]


@takes(SplitFile)
def split_file(inputs: Files, output: File, **options: Unpack[SplitFile]) -> SplitReport:
    """Splits the records of files into parts, each with a file of its own. Records are copied byte for byte, in order.

    Args:
        inputs: As for `solve_file`. Either `parts` or `folds` is needed.
        output: A directory for files named after the parts, with the extension of the first input; or the name of the
            files with `{part}` in it, such as `parts/{part}.csv.gz`.

    Returns:
        The numbers of records of each part, and of the records in no part.

    Raises:
        ValueError: If an argument has a wrong value, the format of an input is not known, the output is an input, or a
            part cannot have its exact size.
        OSError: If a file cannot be read or written.
    """
    call = check(split_file, options)
    return _write(_gridmill.CopyJob.split(**call.job), inputs, output, call, SplitReport)


@takes(DedupeFile)
def dedupe_file(inputs: Files, output: File, **options: Unpack[DedupeFile]) -> DedupeReport:
    """Copies the records of files without repetitions, byte for byte, in order.

    Args:
        inputs: As for `solve_file`.
        output: The path of the output, in the format of the inputs; its extension says how it is compressed.

    Returns:
        The numbers of records that were kept and dropped.
    """
    call = check(dedupe_file, options)
    return _write(_gridmill.CopyJob.dedupe(**call.job), inputs, output, call, DedupeReport)


@takes(SampleFile)
def sample_file(inputs: Files, output: File, count: int, **options: Unpack[SampleFile]) -> SampleReport:
    """Copies a random sample of the records of files, byte for byte, in order.

    Args:
        inputs: As for `solve_file`. Of a table, puzzles with wrong answers are left out.
        output: As for `dedupe_file`.
        count: As for `sample`.

    Returns:
        The numbers of records, of all and in the sample.
    """
    call = check(sample_file, options)
    job = _gridmill.CopyJob.sample(_checks.integer()("count", count), **call.job)
    return _write(job, inputs, output, call, SampleReport)


def _copies(job: _gridmill.CopyJob, puzzles: object, call: Checked, kind: type[Report]) -> dict[str, Table]:
    """The rows of each part; a job without parts has one with an empty name."""
    with watched(call.run, length_of(puzzles)), with_cure(puzzles):
        parts, text = job.table(puzzles_of("puzzles", puzzles), call.settings, **call.run)
    report = read(kind, text)
    return {name: Table(batches, report) for name, batches in parts}


def _write(job: _gridmill.CopyJob, inputs: Files, output: File, call: Checked, kind: type[R]) -> R:
    """Copies the records of files."""
    files, target = _checks.some_paths("inputs", inputs), _checks.path("output", output)
    with watched(call.run, None):
        return read(kind, job.write(files, call.settings, target, **call.output, **call.run))
