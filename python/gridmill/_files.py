"""The functions on files of any size: what the commands `gridmill solve` and `gridmill validate` do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any

from gridmill import _arguments, _gridmill


def solve_file(
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    limit: int = 2,
    first: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
    resume: bool = False,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Solves the puzzles of files and writes the rows to a file, in memory that does not grow with them.

    The formats and the compression of the inputs are detected: lines, grids, integers, CSV, JSON lines, Parquet. Those
    of the output follow its extension: `.csv`, `.jsonl`, `.parquet`, ..., and `.gz`, `.zst`, `.xz` or `.bz2` after it.
    The output is called `OUTPUT.partial` until it is complete. That file stays if the run is interrupted.

    Args:
        inputs: The path of a file, or several.
        output: The path of the output.
        limit: As for `solve`.
        first: As for `solve`.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.
        keep: As for `solve`.
        resume: Continue the partial output of a run that was interrupted.
        progress: A function that is called from time to time with the number of records since the last call, such as
            `tqdm.tqdm().update`. An exception that it raises stops the run.

    Returns:
        The summary, as the option `--summary` of the command line writes it.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, or the output is an input.
        OSError: If a file cannot be read or written.
    """
    settings = _arguments.settings(
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        keep=keep,
    )
    summary = _gridmill.solve_file(
        _arguments.paths("inputs", inputs),
        _arguments.path("output", output),
        _arguments.integer("limit", limit, 1),
        _arguments.flag("first", first),
        _arguments.flag("resume", resume),
        _arguments.callback("progress", progress),
        settings,
    )
    return _report(summary)


def validate_file(
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
    accepts: str | PathLike[str] | None = None,
    rejects: str | PathLike[str] | None = None,
    keep: Iterable[str] = (),
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    answer_column: str | None = None,
    resume: bool = False,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]:
    """Gives a verdict on every record of files and writes the rows to a file.

    Args:
        inputs: As for `solve_file`. The answers of a table are judged.
        output: As for `solve_file`.
        minimal: As for `validate`.
        duplicates: As for `validate`.
        isomorphs: As for `validate`.
        classes: As for `validate`.
        against: The paths of other files, such as a training set: also find puzzles that occur in them.
        accepts: A file to which every sound record is copied, with all its columns.
        rejects: A file to which every other record is copied.
        keep: As for `solve`.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.
        answer_column: As for `validate`.
        resume: As for `solve_file`.
        progress: As for `solve_file`.

    Returns:
        The scorecard, as the option `--summary` of the command line writes it.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, the format of an input is not known, the output is an input, or
            `against` has no puzzle.
        OSError: If a file cannot be read or written.
    """
    settings = _arguments.settings(
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        answer_column=answer_column,
        keep=keep,
    )
    none_given = isinstance(against, list | tuple) and not against
    report = _gridmill.validate_file(
        _arguments.paths("inputs", inputs),
        _arguments.path("output", output),
        [] if none_given else _arguments.paths("against", against),
        None if accepts is None else _arguments.path("accepts", accepts),
        None if rejects is None else _arguments.path("rejects", rejects),
        _arguments.checks(minimal=minimal, duplicates=duplicates, isomorphs=isomorphs, classes=classes),
        _arguments.flag("resume", resume),
        _arguments.callback("progress", progress),
        settings,
    )
    return _report(report)


def _report(text: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(text)
    return report
