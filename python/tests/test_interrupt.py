"""Ctrl-C raises KeyboardInterrupt, and no thread is left; other Python threads run meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import output_after_ctrl_c

import gridmill

# Each takes minutes.
LONG: dict[str, str] = {
    "solve": "gridmill.solve(['.' * 81] * 1000, limit=10**9)",
    "one puzzle": "gridmill.count('.' * 81, limit=10**12)",
    "validate": "gridmill.validate(['.' * 256] * 100_000, max_branches='none', minimal=True, threads=1)",
    "generate": "gridmill.generate(100_000, clues=20)",
    "isomorphs": "gridmill.augment(gridmill.generate(100), 1_000_000)",
    "stream": "gridmill.solve(endless())",
    "file": "gridmill.solve_file('long.txt', 'out.csv', limit=10**9)",
}


@pytest.mark.parametrize("kind", LONG)
def test_ctrl_c_ends_a_run(kind: str, tmp_path: Path) -> None:
    script = f"""
        import pyarrow, gridmill

        def batches():
            while True:
                yield pyarrow.record_batch({{"puzzle": pyarrow.array(["." * 81] * 10)}})

        def endless():
            return pyarrow.RecordBatchReader.from_batches(pyarrow.schema({{"puzzle": pyarrow.string()}}), batches())

        print("ready", flush=True)
        before = threads()
        try:
            {LONG[kind]}
        except KeyboardInterrupt:
            print("interrupted", threads_after(before) - before, gridmill.count("1..............."))
    """
    (tmp_path / "long.txt").write_text(("." * 81 + "\n") * 1000)
    assert output_after_ctrl_c(script, tmp_path) == "interrupted 0 72\n"
    assert not (tmp_path / "out.csv").exists()


def test_an_exception_of_the_callback_ends_a_run(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text((".." * 40 + ".\n") * 100_000)

    def progress(_: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        gridmill.solve_file(tmp_path / "long.txt", tmp_path / "out.csv", limit=1000, progress=progress)
    assert not (tmp_path / "out.csv").exists()


def count_while(run: Callable[[], Any]) -> int:
    """How often Python code runs while a function runs on another thread."""
    thread = threading.Thread(target=run)
    thread.start()
    ticks = 0
    while thread.is_alive():
        time.sleep(0.01)
        ticks += 1
    return ticks


def test_other_threads_run_meanwhile() -> None:
    assert count_while(lambda: gridmill.solve(["." * 81] * 5, limit=1_000_000, threads=1)) > 5


def test_many_threads_may_call_at_once(puzzles: list[str]) -> None:
    expected = gridmill.solve(puzzles).to_list("solution")
    results: list[list[Any]] = []

    def run() -> None:
        for _ in range(5):
            results.append(gridmill.solve(puzzles, threads=2).to_list("solution"))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 40
