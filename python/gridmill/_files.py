"""The functions on files of any size: what the commands of `gridmill` do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from gridmill import _arguments, _gridmill, _jobs
from gridmill._options import OfFiles, OfMadeFile, takes

if TYPE_CHECKING:
    from typing_extensions import Unpack

    File: TypeAlias = str | PathLike[str]
    Files: TypeAlias = File | Sequence[File]


@takes(OfFiles)
def solve_file(
    inputs: Files, output: File, *, limit: int = 2, first: bool = False, **options: Unpack[OfFiles]
) -> dict[str, Any]:
    """Solves the puzzles of files and writes the rows to a file, in memory that does not grow with them.

    The formats and the compression of the inputs are detected: lines, grids, integers, CSV, JSON lines, Parquet.

    The output is called `OUTPUT.partial` until it is complete. That file stays if the run is interrupted.

    Args:
        inputs: The path of a file, or several.
        output: The path of the output. Its extension says how it is written: `.csv`, `.jsonl`, `.txt`, `.parquet`, and
            `.gz`, `.zst`, `.xz` or `.bz2` after it.
        limit, first: As for `solve`.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve`. The column `file` is
            there if there are several inputs.
        format: The format of the rows where the extension leaves it open: `csv`, `jsonl`, `lines`, `grids`, `listing`
            or `parquet`.
        header: Whether CSV has a header.
        progress: A function that is called from time to time with the number of records since the last call, such as
            `tqdm.tqdm().update`. An exception that it raises stops the run.
        resume: Continue the partial output of a run that was interrupted.
        shard: Read only one shard of the inputs: `"2/8"` is the second of eight. `gridmill merge` merges the outputs.

    Returns:
        The summary, as the option `--summary` of the command line writes it.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    return _write(_jobs.solving(limit, first), inputs, output, options)


@takes(OfFiles)
def validate_file(
    inputs: Files,
    output: File,
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: Files = (),
    accepts: File | None = None,
    rejects: File | None = None,
    answer_column: str | None = None,
    **options: Unpack[OfFiles],
) -> dict[str, Any]:
    """Gives a verdict on every record of files and writes the rows to a file.

    Args:
        inputs: As for `solve_file`. The answers of a table are judged.
        output: As for `solve_file`.
        minimal, duplicates, isomorphs, classes: As for `validate`. A shard has no `duplicates` and `isomorphs`.
        against: The paths of other files, such as a training set: also find puzzles that occur in them.
        accepts: A file to which every sound record is copied, with all its columns.
        rejects: A file to which every other record is copied.
        answer_column: As for `validate`.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve_file`.
        format, header, progress, resume, shard: As for `solve_file`.

    Returns:
        The scorecard, as the option `--summary` of the command line writes it.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, the output is an input, or
            `against` has no puzzle.
        OSError: If a file cannot be read or written.
    """
    none_given = isinstance(against, list | tuple) and not against
    others = [] if none_given else _arguments.paths("against", against)
    copies = [
        None if path is None else _arguments.path(name, path)
        for name, path in (("accepts", accepts), ("rejects", rejects))
    ]
    job = _jobs.validating(minimal, duplicates, isomorphs, classes)
    return _write(job, inputs, output, {**options, "answer_column": answer_column}, others, *copies)


@takes(OfFiles)
def canonical_file(inputs: Files, output: File, **options: Unpack[OfFiles]) -> dict[str, Any]:
    """Finds the canonical forms of the 9x9 puzzles of files and writes the rows to a file.

    Args:
        inputs, output: As for `solve_file`.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve_file`.
        format, header, progress, resume, shard: As for `solve_file`.

    Returns:
        The numbers of puzzles with a form and without.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    return _write(_gridmill.Job.canonical(), inputs, output, options)


@takes(OfFiles)
def rate_file(
    inputs: Files,
    output: File,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    only_er: bool = False,
    steps: bool = False,
    **options: Unpack[OfFiles],
) -> dict[str, Any]:
    """Rates the 9x9 puzzles of files and writes the rows to a file.

    Args:
        inputs, output: As for `solve_file`.
        max_er, isomorphs, seed, only_er: As for `rate`.
        steps: Write a row for each step, as `steps` gives it. Such a run can neither be resumed nor be sharded.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve_file`.
        format, header, progress, resume, shard: As for `solve_file`.

    Returns:
        The summary, as the option `--summary` of the command line writes it.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    return _write(_jobs.rating(max_er, isomorphs, seed, only_er, steps), inputs, output, options)


@takes(OfFiles)
def isomorphs_file(
    inputs: Files,
    output: File,
    copies: int = 1,
    *,
    seed: int = 0,
    kinds: Iterable[str] = (),
    original: bool = False,
    origin: bool = False,
    unchecked: bool = False,
    answer_column: str | None = None,
    **options: Unpack[OfFiles],
) -> dict[str, Any]:
    """Writes random isomorphs of the puzzles of files to a file, as the command `gridmill augment` does.

    Args:
        inputs: As for `solve_file`. The answers of a table are rewritten with the puzzles.
        output: As for `solve_file`.
        copies, seed, kinds, original, unchecked, answer_column: As for `isomorphs`.
        origin: Write the column `origin`, too: the line of the puzzle, after the name of its file if there are several.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve_file`.
        format, header, progress: As for `solve_file`.
        resume, shard: Not for such a run, which has several rows for a record.

    Returns:
        The numbers of puzzles and copies, and of records that are left out.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    job = _jobs.copying(copies, seed, kinds, original, origin, unchecked)
    return _write(job, inputs, output, {**options, "answer_column": answer_column})


@takes(OfMadeFile)
def generate_file(
    n: int,
    output: File,
    *,
    seed: int = 0,
    clues: int | None = None,
    order: int = 3,
    solutions: bool = True,
    distinct: bool = False,
    **options: Unpack[OfMadeFile],
) -> dict[str, Any]:
    """Generates puzzles with exactly one solution and writes them to a file.

    Args:
        n: The number of puzzles.
        output: As for `solve_file`. A text file has one puzzle a line, without its solution.
        seed, clues, order, solutions, distinct: As for `generate`.
        engine, max_branches, threads, columns: As for `generate`.
        format, header, progress: As for `solve_file`.

    Returns:
        The numbers of puzzles and of their clues.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
        OSError: If the file cannot be written.
    """
    job = _jobs.generating(n, seed, clues, order, solutions, distinct)
    return _report(job.write(*_arguments.output(output, **options)))


def _write(
    job: _gridmill.Job,
    inputs: Files,
    output: File,
    options: Any,
    *others: Any,
) -> dict[str, Any]:
    """Runs a job on files; `others` are what only some jobs take."""
    settings, target = _arguments.output(output, **options)
    return _report(job.write(_arguments.paths("inputs", inputs), settings, target, *others))


def _report(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text)
    return report
