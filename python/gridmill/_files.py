"""The functions on files of any size, which do the same as the commands of `gridmill`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridmill import _checks, _gridmill
from gridmill._options import (
    AugmentFile,
    Checked,
    ClassesFile,
    ConvertFile,
    ExplainFile,
    FileRows,
    GenerateFile,
    Merge,
    RateFile,
    ScoreFile,
    SolveFile,
    StatesFile,
    TraceFile,
    ValidateFile,
    check,
    takes,
)
from gridmill._progress import watched
from gridmill._reports import (
    OF_COMMAND,
    AugmentReport,
    CanonicalReport,
    ClassesReport,
    ConvertReport,
    GenerateReport,
    R,
    Report,
    Scorecard,
    ScoreReport,
    SolveReport,
    StatesReport,
    read,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._options import File, Files


@takes(SolveFile)
def solve_file(inputs: Files, output: File, **options: Unpack[SolveFile]) -> SolveReport:
    """Solves the puzzles of files and writes the rows to a file, in memory that does not grow with them.

    The output is called `OUTPUT.partial` until it is complete. That file stays if the run is interrupted.

    Args:
        inputs: The path of a file, or several. Their formats and their compression are detected: lines, grids,
            integers, CSV, JSON lines, Parquet, arrays of NumPy.
        output: The path of the output. Its extension says how it is written: `.csv`, `.jsonl`, `.txt`, `.parquet`, and
            `.gz`, `.zst`, `.xz` or `.bz2` after it.

    Returns:
        The counts and times of the run.
    """
    call = check(solve_file, options)
    return _write(_gridmill.Job("solve", **call.job), inputs, output, call, SolveReport)


@takes(ValidateFile)
def validate_file(inputs: Files, output: File, **options: Unpack[ValidateFile]) -> Scorecard:
    """Gives a verdict on every record of files and writes the rows to a file.

    A shard has no `duplicates` and `isomorphs`.

    Args:
        inputs: As for `solve_file`. The answers of a table are judged.
        output: As for `solve_file`.

    Returns:
        The scorecard.

    Raises:
        ValueError: If an argument has a wrong value, the format of an input is not known, the output is an input, or
            `against` has no puzzle.
        OSError: If a file cannot be read or written.
    """
    call = check(validate_file, options)
    return _write(_gridmill.Job("validate", **call.job), inputs, output, call, Scorecard)


@takes(ScoreFile)
def score_file(inputs: Files, output: File, **options: Unpack[ScoreFile]) -> ScoreReport:
    """Scores the answers to the puzzles of files, and writes the rows to a file.

    Args:
        inputs: As for `solve_file`. They are tables with the answers in a column.
        output: As for `solve_file`.

    Returns:
        The numbers of answers by verdict, and the mean of their scores.
    """
    call = check(score_file, options)
    return _write(_gridmill.Job("score", **call.job), inputs, output, call, ScoreReport)


@takes(StatesFile)
def states_file(inputs: Files, output: File, **options: Unpack[StatesFile]) -> StatesReport:
    """Examines the states of the puzzles of files, and writes the rows to a file.

    Args:
        inputs: As for `solve_file`. If they are tables, the states may be in a column.
        output: As for `solve_file`.

    Returns:
        The numbers of states by their status.
    """
    call = check(states_file, options)
    return _write(_gridmill.Job("states", **call.job), inputs, output, call, StatesReport)


@takes(FileRows)
def canonical_file(inputs: Files, output: File, **options: Unpack[FileRows]) -> CanonicalReport:
    """Finds the canonical forms of the puzzles of files and writes the rows to a file.

    Args:
        inputs, output: As for `solve_file`.

    Returns:
        The numbers of puzzles with a form and without.
    """
    call = check(canonical_file, options)
    return _write(_gridmill.Job("canon", **call.job), inputs, output, call, CanonicalReport)


@takes(RateFile)
def rate_file(inputs: Files, output: File, **options: Unpack[RateFile]) -> SolveReport:
    """Rates the 9x9 puzzles of files and writes the rows to a file.

    Args:
        inputs, output: As for `solve_file`.

    Returns:
        The counts and times of the run.
    """
    call = check(rate_file, options)
    return _write(_gridmill.Job("rate", **call.job), inputs, output, call, SolveReport)


@takes(TraceFile)
def trace_file(inputs: Files, output: File, **options: Unpack[TraceFile]) -> SolveReport:
    """Traces how the puzzles of files are solved and writes the rows to a file.

    Args:
        inputs: As for `solve_file`.
        output: As for `solve_file`. A text file has the steps in words; an array (`.npy`) has 325 integers for each
            puzzle, and is for the style `order`.

    Returns:
        The counts and times of the run.
    """
    call = check(trace_file, options)
    return _write(_gridmill.Job("trace", **call.job), inputs, output, call, SolveReport)


@takes(AugmentFile)
def augment_file(inputs: Files, output: File, copies: int, **options: Unpack[AugmentFile]) -> AugmentReport:
    """Writes random isomorphs of the puzzles of files to a file.

    The column `origin` is the line of the puzzle, after the name of its file if there are several.

    Args:
        inputs: As for `solve_file`. The answers of a table are rewritten with the puzzles.
        output: As for `solve_file`.
        copies: As for `augment`.

    Returns:
        The numbers of puzzles and copies, and of records that are left out.
    """
    call = check(augment_file, options)
    job = _gridmill.Job("augment", copies=_checks.integer(0, 1_000_000)("copies", copies), **call.job)
    return _write(job, inputs, output, call, AugmentReport)


@takes(GenerateFile)
def generate_file(count: int, output: File, **options: Unpack[GenerateFile]) -> GenerateReport:
    """Generates puzzles with exactly one solution and writes them to a file.

    Args:
        count: The number of puzzles.
        output: As for `solve_file`. A text file has one puzzle a line, without its solution.

    Returns:
        The numbers of puzzles and of their clues.

    Raises:
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
        OSError: If the file cannot be written.
    """
    call = check(generate_file, options)
    job = _gridmill.Generator(count=_checks.integer()("count", count), **call.job)
    target = _gridmill.Output(_checks.path("output", output), **call.output)
    with watched(call.run, target.share(count)):
        return read(GenerateReport, job.write(call.settings, target, **call.run))


@takes(ConvertFile)
def convert_file(inputs: Files, output: File, **options: Unpack[ConvertFile]) -> ConvertReport:
    """Writes the puzzles of files in another format, without solving them.

    Tables have a row for each record. Other formats have a comment in place of a record that is not a puzzle, or that
    they cannot hold. A picture has at most 100 puzzles.

    Args:
        inputs: As for `solve_file`.
        output: As for `solve_file`; its extension may also be `.sdm`, `.sdk`, `.opensudoku` or `.svg`.

    Returns:
        The numbers of puzzles that were written and not written.

    Raises:
        ValueError: If an argument has a wrong value, the format of an input is not known, the output is an input, or a
            picture would have too many puzzles or none.
        OSError: If a file cannot be read or written.
    """
    call = check(convert_file, options)
    return _write(_gridmill.Job("convert", **call.job), inputs, output, call, ConvertReport)


@takes(ClassesFile)
def classes_file(inputs: Files, output: File, **options: Unpack[ClassesFile]) -> ClassesReport:
    """Writes the classes of the puzzles of files as a set that finds these puzzles elsewhere without disclosing them.

    Pass the file to `validate` or `validate_file` as `against`.

    Args:
        inputs: As for `solve_file`.
        output: The path of the set.

    Returns:
        The number of classes, and of records without one.

    Raises:
        ValueError: If an argument has a wrong value, an input has no puzzle, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    call = check(classes_file, options)
    files, target = _checks.some_paths("inputs", inputs), _checks.path("output", output)
    with watched(call.run, None):
        return read(ClassesReport, _gridmill.classes(files, call.settings, target, **call.job, **call.run))


@takes(ExplainFile)
def explain_file(inputs: Files, **options: Unpack[ExplainFile]) -> str:
    """Explains how a person solves the 9x9 puzzles of files, as `explain` does.

    Args:
        inputs: As for `solve_file`.

    Returns:
        The steps of each puzzle after its place and the puzzle, or why it has none.

    Raises:
        ValueError: If an argument has a wrong value, or the format of an input is not known.
        OSError: If a file cannot be read.
    """
    call = check(explain_file, options)
    return _gridmill.explain_files(_checks.some_paths("inputs", inputs), call.settings, **call.run)


@takes(Merge)
def merge_files(outputs: Files, output: File, **options: Unpack[Merge]) -> Report:
    """Merges the outputs of all shards of a run. The result has the same bytes as a run without shards.

    Args:
        outputs: The outputs of the shards, in any order; the `.shard.json` of each is in the same directory.
        output: The path of the merged output, in their format; its extension says how it is compressed.

    Returns:
        The report of the run, such as a `SolveReport`.

    Raises:
        ValueError: If an argument has a wrong value, or the outputs are not all shards of one run.
        OSError: If a file cannot be read or written.
    """
    call = check(merge_files, options)
    files, target = _checks.some_paths("outputs", outputs), _checks.path("output", output)
    command, report = _gridmill.merge(files, target, **call.output)
    return read(OF_COMMAND[command], report)


def _write(job: _gridmill.Job, inputs: Files, output: File, call: Checked, kind: type[R]) -> R:
    """Runs a job on files."""
    files = _checks.some_paths("inputs", inputs)
    target = _gridmill.Output(_checks.path("output", output), **call.output)
    with watched(call.run, None):
        return read(kind, job.write(files, call.settings, target, **call.run))
