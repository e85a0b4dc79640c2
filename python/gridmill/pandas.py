"""Series of pandas: to import this module adds `series.gridmill`. Needs pyarrow, as the Arrow interface of pandas does.

>>> import gridmill.pandas
>>> import pandas
>>> puzzles = pandas.Series(["1.3..........4.2", "1..............."], index=["a", "b"])
>>> puzzles.gridmill.solve()["a"]
'1234432121433412'
"""

from __future__ import annotations

from typing import Any

import pandas

from gridmill._columns import Columns, column


@pandas.api.extensions.register_series_accessor("gridmill")
class Series(Columns):
    """Series with the index of a series with puzzles as text."""

    def __init__(self, puzzles: pandas.Series[str]) -> None:
        """Takes a series with puzzles as text."""
        self._puzzles = puzzles

    def _column(self, name: str, texts: list[Any], options: dict[str, Any]) -> Any:
        """One of the columns, with the index of the puzzles."""
        values = column(name, self._puzzles, *texts, **options).to_pandas()
        return values.set_axis(self._puzzles.index).rename(name)
