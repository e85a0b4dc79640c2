"""The functions on puzzles in memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, overload

from gridmill import _arguments, _gridmill
from gridmill._single import Canonical, Rated, Solved, Validated
from gridmill._table import Table

if TYPE_CHECKING:
    from gridmill._arguments import Many


@overload
def solve(
    puzzles: str,
    *,
    limit: int = 2,
    first: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
) -> Solved: ...


@overload
def solve(
    puzzles: Many,
    *,
    limit: int = 2,
    first: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
    columns: Iterable[str] | None = None,
) -> Table: ...


def solve(
    puzzles: str | Many,
    *,
    limit: int = 2,
    first: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
    columns: Iterable[str] | None = None,
) -> Solved | Table:
    """Solves puzzles of 4x4, 9x9, 16x16 or 25x25: one row for each, in order.

    Bad input is a row, not an exception: its `status` is `malformed`, and its `detail` says why. Ctrl-C stops the run.

    Args:
        puzzles: One puzzle as a `str`; a list or tuple of `str` (`None` is a malformed record); a NumPy array of
            integers of the shape (n, 81) or (n, 9, 9), 0 for a blank, or that of another size; a column or a table
            with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...); or a `datasets.Dataset`.
        limit: Solutions are counted up to this number, but at least up to 2. By default, a row says whether a puzzle
            has one solution, several or none.
        first: Give the first solution in lexicographic order, even if there are several.
        engine: `auto`, `lanes`, `bitmask` or `dlx`. The rows are the same but for `branches` and `nanos`.
        max_branches: The search for a puzzle gives up after so many guesses, and the puzzle is `undecided`; `"none"`
            is no bound. By default there is none for 4x4 and 9x9, and one of some seconds for larger puzzles.
        threads: The number of threads, from 1 to 1024; by default one for each CPU.
        alphabet: The symbols of 16x16 or 25x25 puzzles, where they are not clear: `1-G`, `0-F`, `A-P`, `A-Y`, ...
        puzzle_column: The column of a table that holds the puzzles; by default the one with a usual name (`puzzle`,
            `quizzes`, `question`, ...).
        keep: Columns of a table to copy to the result, with their types.
        columns: The columns of the result, in this order; by default all of them.

    Returns:
        For a `str`, an object with `status`, `solution`, `solutions` and so on. Otherwise a table with the columns
        `line` (from 1), `puzzle`, `status` (`unique`, `multiple`, `none`, `undecided`, `malformed`), `solutions`,
        `solution`, `branches`, `nanos` and `detail`, followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, such as the name of a column that does not exist.
    """
    limit = _arguments.integer("limit", limit, 1)
    first = _arguments.flag("first", first)
    names = None if columns is None else _arguments.texts("columns", columns)
    if names == []:
        raise ValueError("columns is empty")
    settings = _arguments.settings(
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        keep=keep,
    )
    if isinstance(puzzles, str):
        batches, _ = _gridmill.solve([puzzles], limit, first, None, settings)
        row = batches.first_row()
        del row["line"]
        return Solved(**row)
    return Table(*_gridmill.solve(_arguments.puzzles_of("puzzles", puzzles), limit, first, names, settings))


@overload
def count(
    puzzles: str,
    *,
    limit: int = 1_000_000,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
) -> int | None: ...


@overload
def count(
    puzzles: Many,
    *,
    limit: int = 1_000_000,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
) -> Table: ...


def count(
    puzzles: str | Many,
    *,
    limit: int = 1_000_000,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
) -> int | Table | None:
    """Counts the solutions of puzzles up to a limit.

    A puzzle with few clues has more solutions than can be counted; a million of a 9x9 puzzle take about a second.

    Args:
        puzzles: As for `solve`.
        limit: Where counting stops, at least 2.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.
        keep: As for `solve`.

    Returns:
        For a `str` the number of solutions, or `None` if the search gave up. Otherwise a table with the columns
        `line`, `puzzle`, `status`, `solutions`, `branches`, `nanos` and `detail`, followed by those of `keep`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or a `str` is no puzzle.
    """
    limit = _arguments.integer("limit", limit, 2)
    if isinstance(puzzles, str):
        solved = solve(
            puzzles, limit=limit, engine=engine, max_branches=max_branches, threads=threads, alphabet=alphabet
        )
        if solved.status == "malformed":
            raise ValueError(f"not a puzzle: {solved.detail}")
        return solved.solutions
    return solve(
        puzzles,
        limit=limit,
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        keep=keep,
        columns=["line", "puzzle", "status", "solutions", "branches", "nanos", "detail"],
    )


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
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
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
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    answer_column: str | None = None,
) -> Table: ...


def validate(
    puzzles: str | Many,
    answers: str | Many | None = None,
    *,
    minimal: bool = False,
    duplicates: bool = False,
    isomorphs: bool = False,
    classes: bool = False,
    against: Many | None = None,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    answer_column: str | None = None,
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
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`; of `against`, too, if that is a table.
        answer_column: The column of a table that holds the answers.

    Returns:
        For a `str`, an object with `verdict`, `findings`, `detail` and so on. Otherwise a table with the columns
        `line` (from 1), `puzzle`, `verdict`, `findings` (names with `;` between them), `detail`, `clues`, `solutions`
        (up to 2), `answer` (`right`, `wrong`, `bad`) and `class`. Its `summary` is the scorecard.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or there are not as many answers as puzzles, or `against` has no
            puzzle.
    """
    checks = _arguments.checks(minimal=minimal, duplicates=duplicates, isomorphs=isomorphs, classes=classes)
    settings = _arguments.settings(
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        answer_column=answer_column,
    )
    other = None if against is None else _arguments.puzzles_of("against", against)
    if isinstance(puzzles, str):
        beside = None if answers is None else [_arguments.text("answers", answers)]
        batches, _ = _gridmill.validate([puzzles], beside, other, checks, settings)
        row = batches.first_row()
        del row["line"]
        findings = row.pop("findings")
        return Validated(findings=tuple(findings.split(";")) if findings else (), class_id=row.pop("class"), **row)
    many = _arguments.puzzles_of("puzzles", puzzles)
    given = None if answers is None else _arguments.puzzles_of("answers", answers)
    return Table(*_gridmill.validate(many, given, other, checks, settings))


@overload
def canonical(
    puzzles: str,
    *,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
) -> Canonical: ...


@overload
def canonical(
    puzzles: Many,
    *,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
) -> Table: ...


def canonical(
    puzzles: str | Many,
    *,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
) -> Canonical | Table:
    """Finds the canonical forms of 9x9 puzzles: two puzzles have the same form if and only if they are isomorphs.

    Args:
        puzzles: As for `solve`. A puzzle of another size has no form.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.

    Returns:
        For a `str`, an object with `canonical`, `class_id` and so on. Otherwise a table with the columns `line` (from
        1), `puzzle`, `canonical`, `canonical_solution`, `class` (32 hexadecimal digits) and `automorphisms`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    settings = _arguments.settings(
        engine=engine, max_branches=max_branches, threads=threads, alphabet=alphabet, puzzle_column=puzzle_column
    )
    if isinstance(puzzles, str):
        batches, _ = _gridmill.canonical([puzzles], settings)
        row = batches.first_row()
        del row["line"]
        return Canonical(class_id=row.pop("class"), **row)
    return Table(*_gridmill.canonical(_arguments.puzzles_of("puzzles", puzzles), settings))


@overload
def rate(
    puzzles: str,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
) -> Rated: ...


@overload
def rate(
    puzzles: Many,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    only_er: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
) -> Table: ...


def rate(
    puzzles: str | Many,
    *,
    max_er: float | None = None,
    isomorphs: int | None = None,
    seed: int = 0,
    only_er: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
    keep: Iterable[str] = (),
) -> Rated | Table:
    """Rates 9x9 puzzles: how hard they are for a person, as Sudoku Explainer measures it.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no rating.
        max_er: Stop rating a puzzle at a step that is harder than this; its `er` is then `None`.
        isomorphs: Count the guesses of a search for so many random isomorphs of each puzzle.
        seed: The same seed gives the same isomorphs, from 0 to 2**64 - 1.
        only_er: Leave out the columns `ep`, `ed`, `hardest`, `steps` and `techniques`.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.
        keep: As for `solve`.

    Returns:
        For a `str`, an object with `er`, `level` and so on. Otherwise a table with the columns `line` (from 1),
        `puzzle`, `status`, `er`, `ep`, `ed`, `level`, `hardest`, `steps`, `techniques`, `guesses` and `detail`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    settings = _arguments.settings(
        engine=engine,
        max_branches=max_branches,
        threads=threads,
        alphabet=alphabet,
        puzzle_column=puzzle_column,
        keep=keep,
    )
    bound = None if max_er is None else _arguments.difficulty("max_er", max_er)
    copies = None if isomorphs is None else _arguments.integer("isomorphs", isomorphs, 1, 1_000_000)
    seed = _arguments.integer("seed", seed, 0)
    only_er = _arguments.flag("only_er", only_er)
    if isinstance(puzzles, str):
        batches, _ = _gridmill.rate([puzzles], bound, False, copies, seed, False, settings)
        row = batches.first_row()
        del row["line"]
        counts = (row.pop("techniques") or "").split(";")
        techniques = {name: int(count) for name, _, count in (text.rpartition(":") for text in counts if text)}
        return Rated(techniques=techniques, **row)
    many = _arguments.puzzles_of("puzzles", puzzles)
    return Table(*_gridmill.rate(many, bound, only_er, copies, seed, False, settings))


def steps(
    puzzles: str | Many,
    *,
    max_er: float | None = None,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
) -> Table:
    """The steps by which a person solves 9x9 puzzles: those that `rate` counts.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no steps.
        max_er: Stop before a step that is harder than this.
        engine: As for `solve`.
        max_branches: As for `solve`.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.

    Returns:
        A table with a row for each step and the columns `line` (that of the puzzle, from 1), `puzzle`, `step` (from 1),
        `technique`, `difficulty`, `cells`, `digits`, `houses`, `eliminations`, `placements` and `candidates`: the grid
        before the step, nine characters for each cell.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    settings = _arguments.settings(
        engine=engine, max_branches=max_branches, threads=threads, alphabet=alphabet, puzzle_column=puzzle_column
    )
    bound = None if max_er is None else _arguments.difficulty("max_er", max_er)
    many = [puzzles] if isinstance(puzzles, str) else _arguments.puzzles_of("puzzles", puzzles)
    return Table(*_gridmill.rate(many, bound, False, None, 0, True, settings))


def generate(
    n: int,
    *,
    seed: int = 0,
    clues: int | None = None,
    order: int = 3,
    solutions: bool = True,
    engine: str = "auto",
    max_branches: int | str = "default",
    threads: int | None = None,
) -> Table:
    """Generates puzzles with exactly one solution. The same arguments give the same puzzles on any machine.

    Args:
        n: The number of puzzles.
        seed: Puzzles of different seeds are different, from 0 to 2**64 - 1.
        clues: How many clues each puzzle has; by default as many as it needs: without any one of them it would have
            several solutions.
        order: 2, 3, 4 or 5: 4x4, 9x9, 16x16 or 25x25.
        solutions: Give the solutions, too.
        engine: As for `solve`; the puzzles do not depend on it.
        max_branches: As for `solve`: a clue stays if the search without it takes more guesses.
        threads: As for `solve`.

    Returns:
        A table with the column `puzzle`, and with `solutions` the column `solution`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
    """
    settings = _arguments.settings(engine=engine, max_branches=max_branches, threads=threads)
    return Table(
        *_gridmill.generate(
            _arguments.integer("n", n, 0),
            _arguments.integer("seed", seed, 0),
            None if clues is None else _arguments.integer("clues", clues, 0, 625),
            _arguments.integer("order", order, 2, 5),
            _arguments.flag("solutions", solutions),
            settings,
        )
    )


def isomorphs(
    puzzles: str | Many,
    copies: int = 1,
    *,
    seed: int = 0,
    threads: int | None = None,
    alphabet: str | Iterable[str] = (),
    puzzle_column: str | None = None,
) -> Table:
    """Draws random isomorphs of puzzles: the same puzzle in another guise, for more training data.

    Digits are relabelled, rows, columns, bands and stacks change places, and the grid is transposed or not; each of the
    9! * 6**8 * 2 ways of a 9x9 puzzle has the same probability. The solution is rewritten with its puzzle.

    Args:
        puzzles: As for `solve`.
        copies: The number of isomorphs of each puzzle, up to 1,000,000.
        seed: The same seed gives the same isomorphs, from 0 to 2**64 - 1.
        threads: As for `solve`.
        alphabet: As for `solve`.
        puzzle_column: As for `solve`.

    Returns:
        A table with `copies` rows for each record and the columns `line` (that of the record, from 1), `puzzle`,
        `solution` (`None` unless there is exactly one) and `detail`. A malformed record has no isomorphs: `puzzle` is
        `None`, and `detail` says why.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    settings = _arguments.settings(threads=threads, alphabet=alphabet, puzzle_column=puzzle_column)
    many = [puzzles] if isinstance(puzzles, str) else _arguments.puzzles_of("puzzles", puzzles)
    copies = _arguments.integer("copies", copies, 0, 1_000_000)
    return Table(*_gridmill.isomorphs(many, copies, _arguments.integer("seed", seed, 0), settings))
