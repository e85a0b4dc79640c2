"""The functions on puzzles in memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from gridmill import _arguments, _gridmill, _jobs
from gridmill._options import OfMade, OfMany, OfOne, takes
from gridmill._single import Canonical, Counted, Prepare, Rated, Row, Solved, Validated, first_row, row
from gridmill._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._arguments import Many


@overload
def solve(puzzles: str, *, limit: int = 2, first: bool = False, **options: Unpack[OfOne]) -> Solved: ...


@overload
def solve(puzzles: Many, *, limit: int = 2, first: bool = False, **options: Unpack[OfMany]) -> Table: ...


@takes(OfMany)
def solve(puzzles: str | Many, *, limit: int = 2, first: bool = False, **options: Unpack[OfMany]) -> Solved | Table:
    """Solves puzzles of 4x4, 9x9, 16x16 or 25x25: one row for each, in order.

    Bad input is a row, not an exception: its `status` is `malformed`, and its `detail` says why. Ctrl-C stops the run.

    Args:
        puzzles: One puzzle as a `str`; a list or tuple of `str` (`None` is a malformed record); a NumPy array of
            integers of the shape (n, 81) or (n, 9, 9), or that of another size, in which 0, -1 and a cell that is
            masked are blank; a column or a table with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...);
            or a `datasets.Dataset`.
        limit: Solutions are counted up to this number, but at least up to 2. By default, a row says whether a puzzle
            has one solution, several or none.
        first: Give the first solution in lexicographic order, even if there are several.
        engine: `auto`, `lanes`, `bitmask` or `dlx`. The rows are the same but for `branches` and `nanos`.
        max_branches: The search for a puzzle gives up after so many guesses, and the puzzle is `undecided`; `"none"`
            is no bound. By default there is none for 4x4 and 9x9, and one of some seconds for larger puzzles.
        threads: The number of threads, from 1 to 1024; by default one for each CPU.
        alphabet: The symbols of 16x16 or 25x25 puzzles, where they are not clear: `1-G`, `0-F`, `A-P`, `A-Y`, ...
        columns: The columns of the result, in this order; by default all of them but `file`, the name of the input.
        puzzle_column: The column of a table that holds the puzzles; by default the one with a usual name (`puzzle`,
            `quizzes`, `question`, ...).
        keep: Columns of a table to copy to the result, with their types, after the others.

    Returns:
        For a `str`, an object with `status`, `solution`, `solutions` and so on. Otherwise a table with the columns
        `line` (from 1), `puzzle`, `status` (`unique`, `multiple`, `none`, `undecided`, `malformed`), `solutions`,
        `solution`, `branches`, `nanos` and `detail`, followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, such as the name of a column that does not exist.
    """
    if isinstance(puzzles, str):
        return _row(Solved, _solving, puzzles, limit=limit, first=first, **options)
    job, settings = _solving(limit, first, **options)
    return _table(job, puzzles, settings)


@overload
def count(puzzles: str, *, limit: int = 1_000_000, **options: Unpack[OfOne]) -> int | None: ...


@overload
def count(puzzles: Many, *, limit: int = 1_000_000, **options: Unpack[OfMany]) -> Table: ...


@takes(OfMany)
def count(puzzles: str | Many, *, limit: int = 1_000_000, **options: Unpack[OfMany]) -> int | Table | None:
    """Counts the solutions of puzzles up to a limit.

    A puzzle with few clues has more solutions than can be counted; a million of a 9x9 puzzle take about a second.

    Args:
        puzzles: As for `solve`.
        limit: Where counting stops, at least 2.
        engine, max_branches, threads, alphabet, puzzle_column, keep: As for `solve`.
        columns: As for `solve`; by default all but `solution`.

    Returns:
        For a `str` the number of solutions, or `None` if the search gave up. Otherwise a table with the columns
        `line`, `puzzle`, `status`, `solutions`, `branches`, `nanos` and `detail`, followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or a `str` is no puzzle.
    """
    if isinstance(puzzles, str):
        counted = _row(Counted, _counting, puzzles, limit=limit, **options)
        if counted.status == "malformed":
            raise ValueError(f"not a puzzle: {counted.detail}")
        return counted.solutions
    limit = _arguments.integer("limit", limit, 2)
    if options.get("columns") is None:
        options["columns"] = [name for name, _ in _gridmill.columns("solve") if name not in ("file", "solution")]
    return solve(puzzles, limit=limit, **options)


@overload
def validate(
    puzzles: str,
    answers: str | None = None,
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: Many | None = None,
    **options: Unpack[OfOne],
) -> Validated: ...


@overload
def validate(
    puzzles: Many,
    answers: Many | None = None,
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: Many | None = None,
    answer_column: str | None = None,
    **options: Unpack[OfMany],
) -> Table: ...


@takes(OfMany)
def validate(
    puzzles: str | Many,
    answers: str | Many | None = None,
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: Many | None = None,
    answer_column: str | None = None,
    **options: Unpack[OfMany],
) -> Validated | Table:
    """Gives a verdict on every puzzle, and judges the answers beside them.

    A record is `sound` if it is a puzzle with exactly one solution, and its answer, if it has one, is that solution.

    Args:
        puzzles: As for `solve`. Of a table, the column with a usual name for answers (`solution`, `answer`, ...) is
            read, too, if there is one.
        answers: The answers of puzzles that are no table: as many, in any of the same types; for one `str`, a `str`.
        minimal: Also check that every clue is needed.
        duplicates: Also find puzzles that occurred before.
        isomorphs: Also find 9x9 puzzles of which an isomorph occurred before: relabelled, permuted or transposed.
        classes: Also give the class of every 9x9 puzzle, as `isomorphs` and `against` do.
        against: Other puzzles, such as a training set: also find puzzles that occur in them, as they are, as isomorphs,
            or with an isomorphic solution.
        answer_column: The column of a table that holds the answers.
        puzzle_column: As for `solve`; of `against`, too, if that is a table.
        engine, max_branches, threads, alphabet, columns, keep: As for `solve`.

    Returns:
        For a `str`, an object with `verdict`, `findings`, `detail` and so on. Otherwise a table with the columns
        `line` (from 1), `puzzle`, `verdict`, `findings` (a list of names), `detail`, `clues`, `solutions` (up to 2),
        `answer` (`right`, `wrong`, `bad`) and `class`, followed by those of `keep`. Its `summary` is the scorecard.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or there are not as many answers as puzzles, or `against` has no
            puzzle.
    """
    options_of_job: dict[str, Any] = {"minimal": minimal, "duplicates": duplicates, "isomorphs": isomorphs}
    options_of_job |= {"classes": classes, "answer_column": answer_column, **options}
    if isinstance(puzzles, str):
        beside = None if answers is None else _arguments.text("answers", answers)
        if against is None:
            return _row(Validated, _validating, puzzles, beside, **options_of_job)
        answers = None if beside is None else [beside]
        return first_row(Validated, _compare(puzzles, answers, against, options_of_job))
    return _compare(puzzles, answers, against, options_of_job)


@overload
def canonical(puzzles: str, **options: Unpack[OfOne]) -> Canonical: ...


@overload
def canonical(puzzles: Many, **options: Unpack[OfMany]) -> Table: ...


@takes(OfMany)
def canonical(puzzles: str | Many, **options: Unpack[OfMany]) -> Canonical | Table:
    """Finds the canonical forms of 9x9 puzzles: two puzzles have the same form if and only if they are isomorphs.

    Args:
        puzzles: As for `solve`. A puzzle of another size has no form.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve`.

    Returns:
        For a `str`, an object with `canonical`, `class_id` and so on. Otherwise a table with the columns `line` (from
        1), `puzzle`, `canonical`, `canonical_solution`, `class` (32 hexadecimal digits), `automorphisms` and `detail`,
        which says why there is no form, followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    if isinstance(puzzles, str):
        return _row(Canonical, _canonising, puzzles, **options)
    job, settings = _canonising(**options)
    return _table(job, puzzles, settings)


@overload
def rate(
    puzzles: str,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    **options: Unpack[OfOne],
) -> Rated: ...


@overload
def rate(
    puzzles: Many,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    only_er: bool = False,
    **options: Unpack[OfMany],
) -> Table: ...


@takes(OfMany)
def rate(
    puzzles: str | Many,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    only_er: bool = False,
    **options: Unpack[OfMany],
) -> Rated | Table:
    """Rates 9x9 puzzles: how hard they are for a person, as Sudoku Explainer measures it.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no rating.
        max_er: Stop rating a puzzle at a step that is harder than this; its `er` is then `None`.
        isomorphs: Count the guesses of a search for so many random isomorphs of each puzzle.
        seed: The same seed gives the same isomorphs, from 0 to 2**64 - 1.
        only_er: Leave out the columns `ep`, `ed`, `hardest`, `steps` and `techniques`.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve`.

    Returns:
        For a `str`, an object with `er`, `level` and so on. Otherwise a table with the columns `line` (from 1),
        `puzzle`, `status`, `er`, `ep`, `ed`, `level`, `hardest`, `steps`, `techniques`, `guesses` and `detail`,
        followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    if isinstance(puzzles, str):
        return _row(Rated, _rating, puzzles, max_er=max_er, isomorphs=isomorphs, seed=seed, **options)
    job, settings = _rating(max_er, isomorphs, seed, only_er, **options)
    return _table(job, puzzles, settings)


@takes(OfMany)
def steps(puzzles: str | Many, *, max_er: float | None = None, **options: Unpack[OfMany]) -> Table:
    """The steps by which a person solves 9x9 puzzles: those that `rate` counts.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no steps.
        max_er: Stop before a step that is harder than this.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve`.

    Returns:
        A table with a row for each step and the columns `line` (that of the puzzle, from 1), `puzzle`, `step` (from 1),
        `technique`, `difficulty`, `cells`, `digits`, `houses`, `eliminations`, `placements` and `candidates`: the grid
        before the step, nine characters for each cell. Those of `keep` follow.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    return _table(_jobs.rating(max_er, steps=True), puzzles, _arguments.settings(**options))


@takes(OfMany)
def isomorphs(
    puzzles: str | Many,
    copies: int = 1,
    *,
    seed: int = 0,
    kinds: Iterable[str] = (),
    original: bool = False,
    origin: bool = False,
    unchecked: bool = False,
    answer_column: str | None = None,
    **options: Unpack[OfMany],
) -> Table:
    """Draws random isomorphs of puzzles: the same puzzle in another guise, for more training data.

    Digits are relabelled, rows, columns, bands and stacks change places, and the grid is transposed or not; each of the
    9! * 6**8 * 2 ways of a 9x9 puzzle has the same probability. The answer beside a puzzle is rewritten with it. The
    copies of a puzzle differ from each other and from it. They depend on the seed and on the line of the puzzle, as
    those of `gridmill augment` do.

    Args:
        puzzles: As for `solve`. Of a table, the column with a usual name for answers (`solution`, `answer`, ...) is
            read, too, if there is one: `gridmill.isomorphs(gridmill.solve(puzzles))` rewrites the solutions, too.
        copies: The number of isomorphs of each puzzle, up to 1,000,000. A puzzle that has fewer gets all of them.
        seed: The same seed gives the same isomorphs, from 0 to 2**64 - 1.
        kinds: What the copies may differ in: `digits`, `rows`, `columns`, `bands`, `stacks` and `transpose`; by default
            all of them.
        original: Give each puzzle itself before its copies.
        origin: Give the column `origin`, too: the line of the puzzle, from 1.
        unchecked: Take puzzles with wrong answers, too, which change a clue or break a rule.
        answer_column: The column of a table that holds the answers.
        engine, max_branches, threads, alphabet, columns, puzzle_column, keep: As for `solve`.

    Returns:
        A table with the columns `puzzle`, `solution` if the puzzles are a table with answers, and `origin` if it is
        asked for, followed by those of `keep`. A record that is no puzzle, or whose answer is missing or wrong, has no
        rows; `summary` has the number of such records.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    settings = _arguments.settings(**options, answer_column=answer_column)
    return _table(_jobs.copying(copies, seed, kinds, original, origin, unchecked), puzzles, settings)


@takes(OfMade)
def generate(
    n: int,
    *,
    seed: int = 0,
    clues: int | None = None,
    order: int = 3,
    solutions: bool = True,
    distinct: bool = False,
    **options: Unpack[OfMade],
) -> Table:
    """Generates puzzles with exactly one solution. The same arguments give the same puzzles on any machine.

    Args:
        n: The number of puzzles.
        seed: Puzzles of different seeds are different, from 0 to 2**64 - 1.
        clues: How many clues each puzzle has; by default as many as it needs: without any one of them it would have
            several solutions.
        order: 2, 3, 4 or 5: 4x4, 9x9, 16x16 or 25x25.
        solutions: Give the solutions, too.
        distinct: Give no two 9x9 puzzles that are isomorphs.
        engine: As for `solve`; the puzzles do not depend on it.
        max_branches: As for `solve`: a clue stays if it takes more guesses to check that it can be removed.
        threads: As for `solve`.
        columns: The columns of the result: `puzzle`, `solution`, `clues` (the number of clues), and those of the rating
            of a 9x9 puzzle: `er`, `ep`, `ed`, `level`, `hardest`, `steps` and `techniques`.

    Returns:
        A table with the column `puzzle`, and with `solutions` the column `solution`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
    """
    job = _jobs.generating(n, seed, clues, order, solutions, distinct)
    return Table(*job.table(_arguments.settings(**options)))


def _table(
    job: _gridmill.Job,
    puzzles: object,
    settings: _gridmill.Settings,
    answers: object | None = None,
    against: object | None = None,
) -> Table:
    """The rows of puzzles; of one `str`, too."""
    if isinstance(puzzles, str):
        puzzles = [_arguments.one_puzzle("puzzles", puzzles)]
    return Table(*job.table(_arguments.puzzles_of("puzzles", puzzles), settings, answers, against))


def _compare(puzzles: Any, answers: Any, against: Any, options: dict[str, Any]) -> Table:
    """The verdicts on puzzles, also beside others."""
    job, settings = _validating(**options)
    given = None if answers is None else _arguments.puzzles_of("answers", answers)
    other = None if against is None else _arguments.puzzles_of("against", against)
    return _table(job, puzzles, settings, given, other)


def _row(kind: type[Row], prepare: Prepare, puzzle: str, answer: str | None = None, **options: Any) -> Row:
    """The row of one puzzle."""
    return row(kind, prepare, options, _arguments.one_puzzle("puzzles", puzzle), answer)


def _solving(limit: int, first: bool, **options: Any) -> tuple[_gridmill.Job, _gridmill.Settings]:
    return _jobs.solving(limit, first), _arguments.settings(**options)


def _counting(limit: int, **options: Any) -> tuple[_gridmill.Job, _gridmill.Settings]:
    return _solving(_arguments.integer("limit", limit, 2), False, **options)


def _validating(
    minimal: bool, duplicates: bool, isomorphs: bool, classes: bool, **options: Any
) -> tuple[_gridmill.Job, _gridmill.Settings]:
    return _jobs.validating(minimal, duplicates, isomorphs, classes), _arguments.settings(**options)


def _canonising(**options: Any) -> tuple[_gridmill.Job, _gridmill.Settings]:
    return _gridmill.Job.canonical(), _arguments.settings(**options)


def _rating(
    max_er: float | None, isomorphs: int | None, seed: int, only_er: bool = False, **options: Any
) -> tuple[_gridmill.Job, _gridmill.Settings]:
    return _jobs.rating(max_er, isomorphs, seed, only_er), _arguments.settings(**options)
