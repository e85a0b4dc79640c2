"""Parquet files that are damaged or hostile are exceptions, whoever wrote them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy
import polars
import pyarrow
import pyarrow.parquet
import pytest

import gridmill

PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
TABLE = pyarrow.table(
    {"puzzle": [PUZZLE] * 30, "id": range(30), "er": [1.5] * 30, "cells": [[1, 2]] * 30, "of": [{"a": "x"}] * 30}
)

WRITERS: dict[str, Callable[[Path], object]] = {
    "pyarrow": lambda path: pyarrow.parquet.write_table(TABLE, path),
    "pyarrow, version 2": lambda path: pyarrow.parquet.write_table(TABLE, path, data_page_version="2.0"),
    "Polars": lambda path: polars.DataFrame(TABLE).write_parquet(path),
    "DuckDB": lambda path: duckdb.from_arrow(TABLE).write_parquet(str(path)),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_changed_bytes_are_rows_or_an_exception(writer: str, tmp_path: Path) -> None:
    path, whole = tmp_path / "changed.parquet", tmp_path / "whole.parquet"
    WRITERS[writer](whole)
    original = whole.read_bytes()
    footer = int.from_bytes(original[-8:-4], "little") + 8
    ends = set()
    for seed in range(60):
        chance, changed = random.Random(seed), bytearray(original)
        for _ in range(chance.randint(1, 3)):
            start = chance.choice([4, len(changed) - footer])
            changed[chance.randrange(start, len(changed))] = chance.choice([0, 255, chance.randrange(256)])
        path.write_bytes(changed)
        try:
            gridmill.solve_file(path, tmp_path / "out.csv", keep=["id", "er", "cells", "of"], threads=1)
            ends.add("rows")
        except (OSError, ValueError, TypeError) as error:
            assert "bug" not in str(error)
            ends.add("exception")
    assert ends == {"rows", "exception"}


def test_a_changed_page_with_a_checksum_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.parquet"
    pyarrow.parquet.write_table(
        TABLE.select(["puzzle"]), path, compression="none", use_dictionary=False, write_page_checksum=True
    )
    gridmill.solve_file(path, tmp_path / "out.csv")
    path.write_bytes(path.read_bytes().replace(PUZZLE.encode(), PUZZLE.replace("8", "9", 1).encode()))
    with pytest.raises(OSError, match="checksum"):
        gridmill.solve_file(path, tmp_path / "out.csv")


def test_a_list_of_any_length_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.parquet"
    column = pyarrow.array([numpy.zeros(60_000_000, numpy.int8)], pyarrow.list_(pyarrow.int8()))
    pyarrow.parquet.write_table(pyarrow.table({"puzzle": column}), path)
    with pytest.raises(OSError, match="cannot be read in 512 MiB of memory"):
        gridmill.solve_file(path, tmp_path / "out.csv")
