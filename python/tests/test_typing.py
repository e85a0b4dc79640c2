"""Type checkers see the types of the package; the examples in its texts run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import mypy.api
import pytest

import gridmill
from gridmill import _options
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


MISTAKES = """
from pathlib import Path

import gridmill

puzzles = ["1.3..........4.2"]
gridmill.solve(3)  # error
gridmill.solve(Path("puzzles.csv"))  # error
gridmill.solve(puzzles, engine="fast")  # error
gridmill.solve(puzzles, colums=["line"])  # error
gridmill.solve("1.3").er  # error
gridmill.solve(puzzles).status  # error
gridmill.validate(puzzles, 7)  # error
gridmill.validate(puzzles, fail_on="leaks")  # error
gridmill.generate(5, level="hardest")  # error
gridmill.generate(5, symmetry="rot45")  # error
gridmill.generate(5, size="9")  # error
gridmill.augment(puzzles, 2, kind="digit")  # error
gridmill.score(puzzles, ["1"], formula="share")  # error
gridmill.dedupe(puzzles, by="isomorph")  # error
gridmill.solve_file("a.csv", "b.csv", to="xls")  # error
"""


def lines_of_mypy(program: Path) -> tuple[set[int], str]:
    report, messages, _ = mypy.api.run(["--strict", "--python-executable", sys.executable, str(program)])
    assert not messages
    return {int(line.split(":")[1]) for line in report.splitlines() if ": error:" in line}, report


def lines_of_pyright(program: Path) -> tuple[set[int], str]:
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, program]
    report = subprocess.run(command, cwd=program.parent, stdout=subprocess.PIPE, text=True).stdout
    return {int(line) for line in re.findall(r":(\d+):\d+ - error", report)}, report


@pytest.mark.parametrize("text", [PROGRAM, MISTAKES], ids=["program", "mistakes"])
@pytest.mark.parametrize("lines_of", [lines_of_mypy, lines_of_pyright])
def test_a_program_is_checked(lines_of: Callable[[Path], tuple[set[int], str]], text: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    found, report = lines_of(program)
    expected = {number for number, line in enumerate(text.splitlines(), 1) if "# error" in line}
    assert found == expected, report


def test_types_have_the_values_of_the_command_line(cli: Path) -> None:
    """Some values are for some commands only, and the type has them all."""
    types = {
        "level": _options.Level,
        "to": _options.Format,
        "from": _options.Source,
        "compress": _options.Compression,
        "fail-on": _options.Finding,
        "size": _options.Size,
        "symmetry": _options.Symmetry,
        "kind": _options.Change,
        "grids": _options.Drawn,
        "formula": _options.Formula,
        "thoughts": _options.Thoughts,
        "by": _options.Group,
        "style": _options.Style,
    }
    found: dict[str, set[str]] = {name: set() for name in types}
    commands = ("generate", "augment", "validate", "split", "trace", "score", "convert", "rate", "explain", "solve")
    for command in commands:
        text = subprocess.run([cli, command, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
        for name, option in re.findall(r"^ +(?:-\w, )?--([a-z-]+)(.*?)(?=^ +(?:-\w, )?--|\Z)", text, re.S | re.M):
            values = re.search(r"\[possible values: (.*?)\]", option, re.S)
            if name in found and values:
                found[name] |= set(re.split(r",\s+", values[1]))
    levels = {"easy", "medium", "hard", "very-hard", "very hard", "fiendish", "extreme"}
    # Parquet is known by the extension.
    assert {name: set(get_args(kind)) for name, kind in types.items()} == found | {
        "level": levels,
        "to": found["to"] | {"parquet"},
    }


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


@pytest.mark.parametrize("name", [module.name for module in pkgutil.iter_modules(gridmill.__path__)])
def test_examples_print_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name.startswith("_gridmill") or name == "__main__":
        return
    monkeypatch.chdir(tmp_path)
    gridmill.generate(20, with_solution=True).to_csv("train.csv")
    module = importlib.import_module(f"gridmill.{name}")
    failures: list[str] = []
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(module, extraglobs={"train": lambda *batch: None}):
        runner.run(test, out=failures.append)
    assert not failures, "".join(failures)
