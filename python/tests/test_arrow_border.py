"""Whatever comes over the Arrow border is rows or an exception: random types, nulls, slices, chunks, empty batches."""

from __future__ import annotations

from typing import Any

import pyarrow
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gridmill

PUZZLES = ["1.3..........4.2", "1...............", "." * 15, "", "é" * 16, '"', "a,b\n", "5" * 81, "." * 81, "0" * 256]
texts = st.one_of(st.none(), st.sampled_from(PUZZLES), st.text(max_size=100))
integers = st.integers(-3, 20)
cells = st.one_of(
    st.none(),
    st.lists(integers, min_size=16, max_size=16),
    st.lists(st.one_of(st.none(), st.integers(-(2**31), 2**31 - 1)), max_size=20),
)
sixteen = st.one_of(st.none(), st.lists(integers, min_size=16, max_size=16))
grids = st.one_of(
    st.none(), st.lists(st.lists(integers, min_size=4, max_size=4), min_size=4, max_size=4), st.lists(cells, max_size=4)
)

COLUMNS: list[tuple[st.SearchStrategy[Any], pyarrow.DataType]] = [
    (texts, pyarrow.string()),
    (texts, pyarrow.large_string()),
    (texts, pyarrow.string_view()),
    (texts, pyarrow.dictionary(pyarrow.int8(), pyarrow.string())),
    (texts, pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_string())),
    (st.none(), pyarrow.null()),
    (cells, pyarrow.list_(pyarrow.int64())),
    (cells, pyarrow.large_list(pyarrow.int32())),
    (grids, pyarrow.list_(pyarrow.list_(pyarrow.int64()))),
    (sixteen, pyarrow.list_(pyarrow.int8(), 16)),
    (sixteen, pyarrow.list_(pyarrow.float32())),
    (st.one_of(st.none(), st.sampled_from(PUZZLES).map(str.encode), st.binary(max_size=100)), pyarrow.binary()),
]
OTHERS: list[pyarrow.DataType] = [
    pyarrow.float64(),
    pyarrow.int64(),
    pyarrow.bool_(),
    pyarrow.date32(),
    pyarrow.decimal128(5),
    pyarrow.list_(pyarrow.list_(pyarrow.list_(pyarrow.string()))),
    pyarrow.map_(pyarrow.string(), pyarrow.int8()),
    pyarrow.run_end_encoded(pyarrow.int32(), pyarrow.string()),
    pyarrow.list_view(pyarrow.int8()),
]


@st.composite
def arrays(draw: st.DrawFn) -> pyarrow.ChunkedArray:
    values, kind = draw(st.sampled_from(COLUMNS))
    chunks = []
    for rows in draw(st.lists(st.lists(values, max_size=8), max_size=4)):
        array = pyarrow.array(rows, kind) if not pyarrow.types.is_dictionary(kind) else pyarrow.array(rows).cast(kind)
        start = draw(st.integers(0, len(rows)))
        chunks.append(array.slice(start, draw(st.integers(0, len(rows) - start))))
    return pyarrow.chunked_array(chunks, kind)


def plain(value: object) -> str:
    """The text of a puzzle, as `str` in a list is."""
    if value is None:
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


@given(arrays())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_record_has_a_row(column: pyarrow.ChunkedArray) -> None:
    table = gridmill.solve(column, limit=2, max_branches=1000)
    assert table.to_list("line") == list(range(1, len(column) + 1))
    if not pyarrow.types.is_nested(column.type):
        # Texts as short as cells or rows may be one puzzle: the first text is neither.
        # The first chunk is the sample, and a size may be rare in a longer one.
        whole = gridmill.solve(column.combine_chunks(), limit=2, max_branches=1000)
        as_list = gridmill.solve(["first", *map(plain, column.to_pylist())], max_branches=1000)[1:]
        assert whole.to_list("status") == as_list.to_list("status")
        assert whole.to_list("solution") == as_list.to_list("solution")
    in_table = pyarrow.table({"puzzle": column, "n": range(len(column))})
    kept = gridmill.solve(in_table, keep=["n", "puzzle"], max_branches=1000).to_arrow()
    assert kept["status"].to_pylist() == table.to_list("status")
    assert kept["n"] == in_table["n"]
    assert kept["input_puzzle"].to_pylist() == column.to_pylist()


@given(st.sampled_from(OTHERS), st.integers(0, 3))
@settings(max_examples=50, deadline=None)
def test_other_types_are_refused(kind: pyarrow.DataType, nulls: int) -> None:
    try:
        gridmill.solve(pyarrow.array([None] * nulls, kind))
    except TypeError as error:
        assert "puzzles are texts or lists of numbers" in str(error)
    else:
        raise AssertionError(f"{kind} was taken")


@given(st.lists(st.one_of(st.none(), st.text())))
@settings(max_examples=100, deadline=None)
def test_all_texts_come_back(values: list[str | None]) -> None:
    table = gridmill.solve(["first", *values], max_branches=100)[1:]
    statuses = table.to_list("status")
    for value, puzzle, status in zip(values, table.to_list("puzzle"), statuses, strict=True):
        if status == "malformed" and value and "\n" not in value and "\r" not in value:
            assert puzzle == value
