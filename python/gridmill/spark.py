"""gridmill on Spark: each function turns a `DataFrame` with puzzles into a `DataFrame` with rows.

    >>> solved = gridmill.spark.solve(df, keep=["source"])  # doctest: +SKIP

The package has to be installed on the executors, for the Python that `PYSPARK_PYTHON` names (by default `python3`).
Where the executors run on the same machine, they get the Python of the session.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from gridmill import _functions
from gridmill._checks import integer
from gridmill._options import (
    AugmentRows,
    Generate,
    RateRows,
    Rows,
    ScoreRows,
    SolveRows,
    StatesRows,
    Steps,
    ValidateRows,
    takes,
)

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    Batches = Iterator[pyarrow.RecordBatch]

BLOCK = 1024
"""The number of puzzles that a task of `generate` makes at a time."""

PLACES = ("file", "line", "origin")
"""Columns with the place of a record in its input, which means nothing for a batch of Spark."""


@takes(SolveRows)
def solve(df: DataFrame, **options: Unpack[SolveRows]) -> DataFrame:
    """Solves the puzzles of a table: the rows of `gridmill.solve`, without `line`.

    Each task solves its partition on one thread, because Spark runs one task on each core.

    Args:
        df: The table with the puzzles.

    Returns:
        A row for each puzzle, in the same partitions.

    Raises:
        ValueError: If an argument has a wrong value, such as the name of a column that does not exist.
    """
    return _rows(_functions.solve, df, options)


@takes(ValidateRows)
def validate(df: DataFrame, **options: Unpack[ValidateRows]) -> DataFrame:
    """Gives a verdict on the puzzles of a table and on their answers: the rows of `gridmill.validate`.

    Args:
        df: The table with the puzzles.

    Returns:
        A row for each puzzle, in the same partitions.

    Raises:
        ValueError: If an argument has a wrong value, or `duplicates`, `isomorphs` or `audit` is wanted, although a task
            sees only a part of the table. Group the table by the column `class` of `canonical` instead.
    """
    if options.get("audit") or options.get("audit_ratings"):
        raise ValueError("an audit looks at all puzzles, and a task sees a part of them: use gridmill.validate")
    if options.get("duplicates") or options.get("isomorphs"):
        raise ValueError(
            "duplicates and isomorphs compare all puzzles, and a task sees a part of them: "
            "group the table by puzzle, or by the column class of gridmill.spark.canonical"
        )
    return _rows(_functions.validate, df, options)


@takes(ScoreRows)
def score(df: DataFrame, **options: Unpack[ScoreRows]) -> DataFrame:
    """Scores the answers to the puzzles of a table: the rows of `gridmill.score`.

    Args:
        df: The table with the puzzles and the answers.

    Returns:
        A row for each puzzle, in the same partitions.
    """
    return _rows(_functions.score, df, options)


@takes(StatesRows)
def states(df: DataFrame, **options: Unpack[StatesRows]) -> DataFrame:
    """Examines the states of the puzzles of a table: the rows of `gridmill.states`.

    Args:
        df: The table with the puzzles and the states.

    Returns:
        A row for each puzzle, in the same partitions.
    """
    return _rows(_functions.states, df, options)


@takes(Rows)
def canonical(df: DataFrame, **options: Unpack[Rows]) -> DataFrame:
    """Finds the canonical forms and the classes of the puzzles of a table: the rows of `gridmill.canonical`.

    Args:
        df: The table with the puzzles.

    Returns:
        A row for each puzzle, in the same partitions.
    """
    return _rows(_functions.canonical, df, options)


@takes(RateRows)
def rate(df: DataFrame, **options: Unpack[RateRows]) -> DataFrame:
    """Rates the 9x9 puzzles of a table: the rows of `gridmill.rate`.

    Args:
        df: The table with the puzzles.

    Returns:
        A row for each puzzle, in the same partitions.
    """
    return _rows(_functions.rate, df, options)


@takes(Steps)
def steps(df: DataFrame, **options: Unpack[Steps]) -> DataFrame:
    """Finds the steps by which a person solves the 9x9 puzzles of a table: the rows of `gridmill.steps`.

    Args:
        df: The table with the puzzles.

    Returns:
        A row for each step, in the same partitions.
    """
    return _rows(_functions.steps, df, options)


@takes(AugmentRows)
def augment(df: DataFrame, copies: int, **options: Unpack[AugmentRows]) -> DataFrame:
    """Draws random isomorphs of the puzzles of a table: the rows of `gridmill.augment`.

    The copies of a puzzle depend on the seed and on its place in a batch, and Spark may cut the batches differently
    next time.

    Args:
        df: The table with the puzzles.
        copies: The number of isomorphs of each puzzle.

    Returns:
        The copies of each puzzle, in the same partitions.
    """
    return _rows(_functions.augment, df, options, integer(0, 1_000_000)("copies", copies))


@takes(Generate)
def generate(spark: SparkSession, count: int, **options: Unpack[Generate]) -> DataFrame:
    """Generates puzzles with exactly one solution, the same as `gridmill.generate` with the same arguments.

    Args:
        spark: The session.
        count: The number of puzzles.

    Returns:
        The rows of `gridmill.generate`, in partitions of at least 1,024 puzzles.

    Raises:
        ValueError: If an argument has a wrong value, or `distinct` is wanted, although a task sees only its own
            puzzles.
    """
    from pyspark.sql.pandas.types import from_arrow_schema

    if options.get("distinct"):
        raise ValueError("distinct compares all puzzles, and a task makes a part of them: drop those of the same class")
    count, first = integer()("count", count), options.get("skip", 0)
    settings: Any = {"threads": 1, "progress": False, **options}
    _run_workers_with_this_python()

    def made(start: int, end: int) -> pyarrow.Table:
        return _for_spark(_functions.generate(end - start, **{**settings, "skip": first + start}).to_arrow(), False)

    def made_by_all(blocks: Batches) -> Batches:
        for block in blocks:
            for number in block.column(0).to_pylist():
                yield from made(number * BLOCK, min((number + 1) * BLOCK, count)).to_batches()

    return spark.range(-(-count // BLOCK)).mapInArrow(made_by_all, from_arrow_schema(made(0, 0).schema))


def _rows(function: Callable[..., Any], df: DataFrame, options: Any, *arguments: object) -> DataFrame:
    """Runs a function of `gridmill` over the batches of a table."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    options = {"threads": 1, "progress": False, **options}
    _run_workers_with_this_python()

    def rows(batch: pyarrow.RecordBatch | pyarrow.Table) -> pyarrow.Table:
        return _for_spark(function(batch, *arguments, **options).to_arrow(), options.get("columns") is None)

    def rows_of_all(batches: Batches) -> Batches:
        for batch in batches:
            yield from rows(batch).to_batches()

    # The result for an empty table has the types of all rows. Also, wrong options raise here, not on an executor.
    nothing = to_arrow_schema(df.schema).empty_table()
    return df.mapInArrow(rows_of_all, from_arrow_schema(rows(nothing).schema))


def _for_spark(table: pyarrow.Table, usual_columns: bool) -> pyarrow.Table:
    """A table with the types of Spark, which has no unsigned integers and no dictionaries."""
    import pyarrow

    if usual_columns:
        table = table.drop_columns([name for name in PLACES if name in table.column_names])

    def signed(kind: pyarrow.DataType) -> pyarrow.DataType:
        if pyarrow.types.is_dictionary(kind):
            return signed(kind.value_type)
        if pyarrow.types.is_unsigned_integer(kind):
            return pyarrow.int64()
        if pyarrow.types.is_list(kind):
            return pyarrow.list_(signed(kind.value_type))
        return kind

    return table.cast(pyarrow.schema([field.with_type(signed(field.type)) for field in table.schema]))


def _run_workers_with_this_python() -> None:
    """Makes the workers on this machine use this Python, unless another one is configured.

    Spark would take the first `python3` of the path, which is the wrong one if this virtual environment is not
    activated.
    """
    pyspark = sys.modules.get("pyspark")
    context = pyspark and pyspark.SparkContext._active_spark_context
    if not context or not context.master.startswith("local") or "PYSPARK_PYTHON" in os.environ:
        return
    if context.getConf().get("spark.pyspark.python") is None:
        context.pythonExec = sys.executable
