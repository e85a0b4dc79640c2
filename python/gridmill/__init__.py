"""gridmill solves, checks and generates Sudoku collections of any size.

    >>> import gridmill
    >>> gridmill.solve("1.3..........4.2").solution
    '1234432121433412'
    >>> gridmill.solve(["1.3..........4.2", "1...............", "11.............."]).to_list("status")
    ['unique', 'multiple', 'none']

Functions on puzzles in memory return a `Table`, which every library takes that reads Arrow: `solve`, `count`,
`validate`, `canonical`, `rate`, `steps`, `generate`, `augment`. Functions on files stream, whatever the size of the
files: `solve_file`, `validate_file`, `canonical_file`, `rate_file`, `generate_file`, `augment_file`.
`read_csv` reads their rows back.
`gridmill.spark` is for Spark.
"""

from gridmill import spark
from gridmill._files import (
    augment_file,
    canonical_file,
    generate_file,
    rate_file,
    solve_file,
    validate_file,
)
from gridmill._functions import augment, canonical, count, generate, rate, solve, steps, validate
from gridmill._gridmill import VERSION
from gridmill._puzzle import Puzzle
from gridmill._reports import AugmentReport, CanonicalReport, GenerateReport, Report, Scorecard, SolveReport
from gridmill._single import Canonical, Rated, Solved, Validated
from gridmill._table import Table, read_csv

__version__ = VERSION

__all__ = [
    "AugmentReport",
    "Canonical",
    "CanonicalReport",
    "GenerateReport",
    "Puzzle",
    "Rated",
    "Report",
    "Scorecard",
    "SolveReport",
    "Solved",
    "Table",
    "Validated",
    "__version__",
    "augment",
    "augment_file",
    "canonical",
    "canonical_file",
    "count",
    "generate",
    "generate_file",
    "rate",
    "rate_file",
    "read_csv",
    "solve",
    "solve_file",
    "spark",
    "steps",
    "validate",
    "validate_file",
]
