"""The options of the functions: each is described once, with its type, its default, its check and its effect.

An option is a key of a `TypedDict`, so that type checkers know it; `takes` makes signatures and documentation of them.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, TypeVar, get_args, get_type_hints

from gridmill import _checks, _gridmill
from gridmill._inputs import puzzles_or_file, splits_of

if TYPE_CHECKING:
    from gridmill._inputs import Many
else:
    Many = Any

F = TypeVar("F", bound=Callable[..., Any])
File = str | PathLike[str]
Files = File | list[File] | tuple[File, ...]

_integer, _positive = _checks.integer(), _checks.integer(1)

Engine = Literal["auto", "lanes", "lanes:avx512", "lanes:avx512bw", "lanes:avx2", "lanes:portable", "bitmask", "dlx"]
Formula = Literal["blanks", "cells", "exact"]
Thoughts = Literal["drop", "keep"]
Group = Literal["class", "puzzle", "solution"]
Level = Literal["easy", "medium", "hard", "very-hard", "fiendish", "extreme"]
Style = Literal["technique", "search", "order"]

Goal = Literal["job", "run", "settings", "output"]
"""The destination of an option: the job, the reading and solving of puzzles, the writing of rows, or one call."""


@dataclass(frozen=True)
class Option:
    """An option, apart from its name and its type."""

    default: Any
    text: str
    check: Callable[[str, Any], Any]
    goal: Goal = "job"

    def checked(self, name: str, value: object) -> Any:
        """The value for the native functions."""
        return None if value is None and self.default is None else self.check(name, value)


class Executing(TypedDict, total=False):
    """How a job is executed."""

    threads: Annotated[
        int | None,
        Option(
            None,
            "The number of threads, from 1 to 1024; by default one for each CPU.",
            _checks.integer(1, 1024),
            "settings",
        ),
    ]
    chunk: Annotated[
        int | None,
        Option(
            None,
            "The number of records that a thread takes at a time, up to 65,535; by default it adapts to the puzzles.",
            _checks.integer(1, 65_535),
            "settings",
        ),
    ]


class Searching(TypedDict, total=False):
    """How solutions are searched for."""

    engine: Annotated[
        Engine,
        Option(
            "auto",
            "`auto`, `lanes`, `bitmask` or `dlx`; `lanes:avx2` and the like name the vectors, too. The results are the "
            "same but for `branches` and `nanos`.",
            _checks.text,
            "settings",
        ),
    ]
    max_branches: Annotated[
        int | str,
        Option(
            "default",
            'The search for a puzzle gives up after this many guesses, and the puzzle is `undecided`; `"none"` means '
            "unlimited. The default is unlimited up to 9x9, and a few seconds of guesses for larger puzzles.",
            _checks.guesses,
            "settings",
        ),
    ]


class Solving(Executing, Searching, total=False):
    """How puzzles are solved."""


class Reading(TypedDict, total=False):
    """How puzzles are read."""

    alphabet: Annotated[
        str | Iterable[str],
        Option(
            (),
            "The symbols of the values, where they are not clear: `1-G`, `0-F`, `A-P`, `A-I`, ..., or a different "
            "symbol for each value, such as `MASKBRIDG`.",
            _checks.names,
            "settings",
        ),
    ]
    blank: Annotated[
        str | int | None,
        Option(
            None,
            "A symbol for a blank, in addition to the usual ones (`.0_-*xX?`). Of arrays, the number of a blank: 0, or "
            "1 if 2 is the digit 1; by default it is 1 where only that makes puzzles of the numbers.",
            _checks.text,
            "settings",
        ),
    ]
    puzzle_column: Annotated[
        str | None,
        Option(
            None,
            "The column of a table that holds the puzzles; by default the one with a usual name (`puzzle`, `quizzes`, "
            "`question`, ...).",
            _checks.text,
            "settings",
        ),
    ]


class Ignoring(TypedDict, total=False):
    """Which cells of answers are not judged."""

    ignore: Annotated[
        int | None,
        Option(
            None,
            "Where an array of answers has this number, such as -100, it has the cell of the puzzle.",
            _checks.integer(-(2**63), 2**63 - 1),
            "run",
        ),
    ]


class Answers(TypedDict, total=False):
    """The column with answers."""

    answer_column: Annotated[
        str | None,
        Option(
            None,
            "The column of a table that holds the answers; by default the one with a usual name (`solution`, "
            "`answer`, ...).",
            _checks.text,
            "settings",
        ),
    ]


class Columns(TypedDict, total=False):
    """Which columns rows have."""

    columns: Annotated[
        Iterable[str] | None,
        Option(
            None,
            "The columns of the result, in this order; by default all of them but `file`, the name of the input.",
            _checks.some_texts,
            "settings",
        ),
    ]


class Kept(Columns, total=False):
    """The columns of rows, including columns of the input."""

    keep: Annotated[
        Iterable[str],
        Option(
            (),
            "Columns of a table to copy to the end of the rows, with their types.",
            _checks.texts,
            "settings",
        ),
    ]


class Watched(TypedDict, total=False):
    """How a run reports its progress."""

    progress: Annotated[
        bool | Callable[[int], object] | None,
        Option(
            None,
            "Whether a bar shows the progress of a run that takes longer than a second; by default it does in a "
            "terminal and in a notebook. Or a function that is called from time to time with the number of records "
            "since the last call; an exception that it raises stops the run.",
            _checks.progress,
            "run",
        ),
    ]


class Rows(Solving, Reading, Kept, Watched, total=False):
    """The options of jobs with a row for each puzzle."""


class FromFiles(TypedDict, total=False):
    """How files are read."""

    from_: Annotated[
        str | None,
        Option(
            None,
            "The format of the inputs, instead of detecting it: `lines`, `grids`, `ints`, `csv`, `jsonl`, `parquet`, "
            "`npy`, `candidates`, `hodoku` or `opensudoku`.",
            _checks.text,
            "settings",
        ),
    ]


class Packed(TypedDict, total=False):
    """How an output is compressed."""

    compress: Annotated[
        str | None,
        Option(
            None,
            "`gzip`, `zstd`, `xz`, `bzip2` or `none`; of Parquet `zstd`, `snappy`, `lz4` or `none`. The default "
            "follows from the extension of the output; for Parquet, it is `zstd`.",
            _checks.text,
            "output",
        ),
    ]


class Paged(TypedDict, total=False):
    """The page about a run."""

    report: Annotated[
        File | None,
        Option(None, "Also write a page with charts and puzzles to this HTML file.", _checks.path, "output"),
    ]


class ToFile(Packed, Paged, total=False):
    """How rows are written to a file."""

    to: Annotated[
        str | None,
        Option(
            None,
            "The format of the rows where the extension of the output leaves it open: `csv`, `tsv`, `excel`, `jsonl`, "
            "`json`, `lines`, `grids`, `listing`, `npy`, `parquet`; of `convert_file` also `sdk`, `opensudoku`, "
            "`svg`; of `augment_file` `hrm`, for NPY files in a directory.",
            _checks.text,
            "output",
        ),
    ]
    header: Annotated[bool, Option(True, "Whether CSV has a header.", _checks.flag, "output")]


class Described(TypedDict, total=False):
    """How a data set is described."""

    card: Annotated[
        File | None,
        Option(
            None,
            "Write a data card for Hugging Face to this file, usually `README.md`: the splits and columns of the data "
            "set, its making, and the checks. The data is in the same folder, or below.",
            _checks.path,
            "run",
        ),
    ]
    croissant: Annotated[
        File | None,
        Option(
            None,
            "Write a description of the data set in the format Croissant to this file. The data is in the same folder, "
            "or below.",
            _checks.path,
            "run",
        ),
    ]


class LongRun(TypedDict, total=False):
    """How a run is continued or divided."""

    resume: Annotated[
        bool, Option(False, "Continue the partial output of a run that was interrupted.", _checks.flag, "output")
    ]
    shard: Annotated[
        str | None,
        Option(
            None,
            'Read only one shard of the inputs: `"2/8"` is the second of eight. `merge_files` merges the outputs.',
            _checks.text,
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
            None,
            "Solutions are counted up to this number, but at least up to 2. By default it is 2: a row says whether a "
            "puzzle has one solution, several or none. With `all`, it is 1,000.",
            _checks.integer(1),
        ),
    ]
    first: Annotated[
        bool,
        Option(False, "Give the first solution in lexicographic order, even if there are several.", _checks.flag),
    ]
    all: Annotated[
        bool,
        Option(False, "Give a list of all solutions in lexicographic order, of several puzzles.", _checks.flag),
    ]
    top: Annotated[int, Option(3, "The number of slowest puzzles in the report.", _checks.integer())]


class SolveRows(Solve, Rows, total=False):
    """The options of `solve`."""


class SolveFile(Solve, FileRows, total=False):
    """The options of `solve_file`."""


class Count(Rows, total=False):
    """The options of `count`."""

    limit: Annotated[int, Option(1_000_000, "Where counting stops, at least 2.", _checks.integer(2))]


class Validate(TypedDict, total=False):
    """The options of validating."""

    minimal: Annotated[bool, Option(False, "Also check that every clue is needed.", _checks.flag)]
    duplicates: Annotated[bool, Option(False, "Also find puzzles that occurred before.", _checks.flag)]
    isomorphs: Annotated[
        bool,
        Option(
            False,
            "Also find 4x4, 6x6 and 9x9 puzzles that are isomorphs of a puzzle before: relabelled, permuted or "
            "transposed.",
            _checks.flag,
        ),
    ]
    classes: Annotated[
        bool,
        Option(
            False,
            "Also give the class of every 4x4, 6x6 and 9x9 puzzle, as `isomorphs` and `against` do.",
            _checks.flag,
        ),
    ]
    rating_column: Annotated[
        str | None,
        Option(
            None,
            "Also check that this column of a table has the ER of each 9x9 puzzle, as `rate` finds it. The rows have "
            "the column, too.",
            _checks.text,
        ),
    ]
    audit: Annotated[
        bool,
        Option(
            False,
            "Also audit the puzzles as a whole: `report.audit` compares them with a uniform sample, and its `alarms` "
            "name the problems. Needs all puzzles in one run: no `shard`, no `resume`.",
            _checks.flag,
        ),
    ]
    fail_on: Annotated[
        str | Iterable[str],
        Option(
            (),
            "Findings that `report.failed_on` names if they occur, as they make the exit code 1 on the command line: "
            "`multiple`, `wrong-answer` and so on, `leak` for all leaks, `audit` for alarms, `all` for everything.",
            _checks.names,
        ),
    ]
    audit_ratings: Annotated[
        bool,
        Option(False, "With `audit`, also rate the 9x9 puzzles, which takes a hundred times as long.", _checks.flag),
    ]


class ClassKey(TypedDict, total=False):
    """The key of sets of classes, and the demand on their corpora."""

    class_key: Annotated[
        File | None,
        Option(None, "A file with the key, at least 16 bytes, that hashes the classes of sets.", _checks.path),
    ]
    allow_malformed: Annotated[
        bool,
        Option(
            False,
            "Leave out malformed records of a corpus that is compared. Without it, they are a failure or an error: "
            "nobody knows which puzzles they should be.",
            _checks.flag,
        ),
    ]


class ValidateRows(Validate, ClassKey, Answers, Ignoring, Rows, total=False):
    """The options of `validate`."""

    against: Annotated[
        Many | File | None,
        Option(
            None,
            "Other puzzles, such as a training set, or the path of a file with them: also find puzzles that occur in "
            "them, as they are, as isomorphs, or with an isomorphic solution. `puzzle_column` names their column, too. "
            "The file may also be a set of classes from `classes_file`.",
            puzzles_or_file,
            "run",
        ),
    ]


class Certify(ClassKey, Answers, Solving, Reading, FromFiles, Watched, total=False):
    """The options of `certify`."""

    ratings: Annotated[
        bool,
        Option(False, "Also count 9x9 puzzles by level, which takes a hundred times as long.", _checks.flag, "run"),
    ]


class ValidateFile(Validate, ClassKey, Answers, FileRows, Described, total=False):
    """The options of `validate_file`."""

    against: Annotated[
        Files,
        Option(
            (),
            "Other files, such as a training set: also find puzzles that occur in them, as they are, as isomorphs, or "
            "with an isomorphic solution. They may also be sets of classes from `classes_file`.",
            _checks.paths,
            "run",
        ),
    ]
    accepts: Annotated[
        File | None,
        Option(None, "Copy every sound record to this file, with all its columns.", _checks.path, "run"),
    ]
    rejects: Annotated[File | None, Option(None, "Copy every other record to this file.", _checks.path, "run")]


class Score(TypedDict, total=False):
    """The options of scoring."""

    formula: Annotated[
        Formula,
        Option(
            "blanks",
            "How an answer becomes a number from 0 to 1: `blanks`, the share of the blanks that are filled as in a "
            "solution, 0 if a clue is changed; `cells`, the share of all cells; `exact`, 1 for a solution.",
            _checks.text,
        ),
    ]
    thoughts: Annotated[
        Thoughts,
        Option(
            "drop",
            "Whether a grid may stand in thoughts, such as `<think>...</think>`: `drop` leaves them out, `keep` reads "
            "them.",
            _checks.text,
        ),
    ]
    answer_tag: Annotated[
        str | Iterable[str],
        Option((), "More tags that enclose answers, such as `grid` for `<grid>...</grid>`.", _checks.names),
    ]
    response_column: Annotated[
        str | None,
        Option(
            None,
            "The column of a table that holds the answers; by default the one with a usual name (`response`, "
            "`completion`, `generation`, ...).",
            _checks.text,
            "settings",
        ),
    ]


class ScoreRows(Score, Ignoring, Rows, total=False):
    """The options of `score`."""


class ScoreFile(Score, FileRows, total=False):
    """The options of `score_file`."""


class States(TypedDict, total=False):
    """The options of looking at states."""

    forced: Annotated[
        bool,
        Option(False, "Fill the column `forced`: the blanks that naked and hidden singles fill.", _checks.flag),
    ]
    candidates: Annotated[
        bool,
        Option(
            False,
            "Fill the columns `candidates` and `backbone`: the digits that occur in some solution, for each cell, and "
            "those that all solutions share.",
            _checks.flag,
        ),
    ]
    moves_from: Annotated[
        int | None,
        Option(
            None,
            "The number of the first row and column in moves, 0 or 1. By default it is 1, and moves that are right "
            "only from 0 are `unreadable`.",
            _checks.integer(0, 1),
        ),
    ]
    moves_column: Annotated[
        str | None,
        Option(
            None,
            "A column of a table with moves such as `r1c3=4 r2c5=7`: the columns `first_wrong` and `moves_status` are "
            "filled, and the rows have this column, too.",
            _checks.text,
        ),
    ]
    state_column: Annotated[
        str | None,
        Option(
            None,
            "The column of a table that holds the states; by default the state is the puzzle.",
            _checks.text,
            "settings",
        ),
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
            None,
            "Stop rating a puzzle at a step that is harder than this; its `er` is then missing.",
            _checks.difficulty,
        ),
    ]
    only: Annotated[
        str | None,
        Option(
            None,
            "`er` leaves out the columns `ep`, `ed`, `hardest`, `steps` and `techniques`.",
            _checks.text,
        ),
    ]
    top: Annotated[int, Option(3, "The number of slowest and of hardest puzzles in the report.", _checks.integer())]


class RateRows(Rate, Rows, total=False):
    """The options of `rate`."""


class RateFile(Rate, FileRows, total=False):
    """The options of `rate_file`."""

    steps: Annotated[
        bool,
        Option(
            False,
            "Write a row for each step, as `steps` gives it. Such a run can neither be resumed nor be sharded.",
            _checks.flag,
        ),
    ]


class Steps(Rows, total=False):
    """The options of `steps`."""

    max_er: Annotated[float | None, Option(None, "Stop before a step that is harder than this.", _checks.difficulty)]


class Trace(TypedDict, total=False):
    """The options of tracing."""

    style: Annotated[
        Style,
        Option(
            "technique",
            "The kind of trace: all steps by `technique`, a `search` with its guesses and failures, or only the "
            "`order` of placements.",
            _checks.text,
        ),
    ]
    max_guesses: Annotated[
        int, Option(10_000, "A puzzle whose search takes more guesses has no trace.", _checks.integer())
    ]
    top: Annotated[int, Option(3, "The number of slowest puzzles in the report.", _checks.integer())]


class TraceRows(Trace, Rows, total=False):
    """The options of `trace`."""


class TraceFile(Trace, FileRows, total=False):
    """The options of `trace_file`."""

    template: Annotated[
        File | None,
        Option(None, "The file with a template for the text of a record, in the language of Jinja.", _checks.path),
    ]


class Copying(Answers, total=False):
    """Which copies there are."""

    seed: Annotated[int, Option(0, "The same seed gives the same copies, from 0 to 2**64 - 1.", _checks.integer())]
    kind: Annotated[
        str | Iterable[str],
        Option(
            (),
            "The kinds of changes in the copies: `digits`, `rows`, `columns`, `bands`, `stacks` and `transpose`; by "
            "default all of them.",
            _checks.names,
        ),
    ]


class Augment(Copying, total=False):
    """The options of copying."""

    original: Annotated[bool, Option(False, "Give each puzzle itself before its copies.", _checks.flag)]
    origin: Annotated[
        bool, Option(False, "Give the column `origin`, too: the line of the puzzle, from 1.", _checks.flag)
    ]
    unchecked: Annotated[
        bool,
        Option(False, "Take puzzles with wrong answers, too, which change a clue or break a rule.", _checks.flag),
    ]


class AugmentRows(Augment, Rows, total=False):
    """The options of `augment`."""


class AugmentFile(Augment, Rows, FromFiles, ToFile, Described, total=False):
    """The options of `augment_file`."""

    set: Annotated[
        str,
        Option("train", 'With `to="hrm"`, the directory of the set in `output`: `train` or `test`.', _checks.text),
    ]


class Making(Searching, total=False):
    """The properties of the puzzles to make."""

    seed: Annotated[int, Option(0, "Puzzles of different seeds are different, from 0 to 2**64 - 1.", _checks.integer())]
    clues: Annotated[
        int | str | None,
        Option(
            None,
            "How many clues each puzzle has, or a range such as `24..28`; by default as many as it needs: without any "
            "one of them it would have several solutions.",
            _checks.clues,
        ),
    ]
    minimal: Annotated[
        bool,
        Option(
            False,
            "Every clue is needed; this is the default if neither `clues`, `symmetry` nor `pattern` is given.",
            _checks.flag,
        ),
    ]
    grids: Annotated[
        bool,
        Option(False, "Complete grids; 4x4, 6x6 and 9x9 grids are all equally likely.", _checks.flag),
    ]
    weighted: Annotated[
        bool,
        Option(
            False,
            "Minimal 9x9 puzzles with a known probability; its inverse is in the column `weight`.",
            _checks.flag,
        ),
    ]
    unbiased: Annotated[
        bool,
        Option(False, "Minimal 9x9 puzzles that are all equally likely, up to 32 clues.", _checks.flag),
    ]
    er: Annotated[
        float | str | None,
        Option(
            None,
            "Only puzzles whose ER is in this range, such as `3.0..4.5` or `7.1..`; a number is both ends.",
            _checks.range_of_er,
        ),
    ]
    level: Annotated[
        Level | None,
        Option(
            None,
            "Only puzzles of this level: `easy`, `medium`, `hard`, `very-hard`, `fiendish` or `extreme`.",
            _checks.text,
        ),
    ]
    max_er: Annotated[float | None, Option(None, "Only puzzles whose ER is at most this.", _checks.difficulty)]
    technique: Annotated[
        str | Iterable[str],
        Option((), "Only puzzles that need this technique, such as `x-wing`; of several, each.", _checks.names),
    ]
    symmetry: Annotated[
        str | None,
        Option(
            None,
            "The cells with clues are symmetric: `rot180`, `rot90`, `horizontal`, `vertical`, `diagonal`, "
            "`anti-diagonal` or `full`. Clues are removed in groups that keep the symmetry.",
            _checks.text,
        ),
    ]
    pattern: Annotated[
        File | None,
        Option(
            None,
            "The clues are in the cells that a grid marks, of `x`, `*`, `#`, digits or letters for clues and `.`, `0` "
            "or `_` for blanks; a `Path` names a file with such a grid.",
            _checks.pattern,
        ),
    ]
    size: Annotated[
        str | None,
        Option(
            None,
            "`4x4`, `6x6`, `8x8`, `9x9`, `10x10`, `12x12`, `16x16` or `25x25`; the default is the size of the pattern "
            "or, without one, `9x9`.",
            _checks.text,
        ),
    ]
    max_tries: Annotated[
        int | None,
        Option(
            None,
            "Give up if this many random grids give no such puzzle; by default 1,000,000 for 9x9, and less where a "
            "grid takes longer.",
            _checks.integer(1, 2**32 - 1),
        ),
    ]


class Generate(Making, ClassKey, Executing, Columns, Watched, total=False):
    """The options of generating."""

    skip: Annotated[
        int,
        Option(
            0,
            "Leave out the first puzzles of the seed, so that several machines can make its puzzles.",
            _checks.integer(),
        ),
    ]
    with_solution: Annotated[bool, Option(False, "Give the solutions, too.", _checks.flag)]
    distinct: Annotated[
        bool,
        Option(False, "Give no two puzzles that are isomorphs; 4x4, 6x6 and 9x9 only.", _checks.flag),
    ]


class GenerateRows(Generate, total=False):
    """The options of `generate`."""

    not_in: Annotated[
        Many | File | None,
        Option(
            None,
            "Give no puzzle that is one of these, or an isomorph; 4x4, 6x6 and 9x9 only. It may also be the path of a "
            "file with puzzles or with a set of classes.",
            puzzles_or_file,
            "run",
        ),
    ]


class GenerateFile(Generate, ToFile, Described, LongRun, total=False):
    """The options of `generate_file`."""

    not_in: Annotated[
        Files,
        Option(
            (),
            "Write no puzzle of these files, and no isomorph; 4x4, 6x6 and 9x9 only. They may also be sets of classes.",
            _checks.paths,
            "run",
        ),
    ]


class Share(TypedDict, total=False):
    """Which batches of a stream a process gets."""

    rank: Annotated[int, Option(0, "The number of this process among those that train together.", _integer, "run")]
    world: Annotated[int, Option(1, "How many processes train together.", _positive, "run")]
    worker: Annotated[int, Option(0, "The number of this worker among those that load for the rank.", _integer, "run")]
    workers: Annotated[int, Option(1, "How many workers load for each rank.", _positive, "run")]
    start: Annotated[
        int,
        Option(0, "Leave out this number of batches of each rank, used in an earlier run.", _integer, "run"),
    ]


class Place(Share, total=False):
    """Which batches of the copies a process gets."""

    epoch: Annotated[int, Option(0, "The number of the first epoch and of its copies, from 0.", _integer, "run")]
    epochs: Annotated[
        int, Option(1, "How many epochs a loop goes through, one after another.", _checks.integer(1, 2**32), "run")
    ]


class Augmented(Copying, Solving, Reading, FromFiles, Watched, Place, total=False):
    """The options of a stream of copies."""

    keep: Annotated[
        Iterable[str],
        Option(
            (),
            "Columns of a table, such as `er` or `source`, whose values a batch has, too: it is a `KeptBatch`.",
            _checks.texts,
            "settings",
        ),
    ]

    shuffle: Annotated[
        bool,
        Option(
            True,
            "Give the puzzles of each epoch in another random order, not in the order of the data.",
            _checks.flag,
            "run",
        ),
    ]
    drop_last: Annotated[
        bool,
        Option(
            False,
            "Leave out the last batches of an epoch, so that all are full and each rank has equally many.",
            _checks.flag,
            "run",
        ),
    ]


class Generated(Making, Share, total=False):
    """The options of a stream of new puzzles."""

    keep: Annotated[
        Iterable[str],
        Option(
            (),
            "Columns of `generate`, such as `er`, `level` or `weight`, that a batch has, too: it is a `KeptBatch`.",
            _checks.texts,
            "run",
        ),
    ]


class Mixed(Share, total=False):
    """The options of a mixture of streams."""

    weights: Annotated[
        Mapping[str, float] | None,
        Option(None, "The weights of the streams by their names; by default, they are equal.", _checks.weights, "run"),
    ]
    seed: Annotated[int, Option(0, "Each seed draws the streams in another order.", _checks.integer(), "run")]
    taken: Annotated[
        Mapping[str, int] | None,
        Option(None, "The batches of each stream that were taken in an earlier run.", _checks.counts, "run"),
    ]


class ConvertRows(Executing, Reading, Kept, Watched, total=False):
    """The options of `convert`."""


class ConvertFile(ConvertRows, FromFiles, ToFile, LongRun, total=False):
    """The options of `convert_file`."""


class Grouped(TypedDict, total=False):
    """The relation between the records of a group."""

    by: Annotated[
        Group,
        Option(
            "class",
            "Records belong together if they have the same `puzzle`, the same `class` (isomorphs), or isomorphic "
            "solutions, `solution`. Malformed records cannot be compared; by class, other sizes than 4x4, 6x6 and 9x9 "
            "cannot either; by solution, neither can puzzles without exactly one.",
            _checks.text,
        ),
    ]


class Split(Grouped, Solving, Reading, Watched, total=False):
    """The options of splitting."""

    parts: Annotated[
        str | Mapping[str, int | float | str] | None,
        Option(
            None,
            'Names and sizes of the parts, such as `{"train": 0.9, "test": 0.1}` or `"train=0.9,val=5%,test=rest"`. A '
            "size is a share, an exact number of records, or `rest`, all remaining records; if no part gets the rest, "
            "it is left out.",
            _checks.parts,
        ),
    ]
    folds: Annotated[
        int | None,
        Option(
            None,
            "In place of `parts`: make this number of parts of the same size, called `fold-1`, `fold-2` and so on.",
            _checks.integer(),
        ),
    ]
    seed: Annotated[int, Option(0, "Each seed gives another split, from 0 to 2**64 - 1.", _checks.integer())]
    stratify: Annotated[
        str | None,
        Option(
            None,
            "Give each part its share of the records with each value of this column, as nearly as groups allow.",
            _checks.text,
        ),
    ]


class SplitFile(Split, FromFiles, Described, total=False):
    """The options of `split_file`."""


class Dedupe(Grouped, Solving, Reading, Watched, total=False):
    """The options of `dedupe`."""

    keep_max: Annotated[
        str | None,
        Option(
            None,
            "Keep the record with the largest number in this column, in place of the first. Of several, the first is "
            "kept; a record without a number, only if no other has one.",
            _checks.text,
        ),
    ]
    keep_min: Annotated[
        str | None, Option(None, "Keep the record with the smallest number in this column.", _checks.text)
    ]
    dropped: Annotated[
        File | None,
        Option(
            None,
            "A file for a table of the other records, as CSV, with the lines that they repeat.",
            _checks.path,
            "run",
        ),
    ]


class DedupeFile(Dedupe, FromFiles, Packed, total=False):
    """The options of `dedupe_file`."""


class Sample(Executing, Answers, Reading, Watched, total=False):
    """The options of `sample`."""

    seed: Annotated[int, Option(0, "Each seed gives another sample, from 0 to 2**64 - 1.", _checks.integer())]
    where: Annotated[
        str | Iterable[str],
        Option(
            (),
            "Only records that meet this condition, such as `clues<=24 && rating>=50`; of several, each. A condition "
            "has the name of a column, one of `<= >= < > = !=` and a value; `clues` is the number of clues.",
            _checks.names,
        ),
    ]
    stratify: Annotated[
        str | None,
        Option(
            None,
            "Take from the records with each value of this column a share in proportion to their number.",
            _checks.text,
        ),
    ]
    unchecked: Annotated[
        bool,
        Option(False, "Take puzzles with wrong answers, too, which change a clue or break a rule.", _checks.flag),
    ]


class SampleFile(Sample, FromFiles, Packed, total=False):
    """The options of `sample_file`."""


class Explain(Reading, total=False):
    """The options of `explain`."""

    grids: Annotated[
        str,
        Option(
            "eliminations",
            "The steps before which the grid of candidates is drawn: `eliminations`, those that remove candidates, "
            "`all` or `none`.",
            _checks.text,
            "run",
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
        Option((), "The engines to compare, such as `bitmask` or `lanes:avx2`; by default all of them.", _checks.names),
    ]
    threads: Annotated[
        int | Iterable[int],
        Option(1, "The number of threads of an engine; several numbers are compared.", _checks.integers(1, 1024)),
    ]
    seconds: Annotated[
        float,
        Option(
            2.0,
            "About how long each engine is timed on each set, in CPU time. An engine that needs longer for all puzzles "
            "gets a random sample, and `limited` of the report says so; 0 is the shortest measurement of all puzzles.",
            _checks.number(0, 86_400),
        ),
    ]
    limit: Annotated[int, Option(2, "Stop counting at this number of solutions.", _checks.integer(1))]
    max_branches: Annotated[
        int | str,
        Option(
            "default",
            'An engine gives up on a puzzle after this many guesses; `"none"` means unlimited, which is the default '
            "for sizes up to 9x9.",
            _checks.guesses,
            "settings",
        ),
    ]
    reference: Annotated[
        str | None,
        Option(None, "The engine to compare the rest with; by default the first one.", _checks.text),
    ]
    shuffle: Annotated[int | None, Option(None, "Take the puzzles in a random order, of this seed.", _checks.integer())]
    isomorphs: Annotated[
        int | None, Option(None, "Replace each puzzle by a random isomorph with this seed.", _checks.integer())
    ]
    top: Annotated[
        int, Option(0, "The number of slowest puzzles of each engine to name in the report.", _checks.integer())
    ]
    times: Annotated[
        File | None,
        Option(
            None,
            "A file for the time of each engine for each puzzle, as `.csv`, `.jsonl` or `.parquet`.",
            _checks.path,
            "run",
        ),
    ]
    disagreements: Annotated[
        File | None,
        Option(
            None,
            "A file for the puzzles that engines disagree about, as `.csv`, `.jsonl` or `.parquet`.",
            _checks.path,
            "run",
        ),
    ]


class BenchFile(Bench, FromFiles, total=False):
    """The options of `bench_file`."""


class Merge(Packed, total=False):
    """The options of `merge_files`."""


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
    table = {name: hint.__metadata__[0] for name, hint in hints.items()}
    goals = get_args(Goal)
    return dict(sorted(table.items(), key=lambda item: goals.index(item[1].goal)))


def check(function: Callable[..., Any], given: Mapping[str, object]) -> Checked:
    """Checks the options of a call of a function that `takes` them; those that are not given have their defaults."""
    parts: dict[Goal, dict[str, Any]] = {"job": {}, "settings": {}, "output": {}, "run": {}}
    table = described(function.__annotations__["options"])
    for name in given:
        if name not in table:
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'")
    blank = None
    if isinstance(given.get("blank"), int):
        blank, given = _checks.integer(0, 1)("blank", given["blank"]), {**given, "blank": None}
    for name, option in table.items():
        parts[option.goal][name] = option.checked(name, given.get(name, option.default))
    settings = _gridmill.Settings(**parts["settings"])
    return Checked(parts["job"], settings, parts["output"], parts["run"], blank)


def takes(options: type) -> Callable[[F], F]:
    """Shows the keys of a `TypedDict` as arguments of a function, in place of `**options`, and documents them."""

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        parameters = [item for item in own.parameters.values() if item.kind is not item.VAR_KEYWORD]
        hints = get_type_hints(options)
        lines = []
        for name, option in described(options).items():
            kind = inspect.formatannotation(hints[name]).replace("collections.abc.", "")
            parameters.append(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)
            )
            text = f"{name}: {option.text}"
            lines += textwrap.wrap(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 12)

        head, returns, tail = (function.__doc__ or "").partition("\n\n    Returns:")
        function.__doc__ = "\n".join([head, *lines]) + returns + tail
        function.__annotations__["options"] = options
        shown = _for_each_split(function) if "puzzles" in own.parameters else function
        shown.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return shown

    return decorate


def _for_each_split(function: F) -> F:
    """A function of puzzles that is called for each split of a `DatasetDict`."""

    @functools.wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        splits = splits_of(given[0]) if given else None
        if splits is None:
            return function(*given, **options)
        return {name: function(split, *given[1:], **options) for name, split in splits.items()}

    return call  # type: ignore[return-value]
