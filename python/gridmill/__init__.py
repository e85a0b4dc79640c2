"""gridmill solves, checks and generates Sudoku collections of any size.

    >>> import gridmill
    >>> gridmill.solve("1.3..........4.2").solution
    '1234432121433412'
    >>> gridmill.solve(["1.3..........4.2", "1...............", "11.............."]).to_list("status")
    ['unique', 'multiple', 'none']

Functions on puzzles in memory return a `Table`, which every library takes that reads Arrow: `solve`, `count`,
`validate`, `canonical`, `rate`, `steps`, `generate`, `isomorphs`. Functions on files stream, whatever the size of the
files: `solve_file`, `validate_file`, `canonical_file`, `rate_file`, `generate_file`, `isomorphs_file`.
`read_csv` reads their rows back.
`gridmill.spark` is for Spark.
"""

from gridmill import spark
from gridmill._files import (
    canonical_file,
    generate_file,
    isomorphs_file,
    rate_file,
    solve_file,
    validate_file,
)
from gridmill._memory import canonical, count, generate, isomorphs, rate, solve, steps, validate
from gridmill._puzzle import Puzzle
from gridmill._single import Canonical, Rated, Solved, Validated
from gridmill._table import Table, read_csv

__all__ = [
    "Canonical",
    "Puzzle",
    "Rated",
    "Solved",
    "Table",
    "Validated",
    "canonical",
    "canonical_file",
    "count",
    "generate",
    "generate_file",
    "isomorphs",
    "isomorphs_file",
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
