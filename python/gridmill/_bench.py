"""The functions that compare the speed of engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridmill import _checks, _gridmill
from gridmill._inputs import puzzles_of
from gridmill._options import Bench, BenchFile, check, takes
from gridmill._reports import BenchReport, read
from gridmill._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._options import Files


@takes(Bench)
def bench(puzzles: Many, **options: Unpack[Bench]) -> Table:
    """Compares the speed of engines on puzzles, after checking their answers against each other.

    Args:
        puzzles: As for `solve`, but not one `str`. All have to be puzzles.

    Returns:
        A table with a row for each engine and number of threads, and the columns `file`, `puzzles` (all, or a random
        sample), `file_puzzles`, `solver`, `threads`, `clock` (`CPU` or `wall`), `rounds`, `passes`,
        `puzzles_per_second` (none below 100 puzzles), `low` and `high` (its 95 % interval), `ratio` (to the reference),
        `ratio_low`, `ratio_high`, `branches_per_puzzle`, `without_branch` (a share),
        `undecided`, and the times of single puzzles: `p50_nanos` to `max_nanos`.

    Raises:
        ValueError: If an argument has a wrong value, or a record is not a puzzle.
        OSError: If a file cannot be written.
        RuntimeError: If engines disagree.
    """
    call = check(bench, options)
    batches, report = _gridmill.Bench(**call.job).table(puzzles_of("puzzles", puzzles), call.settings, **call.run)
    return Table(batches, read(BenchReport, report))


@takes(BenchFile)
def bench_file(inputs: Files, **options: Unpack[BenchFile]) -> Table:
    """Compares the speed of engines on the puzzles of files. Each file is a set of its own.

    Args:
        inputs: As for `solve_file`. All records have to be puzzles.

    Returns:
        The table of `bench`, with rows for each file.

    Raises:
        ValueError: If an argument has a wrong value, or a record is not a puzzle.
        OSError: If a file cannot be read or written.
        RuntimeError: If engines disagree.
    """
    call = check(bench_file, options)
    files = _checks.some_paths("inputs", inputs)
    batches, report = _gridmill.Bench(**call.job).files(files, call.settings, **call.run)
    return Table(batches, read(BenchReport, report))
