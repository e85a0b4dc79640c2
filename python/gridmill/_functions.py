"""The functions on puzzles in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from gridmill import _gridmill
from gridmill._answers import Tokens, answer_of, answers_of, tokens_in
from gridmill._checks import integer, text
from gridmill._checks import size as check_size
from gridmill._inputs import ONE_OR_SEVERAL, index_of, items_of, length_of, one_puzzle, puzzles_of, with_cure
from gridmill._moves import COLUMNS, Moves, moves_of, repeated
from gridmill._options import (
    AugmentRows,
    Checked,
    ConvertRows,
    Count,
    Explain,
    GenerateRows,
    RateRows,
    Rows,
    ScoreRows,
    SolveRows,
    StatesRows,
    Steps,
    TraceRows,
    ValidateRows,
    check,
    takes,
)
from gridmill._progress import watched
from gridmill._reports import (
    AugmentReport,
    CanonicalReport,
    ConvertReport,
    GenerateReport,
    Report,
    Scorecard,
    ScoreReport,
    SolveReport,
    StatesReport,
    read,
)
from gridmill._single import Canonical, Counted, Prepare, Rated, Row, Scored, Solved, State, Validated, first_row, row
from gridmill._table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from gridmill._inputs import Many
    from gridmill._options import Size

    Responses: TypeAlias = list[object] | tuple[object, ...] | Many


@overload
def solve(puzzles: str, **options: Unpack[SolveRows]) -> Solved: ...


@overload
def solve(puzzles: Many, **options: Unpack[SolveRows]) -> Table: ...


@takes(SolveRows)
def solve(puzzles: str | Many, **options: Any) -> Solved | Table:
    """Solves puzzles of all sizes from 4x4 to 25x25: one row for each, in order.

    Bad input is a row, not an exception: its `status` is `malformed`, and its `detail` says why. Ctrl-C stops the run.

    Args:
        puzzles: One puzzle as a `str`; a list, tuple or iterator of `str`, `bytes` or lists of cells (`None` is a
            malformed record); a NumPy array or a tensor of torch of the shape (n, 81) or (n, 9, 9), or the like for
            other sizes, where 0, -1, NaN and masked cells are blank, or 1 where the numbers are 1 to 10; an array of
            texts; a column or a table with the Arrow interface (pyarrow, Polars, pandas 3, DuckDB, ...); a column, a
            slice or a batch of a data set of Hugging Face, or all of it; or an iterator over tables, such as batches.
            For a `DatasetDict`, there is a result for each split, by its name.

    Returns:
        For a `str`, an object with `status`, `solution`, `solutions` and so on. Otherwise a table with the columns
        `line` (from 1), `puzzle`, `status` (`unique`, `multiple`, `none`, `undecided`, `malformed`), `solutions`,
        `solution`, `branches`, `nanos` and `detail`, then the columns of `keep`.

    Raises:
        ValueError: If an argument has a wrong value, such as the name of a column that does not exist.
    """
    if isinstance(puzzles, str):
        return _row(Solved, _solving_one, puzzles, options)
    job, call = _solving(options)
    return _table(job, puzzles, call)


@overload
def count(puzzles: str, **options: Unpack[Count]) -> int | None: ...


@overload
def count(puzzles: Many, **options: Unpack[Count]) -> Table: ...


@takes(Count)
def count(puzzles: str | Many, **options: Any) -> int | Table | None:
    """Counts the solutions of puzzles up to a limit.

    A puzzle with few clues can have more solutions than anyone can count; a million solutions of a 9x9 puzzle take
    about a second.

    Args:
        puzzles: As for `solve`.

    Returns:
        For a `str` the number of solutions, or `None` if the search gave up. Otherwise a table with the columns of
        `solve` except `solution`.

    Raises:
        ValueError: If an argument has a wrong value, or a `str` is not a puzzle.
    """
    if isinstance(puzzles, str):
        counted = _row(Counted, _counting, puzzles, options)
        if counted.status == "malformed":
            raise ValueError(f"not a puzzle: {counted.detail}")
        return counted.solutions
    if options.get("columns") is None:
        options["columns"] = [name for name, _ in _gridmill.columns("solve") if name not in ("file", "solution")]
    job, call = _counting(options)
    return _table(job, puzzles, call)


@overload
def validate(puzzles: str, answers: str | None = None, **options: Unpack[ValidateRows]) -> Validated: ...


@overload
def validate(puzzles: Many, answers: Many | None = None, **options: Unpack[ValidateRows]) -> Table: ...


@takes(ValidateRows)
def validate(puzzles: str | Many, answers: str | Many | None = None, **options: Any) -> Validated | Table:
    """Gives a verdict on every puzzle and its answer.

    A record is `sound` if it is a puzzle with exactly one solution, and its answer, if it has one, is that solution.

    Args:
        puzzles: As for `solve`. If they are a table with answers, the answers are judged, too.
        answers: The answers to puzzles that are not a table: as many, in any of the same types; for one `str`, a `str`.

    Returns:
        For a `str`, an object with `verdict`, `findings`, `detail` and so on. Otherwise a table with the columns `line`
        (from 1), `puzzle`, `verdict`, `findings` (a list of names), `detail`, `clues`, `solutions` (up to 2), `answer`
        (`right`, `wrong`, `bad`) and `class`, then the columns of `keep`. Its `report` is the scorecard; `report.audit`
        has the results of an audit.

    Raises:
        ValueError: If an argument has a wrong value, there are not as many answers as puzzles, or `against` has no
            puzzle.
    """
    if isinstance(puzzles, str) and (options.get("audit") or options.get("audit_ratings")):
        raise ValueError("audit is for several puzzles; pass a list of str")
    if isinstance(puzzles, str) and options.get("against") is None:
        answer = None if answers is None else text("answers", answers)
        return _row(Validated, _validating, puzzles, options, answer)
    job, call = _validating(options)
    if isinstance(puzzles, str):
        call.run.update(answers=None if answers is None else [text("answers", answers)], progress=False)
        call.run.pop("ignore")
        return first_row(Validated, _table(job, _one(puzzles, options), call, Scorecard))
    _add_answers(call, "answers", ... if answers is None else answers, puzzles, puzzles_of)
    return _table(job, puzzles, call, Scorecard)


@overload
def score(puzzles: str, responses: object, **options: Unpack[ScoreRows]) -> Scored: ...


@overload
def score(puzzles: Many, responses: Responses = ..., **options: Unpack[ScoreRows]) -> Table: ...


@takes(ScoreRows)
def score(puzzles: str | Many, responses: Any = ..., **options: Any) -> Scored | Table:
    """Scores answers to puzzles by the rules: any solution of a puzzle is right.

    An answer is any text with a grid in it, such as the output of a model, or a chat, whose last message of the
    assistant counts. Thoughts are not the answer. docs/models.md has all rules. An answer without a grid has the
    verdict `no-grid` and the score 0.

    Args:
        puzzles: As for `solve`. If they are a table, its answers are scored.
        responses: The answers to puzzles that are not a table: one for each, in any of the same types; for one `str`,
            one answer. In a list, an answer is a `str`, `bytes` of UTF-8, a chat (a list of messages, or a message), a
            list of cells, or None for no answer. In arrays, a number that is not a digit is a wrong cell.

    Returns:
        For a `str`, an object with `verdict`, `score` and so on. Otherwise a table with the columns `line` (from 1),
        `puzzle`, `verdict` (`solved`, `wrong`, `changed`, `incomplete`, `no-grid`; `none` or `malformed` if the puzzle
        has no solution or is malformed), `score`, `grid`, `found`, `start`, `grids`, `another`, `blanks`, `filled`,
        `right`, `conflicts`, `changed`, `solvable` and `detail`, then the columns of `keep`.

    Raises:
        TypeError: If an argument has a wrong type, or an answer is neither text nor a chat nor cells.
        ValueError: If an argument has a wrong value, or there are not as many answers as puzzles.
    """
    if isinstance(puzzles, str):
        if responses is ...:
            raise TypeError("responses must be the answer to the puzzle")
        return _row(Scored, _scoring, puzzles, options, answer_of("responses", responses))
    job, call = _scoring(options)
    _add_answers(call, "responses", responses, puzzles)
    return _table(job, puzzles, call, ScoreReport)


@overload
def states(puzzles: str, states: object = ..., **options: Unpack[StatesRows]) -> State: ...


@overload
def states(puzzles: Many, states: Responses = ..., **options: Unpack[StatesRows]) -> Any: ...


@takes(StatesRows)
def states(puzzles: str | Many, states: Any = ..., **options: Any) -> State | Table | Moves:
    """Examines partly filled grids of puzzles: how many solutions are left, and what is wrong.

    Args:
        puzzles: As for `solve`.
        states: The states of puzzles that are not a table: as many, in any of the same types; for one `str`, one state.
            Each is a text with a grid in it. By default, the state is the puzzle. An array of the shape (n, T, 81) has
            the states after T moves for each puzzle of an array of the shape (n, 81).

    Returns:
        For a `str`, an object with `solutions`, `wrong` and so on. Otherwise a table with the columns `line` (from 1),
        `puzzle`, `state`, `status`, `solutions` (0, 1, or 2 for more), `blanks`, `filled`, `wrong`, `conflicts`,
        `changed`, the columns that options ask for, and `detail`, then the columns of `keep`. For states of the shape
        (n, T, 81), arrays of the shape (n, T): `alive`, `wrong`, `forced` and `candidates`.

    Raises:
        ValueError: If an argument has a wrong value, or there are not as many states as puzzles.
    """
    if isinstance(puzzles, str):
        return _row(State, _looking, puzzles, options, None if states is ... else answer_of("states", states))
    moves = repeated(puzzles, states)
    if moves is not None:
        options |= {"forced": True, "candidates": True, "columns": COLUMNS}
    job, call = _looking(options)
    if moves is not None:
        tokens = _add_answers(call, "states", moves[1], moves[0])
        return moves_of(_table(job, moves[0], call, StatesReport), len(puzzles), tokens)  # type: ignore[arg-type]
    _add_answers(call, "states", states, puzzles)
    return _table(job, puzzles, call, StatesReport)


@overload
def canonical(puzzles: str, **options: Unpack[Rows]) -> Canonical: ...


@overload
def canonical(puzzles: Many, **options: Unpack[Rows]) -> Table: ...


@takes(Rows)
def canonical(puzzles: str | Many, **options: Any) -> Canonical | Table:
    """Finds canonical forms: two puzzles have the same form if and only if they are isomorphs.

    Args:
        puzzles: As for `solve`. A puzzle that is not 4x4, 6x6 or 9x9 has no form.

    Returns:
        For a `str`, an object with `canonical`, `class_id` and so on. Otherwise a table with the columns `line` (from
        1), `puzzle`, `canonical`, `canonical_solution`, `class` (32 hexadecimal digits), `automorphisms` and `detail`,
        the reason why a record has no form, then the columns of `keep`.
    """
    if isinstance(puzzles, str):
        return _row(Canonical, _canonising, puzzles, options)
    job, call = _canonising(options)
    return _table(job, puzzles, call, CanonicalReport)


@overload
def rate(puzzles: str, **options: Unpack[RateRows]) -> Rated: ...


@overload
def rate(puzzles: Many, **options: Unpack[RateRows]) -> Table: ...


@takes(RateRows)
def rate(puzzles: str | Many, **options: Any) -> Rated | Table:
    """Rates 9x9 puzzles: how hard they are for a person, as Sudoku Explainer measures it.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no rating.

    Returns:
        For a `str`, an object with `er`, `level` and so on. Otherwise a table with the columns `line` (from 1),
        `puzzle`, `status`, `er`, `ep`, `ed`, `level`, `hardest`, `steps`, `techniques` and `detail`, then the columns
        of `keep`.
    """
    if isinstance(puzzles, str):
        return _row(Rated, _rating, puzzles, options)
    job, call = _rating(options)
    return _table(job, puzzles, call)


@takes(Steps)
def steps(puzzles: str | Many, **options: Unpack[Steps]) -> Table:
    """Finds the steps by which a person solves 9x9 puzzles, the same ones that `rate` counts.

    Args:
        puzzles: As for `solve`. A puzzle of another size, or without exactly one solution, has no steps.

    Returns:
        A table with a row for each step and the columns `line` (of the puzzle, from 1), `puzzle`, `step` (from 1),
        `technique`, `difficulty`, `cells`, `digits`, `houses`, `eliminations`, `placements`, `candidates` (the grid
        before the step, nine characters for each cell) and `implications` (the proof of a chain), then the columns of
        `keep`.
    """
    call = check(steps, options)
    return _table(_gridmill.Job("rate", **call.job, steps=True), puzzles, call, index=_no_index)


@takes(TraceRows)
def trace(puzzles: str | Many, **options: Unpack[TraceRows]) -> Table:
    """Traces how puzzles are solved, as training data: a list of events for each puzzle.

    Args:
        puzzles: As for `solve`. A puzzle without exactly one solution has no trace. A trace by technique is only for
            9x9.

    Returns:
        A table with the columns `line` (from 1), `puzzle`, `status`, `solution`, `kinds`, `cells` (from 0), `values`,
        `techniques`, `houses`, `steps`, `implications` (the proofs of chains) and `detail`, the reason why a record has
        no trace, then the columns of `keep`. The lists of a row have an item for each event. `docs/trace.md` explains
        them, and tells which columns each style has; `er` and `level` have to be asked for.
    """
    call = check(trace, options)
    return _table(_gridmill.Job("trace", **call.job), puzzles, call)


@takes(AugmentRows)
def augment(puzzles: str | Many, copies: int, **options: Unpack[AugmentRows]) -> Table:
    """Draws random isomorphs of puzzles: the same puzzles in disguise, for more training data.

    Digits are relabelled, rows, columns, bands and stacks are permuted, and the grid may be transposed. Each of the
    9! * 6**8 * 2 ways for a 9x9 puzzle has the same probability. The answer to a puzzle is transformed with it. The
    copies of a puzzle differ from each other and from the original. They depend on the seed and on the number of the
    record.

    Args:
        puzzles: As for `solve`. If they are a table with answers, these are transformed, too, for example the solutions
            in `gridmill.augment(gridmill.solve(puzzles))`.
        copies: The number of isomorphs of each puzzle, up to 1,000,000. A puzzle that has fewer gets all of them.

    Returns:
        A table with the column `puzzle`, with `solution` if the puzzles are a table with answers, and with `origin` if
        it is asked for, then the columns of `keep`. A record that is not a puzzle, or whose answer is missing or wrong,
        has no rows; `report` has the number of such records.
    """
    call = check(augment, options)
    job = _gridmill.Job("augment", copies=integer(0, 1_000_000)("copies", copies), **call.job)
    return _table(job, puzzles, call, AugmentReport, _no_index)


@takes(GenerateRows)
def generate(count: int, **options: Unpack[GenerateRows]) -> Table:
    """Generates puzzles with exactly one solution. The same arguments give the same puzzles on any machine.

    Args:
        count: The number of puzzles.

    Returns:
        A table with the column `puzzle`, and with `with_solution` the column `solution`; `columns` can also name
        `clues` (the number of clues), and the columns of the rating of a 9x9 puzzle: `er`, `ep`, `ed`, `level`,
        `hardest`, `steps` and `techniques`. There are also `tries` and, with `weighted`, `weight`; see docs/columns.md.

    Raises:
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
    """
    call = check(generate, options)
    job = _gridmill.Generator(count=integer()("count", count), **call.job)
    with watched(call.run, count):
        batches, report = job.table(call.settings, **call.run, **call.output)
    return Table(batches, read(GenerateReport, report))


@takes(ConvertRows)
def convert(puzzles: str | Many, **options: Unpack[ConvertRows]) -> Table:
    """Reads puzzles without solving them: each as text on one line, with the number of its clues.

    Args:
        puzzles: As for `solve`.

    Returns:
        A table with the columns `line` (from 1), `puzzle`, `clues` and `detail`, the reason why a record is not a
        puzzle, then the columns of `keep`.
    """
    call = check(convert, options)
    return _table(_gridmill.Job("convert", **call.job), puzzles, call, ConvertReport)


@overload
def explain(puzzles: str, **options: Unpack[Explain]) -> str: ...


@overload
def explain(puzzles: Many, **options: Unpack[Explain]) -> list[str]: ...


@takes(Explain)
def explain(puzzles: str | Many, **options: Any) -> str | list[str]:
    """Explains how a person solves 9x9 puzzles, step by step, in words and with grids of candidates.

    The steps are the same as for `rate`. A grid marks the pattern of a step with `*`, the candidates that it removes
    with `-`, and the digit that it places with `+`.

    Args:
        puzzles: As for `solve`, or pencilmark puzzles, which have 729 symbols.

    Returns:
        For a `str`, a text 79 columns wide. Otherwise a list of such texts; for a puzzle without steps, the text says
        why.

    Raises:
        ValueError: If an argument has a wrong value, or a `str` is not a 9x9 puzzle with exactly one solution.
    """
    call = check(explain, options)
    if isinstance(puzzles, str):
        return _gridmill.explain_one(one_puzzle("puzzles", puzzles), **call.run)
    return _gridmill.explain(puzzles_of("puzzles", puzzles, ONE_OR_SEVERAL), call.settings, **call.run)


def find(texts: str | Many, *, size: Size | int = "9x9") -> Table:
    """Finds the grids in running text, such as the documents of a corpus in which a test set may be.

    `gridmill.validate(gridmill.find(texts), against=test)` tells which of them are puzzles or isomorphs of a test set.

    Args:
        texts: A text; or a list, a series, a column or an iterator of texts. None is an empty text.
        size: The size of the grids, or its number of rows.

    Returns:
        A table with a row for each grid that has a digit, and the columns `line` (of the text, from 1), `start` (the
        byte of the text, in UTF-8, at which the grid starts, from 0) and `puzzle`. Grids are written as in the answers
        of `score`: on one line, in rows, as lists, in tables.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If no size is called so.
    """
    several = [
        text("an item of texts", item or "") for item in ([texts] if isinstance(texts, str) else items_of(texts))
    ]
    return Table(_gridmill.find(several, check_size("size", size)))


def _add_answers(
    call: Checked,
    name: str,
    answers: Any,
    puzzles: object,
    convert: Callable[[str, object], object] = answers_of,
) -> Tokens | None:
    """Adds given answers or states to a call for several puzzles, and returns those of an array."""
    ignore = call.run.pop("ignore")
    if answers is ...:
        return None
    tokens = tokens_in(name, answers, puzzles, call.blank, ignore)
    call.run["answers"] = convert(name, answers) if tokens is None else tokens.cells
    return tokens


def _table(
    job: _gridmill.Job, puzzles: object, call: Checked, kind: type[Report] = SolveReport, index: Any = index_of
) -> Table:
    """The rows of puzzles; of one `str`, too. `kind` is the type of the report, `index` gives the rows an index."""
    if isinstance(puzzles, str):
        puzzles = [one_puzzle("puzzles", puzzles)]
    with watched(call.run, length_of(puzzles)), with_cure(puzzles):
        several = puzzles_of("puzzles", puzzles, ONE_OR_SEVERAL, call.blank)
        batches, report = job.table(several, call.settings, **call.run, **call.output)
    return Table(batches, partial(read, kind, report), index(puzzles))


def _no_index(puzzles: object) -> None:
    """A puzzle may have no row, or several."""


def _row(kind: type[Row], prepare: Prepare, puzzle: str, options: dict[str, Any], answer: str | None = None) -> Row:
    """The row of one puzzle, and of its answer, if it has one."""
    return row(kind, prepare, options, _one(puzzle, options), answer)


def _one(puzzle: str, options: dict[str, Any]) -> str:
    """The puzzle, after a check that the call and its options are for one puzzle."""
    if options.get("columns") is not None:
        raise ValueError("columns are for several puzzles; what is returned for one has all attributes")
    if options.get("report") is not None:
        raise ValueError("report is for several puzzles; pass a list of str")
    return one_puzzle("puzzles", puzzle)


def _prepares(function: Callable[..., Any], command: str) -> Prepare:
    """Makes a function that checks options and turns them into a job."""

    def prepare(options: dict[str, Any]) -> tuple[_gridmill.Job, Checked]:
        call = check(function, options)
        return _gridmill.Job(command, **call.job), call

    return prepare


_solving = _prepares(solve, "solve")
_counting = _prepares(count, "solve")
_validating = _prepares(validate, "validate")
_scoring = _prepares(score, "score")
_looking = _prepares(states, "states")
_canonising = _prepares(canonical, "canon")
_rating = _prepares(rate, "rate")


def _solving_one(options: dict[str, Any]) -> tuple[_gridmill.Job, Checked]:
    job, call = _solving(options)
    if call.job["all"]:
        raise ValueError("all gives a list for each of several puzzles; pass a list of str")
    return job, call
