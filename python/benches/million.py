"""Measures the time for solving a million puzzles in columns or arrays, compared with other packages.

    python benches/million.py [--puzzles N] [--runs N]

Times are CPU time of one core per puzzle, medians of the runs. The CPU time of the process is compared with the time
of the engine, which is in the report of a run. The stages are: pyarrow column to table; table to pyarrow; NumPy array
to table; solutions as NumPy array. The first run in fresh memory is also listed: there, the system has to clear memory.
Other packages solve a sample of the same puzzles. Fails if an answer is wrong.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pyarrow

import gridmill

DATA = Path(__file__).resolve().parents[2] / "data"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzles", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()

    failed = False
    print(f"{'set':<10} {'solver':<30} {'puzzles':>9} {'µs a puzzle':>12}   of the engine alone")
    for name in ("easy", "minimal"):
        originals = (DATA / f"{name}.txt").read_text().split()
        copies = -(-arguments.puzzles // len(originals))
        made = gridmill.augment(gridmill.solve(originals), copies, seed=1).to_arrow().slice(0, arguments.puzzles)
        puzzles, solutions = made["puzzle"].combine_chunks(), made["solution"].to_pylist()
        engine = report_gridmill(name, puzzles, solutions, arguments.runs)
        # All copies of a puzzle are equally hard, so a sample of all originals is enough.
        sample = puzzles[:: max(1, copies // 2)].to_pylist()
        rights = solutions[:: max(1, copies // 2)]
        for package, solve, most in others():
            failed |= report(name, package, solve, sample[:most], rights[:most], engine)
    return int(failed)


def report_gridmill(name: str, puzzles: pyarrow.Array, solutions: list[str], runs: int) -> float:
    """Measures gridmill; returns the seconds of the engine for a puzzle."""
    cells = gridmill.solve(puzzles, columns=["puzzle"]).to_numpy("puzzle")
    solve = functools.partial(gridmill.solve, threads=1)
    stages: dict[str, list[float]] = {}

    def timed(stage: str, run: Callable[..., Any], *arguments: object) -> Any:
        start = time.process_time()
        result = run(*arguments)
        stages.setdefault(stage, []).append(time.process_time() - start)
        return result

    for _ in range(runs):
        table = timed("column to table", solve, puzzles)
        stages.setdefault("engine alone", []).append(table.report.cpu_seconds["engines"])
        solved = timed("table to pyarrow", table.to_arrow)
        table = timed("uint8 array to table", solve, cells)
        array = timed("solutions as array", table.to_numpy, "solution")
        digits = numpy.frombuffer("".join(solutions).encode(), numpy.uint8).reshape(-1, 81) - ord("0")
        if solved["solution"].to_pylist() != solutions or not (array == digits).all():
            sys.exit(f"{name}: gridmill gives a wrong answer")

    engine = statistics.median(stages["engine alone"])
    for stage, seconds in stages.items():
        for what, one in ((f"gridmill, {stage}", statistics.median(seconds)), ("  first run", seconds[0])):
            print(f"{name:<10} {what:<30} {len(puzzles):>9,} {one / len(puzzles) * 1e6:>12.3f}   {one / engine:.2f}")
    return engine / len(puzzles)


def report(
    name: str, package: str, solve: Callable[[str], str], puzzles: list[str], solutions: list[str], engine: float
) -> bool:
    """Measures another package; returns whether an answer is wrong."""
    start = time.process_time()
    answers = [solve(puzzle) for puzzle in puzzles]
    seconds = (time.process_time() - start) / len(puzzles)
    wrong = sum(answer != solution for answer, solution in zip(answers, solutions, strict=True))
    print(f"{name:<10} {package:<30} {len(puzzles):>9,} {seconds * 1e6:>12.3f}   {seconds / engine:,.0f}")
    if wrong:
        print(f"{name}: {package} gives {wrong} wrong answers", file=sys.stderr)
    return wrong > 0


def others() -> list[tuple[str, Callable[[str], str], int]]:
    """The other packages that are installed, each with a function that solves a text and the size of its sample."""
    found: list[tuple[str, Callable[[str], str], int]] = []
    try:
        import rustoku
    except ImportError:
        print("rustoku is not installed", file=sys.stderr)
    else:
        found.append(("rustoku", rustoku.solve, 2000))
    try:
        from sudoku import Sudoku
    except ImportError:
        print("py-sudoku is not installed", file=sys.stderr)
    else:

        def solve(text: str) -> str:
            digits = [int(symbol) if symbol.isdigit() else 0 for symbol in text]
            board: Any = Sudoku(3, 3, board=[digits[start : start + 9] for start in range(0, 81, 9)])
            return "".join(str(value) for row in board.solve().board for value in row)

        found.append(("py-sudoku", solve, 20))
    return found


if __name__ == "__main__":
    sys.exit(main())
