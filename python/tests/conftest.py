"""Fixtures: the command line tool to compare with, and puzzles of all kinds."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
Rows = list[dict[str, Any]]


def blocks(page: str, language: str) -> list[tuple[str, str]]:
    """The blocks of a language in a page of docs/, each with the title that it stands under."""
    titles = re.compile(r"^#+ ([^\n]*)$|^```" + language + r"\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    found, title = [], ""
    for match in titles.finditer((ROOT / "docs" / page).read_text()):
        if match[1]:
            title = match[1]
        else:
            found.append((title, match[2]))
    return found


THREADS = """
import os
import time

def threads():
    return len(os.listdir("/proc/self/task"))

def threads_after(expected):
    # A thread that was joined may need a moment to go.
    end = time.monotonic() + 5
    while threads() != expected and time.monotonic() < end:
        time.sleep(0.01)
    return threads()
"""
"""Counts the threads of a process of its own, where no thread of another library comes or goes."""


def start_python(script: str, folder: Path) -> subprocess.Popen[str]:
    """Starts `THREADS` and a script.

    Not in the folder of the tests, where it would import the package without its native part.
    """
    command = [sys.executable, "-c", THREADS + textwrap.dedent(script)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)


def output_after_ctrl_c(script: str, folder: Path) -> str:
    """What a script prints when it is interrupted after its line `ready`."""
    process = start_python(script, folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    assert process.poll() is None, "it was interrupted before it ended"
    os.kill(process.pid, signal.SIGINT)
    return process.communicate(timeout=60)[0]


@pytest.fixture(scope="session")
def cli() -> Path:
    """The command line tool, built from the same sources; `GRIDMILL` names another one."""
    given = os.environ.get("GRIDMILL")
    if given:
        return Path(given)
    built = subprocess.run(
        ["cargo", "build", "--locked", "--bin", "gridmill", "--message-format", "json"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    messages = map(json.loads, built.stdout.splitlines())
    return Path(next(m["executable"] for m in messages if m.get("executable")))


@pytest.fixture(scope="session")
def puzzles() -> list[str]:
    """Puzzles with one solution, several and none, and texts that are no puzzle."""
    lines = [line.strip() for line in (ROOT / "data/mixed.txt").read_text().splitlines()]
    nine = [line for line in lines if len(line) == 81]
    easy = (ROOT / "data/easy.txt").read_text().split()[:200]
    return [*nine, "nonsense", *easy, easy[0][:80], "5" * 81, easy[1][:80] + "x", "1.3..........4.2"]


@pytest.fixture(scope="session")
def rows_of(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Rows]:
    """Runs a command of the tool over puzzles in a CSV file, and returns its rows."""

    def run(command: str, puzzles: list[str | None], *options: str, **beside: list[Any]) -> Rows:
        directory = tmp_path_factory.mktemp("cli")
        source = directory / "puzzles.csv"
        with source.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["puzzle", *beside])
            writer.writerows(zip(puzzles, *beside.values(), strict=True))
        rows = directory / "rows.csv"
        subprocess.run([cli, command, source, "-q", *options, "-o", rows], check=False, stderr=subprocess.DEVNULL)
        with rows.open(newline="") as file:
            return list(csv.DictReader(file))

    return run
