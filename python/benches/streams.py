"""Measures the time for making the batches of streams.

    python benches/streams.py [--puzzles N] [--copies N] [--made N]

Times are CPU time for a puzzle with its solution, medians of five runs, and the ratio to a copy of their bytes. The
sets are the ones in data/, repeated. Fails if a copy is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy

import gridmill
from gridmill import stream

DATA = Path(__file__).resolve().parents[2] / "data"
RUNS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--puzzles", type=int, default=100_000, help="of each set")
    parser.add_argument("--copies", type=int, default=1_000_000, help="of each run")
    parser.add_argument("--made", type=int, default=5_000, help="new puzzles of each run")
    arguments = parser.parse_args()

    print(f"{'set':<10} {'batch':>6} {'stream':<24} {'ns':>9}   of a copy of the bytes")
    for name, size in itertools.product(("4x4", "easy", "16x16"), (64, 512, 8192)):
        texts = (DATA / f"{name}.txt").read_text().split()
        texts = list(itertools.islice(itertools.cycle(texts), arguments.puzzles))
        in_order = stream.augmented(texts, batch_size=size, shuffle=False)
        if not is_right(texts, in_order):
            print(f"{name}: a copy is wrong", file=sys.stderr)
            return 1
        shuffled = stream.augmented(texts, batch_size=size)
        batch = next(iter(in_order))
        copies = (stream.Batch(*map(numpy.array, same)) for same in itertools.repeat(batch))
        copy = measure(copies, arguments.copies)
        for stream_name, batches in (("augmented, in order", in_order), ("augmented", shuffled)):
            nanos = measure(epochs_of(batches), arguments.copies)
            print(f"{name:<10} {size:>6,} {stream_name:<24} {nanos:>9,.1f}   {nanos / copy:.1f}", flush=True)

    for size in (32, 512):
        nanos = measure(iter(stream.generated(batch_size=size)), arguments.made)
        print(f"{'9x9':<10} {size:>6,} {'generated':<24} {nanos:>9,.1f}")
    return 0


def is_right(texts: list[str], batches: Iterable[stream.Batch]) -> bool:
    """Whether the first copies are the same as from `augment`."""
    puzzles = next(iter(batches)).puzzles
    return numpy.array_equal(gridmill.augment(texts[: len(puzzles)], 1).to_numpy("puzzle"), puzzles)


def epochs_of(batches: stream.Augmented) -> Iterator[stream.Batch]:
    """The batches of one epoch after another."""
    for epoch in itertools.count():
        yield from batches.at(epoch=epoch)


def measure(batches: Iterator[stream.Batch], count: int) -> float:
    """The nanoseconds of CPU time for each puzzle of some batches."""
    times = []
    for _ in range(RUNS):
        start, puzzles = time.process_time(), 0
        while puzzles < count:
            puzzles += len(next(batches).puzzles)
        times.append((time.process_time() - start) / puzzles * 1e9)
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
