"""Batches for training, without files: copies of puzzles, or new puzzles made during the training, as NumPy arrays.

    >>> from gridmill import stream
    >>> for puzzles, solutions in stream.augmented("train.csv", batch_size=512, seed=1, epochs=3):
    ...     train(puzzles, solutions)

A batch is a function of the data, the options and its number: the same in each run, on each machine, for any number of
processes. Batch `b` goes to the rank `b % world`, and there to the worker `b // world % workers`. So the workers of all
ranks get each batch exactly once, and a loader that asks its workers in turn, like PyTorch's, yields the batches of a
rank in order, however many workers it has.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gridmill import _checks, _gridmill
from gridmill import _options as options_of
from gridmill._inputs import SEVERAL, length_of, puzzles_of, with_cure
from gridmill._options import Place, Share, check, described, takes
from gridmill._progress import watched
from gridmill._reports import AugmentReport, read

if TYPE_CHECKING:
    import numpy
    import torch
    from typing_extensions import Unpack

    from gridmill._inputs import Many

__all__ = ["Augmented", "Batch", "Generated", "augmented", "generated"]

S = TypeVar("S", bound="Stream")

MAX_BATCH = 1 << 24
"""The maximum number of puzzles of a batch: with 9x9 puzzles, it takes 2.7 GB."""


class Batch(NamedTuple):
    """Some puzzles and their solutions: arrays of `uint8` of the shape (n, 81), or with 16, 256 or 625 cells.

    Attributes:
        puzzles: The digits of the cells row by row, 0 for a blank.
        solutions: The digits of the solutions or, if the puzzles have answers, of these.
    """

    puzzles: numpy.ndarray[Any, Any]
    solutions: numpy.ndarray[Any, Any]

    def to_torch(self) -> tuple[torch.Tensor, torch.Tensor]:
        """The same as tensors of torch, without a copy."""
        import torch

        return torch.from_dlpack(self.puzzles), torch.from_dlpack(self.solutions)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Stream:
    """The common part of both streams. Each loop over a stream starts at its first batch. A stream can be pickled.

    Attributes:
        batch_size: The number of puzzles of a batch.
        rank, world, worker, workers, start: They select the batches of this stream.
    """

    batch_size: int
    rank: int = 0
    world: int = 1
    worker: int = 0
    workers: int = 1
    start: int = 0

    def __post_init__(self) -> None:
        """Checks the fields that depend on each other."""
        for name, number, of, count in (
            ("rank", self.rank, "world", self.world),
            ("worker", self.worker, "workers", self.workers),
        ):
            if number >= count:
                raise ValueError(f"{name} must be below {of}, which is {count}, not {number}")

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restores a pickled stream. Checks its fields, as a missing one would silently get its default."""
        if state.keys() != {field.name for field in dataclasses.fields(self)}:
            raise ValueError("the saved stream is damaged: a field is unknown or missing")
        self.__dict__.update(state)
        self.__post_init__()

    def _moved(self: S, place: type, given: dict[str, object]) -> S:
        """The same stream with other options."""
        table = described(place)
        unknown = [name for name in given if name not in table]
        if unknown:
            raise TypeError(f"at() got an unexpected keyword argument '{unknown[0]}'")
        return dataclasses.replace(self, **{name: table[name].checked(name, value) for name, value in given.items()})


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Augmented(Stream):
    """A stream of copies, made by `augmented`. It has the batches of its epochs; `len` is their number.

    Attributes:
        epoch: The number of the first epoch.
        epochs: How many epochs there are.
        shuffle, drop_last: As given to `augmented`.
        report: How many records have copies, and how many were left out; see `AugmentReport`.
    """

    epoch: int
    epochs: int
    shuffle: bool
    drop_last: bool
    report: AugmentReport
    _examples: _gridmill.Examples

    def at(self, **place: Unpack[Place]) -> Augmented:
        """The same stream in another epoch or for another process; the data is not read again.

        Args:
            place: `epoch`, `epochs`, `rank`, `world`, `worker`, `workers` and `start`, as in `augmented`; the rest
                stays as it is.

        Raises:
            TypeError: If an argument has a wrong type.
            ValueError: If an argument has a wrong value.
        """
        return self._moved(Place, dict(place))

    def __len__(self) -> int:
        """The number of batches."""
        return len(self._turns)

    def __iter__(self) -> Iterator[Batch]:
        """The batches, from the first one on."""
        return map(self._batch, self._turns)

    def __repr__(self) -> str:
        """The numbers of puzzles and batches."""
        batches = f"{len(self):,} batches of {self.batch_size:,}"
        return f"gridmill.stream.Augmented of {len(self._examples):,} puzzles: {batches}"

    @property
    def _of_rank(self) -> range:
        """The numbers of the batches that the rank has in each epoch."""
        full, rest = divmod(len(self._examples), self.batch_size)
        total = full - full % self.world if self.drop_last else full + (rest > 0)
        return range(min(self.rank, total), total, self.world)

    @property
    def _turns(self) -> range:
        """Which of the batches of the rank, counted through all epochs, this worker has."""
        total = self.epochs * len(self._of_rank)
        return range(min(self.start + self.worker, total), total, self.workers)

    def _batch(self, turn: int) -> Batch:
        numbers = self._of_rank
        epoch, index = divmod(turn, len(numbers))
        first = numbers[index] * self.batch_size
        count = min(self.batch_size, len(self._examples) - first)
        return _batch_of(self._examples.copies(self.epoch + epoch, first, count, self.shuffle), count)


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Generated(Stream):
    """An endless stream of new puzzles, made by `generated`.

    Attributes:
        options: The options of the puzzles, as given to `generated`.
    """

    options: dict[str, Any]

    def at(self, **place: Unpack[Share]) -> Generated:
        """The same stream for another process.

        Args:
            place: `rank`, `world`, `worker`, `workers` and `start`, as in `generated`; the rest stays as it is.

        Raises:
            TypeError: If an argument has a wrong type.
            ValueError: If an argument has a wrong value.
        """
        return self._moved(Share, dict(place))

    def __iter__(self) -> Iterator[Batch]:
        """The batches, from the first one on."""
        call = check(generated, self.options)
        first = min((self.start + self.worker) * self.world + self.rank, _checks.MAX_INT)
        step = min(self.workers * self.world, _checks.MAX_INT)
        batches = _gridmill.Generator(**call.job).batches(call.settings, first, step, self.batch_size)
        return (_batch_of(cells, self.batch_size) for cells in batches)

    def __repr__(self) -> str:
        """The size of the batches and the options."""
        given = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"gridmill.stream.Generated in batches of {self.batch_size:,}{given}"


@takes(options_of.Augmented)
def augmented(
    puzzles: Many | str | PathLike[str],
    answers: Many | None = None,
    *,
    batch_size: int,
    **options: Unpack[options_of.Augmented],
) -> Augmented:
    """Draws random isomorphs of puzzles and their answers, batch by batch, during the training.

    Copy `k` of a puzzle is the same as in `augment`, for the same seed and number of the record. Epoch `e` has copy
    `e` of each puzzle, counted from 0, in a random order that follows from the seed and the epoch. If a puzzle has
    fewer copies, they start again with the first; a 9x9 puzzle has a trillion. Puzzles without answers are solved. A
    loop goes through all `epochs`, also in workers that stay.

    Args:
        puzzles: The path of a file in any format, or a list, an array or a table, as for `solve`.
        answers: The answers to puzzles that are not a table: as many, in any of the same types.
        batch_size: The number of puzzles of a batch, up to 16,777,216; the last one of an epoch may have fewer.

    Returns:
        An object to loop over. It leaves out malformed records, puzzles with neither an answer nor exactly one
        solution, and puzzles with a wrong answer. A warning tells so, and `report` has their numbers.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, no record is left, or puzzles have several sizes.
        OSError: If the file cannot be read.
    """
    size = _checks.integer(1, MAX_BATCH)("batch_size", batch_size)
    call = check(augmented, options)
    progress = {"progress": call.run.pop("progress")}
    if isinstance(puzzles, str | PathLike):
        if answers is not None:
            raise ValueError("answers are for puzzles in memory; of a file, name the column with answer_column")
        data: object = _checks.path("puzzles", puzzles)
    else:
        data = puzzles_of("puzzles", puzzles, f"the path of a file, {SEVERAL}")
    beside = None if answers is None else puzzles_of("answers", answers)
    with watched(progress, None if isinstance(data, PathLike) else length_of(puzzles)), with_cure(puzzles):
        examples, text = _gridmill.Examples.read(data, call.settings, answers=beside, **call.job, **progress)

    report = read(AugmentReport, text)
    left_out = {
        "no puzzles": report.malformed,
        "without an answer": report.unanswered,
        "with a wrong answer": report.wrong_answers,
    }
    if any(left_out.values()):
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in left_out.items() if count)
        warnings.warn(f"{sum(left_out.values()):,} records are left out: {reasons}", stacklevel=2)
    return Augmented(batch_size=size, report=report, _examples=examples, **call.run)


@takes(options_of.Generated)
def generated(*, batch_size: int, **options: Unpack[options_of.Generated]) -> Generated:
    """Makes endlessly many new puzzles with exactly one solution, on a thread that works some batches ahead.

    The puzzles are the same as those from `generate` with the same options: batch `b` has the puzzles from number
    `b * batch_size` on. The thread starts when the first batch is taken, and ends with the loop.

    Args:
        batch_size: The number of puzzles of a batch, up to 16,777,216.

    Returns:
        An object to loop over.

    Raises:
        TypeError: If an argument has a wrong type.
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
    """
    size = _checks.integer(1, MAX_BATCH)("batch_size", batch_size)
    call = check(generated, options)
    _gridmill.Generator(**call.job).check(call.settings)
    given = {name: value for name, value in options.items() if name not in call.run}
    return Generated(batch_size=size, options=given, **call.run)


def _batch_of(cells: bytearray, count: int) -> Batch:
    """The arrays of a batch, which share its memory."""
    import numpy

    puzzles, solutions = numpy.frombuffer(cells, dtype=numpy.uint8).reshape(2, count, len(cells) // (2 * count))
    return Batch(puzzles, solutions)
