"""Every job and every option of the command line is there in Python, under the same name and with the same default."""

from __future__ import annotations

import doctest
import inspect
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import gridmill

ROOT = Path(__file__).resolve().parents[2]

FUNCTIONS: dict[str, list[Any]] = {
    "solve": [gridmill.solve, gridmill.solve_file],
    "rate": [gridmill.rate, gridmill.steps, gridmill.rate_file],
    "trace": [gridmill.trace, gridmill.trace_file],
    "validate": [gridmill.validate, gridmill.validate_file],
    "score": [gridmill.score, gridmill.score_file],
    "states": [gridmill.states, gridmill.states_file],
    "canon": [gridmill.canonical, gridmill.canonical_file],
    "classes": [gridmill.classes_file],
    "certify": [gridmill.certify],
    "convert": [gridmill.convert, gridmill.convert_file],
    "augment": [gridmill.augment, gridmill.augment_file],
    "generate": [gridmill.generate, gridmill.generate_file],
    "split": [gridmill.split, gridmill.split_file],
    "dedupe": [gridmill.dedupe, gridmill.dedupe_file],
    "sample": [gridmill.sample, gridmill.sample_file],
    "merge": [gridmill.merge_files],
    "explain": [gridmill.explain],
    "bench": [gridmill.bench],
}
"""The functions of each command: their parameters together are its options."""

OTHERWISE = {
    "alphabet": "several are a list, not names with commas",
    "compress": "the extension of the output says it: .gz, .zst, .xz, .bz2",
    "count": "an argument without a name",
    "copies": "an argument without a name",
    "from": "from_, because from is a word of Python",
    "help": "help(gridmill.solve)",
    "no-header": "header=False",
    "output": "an argument without a name",
    "progress": "a bool, or a function",
    "quiet": "nothing is printed but the bar",
    "simd": 'engine="lanes:avx2"',
    "strict": "it is about the exit code",
    "summary": "the figures are in the result",
    "top": "the length of lists on a terminal and on a page",
    "version": "gridmill.__version__",
}
"""Options that are given in another way, and why."""

BENCH_ONLY = {
    "baseline": "results are compared in Python",
    "compare": "it is about the exit code",
    "disagreements": "engines of gridmill agree, or the result is an error",
    "export": "the result is a table",
    "fail-if-slower": "it is about the exit code",
    "plugin": "other programs are for the command line",
    "report": "the page is for people at a terminal; the figures are in the result",
    "reference": "other programs are for the command line",
    "solver": "other programs are for the command line",
    "timeout": "other programs are for the command line",
    "times": "the column nanos of solve",
}
"""The same for `bench`, which is for engines here."""

COMMANDS_ONLY = {
    "pipe": "it answers a program over pipes",
    "sheet": "it makes pages for people",
    "fuzz": "it tests programs",
    "completions": "it is for shells",
    "formats": "docs/formats.md",
}
"""Commands that have no function, and why."""

EXCLUDED = {("solve", "limit"): "first excludes it", ("generate", "size"): "pattern excludes it"}
"""Options whose default here is `None`, so that it is known whether they are given."""

HERE_ONLY = {
    *("puzzles", "answers", "responses", "states", "inputs", "outputs", "from_", "header", "to", "progress", "output"),
    *("train", "test", "ignore"),
}
"""Parameters that stand for arguments without a name, or for options of another name."""


RUNS: list[list[str | Path]] = [
    ["--version"],
    ["solve", "--help"],
    ["solve", ROOT / "data/mixed.txt", "-q", "--columns", "line,status,detail"],
    ["solve", "nowhere.txt"],
    ["solve", "--colums", "line"],
    ["validate", ROOT / "data/mixed.txt", "-q", "--columns", "verdict", "--fail-on", "multiple"],
    # It starts another process of the same program.
    ["bench", ROOT / "data/easy.txt", "--plugin", "x=./none.so:solve"],
]
"""Calls of the program that end with each exit code."""


@pytest.mark.parametrize("arguments", RUNS, ids=lambda run: run[0])
def test_the_package_has_the_command(cli: Path, arguments: list[str | Path], tmp_path: Path) -> None:
    # In the folder of the sources, Python would take these.
    runs = [
        subprocess.run([*program, *arguments], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        for program in ([cli], [sys.executable, "-m", "gridmill"])
    ]
    one, other = [(run.returncode, run.stdout, run.stderr) for run in runs]
    assert one == other


def test_the_readme_shows_what_python_prints() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False) == (0, 2)


def test_the_command_can_be_interrupted(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "gridmill", "generate", "-n", "1e9", "--progress", "never", "-o", "out.txt"]
    with subprocess.Popen(program, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as run:
        until = time.monotonic() + 60
        partial = tmp_path / "out.txt.partial"
        while not (partial.exists() and partial.stat().st_size) and time.monotonic() < until:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=60)[1].count("stop")
    assert run.returncode == 130


def help_of(cli: Path, *command: str) -> str:
    return subprocess.run([cli, *command, "--help"], check=True, capture_output=True, text=True).stdout


def parameters(command: str) -> dict[str, inspect.Parameter]:
    found: dict[str, inspect.Parameter] = {}
    for function in reversed(FUNCTIONS[command]):
        found.update(inspect.signature(function).parameters)
    return found


def test_every_command_has_a_function(cli: Path) -> None:
    listed = re.findall(r"  ([a-z]+)(?=  )", help_of(cli))
    assert {"solve", "validate"} <= set(listed)
    assert set(listed) - FUNCTIONS.keys() == COMMANDS_ONLY.keys()


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_option_is_a_parameter(cli: Path, command: str) -> None:
    options = set(re.findall(r"^ {2,6}(?:-\w, )?--([a-z-]+)", help_of(cli, command), re.MULTILINE))
    assert "help" in options
    names = parameters(command).keys()
    otherwise = OTHERWISE.keys() | (BENCH_ONLY.keys() if command == "bench" else set())
    assert not {name for name in options - otherwise if name.replace("-", "_") not in names}
    assert not names - {name.replace("-", "_") for name in options} - HERE_ONLY


@pytest.mark.parametrize("command", FUNCTIONS)
def test_defaults_are_the_same(cli: Path, command: str) -> None:
    text = help_of(cli, command)
    for name, parameter in parameters(command).items():
        option = re.search(rf"--{name.replace('_', '-')}\b(.*?)(?=^ +(?:-\w, )?--|\Z)", text, re.S | re.M)
        shown = option and re.search(r"\[default: (\S+?)\]", option[1])
        if shown and name.replace("_", "-") not in OTHERWISE and (command, name) not in EXCLUDED:
            assert str(parameter.default).removesuffix(".0") == shown[1], name
