"""The options of the functions: each is described once, with its type, its default, its check and its effect.

An option is a key of a `TypedDict`, so that type checkers know it; `takes` makes signatures and documentation of them.
The default and the check follow from the type, and are written only where they differ from those in `USUAL`.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypedDict,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from gridmill import _checks, _gridmill
from gridmill._inputs import puzzles_or_file, splits_of

if TYPE_CHECKING:
    from gridmill._inputs import Many
else:
    Many = Any

F = TypeVar("F", bound=Callable[..., Any])
File = str | PathLike[str]
Files = File | list[File] | tuple[File, ...]

Engine = Literal["auto", "lanes", "lanes:avx512", "lanes:avx512bw", "lanes:avx2", "lanes:portable", "bitmask", "dlx"]
Formula = Literal["blanks", "cells", "exact", "sudoku-bench"]
Thoughts = Literal["drop", "keep"]
Group = Literal["class", "puzzle", "solution"]
Level = Literal["easy", "medium", "hard", "very-hard", "very hard", "fiendish", "extreme"]
Style = Literal["technique", "search", "order"]
Size = Literal["4x4", "6x6", "8x8", "9x9", "10x10", "12x12", "16x16", "25x25"]
Symmetry = Literal["rot180", "rot90", "horizontal", "vertical", "diagonal", "anti-diagonal", "full"]
Change = Literal["digits", "rows", "columns", "bands", "stacks", "transpose"]
Drawn = Literal["eliminations", "all", "none"]
Compression = Literal["gzip", "zstd", "xz", "bzip2", "snappy", "lz4", "none"]
Source = Literal["lines", "grids", "ints", "csv", "jsonl", "candidates", "hodoku", "opensudoku", "parquet", "npy"]
Tabular = Literal["csv", "tsv", "excel", "jsonl", "json", "parquet", "npy", "hrm"]
Format = Literal[Tabular, "lines", "grids", "listing", "sdk", "opensudoku", "svg", "text"]
Fault = Literal["malformed", "conflict", "none", "multiple", "undecided", "not-minimal", "duplicate", "isomorph"]
OfAnswer = Literal["bad-answer", "wrong-answer", "wrong-rating", "unreadable-rating"]
Finding = Literal[Fault, OfAnswer, "leak-exact", "leak-isomorph", "leak-solution", "leak", "audit", "all"]

Goal = Literal["job", "run", "settings", "output"]
"""The destination of an option: the job, the reading and solving of puzzles, the writing of rows, or one call."""


USUAL: dict[Any, tuple[Any, Callable[[str, Any], Any]]] = {
    bool: (False, _checks.flag),
    int: (0, _checks.integer()),
    int | None: (None, _checks.integer()),
    Iterable[str]: ((), _checks.texts),
    str | Iterable[str]: ((), _checks.names),
    File | None: (None, _checks.path),
    Files: ((), _checks.paths),
}
"""The usual default and check of an option, by its type. Options of all other types are texts, and None by default."""


@dataclass(frozen=True)
class Option:
    """An option, apart from its name and its type. If it is only a text, the text alone stands for it."""

    text: str
    goal: Goal = "job"
    default: Any = ...
    check: Any = ...

    @classmethod
    def of(cls, kind: Any, said: str | Option) -> Option:
        """The option that a type and its annotation describe: what the annotation leaves open follows from the type."""
        option = cls(said) if isinstance(said, str) else said
        default, check = USUAL.get(kind, (None, _checks.text))
        if values := _values_of(kind):
            several = any(get_origin(part) is Iterable for part in get_args(kind))
            default, check = USUAL[str | Iterable[str]] if several else (None, _checks.text)
            check = _checks.one_of(values, check)
        return cls(
            option.text,
            option.goal,
            default if option.default is ... else option.default,
            check if option.check is ... else option.check,
        )

    def checked(self, name: str, value: object) -> Any:
        """The value for the native functions."""
        return None if value is None and self.default is None else self.check(name, value)


def _values_of(kind: Any) -> tuple[str, ...]:
    """The values of a `Literal` in a type."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(value for part in get_args(kind) for value in _values_of(part))


class Executing(TypedDict, total=False):
    """How a job is executed."""

    threads: Annotated[
        int | None,
        Option(
            "The number of threads, from 1 to 1024; by default one for each CPU.",
            "settings",
            check=_checks.integer(1, 1024),
        ),
    ]
    chunk: Annotated[
        int | None,
        Option(
            "The number of records that a thread takes at a time, up to 65,535; by default it adapts to the puzzles.",
            "settings",
            check=_checks.integer(1, 65_535),
        ),
    ]


class Searching(TypedDict, total=False):
    """How solutions are searched for."""

    engine: Annotated[
        Engine,
        Option(
            "`auto`, `lanes`, `bitmask` or `dlx`; `lanes:avx2` and the like name the vectors, too. The results are the "
            "same but for `branches` and `nanos`.",
            "settings",
            default="auto",
        ),
    ]
    max_branches: Annotated[
        int | str,
        Option(
            'The search for a puzzle gives up after this many guesses, and the puzzle is `undecided`; `"none"` means '
            "unlimited. The default is unlimited up to 9x9, and a few seconds of guesses for larger puzzles.",
            "settings",
            default="default",
            check=_checks.guesses,
        ),
    ]


class Solving(Executing, Searching, total=False):
    """How puzzles are solved."""


class Reading(TypedDict, total=False):
    """How puzzles are read."""

    alphabet: Annotated[
        str | Iterable[str],
        Option(
            "The symbols of the values, where they are not clear: `1-G`, `0-F`, `A-P`, `A-I`, ..., or a different "
            "symbol for each value, such as `MASKBRIDG`.",
            "settings",
        ),
    ]
    blank: Annotated[
        str | int | None,
        Option(
            "A symbol for a blank, in addition to the usual ones (`.0_-*xX?`). Of arrays, the number of a blank: 0, or "
            "1 if 2 is the digit 1; by default it is 1 where only that makes puzzles of the numbers.",
            "settings",
        ),
    ]
    puzzle_column: Annotated[
        str | None,
        Option(
            "The column of a table that holds the puzzles; by default the one with a usual name (`puzzle`, `quizzes`, "
            "`question`, ...).",
            "settings",
        ),
    ]


class Ignoring(TypedDict, total=False):
    """Which cells of answers are not judged."""

    ignore: Annotated[
        int | None,
        Option(
            "Where an array of answers has this number, such as -100, it has the cell of the puzzle.",
            "run",
            check=_checks.integer(-(2**63), 2**63 - 1),
        ),
    ]


class Answers(TypedDict, total=False):
    """The column with answers."""

    answer_column: Annotated[
        str | None,
        Option(
            "The column of a table that holds the answers; by default the one with a usual name (`solution`, `answer`, "
            "...).",
            "settings",
        ),
    ]


class Columns(TypedDict, total=False):
    """Which columns rows have."""

    columns: Annotated[
        Iterable[str] | None,
        Option(
            "The columns of the result, in this order; by default all of them but `file`, the name of the input.",
            "settings",
            check=_checks.some_texts,
        ),
    ]


class Kept(Columns, total=False):
    """The columns of rows, including columns of the input."""

    keep: Annotated[
        Iterable[str],
        Option("Columns of a table to copy to the end of the rows, with their types.", "settings"),
    ]


class Watched(TypedDict, total=False):
    """How a run reports its progress."""

    progress: Annotated[
        bool | Callable[[int], object] | None,
        Option(
            "Whether a bar shows the progress of a run that takes longer than a second; by default it does in a "
            "terminal and in a notebook. Or a function that is called from time to time with the number of records "
            "since the last call; an exception that it raises stops the run.",
            "run",
            check=_checks.progress,
        ),
    ]


class Paged(TypedDict, total=False):
    """The page about a run."""

    report: Annotated[File | None, Option("Also write a page with charts and puzzles to this HTML file.", "output")]


class Rows(Solving, Reading, Kept, Watched, Paged, total=False):
    """The options of jobs with a row for each puzzle."""


class FromFiles(TypedDict, total=False):
    """How files are read."""

    from_: Annotated[
        Source | None,
        Option(
            "The format of the inputs, instead of detecting it: `lines`, `grids`, `ints`, `csv`, `jsonl`, `parquet`, "
            "`npy`, `candidates`, `hodoku` or `opensudoku`.",
            "settings",
        ),
    ]


class Packed(TypedDict, total=False):
    """How an output is compressed."""

    compress: Annotated[
        Compression | None,
        Option(
            "`gzip`, `zstd`, `xz`, `bzip2` or `none`; of Parquet `zstd`, `snappy`, `lz4` or `none`. The default "
            "follows from the extension of the output; for Parquet, it is `zstd`.",
            "output",
        ),
    ]


class ToFile(Packed, Paged, total=False):
    """How rows are written to a file."""

    to: Annotated[
        Format | None,
        Option(
            "The format of the rows where the extension of the output leaves it open: `csv`, `tsv`, `excel`, `jsonl`, "
            "`json`, `lines`, `grids`, `listing`, `npy`, `parquet`; of `convert_file` also `sdk`, `opensudoku`, `svg`; "
            "of `augment_file` `hrm`, for NPY files in a directory.",
            "output",
        ),
    ]
    header: Annotated[bool, Option("Whether CSV has a header.", "output", default=True)]


class Described(TypedDict, total=False):
    """How a data set is described."""

    card: Annotated[
        File | None,
        Option(
            "Write a data card for Hugging Face to this file, usually `README.md`: the splits and columns of the data "
            "set, its making, and the checks. The data is in the same folder, or below.",
            "run",
        ),
    ]
    croissant: Annotated[
        File | None,
        Option(
            "Write a description of the data set in the format Croissant to this file. The data is in the same folder, "
            "or below.",
            "run",
        ),
    ]


class LongRun(TypedDict, total=False):
    """How a run is continued or divided."""

    resume: Annotated[bool, Option("Continue the partial output of a run that was interrupted.", "output")]
    shard: Annotated[
        str | None,
        Option(
            'Read only one shard of the inputs: `"2/8"` is the second of eight. `merge_files` merges the outputs.',
            "output",
        ),
    ]


class FileRows(Rows, FromFiles, ToFile, LongRun, total=False):
    """The options of jobs that write a row for each puzzle of files."""


class Solve(TypedDict, total=False):
    """The options of solving."""

    limit: Annotated[
        int | None,
        Option(
            "Solutions are counted up to this number, but at least up to 2. By default it is 2: a row says whether a "
            "puzzle has one solution, several or none. With `all`, it is 1,000.",
            check=_checks.integer(1),
        ),
    ]
    first: Annotated[bool, "Give the first solution in lexicographic order, even if there are several."]
    all: Annotated[bool, "Give a list of all solutions in lexicographic order, of several puzzles."]
    top: Annotated[int, Option("The number of slowest puzzles in the report.", default=3)]


class SolveRows(Solve, Rows, total=False):
    """The options of `solve`."""


class SolveFile(Solve, FileRows, total=False):
    """The options of `solve_file`."""


class Count(Rows, total=False):
    """The options of `count`."""

    limit: Annotated[int, Option("Where counting stops, at least 2.", default=1_000_000, check=_checks.integer(2))]


class Validate(TypedDict, total=False):
    """The options of validating."""

    minimal: Annotated[bool, "Also check that every clue is needed."]
    duplicates: Annotated[bool, "Also find puzzles that occurred before."]
    isomorphs: Annotated[
        bool,
        "Also find 4x4, 6x6 and 9x9 puzzles that are isomorphs of a puzzle before: relabelled, permuted or transposed.",
    ]
    classes: Annotated[bool, "Also give the class of every 4x4, 6x6 and 9x9 puzzle, as `isomorphs` and `against` do."]
    rating_column: Annotated[
        str | None,
        "Also check that this column of a table has the ER of each 9x9 puzzle, as `rate` finds it. The rows have the "
        "column, too.",
    ]
    audit: Annotated[
        bool,
        "Also audit the puzzles as a whole: `report.audit` compares them with a uniform sample, and its `alarms` name "
        "the problems. Needs all puzzles in one run: no `shard`, no `resume`.",
    ]
    fail_on: Annotated[
        Finding | Iterable[Finding],
        "Findings that `report.failed_on` names if they occur, as they make the exit code 1 on the command line: "
        "`multiple`, `wrong-answer` and so on, `leak` for all leaks, `audit` for alarms, `all` for everything.",
    ]
    audit_ratings: Annotated[bool, "With `audit`, also rate the 9x9 puzzles, which takes a hundred times as long."]


class ClassKey(TypedDict, total=False):
    """The key of sets of classes, and the demand on their corpora."""

    class_key: Annotated[File | None, "A file with the key, at least 16 bytes, that hashes the classes of sets."]
    allow_malformed: Annotated[
        bool,
        "Leave out malformed records of a corpus that is compared. Without it, they are a failure or an error: nobody "
        "knows which puzzles they should be.",
    ]


class ValidateRows(Validate, ClassKey, Answers, Ignoring, Rows, total=False):
    """The options of `validate`."""

    against: Annotated[
        Many | File | None,
        Option(
            "Other puzzles, such as a training set, or the path of a file with them: also find puzzles that occur in "
            "them, as they are, as isomorphs, or with an isomorphic solution. `puzzle_column` names their column, too. "
            "The file may also be a set of classes from `classes_file`.",
            "run",
            check=puzzles_or_file,
        ),
    ]


class Certify(ClassKey, Answers, Solving, Reading, FromFiles, Watched, total=False):
    """The options of `certify`."""

    ratings: Annotated[bool, Option("Also count 9x9 puzzles by level, which takes a hundred times as long.", "run")]


class ValidateFile(Validate, ClassKey, Answers, FileRows, Described, total=False):
    """The options of `validate_file`."""

    against: Annotated[
        Files,
        Option(
            "Other files, such as a training set: also find puzzles that occur in them, as they are, as isomorphs, or "
            "with an isomorphic solution. They may also be sets of classes from `classes_file`.",
            "run",
        ),
    ]
    accepts: Annotated[File | None, Option("Copy every sound record to this file, with all its columns.", "run")]
    rejects: Annotated[File | None, Option("Copy every other record to this file.", "run")]


class Score(TypedDict, total=False):
    """The options of scoring."""

    formula: Annotated[
        Formula,
        Option(
            "How an answer becomes a number from 0 to 1: `blanks`, the share of the blanks that are filled as in a "
            "solution, 0 if a clue is changed; `cells`, the share of all cells; `exact`, 1 for a solution; "
            "`sudoku-bench`, 0.8 times `cells` and 0.2 times `exact`.",
            default="blanks",
        ),
    ]
    thoughts: Annotated[
        Thoughts,
        Option(
            "Whether a grid may stand in thoughts, such as `<think>...</think>`: `drop` leaves them out, `keep` reads "
            "them.",
            default="drop",
        ),
    ]
    answer_tag: Annotated[str | Iterable[str], "More tags that enclose answers, such as `grid` for `<grid>...</grid>`."]
    response_column: Annotated[
        str | None,
        Option(
            "The column of a table that holds the answers; by default the one with a usual name (`response`, "
            "`completion`, `generation`, ...).",
            "settings",
        ),
    ]


class ScoreRows(Score, Ignoring, Rows, total=False):
    """The options of `score`."""


class ScoreFile(Score, FileRows, total=False):
    """The options of `score_file`."""


class States(TypedDict, total=False):
    """The options of looking at states."""

    forced: Annotated[bool, "Fill the column `forced`: the blanks that naked and hidden singles fill."]
    candidates: Annotated[
        bool,
        "Fill the columns `candidates` and `backbone`: the digits that occur in some solution, for each cell, and "
        "those that all solutions share.",
    ]
    moves_from: Annotated[
        int | None,
        Option(
            "The number of the first row and column in moves, 0 or 1. By default it is 1, and moves that are right "
            "only from 0 are `unreadable`.",
            check=_checks.integer(0, 1),
        ),
    ]
    moves_column: Annotated[
        str | None,
        "A column of a table with moves such as `r1c3=4 r2c5=7`: the columns `first_wrong` and `moves_status` are "
        "filled, and the rows have this column, too.",
    ]
    state_column: Annotated[
        str | None,
        Option("The column of a table that holds the states; by default the state is the puzzle.", "settings"),
    ]


class StatesRows(States, Ignoring, Rows, total=False):
    """The options of `states`."""


class StatesFile(States, FileRows, total=False):
    """The options of `states_file`."""


class Rate(TypedDict, total=False):
    """The options of rating."""

    max_er: Annotated[
        float | None,
        Option(
            "Stop rating a puzzle at a step that is harder than this; its `er` is then missing.",
            check=_checks.difficulty,
        ),
    ]
    only: Annotated[
        Literal["er"] | None, "`er` leaves out the columns `ep`, `ed`, `hardest`, `steps` and `techniques`."
    ]
    top: Annotated[int, Option("The number of slowest and of hardest puzzles in the report.", default=3)]


class RateRows(Rate, Rows, total=False):
    """The options of `rate`."""


class RateFile(Rate, FileRows, total=False):
    """The options of `rate_file`."""

    steps: Annotated[
        bool,
        "Write a row for each step, as `steps` gives it. Such a run can neither be resumed nor be sharded.",
    ]


class Steps(Rows, total=False):
    """The options of `steps`."""

    max_er: Annotated[float | None, Option("Stop before a step that is harder than this.", check=_checks.difficulty)]


class Trace(TypedDict, total=False):
    """The options of tracing."""

    style: Annotated[
        Style,
        Option(
            "The kind of trace: all steps by `technique`, a `search` with its guesses and failures, or only the "
            "`order` of placements.",
            default="technique",
        ),
    ]
    max_guesses: Annotated[int, Option("A puzzle whose search takes more guesses has no trace.", default=10_000)]
    top: Annotated[int, Option("The number of slowest puzzles in the report.", default=3)]


class TraceRows(Trace, Rows, total=False):
    """The options of `trace`."""


class TraceFile(Trace, FileRows, total=False):
    """The options of `trace_file`."""

    template: Annotated[File | None, "The file with a template for the text of a record, in the language of Jinja."]


class Copying(Answers, total=False):
    """Which copies there are."""

    seed: Annotated[int, "The same seed gives the same copies, from 0 to 2**64 - 1."]
    kind: Annotated[
        Change | Iterable[Change],
        "The kinds of changes in the copies: `digits`, `rows`, `columns`, `bands`, `stacks` and `transpose`; by "
        "default all of them.",
    ]


class Augment(Copying, total=False):
    """The options of copying."""

    original: Annotated[bool, "Give each puzzle itself before its copies."]
    origin: Annotated[bool, "Give the column `origin`, too: the line of the puzzle, from 1."]
    unchecked: Annotated[bool, "Take puzzles with wrong answers, too, which change a clue or break a rule."]


class AugmentRows(Augment, Rows, total=False):
    """The options of `augment`."""


class AugmentFile(Augment, Rows, FromFiles, ToFile, Described, total=False):
    """The options of `augment_file`."""

    set: Annotated[
        Literal["train", "test"],
        Option('With `to="hrm"`, the directory of the set in `output`: `train` or `test`.', default="train"),
    ]


class Making(Searching, total=False):
    """The properties of the puzzles to make."""

    seed: Annotated[int, "Puzzles of different seeds are different, from 0 to 2**64 - 1."]
    clues: Annotated[
        int | str | tuple[int, int] | range | None,
        Option(
            "How many clues each puzzle has, or a range such as `24..28` or `(24, 28)`; by default as many as it "
            "needs: without any one of them it would have several solutions.",
            check=_checks.clues,
        ),
    ]
    minimal: Annotated[
        bool,
        "Every clue is needed; this is the default if neither `clues`, `symmetry` nor `pattern` is given.",
    ]
    grids: Annotated[bool, "Complete grids; 4x4, 6x6 and 9x9 grids are all equally likely."]
    weighted: Annotated[bool, "Minimal 9x9 puzzles with a known probability; its inverse is in the column `weight`."]
    unbiased: Annotated[bool, "Minimal 9x9 puzzles that are all equally likely, up to 32 clues."]
    er: Annotated[
        float | str | tuple[float, float] | None,
        Option(
            "Only puzzles whose ER is in this range, such as `3.0..4.5`, `(3, 4.5)` or `7.1..`; a number is both ends.",
            check=_checks.range_of_er,
        ),
    ]
    level: Annotated[
        Level | None,
        "Only puzzles of this level: `easy`, `medium`, `hard`, `very-hard`, `fiendish` or `extreme`.",
    ]
    max_er: Annotated[float | None, Option("Only puzzles whose ER is at most this.", check=_checks.difficulty)]
    technique: Annotated[
        str | Iterable[str],
        "Only puzzles that need this technique, such as `x-wing`; of several, each.",
    ]
    symmetry: Annotated[
        Symmetry | None,
        "The cells with clues are symmetric: `rot180`, `rot90`, `horizontal`, `vertical`, `diagonal`, `anti-diagonal` "
        "or `full`. Clues are removed in groups that keep the symmetry.",
    ]
    pattern: Annotated[
        File | None,
        Option(
            "The clues are in the cells that a grid marks, of `x`, `*`, `#`, digits or letters for clues and `.`, `0` "
            "or `_` for blanks; a `Path` names a file with such a grid.",
            check=_checks.pattern,
        ),
    ]
    size: Annotated[
        Size | int | None,
        Option(
            "`4x4`, `6x6`, `8x8`, `9x9`, `10x10`, `12x12`, `16x16` or `25x25`, or the number of rows; the default is "
            "the size of the pattern or, without one, `9x9`.",
            check=_checks.size,
        ),
    ]
    max_tries: Annotated[
        int | None,
        Option(
            "Give up if this many random grids give no such puzzle; by default 1,000,000 for 9x9, and less where a "
            "grid takes longer.",
            check=_checks.integer(1, 2**32 - 1),
        ),
    ]


class Generate(Making, ClassKey, Executing, Columns, Watched, total=False):
    """The options of generating."""

    skip: Annotated[int, "Leave out the first puzzles of the seed, so that several machines can make its puzzles."]
    with_solution: Annotated[bool, "Give the solutions, too."]
    distinct: Annotated[bool, "Give no two puzzles that are isomorphs; 4x4, 6x6 and 9x9 only."]


class GenerateRows(Generate, Paged, total=False):
    """The options of `generate`."""

    not_in: Annotated[
        Many | File | None,
        Option(
            "Give no puzzle that is one of these, or an isomorph; 4x4, 6x6 and 9x9 only. It may also be the path of a "
            "file with puzzles or with a set of classes.",
            "run",
            check=puzzles_or_file,
        ),
    ]


class GenerateFile(Generate, ToFile, Described, LongRun, total=False):
    """The options of `generate_file`."""

    not_in: Annotated[
        Files,
        Option(
            "Write no puzzle of these files, and no isomorph; 4x4, 6x6 and 9x9 only. They may also be sets of classes.",
            "run",
        ),
    ]


class Share(TypedDict, total=False):
    """Which batches of a stream a process gets."""

    rank: Annotated[int, Option("The number of this process among those that train together.", "run")]
    world: Annotated[int, Option("How many processes train together.", "run", default=1, check=_checks.integer(1))]
    worker: Annotated[int, Option("The number of this worker among those that load for the rank.", "run")]
    workers: Annotated[int, Option("How many workers load for each rank.", "run", default=1, check=_checks.integer(1))]
    start: Annotated[int, Option("Leave out this number of batches of each rank, used in an earlier run.", "run")]


class Place(Share, total=False):
    """Which batches of the copies a process gets."""

    epoch: Annotated[int, Option("The number of the first epoch and of its copies, from 0.", "run")]
    epochs: Annotated[
        int,
        Option(
            "How many epochs a loop goes through, one after another.",
            "run",
            default=1,
            check=_checks.integer(1, 2**32),
        ),
    ]


class Augmented(Copying, Solving, Reading, FromFiles, Watched, Place, total=False):
    """The options of a stream of copies."""

    keep: Annotated[
        Iterable[str],
        Option(
            "Columns of a table, such as `er` or `source`, whose values a batch has, too: it is a `KeptBatch`.",
            "settings",
        ),
    ]

    shuffle: Annotated[
        bool,
        Option(
            "Give the puzzles of each epoch in another random order, not in the order of the data.",
            "run",
            default=True,
        ),
    ]
    drop_last: Annotated[
        bool,
        Option("Leave out the last batches of an epoch, so that all are full and each rank has equally many.", "run"),
    ]


class Generated(Making, Share, total=False):
    """The options of a stream of new puzzles."""

    keep: Annotated[
        Iterable[str],
        Option(
            "Columns of `generate`, such as `er`, `level` or `weight`, that a batch has, too: it is a `KeptBatch`.",
            "run",
        ),
    ]
    batches: Annotated[
        int | None,
        Option("The number of batches of all ranks together; by default, the stream is endless.", "run"),
    ]


class Mixed(Share, total=False):
    """The options of a mixture of streams."""

    weights: Annotated[
        Mapping[str, float] | None,
        Option("The weights of the streams by their names; by default, they are equal.", "run", check=_checks.weights),
    ]
    seed: Annotated[int, Option("Each seed draws the streams in another order.", "run")]
    taken: Annotated[
        Mapping[str, int] | None,
        Option("The batches of each stream that were taken in an earlier run.", "run", check=_checks.counts),
    ]


class ConvertRows(Executing, Reading, Kept, Watched, Paged, total=False):
    """The options of `convert`."""


class ConvertFile(ConvertRows, FromFiles, ToFile, LongRun, total=False):
    """The options of `convert_file`."""


class Grouped(TypedDict, total=False):
    """The relation between the records of a group."""

    by: Annotated[
        Group,
        Option(
            "Records belong together if they have the same `puzzle`, the same `class` (isomorphs), or isomorphic "
            "solutions, `solution`. Malformed records cannot be compared; by class, other sizes than 4x4, 6x6 and 9x9 "
            "cannot either; by solution, neither can puzzles without exactly one.",
            default="class",
        ),
    ]


Bins: TypeAlias = Annotated[
    str | Iterable[float] | None,
    Option(
        "Put the numbers of that column into bins with these ends: `[0, 10, 100]`; any other value is `other`.",
        check=_checks.bins,
    ),
]


class Split(Grouped, Solving, Reading, Watched, total=False):
    """The options of splitting."""

    parts: Annotated[
        str | Mapping[str, int | float | str] | None,
        Option(
            'Names and sizes of the parts, such as `{"train": 0.9, "test": 0.1}` or `"train=0.9,val=5%,test=rest"`. A '
            "size is a share, an exact number of records, or `rest`, all remaining records; if no part gets the rest, "
            "it is left out.",
            check=_checks.parts,
        ),
    ]
    folds: Annotated[
        int | None,
        "In place of `parts`: make this number of parts of the same size, called `fold-1`, `fold-2` and so on.",
    ]
    seed: Annotated[int, "Each seed gives another split, from 0 to 2**64 - 1."]
    stratify: Annotated[
        str | None,
        "Give each part its share of the records with each value of this column, as nearly as groups allow.",
    ]
    bins: Bins


class SplitFile(Split, FromFiles, Described, total=False):
    """The options of `split_file`."""


class Dedupe(Grouped, Solving, Reading, Watched, total=False):
    """The options of `dedupe`."""

    keep_max: Annotated[
        str | None,
        "Keep the record with the largest number in this column, in place of the first. Of several, the first is kept; "
        "a record without a number, only if no other has one.",
    ]
    keep_min: Annotated[str | None, "Keep the record with the smallest number in this column."]
    dropped: Annotated[
        File | None,
        Option("A file for a table of the other records, as CSV, with the lines that they repeat.", "run"),
    ]


class DedupeFile(Dedupe, FromFiles, Packed, total=False):
    """The options of `dedupe_file`."""


class Sample(Executing, Answers, Reading, Watched, total=False):
    """The options of `sample`."""

    seed: Annotated[int, "Each seed gives another sample, from 0 to 2**64 - 1."]
    where: Annotated[
        str | Iterable[str],
        "Only records that meet this condition, such as `clues<=24 && rating>=50`; of several, each. A condition has "
        "the name of a column, one of `<= >= < > = !=` and a value; `clues` is the number of clues.",
    ]
    stratify: Annotated[
        str | None,
        "Take from the records with each value of this column a share in proportion to their number.",
    ]
    bins: Bins
    unchecked: Annotated[bool, "Take puzzles with wrong answers, too, which change a clue or break a rule."]


class SampleFile(Sample, FromFiles, Packed, total=False):
    """The options of `sample_file`."""


class Explain(Reading, total=False):
    """The options of `explain`."""

    grids: Annotated[
        Drawn,
        Option(
            "The steps before which the grid of candidates is drawn: `eliminations`, those that remove candidates, "
            "`all` or `none`.",
            "run",
            default="eliminations",
        ),
    ]


class ClassesFile(ClassKey, Solving, Reading, FromFiles, Watched, total=False):
    """The options of `classes_file`."""


class ExplainFile(Explain, FromFiles, total=False):
    """The options of `explain_file`."""


class Bench(Reading, total=False):
    """The options of `bench`."""

    engines: Annotated[
        str | Iterable[str],
        "The engines to compare, such as `bitmask` or `lanes:avx2`; by default all of them.",
    ]
    threads: Annotated[
        int | Iterable[int],
        Option(
            "The number of threads of an engine; several numbers are compared.",
            default=1,
            check=_checks.integers(1, 1024),
        ),
    ]
    seconds: Annotated[
        float,
        Option(
            "About how long each engine is timed on each set, in CPU time. An engine that needs longer for all puzzles "
            "gets a random sample, and `limited` of the report says so; 0 is the shortest measurement of all puzzles.",
            default=2.0,
            check=_checks.number(0, 86_400),
        ),
    ]
    limit: Annotated[int, Option("Stop counting at this number of solutions.", default=2, check=_checks.integer(1))]
    max_branches: Annotated[
        int | str,
        Option(
            'An engine gives up on a puzzle after this many guesses; `"none"` means unlimited, which is the default '
            "for sizes up to 9x9.",
            "settings",
            default="default",
            check=_checks.guesses,
        ),
    ]
    reference: Annotated[str | None, "The engine to compare the rest with; by default the first one."]
    shuffle: Annotated[int | None, "Take the puzzles in a random order, of this seed."]
    isomorphs: Annotated[int | None, "Replace each puzzle by a random isomorph with this seed."]
    top: Annotated[int, "The number of slowest puzzles of each engine to name in the report."]
    times: Annotated[
        File | None,
        Option("A file for the time of each engine for each puzzle, as `.csv`, `.jsonl` or `.parquet`.", "run"),
    ]
    disagreements: Annotated[
        File | None,
        Option("A file for the puzzles that engines disagree about, as `.csv`, `.jsonl` or `.parquet`.", "run"),
    ]


class BenchFile(Bench, FromFiles, total=False):
    """The options of `bench_file`."""


class Merge(Packed, total=False):
    """The options of `merge_files`."""


ERRORS = {"TypeError": "If an argument has a wrong type.", "ValueError": "If an argument has a wrong value."}
"""The errors of all functions."""

ERRORS_OF_FILES = {
    "TypeError": "If an argument has a wrong type.",
    "ValueError": "If an argument has a wrong value, the format of an input is not known, or the output is an input.",
    "OSError": "If a file cannot be read or written.",
}
"""The errors of functions with `inputs` and an `output`."""


@dataclass(frozen=True)
class Checked:
    """The options of a call, checked, each where it belongs."""

    job: dict[str, Any]
    settings: _gridmill.Settings
    output: dict[str, Any]
    run: dict[str, Any]
    blank: int | None
    """The number of a blank in arrays, if it was given."""


@functools.cache
def described(options: type) -> dict[str, Option]:
    """The options of a `TypedDict`, options of the job first."""
    hints = get_type_hints(options, include_extras=True)
    table = {name: Option.of(hint.__origin__, *hint.__metadata__) for name, hint in hints.items()}
    goals = get_args(Goal)
    return dict(sorted(table.items(), key=lambda item: goals.index(item[1].goal)))


@functools.cache
def _defaults(options: type) -> dict[Goal, dict[str, Any]]:
    """The values of options that are not given, by their goals."""
    parts: dict[Goal, dict[str, Any]] = {"job": {}, "settings": {}, "output": {}, "run": {}}
    for name, option in described(options).items():
        parts[option.goal][name] = option.checked(name, option.default)
    return parts


def check(function: Callable[..., Any], given: Mapping[str, object]) -> Checked:
    """Checks the options of a call of a function that `takes` them; those that are not given have their defaults."""
    options = function.__annotations__["options"]
    table = described(options)
    for name in given:
        if name not in table:
            raise _checks.unexpected(function.__name__, name, inspect.signature(function).parameters)
    parts = {goal: dict(values) for goal, values in _defaults(options).items()}
    blank = None
    if isinstance(given.get("blank"), int):
        blank, given = _checks.integer(0, 1)("blank", given["blank"]), {**given, "blank": None}
    for name, option in table.items():
        if name in given:
            parts[option.goal][name] = option.checked(name, given[name])
    settings = _gridmill.Settings(**parts["settings"])
    return Checked(parts["job"], settings, parts["output"], parts["run"], blank)


def takes(options: type) -> Callable[[F], F]:
    """Shows the keys of a `TypedDict` as arguments of a function, in place of `**options`.

    Its documentation gets their texts, and the usual errors that it does not name.
    """

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        parameters = [item for item in own.parameters.values() if item.kind is not item.VAR_KEYWORD]
        hints = get_type_hints(options)
        lines = []
        for name, option in described(options).items():
            # A task of Spark would write a page about its part.
            if name == "report" and "df" in own.parameters:
                continue
            kind = inspect.formatannotation(hints[name]).replace("collections.abc.", "")
            parameters.append(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)
            )
            text = f"{name}: {option.text}"
            lines += textwrap.wrap(text, 116, initial_indent=" " * 4, subsequent_indent=" " * 8)

        errors = ERRORS_OF_FILES if {"inputs", "output"} <= own.parameters.keys() else ERRORS
        function.__doc__ = _documentation(function.__doc__ or "", lines, errors)
        function.__annotations__["options"] = options
        shown = _for_each_split(function) if "puzzles" in own.parameters else _with_its_options(function, parameters)
        shown.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return shown

    return decorate


def _documentation(written: str, options: list[str], errors: dict[str, str]) -> str:
    """The documentation of a function, with the lines of its options and the usual errors."""
    head, _, named = inspect.cleandoc(written).partition("\n\nRaises:\n")
    arguments, _, returns = head.partition("\n\nReturns:")
    usual = [f"    {name}: {text}" for name, text in errors.items() if f"{name}: " not in named]
    return "\n".join([arguments, *options, "", f"Returns:{returns}", "", "Raises:", *usual, named]).rstrip()


def _with_its_options(function: F, parameters: list[inspect.Parameter]) -> F:
    """A function that refuses options that its signature does not show."""
    names = [parameter.name for parameter in parameters]

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        for name in options:
            if name not in names:
                raise _checks.unexpected(function.__name__, name, names)
        return function(*given, **options)

    return call  # type: ignore[return-value]


def _for_each_split(function: F) -> F:
    """A function of puzzles that is called for each split of a `DatasetDict`."""

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        splits = splits_of(given[0]) if given else None
        if splits is None:
            return function(*given, **options)
        return {name: function(split, *given[1:], **options) for name, split in splits.items()}

    return call  # type: ignore[return-value]
