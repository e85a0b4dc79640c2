"""gridmill solves, checks and generates Sudoku collections of any size.

    solve, count            the solutions of puzzles
    validate, certify       a verdict on each record; a pass or a fail for a test set
    score, states, Reward   the answers and the steps of a model; score_samples: several answers to each puzzle
    canonical               the canonical form and the class, to find isomorphs
    rate, steps, trace      how hard a puzzle is for a person, and how it is solved
    explain                 the steps in words
    generate, augment       new puzzles; random isomorphs
    split, dedupe, sample   parts without leaks, one record of each class, a random sample
    convert, find, bench    puzzles on one line each; the grids in running text; the speed of the engines
    solve_file, ...         the same for files of any size; merge_files merges shards, classes_file writes classes
    read_csv                a table from CSV, with puzzles as text

    >>> import gridmill
    >>> gridmill.solve("1.3..........4.2").solution
    '1234432121433412'
    >>> gridmill.solve(["1.3..........4.2", "1...............", "11.............."]).to_list("status")
    ['unique', 'multiple', 'none']

Functions on puzzles in memory return a `Table`, which every library that reads Arrow can take. Modules:
`gridmill.stream` makes batches for training, as arrays; `gridmill.spark` is for Spark; `gridmill.duckdb` adds functions
to SQL; to import `gridmill.polars` or `gridmill.pandas` adds `gridmill` to expressions and series.
"""

from gridmill import duckdb, spark, stream
from gridmill._bench import bench, bench_file
from gridmill._certify import Certificate, certify
from gridmill._copies import dedupe, dedupe_file, sample, sample_file, split, split_file
from gridmill._files import (
    augment_file,
    canonical_file,
    classes_file,
    convert_file,
    explain_file,
    generate_file,
    merge_files,
    rate_file,
    score_file,
    solve_file,
    states_file,
    trace_file,
    validate_file,
)
from gridmill._functions import (
    augment,
    canonical,
    convert,
    count,
    explain,
    find,
    generate,
    rate,
    score,
    solve,
    states,
    steps,
    trace,
    validate,
)
from gridmill._gridmill import VERSION
from gridmill._moves import Moves
from gridmill._puzzle import Puzzle
from gridmill._reports import (
    AugmentReport,
    BenchReport,
    CanonicalReport,
    ClassesReport,
    ConvertReport,
    DedupeReport,
    GenerateReport,
    Report,
    SampleReport,
    Scorecard,
    ScoreReport,
    SolveReport,
    SplitReport,
    StatesReport,
)
from gridmill._reward import Reward
from gridmill._samples import Difference, Estimate, Samples, score_samples
from gridmill._single import Canonical, Rated, Scored, Solved, State, Validated
from gridmill._table import Table, read_csv

__version__ = VERSION

__all__ = [
    "AugmentReport",
    "BenchReport",
    "Canonical",
    "CanonicalReport",
    "Certificate",
    "ClassesReport",
    "ConvertReport",
    "DedupeReport",
    "Difference",
    "Estimate",
    "GenerateReport",
    "Moves",
    "Puzzle",
    "Rated",
    "Report",
    "Reward",
    "SampleReport",
    "Samples",
    "ScoreReport",
    "Scorecard",
    "Scored",
    "SolveReport",
    "Solved",
    "SplitReport",
    "State",
    "StatesReport",
    "Table",
    "Validated",
    "__version__",
    "augment",
    "augment_file",
    "bench",
    "bench_file",
    "canonical",
    "canonical_file",
    "certify",
    "classes_file",
    "convert",
    "convert_file",
    "count",
    "dedupe",
    "dedupe_file",
    "duckdb",
    "explain",
    "explain_file",
    "find",
    "generate",
    "generate_file",
    "merge_files",
    "rate",
    "rate_file",
    "read_csv",
    "sample",
    "sample_file",
    "score",
    "score_file",
    "score_samples",
    "solve",
    "solve_file",
    "spark",
    "split",
    "split_file",
    "states",
    "states_file",
    "steps",
    "stream",
    "trace",
    "trace_file",
    "validate",
    "validate_file",
]
