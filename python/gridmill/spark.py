"""gridmill on Spark: functions for `DataFrame.mapInArrow`.

    >>> solved = df.mapInArrow(gridmill.spark.solve("puzzle", keep=["source"]),
    ...                        gridmill.spark.solve_schema(df, keep=["source"]))  # doctest: +SKIP

The package has to be installed on the executors, for the Python that `PYSPARK_PYTHON` names (by default `python3`).
Where the executors run on the same machine, they get the Python of the session.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gridmill import _arguments, _gridmill
from gridmill._memory import solve as solve_table

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    Batches = Iterator[pyarrow.RecordBatch]

TYPES = {"number": "bigint", "decimal": "double", "text": "string", "texts": "array<string>"}
"""The types of values in Spark, which has no unsigned integers and no dictionaries."""

COLUMNS = {name: TYPES[kind] for name, kind in _gridmill.columns("solve") if name not in ("file", "line")}
"""The columns of `gridmill.solve`, and their types. Rows of a partition have neither a file nor lines."""


def solve(
    puzzle_column: str | None = None,
    *,
    keep: Iterable[str] = (),
    limit: int = 2,
    first: bool = False,
    engine: str = "auto",
    max_branches: int | str = "default",
    alphabet: str | Iterable[str] = (),
) -> Callable[[Batches], Batches]:
    """Makes a function that solves the puzzles of a partition, with one thread, for `DataFrame.mapInArrow`.

    Args:
        puzzle_column: The column that holds the puzzles; by default the one with a usual name.
        keep: Columns to copy to the result, after the others.
        limit: As for `gridmill.solve`.
        first: As for `gridmill.solve`.
        engine: As for `gridmill.solve`.
        max_branches: As for `gridmill.solve`.
        alphabet: As for `gridmill.solve`.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value.
    """
    kept = _arguments.texts("keep", keep)
    symbols = [alphabet] if isinstance(alphabet, str) else _arguments.texts("alphabet", alphabet)
    # Mistakes are found here, and not on an executor.
    _arguments.settings(engine=engine, max_branches=max_branches, alphabet=symbols, puzzle_column=puzzle_column)
    limit = _arguments.integer("limit", limit, 1)
    _run_workers_with_this_python()

    def solve_batches(batches: Batches) -> Batches:
        import pyarrow

        for batch in batches:
            table = solve_table(
                batch,
                limit=limit,
                first=first,
                engine=engine,
                max_branches=max_branches,
                threads=1,
                alphabet=symbols,
                puzzle_column=puzzle_column,
                keep=kept,
                columns=list(COLUMNS),
            ).to_pyarrow()
            types = {"string": pyarrow.string(), "bigint": pyarrow.int64()}
            own = [pyarrow.field(name, types[kind]) for name, kind in COLUMNS.items()]
            schema = pyarrow.schema([*own, *list(table.schema)[len(own) :]])
            yield from table.cast(schema).to_batches()

    return solve_batches


def _run_workers_with_this_python() -> None:
    """Where all workers run on this machine, gives them this Python, unless another one is named.

    Spark would take the first `python3` of the path, which is not that of a virtual environment that is not activated.
    """
    pyspark = sys.modules.get("pyspark")
    context = pyspark and pyspark.SparkContext._active_spark_context
    if not context or not context.master.startswith("local") or "PYSPARK_PYTHON" in os.environ:
        return
    if context.getConf().get("spark.pyspark.python") is None:
        context.pythonExec = sys.executable


def solve_schema(df: DataFrame, *, keep: Iterable[str] = ()) -> StructType:
    """The schema of the rows that `solve` makes.

    Args:
        df: The table with the puzzles, for the types of the kept columns.
        keep: The same columns as for `solve`.

    Raises:
        TypeError: If an argument has a wrong type.
        KeyError: If there is no such column.
    """
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    types = {"string": StringType(), "bigint": LongType()}
    fields = [StructField(name, types[kind]) for name, kind in COLUMNS.items()]
    names = {name for name, _ in _gridmill.columns("solve")}
    for name in _arguments.texts("keep", keep):
        field = df.schema[name]
        # As `gridmill.solve` calls it: the names of columns are unique.
        while name in names:
            name = f"input_{name}"
        names.add(name)
        fields.append(StructField(name, field.dataType))
    return StructType(fields)
