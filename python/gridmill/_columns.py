"""Single columns of results, which the expressions and functions of other libraries are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridmill._functions import canonical, rate, score, solve, validate

if TYPE_CHECKING:
    import pyarrow

FUNCTIONS: dict[str, tuple[Any, str]] = {
    "solve": (solve, "solution"),
    "er": (rate, "er"),
    "key": (canonical, "class"),
    "verdict": (validate, "verdict"),
    "score": (score, "score"),
}
"""The function that makes each column, and the name of the column in its result."""

NUMBERS = ("er", "score")
"""The columns of numbers; the other ones have text."""


def column(name: str, puzzles: Any, *texts: Any, **options: Any) -> pyarrow.ChunkedArray:
    """A column of results, with a value for each puzzle and the texts that go with it."""
    import pyarrow

    function, of_result = FUNCTIONS[name]
    values = function(puzzles, *texts, columns=[of_result], **options).to_arrow()[of_result]
    return values.cast(pyarrow.float64() if name in NUMBERS else pyarrow.string())


class Columns:
    """Results for each puzzle in a column of another library. Each method takes the options of its function."""

    def solve(self, **options: Any) -> Any:
        """The solution, if there is exactly one; see `gridmill.solve`."""
        return self._column("solve", [], options)

    def er(self, **options: Any) -> Any:
        """How hard the puzzle is for a person; see `gridmill.rate`."""
        return self._column("er", [], options)

    def key(self, **options: Any) -> Any:
        """The class, which is the same for all isomorphs; see `gridmill.canonical`."""
        return self._column("key", [], options)

    def verdict(self, answers: Any = None, **options: Any) -> Any:
        """The verdict on the puzzle and its answer; see `gridmill.validate`."""
        return self._column("verdict", [] if answers is None else [answers], options)

    def score(self, responses: Any, **options: Any) -> Any:
        """The worth of the answer of a model; see `gridmill.score`."""
        return self._column("score", [responses], options)

    def _column(self, name: str, texts: list[Any], options: dict[str, Any]) -> Any:
        """One of the columns, as the other library has it."""
        raise NotImplementedError
