"""gridmill solves, checks and generates Sudoku collections of any size.

    >>> import gridmill
    >>> gridmill.solve("1.3..........4.2").solution
    '1234432121433412'
    >>> gridmill.solve(["1.3..........4.2", "1...............", "11.............."]).to_list("status")
    ['unique', 'multiple', 'none']

Functions on puzzles in memory return a `Table`, which every library that reads Arrow can take: `solve`, `count`,
`validate`, `score`, `states`, `canonical`, `rate`, `steps`, `trace`, `convert`, `generate`, `augment`, `split`,
`dedupe`, `sample`, `bench`. `explain` explains in words how a person solves a puzzle. Functions on files stream,
whatever the size of the files: `solve_file`, `validate_file`, `score_file`, `states_file`, `canonical_file`,
`rate_file`, `trace_file`, `convert_file`, `explain_file`, `generate_file`, `augment_file`, `split_file`, `dedupe_file`,
`sample_file`, `bench_file`. `merge_files` merges the rows of shards, `read_csv` reads rows back, and `classes_file`
writes the classes of a hidden test set.
`gridmill.spark` is for Spark. For training models, `Reward` is a reward function, and `gridmill.stream` makes batches
of copies and of new puzzles, as arrays.
"""

from gridmill import spark, stream
from gridmill._bench import bench, bench_file
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
from gridmill._single import Canonical, Rated, Scored, Solved, State, Validated
from gridmill._table import Table, read_csv

__version__ = VERSION

__all__ = [
    "AugmentReport",
    "BenchReport",
    "Canonical",
    "CanonicalReport",
    "ClassesReport",
    "ConvertReport",
    "DedupeReport",
    "GenerateReport",
    "Puzzle",
    "Rated",
    "Report",
    "Reward",
    "SampleReport",
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
    "classes_file",
    "convert",
    "convert_file",
    "count",
    "dedupe",
    "dedupe_file",
    "explain",
    "explain_file",
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
