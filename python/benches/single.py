"""Measures what it costs to solve one puzzle that is given as a `str`, beside other packages.

    python benches/single.py [--seconds N]

Every package solves the puzzles of a set one after another, as often as there is time; the best round counts. Fails if
an answer is wrong. Only gridmill is asked for 25x25, the hardest set, and for more than the solution.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from million import others

import gridmill

DATA = Path(__file__).resolve().parents[2] / "data"

FUNCTIONS = (gridmill.count, gridmill.validate, gridmill.canonical, gridmill.rate, gridmill.Puzzle)

SAMPLE = 1000
"""The number of puzzles of a set."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=2, help="for each set and package")
    seconds = parser.parse_args().seconds

    failed = False
    print(f"{'set':<10} {'call':<24} {'puzzles':>8} {'µs a call':>12}")
    for name in ("easy", "minimal", "25x25"):
        puzzles = (DATA / f"{name}.txt").read_text().split()[:SAMPLE]
        solutions = gridmill.solve(puzzles).to_list("solution")
        failed |= measure(
            name, "gridmill.solve", lambda puzzle: gridmill.solve(puzzle).solution, puzzles, seconds, solutions
        )
        for package, solve, most in others() if name != "25x25" else []:
            failed |= measure(name, package, solve, puzzles[:most], seconds, solutions)
    easy = (DATA / "easy.txt").read_text().split()[:SAMPLE]
    for function in FUNCTIONS:
        measure("easy", f"gridmill.{function.__name__}", function, easy, seconds)
    return int(failed)


def measure(
    name: str,
    call: str,
    function: Callable[[str], object],
    puzzles: list[str],
    seconds: float,
    solutions: list[object] | None = None,
) -> bool:
    """Measures calls of a function; returns whether any of its answers is wrong."""
    end, times, answers = time.monotonic() + seconds, [], []
    while not times or time.monotonic() < end:
        start = time.perf_counter()
        answers = [function(puzzle) for puzzle in puzzles]
        times.append(time.perf_counter() - start)
    print(f"{name:<10} {call:<24} {len(puzzles):>8,} {min(times) / len(puzzles) * 1e6:>12.2f}", flush=True)
    wrong = sum(answer != solution for answer, solution in zip(answers, solutions or answers, strict=False))
    if wrong:
        print(f"{name}: {call} gives {wrong} wrong answers", file=sys.stderr)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
