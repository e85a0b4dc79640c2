"""Measures the time for solving one puzzle that is a `str`, compared with other packages.

    python benches/single.py [FILE...] [--seconds N]

All times are CPU time. The sets are the files or, by default, the sets in data/ whose puzzles have one solution. Every
package solves a random sample of a set, one puzzle after the other, as often as there is time. If there is no time for
all puzzles, it solves as many as possible. Other packages solve 9x9 puzzles only. Fails if an answer is wrong.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from million import others

import gridmill

DATA = Path(__file__).resolve().parents[2] / "data"
SETS = [DATA / f"{name}.txt" for name in ("4x4", "easy", "minimal", "16x16", "25x25")]

FUNCTIONS = (gridmill.count, gridmill.validate, gridmill.canonical, gridmill.rate, gridmill.Puzzle)

ANSWER = "In row 1, the 5 must be in r1c3.\n<answer>\n{}\n</answer>"
"""What a model may answer, with the solution in place of the braces."""

SAMPLE = 1000
"""The number of puzzles of a set."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, default=SETS)
    parser.add_argument("--seconds", type=float, default=2, help="for each set and package")
    arguments = parser.parse_args()
    seconds = arguments.seconds

    failed = False
    print(f"{'set':<20} {'call':<20} {'puzzles':>8} {'µs a call':>12}   of gridmill.solve")
    for file in arguments.files:
        solved = [row for row in gridmill.solve(file.read_text().split()) if row["status"] == "unique"]
        sample = random.Random(1).sample(solved, min(SAMPLE, len(solved)))
        puzzles, solutions = [row["puzzle"] for row in sample], [row["solution"] for row in sample]
        calls = [("gridmill.solve", lambda puzzle: gridmill.solve(puzzle).solution)]
        if all(len(puzzle) == 81 for puzzle in puzzles):
            calls += [(package, solve) for package, solve, _ in others()]
        first = None
        for call, function in calls:
            answers, micros = measure(function, puzzles, seconds)
            first = first or micros
            report(file.stem, call, len(answers), micros, first)
            wrong = sum(answer != solution for answer, solution in zip(answers, solutions, strict=False))
            if wrong:
                print(f"{file.stem}: {call} gives {wrong} wrong answers", file=sys.stderr)
                failed = True
        if file.stem == "easy":
            for function in FUNCTIONS:
                answers, micros = measure(function, puzzles, seconds)
                report(file.stem, f"gridmill.{function.__name__}", len(answers), micros, first)
            texts = {puzzle: ANSWER.format(solution) for puzzle, solution in zip(puzzles, solutions, strict=True)}
            answers, micros = measure(
                lambda puzzle, texts=texts: gridmill.score(puzzle, texts[puzzle]), puzzles, seconds
            )
            report(file.stem, "gridmill.score", len(answers), micros, first)
    return int(failed)


def measure(function: Callable[[str], object], puzzles: list[str], seconds: float) -> tuple[list[object], float]:
    """The answers of as many puzzles as there is time for, and the microseconds of a call."""
    answers = answers_in_time(function, puzzles, seconds)
    if len(answers) < len(puzzles):
        return answers, seconds / max(1, len(answers)) * 1e6
    rounds, start = 0, time.process_time()
    # A clock of CPU time may be too coarse for one round.
    while time.process_time() < start + seconds:
        for puzzle in puzzles:
            function(puzzle)
        rounds += 1
    return answers, (time.process_time() - start) / (rounds * len(puzzles)) * 1e6


def answers_in_time(function: Callable[[str], object], puzzles: list[str], seconds: float) -> list[object]:
    """The answers of the first puzzles; one puzzle may take a slow package minutes."""

    def stop(*_: object) -> None:
        raise TimeoutError

    answers = []
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        for puzzle in puzzles:
            answers.append(function(puzzle))
    except TimeoutError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return answers


def report(name: str, call: str, answered: int, micros: float, of: float) -> None:
    """Prints a row. What has answered no puzzle takes longer than there was time."""
    more = "" if answered else "> "
    print(
        f"{name:<20} {call:<20} {answered:>8,} {more + format(micros, ',.2f'):>12}   {more}{micros / of:,.1f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
