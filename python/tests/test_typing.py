"""Type checkers see the types of the package."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Any

import mypy.api
import pytest

import gridmill
from gridmill._options import Explain, takes

PROGRAM = """
from pathlib import Path

import gridmill
import numpy as np
import polars as pl
from typing_extensions import assert_type

assert_type(gridmill.solve("1.3"), gridmill.Solved)
assert_type(gridmill.solve("1.3").solution, str | None)
assert_type(gridmill.solve(["1.3", None]), gridmill.Table)
assert_type(gridmill.solve(("1.3", "1")), gridmill.Table)
assert_type(gridmill.solve(np.zeros((2, 81), np.uint8)), gridmill.Table)
assert_type(gridmill.solve(pl.Series(["1.3"]), limit=5), gridmill.Table)
assert_type(gridmill.solve(pl.DataFrame(), keep=["source"]).to_polars(), pl.DataFrame)
assert_type(gridmill.solve(gridmill.generate(1)), gridmill.Table)
assert_type(gridmill.count("1.3"), int | None)
assert_type(gridmill.validate("1.3", "1.3"), gridmill.Validated)
assert_type(gridmill.validate(["1.3"], np.zeros((1, 81), int)), gridmill.Table)
assert_type(gridmill.rate("1.3").er, float | None)
assert_type(gridmill.canonical("1.3").class_id, str | None)
assert_type(gridmill.augment("1.3", 5, seed=1), gridmill.Table)
gridmill.solve_file([Path("a"), "b"], "c", progress=print).records

gridmill.rate_file("a", "b.csv", columns=["er"], header=False, shard="1/2").records
assert_type(gridmill.canonical(["1.3"], keep=["a"]), gridmill.Table)

gridmill.solve(5)  # error: overload
gridmill.solve("1.3", keep="a", colums=[])  # error: overload
gridmill.solve(["1.3"], limit="2")  # error: overload
gridmill.generate(1.5)  # error: arg-type
gridmill.solve_file("a", "b", progress=5)  # error: arg-type
gridmill.generate_file(5, "b", keep=["a"])  # error: call-arg
"""


def test_a_program_is_checked(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    report, messages, _ = mypy.api.run(["--strict", "--python-executable", sys.executable, str(program)])
    assert not messages
    found = {int(line.split(":")[1]) for line in report.splitlines() if ": error:" in line}
    expected = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if "# error" in line}
    assert found == expected, report


@pytest.mark.parametrize("name", gridmill.__all__)
def test_everything_public_is_documented(name: str) -> None:
    item = getattr(gridmill, name)
    text = inspect.getdoc(item) or ""
    assert len(text) > 30
    if inspect.isfunction(item):
        arguments, _, rest = text.partition("\n\nReturns:")
        documented = {
            name for names in re.findall(r"^    ([\w, ]+): ", arguments, re.MULTILINE) for name in names.split(", ")
        }
        assert documented >= inspect.signature(item).parameters.keys()
        assert "Raises:" in rest


def test_documentation_does_not_depend_on_indentation() -> None:
    """From 3.13 on, Python strips it."""

    def documented(written: str) -> str | None:
        def function(**options: Any) -> None: ...

        function.__doc__ = written
        return takes(Explain)(function).__doc__

    written = "Explains.\n\n    Args:\n        puzzles: Puzzles.\n\n    Returns:\n        Steps.\n    "
    assert documented(written) == documented(inspect.cleandoc(written))
