"""Single columns of results, which the expressions and functions of other libraries are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gridmill._functions import canonical, convert, count, rate, score, solve, validate

if TYPE_CHECKING:
    import pyarrow


class Source(NamedTuple):
    """The function that makes a column, and the name and the type of the column in its result."""

    function: Any
    column: str
    kind: Literal["string", "float64", "int64"] = "string"
    texts: int = 1
    """The number of columns that it is made of."""


SOURCES = {
    "solve": Source(solve, "solution"),
    "status": Source(solve, "status"),
    "count": Source(count, "solutions", "int64"),
    "clues": Source(convert, "clues", "int64"),
    "er": Source(rate, "er", "float64"),
    "level": Source(rate, "level"),
    "key": Source(canonical, "class"),
    "verdict": Source(validate, "verdict", texts=2),
    "score": Source(score, "score", "float64", texts=2),
}
"""The columns by their names."""


def column(name: str, puzzles: Any, *texts: Any, **options: Any) -> pyarrow.ChunkedArray:
    """A column of results, with a value for each puzzle and the texts that go with it."""
    import pyarrow

    source = SOURCES[name]
    values = source.function(puzzles, *texts, columns=[source.column], **options).to_arrow()[source.column]
    return values.cast(getattr(pyarrow, source.kind)())


class Columns:
    """Results for each puzzle in a column of another library. Each method takes the options of its function."""

    def solve(self, **options: Any) -> Any:
        """The solution, if there is exactly one; see `gridmill.solve`."""
        return self._column("solve", [], options)

    def status(self, **options: Any) -> Any:
        """Whether the puzzle has one solution, several or none; see `gridmill.solve`."""
        return self._column("status", [], options)

    def count(self, **options: Any) -> Any:
        """The number of solutions; see `gridmill.count`."""
        return self._column("count", [], options)

    def clues(self, **options: Any) -> Any:
        """The number of clues; see `gridmill.convert`."""
        return self._column("clues", [], options)

    def er(self, **options: Any) -> Any:
        """How hard the puzzle is for a person; see `gridmill.rate`."""
        return self._column("er", [], options)

    def level(self, **options: Any) -> Any:
        """The same as a level; see `gridmill.rate`."""
        return self._column("level", [], options)

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
