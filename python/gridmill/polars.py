"""Expressions for Polars: to import this module adds `gridmill` to expressions and series.

>>> import gridmill.polars
>>> import polars
>>> puzzles = polars.LazyFrame({"puzzle": ["1.3..........4.2", "1..............."]})
>>> puzzles.select(polars.col("puzzle").gridmill.solve()).collect().to_series().to_list()
['1234432121433412', None]
"""

from __future__ import annotations

from typing import Any

import polars

from gridmill._columns import SOURCES, Columns, column


@polars.api.register_expr_namespace("gridmill")
class Expressions(Columns):
    """Expressions of an expression with puzzles as text."""

    def __init__(self, puzzles: polars.Expr) -> None:
        """Takes an expression with puzzles as text."""
        self._puzzles = puzzles

    def _column(self, name: str, texts: list[polars.Expr], options: dict[str, Any]) -> polars.Expr:
        """One of the columns, batch by batch."""
        fields = polars.struct(text.alias(str(index)) for index, text in enumerate([self._puzzles, *texts]))
        found = fields.map_batches(
            lambda batch: polars.Series(column(name, *batch.struct.unnest().get_columns(), progress=False, **options)),
            return_dtype=getattr(polars, SOURCES[name].kind.capitalize()),
            is_elementwise=True,
        )
        return found.alias(name)
