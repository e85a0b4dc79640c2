"""Functions for SQL in DuckDB.

>>> import duckdb, gridmill
>>> connection = duckdb.connect()
>>> gridmill.duckdb.register(connection)
>>> connection.sql("SELECT gridmill_solve('1.3..........4.2')").fetchone()
('1234432121433412',)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridmill._columns import FUNCTIONS, NUMBERS, column

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]


def register(connection: DuckDBPyConnection) -> None:
    """Adds functions for puzzles to a connection. A value that is null is not a puzzle.

    They are `gridmill_solve(puzzle)`, the solution if there is one and no other; `gridmill_er(puzzle)`;
    `gridmill_class(puzzle)`, the same for all isomorphs; `gridmill_verdict(puzzle, answer)`; and
    `gridmill_score(puzzle, response)`.

    Args:
        connection: An open connection, such as `duckdb.connect()` gives it.
    """
    for name in FUNCTIONS:
        texts = 2 if name in ("verdict", "score") else 1
        connection.create_function(  # type: ignore[call-overload]
            "gridmill_class" if name == "key" else f"gridmill_{name}",
            _function(name, texts),
            ["VARCHAR"] * texts,
            "DOUBLE" if name in NUMBERS else "VARCHAR",
            type="arrow",
            null_handling="special",
        )


def _function(name: str, texts: int) -> Any:
    """The function of one column or of two, whose number DuckDB reads from the signature."""
    if texts == 1:
        return lambda puzzles: column(name, puzzles, progress=False)
    return lambda puzzles, text: column(name, puzzles, text, progress=False)
