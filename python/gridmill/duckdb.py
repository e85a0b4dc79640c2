"""Functions for SQL in DuckDB.

>>> import duckdb, gridmill
>>> connection = duckdb.connect()
>>> gridmill.duckdb.register(connection)
>>> connection.sql("SELECT gridmill_solve('1.3..........4.2')").fetchall()
[('1234432121433412',)]
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gridmill._columns import SOURCES, column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

TYPES = {"string": "VARCHAR", "float64": "DOUBLE", "int64": "BIGINT"}


def register(connection: DuckDBPyConnection) -> None:
    """Adds functions for puzzles to a connection, if it does not have them. A value that is null is not a puzzle.

    They are `gridmill_solve(puzzle)`, the solution if the puzzle has exactly one; `gridmill_status(puzzle)`;
    `gridmill_count(puzzle)`, the number of solutions; `gridmill_clues(puzzle)`; `gridmill_er(puzzle)`;
    `gridmill_level(puzzle)`; `gridmill_class(puzzle)`, the same for all isomorphs; `gridmill_verdict(puzzle, answer)`;
    and `gridmill_score(puzzle, response)`. Each takes the options of its function in Python, as texts after these
    values: `gridmill_score(puzzle, response, 'formula=exact')`.

    Args:
        connection: An open connection, such as `duckdb.connect()` gives it.
    """
    # Another connection to the same database may have added them.
    known = connection.sql("SELECT function_name FROM duckdb_functions()").fetchall()
    for name, source in SOURCES.items():
        function = "gridmill_class" if name == "key" else f"gridmill_{name}"
        kinds: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
        if (function,) not in known:
            connection.create_function(function, _function(name, source.texts), None, TYPES[source.kind], **kinds)


def _function(name: str, texts: int) -> Any:
    """The function of one or two columns. DuckDB passes options as further values."""

    def of_columns(*values: Any) -> Any:
        if len(values) < texts:
            raise TypeError(f"gridmill_{name} takes a puzzle and an answer")
        options = dict(_option(value.unique().to_pylist()) for value in values[texts:] if len(value))
        # A column of nulls has no type.
        columns = [value.cast("string") if str(value.type) == "null" else value for value in values[:texts]]
        return column(name, *columns, progress=False, **options)

    return of_columns


def _option(values: list[Any]) -> tuple[str, Any]:
    """An option and its value: a number, a truth value or a text."""
    if len(values) > 1 or "=" not in str(values[0]):
        raise TypeError(f"an option must be a text such as 'limit=5', the same for all rows, not {values[0]!r}")
    name, _, value = values[0].partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
