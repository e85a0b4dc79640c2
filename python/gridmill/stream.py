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
import hashlib
import itertools
import math
import warnings
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from gridmill import _checks, _gridmill
from gridmill import _options as options_of
from gridmill._functions import generate
from gridmill._inputs import SEVERAL, length_of, puzzles_of, with_cure
from gridmill._options import Place, Share, check, described, takes
from gridmill._progress import watched
from gridmill._reports import AugmentReport, read
from gridmill._table import Table

if TYPE_CHECKING:
    import numpy
    import torch
    from typing_extensions import Unpack

    from gridmill._inputs import Many

__all__ = ["Augmented", "Batch", "Generated", "KeptBatch", "Mixed", "augmented", "generated", "mixed"]

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
        from torch.utils.dlpack import from_dlpack

        return from_dlpack(self.puzzles), from_dlpack(self.solutions)


class KeptBatch(NamedTuple):
    """A batch with the values of further columns.

    Attributes:
        puzzles, solutions: As in `Batch`.
        columns: By the name of each column, an array of the shape (n,).
    """

    puzzles: numpy.ndarray[Any, Any]
    solutions: numpy.ndarray[Any, Any]
    columns: dict[str, numpy.ndarray[Any, Any]]


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
        _check_share(self)

    def __setstate__(self, state: dict[str, object]) -> None:
        """Restores a pickled stream. Checks its fields, as a missing one would silently get its default."""
        if state.keys() != {field.name for field in dataclasses.fields(self)}:
            raise ValueError("the saved stream is damaged: a field is unknown or missing")
        self.__dict__.update(state)
        self.__post_init__()

    def _moved(self: S, place: type, given: dict[str, object]) -> S:
        """The same stream with other options."""
        return dataclasses.replace(self, **_checked(place, given))


def _checked(place: type, given: dict[str, object]) -> dict[str, Any]:
    """The options of a call of `at`, checked."""
    table = described(place)
    unknown = [name for name in given if name not in table]
    if unknown:
        raise TypeError(f"at() got an unexpected keyword argument '{unknown[0]}'")
    return {name: table[name].checked(name, value) for name, value in given.items()}


def _check_share(place: Stream | Mixed) -> None:
    """Checks that a rank and a worker are among all of them."""
    for name, number, of, count in (
        ("rank", place.rank, "world", place.world),
        ("worker", place.worker, "workers", place.workers),
    ):
        if number >= count:
            raise ValueError(f"{name} must be below {of}, which is {count}, not {number}")


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
    _columns: dict[str, numpy.ndarray[Any, Any]] = dataclasses.field(default_factory=dict, compare=False)

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

    def __iter__(self) -> Iterator[Any]:
        """The batches, from the first one on: each is a `Batch` or, with `keep`, a `KeptBatch`."""
        return map(self._batch, self._turns)

    def __getitem__(self, index: int) -> Any:
        """A batch by its number in this stream, for loaders that ask for items.

        Raises:
            IndexError: If the stream has no batch with this number.
        """
        return self._batch(self._turns[index])

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

    def _batch(self, turn: int) -> Batch | KeptBatch:
        numbers = self._of_rank
        epoch, index = divmod(turn, len(numbers))
        first = numbers[index] * self.batch_size
        count = min(self.batch_size, len(self._examples) - first)
        place = (self.epoch + epoch, first, count, self.shuffle)
        batch = _batch_of(self._examples.copies(*place), count)
        if not self._columns:
            return batch
        rows = _integers(self._examples.indices(*place))
        return KeptBatch(*batch, {name: values[rows] for name, values in self._columns.items()})


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Generated(Stream):
    """A stream of new puzzles, made by `generated`. It is endless, or `len` is the number of its batches.

    Attributes:
        options: The options of the puzzles, as given to `generated`.
        keep: The columns of a batch.
        batches: The number of batches of all ranks; `None` if it is endless.
    """

    options: dict[str, Any]
    keep: list[str] = dataclasses.field(default_factory=list)
    batches: int | None = None

    def at(self, **place: Unpack[Share]) -> Generated:
        """The same stream for another process.

        Args:
            place: `rank`, `world`, `worker`, `workers` and `start`, as in `generated`; the rest stays as it is.

        Raises:
            TypeError: If an argument has a wrong type.
            ValueError: If an argument has a wrong value.
        """
        return self._moved(Share, dict(place))

    def __len__(self) -> int:
        """The number of batches.

        Raises:
            TypeError: If the stream is endless.
        """
        if self.batches is None:
            raise TypeError("an endless stream has no length: pass batches")
        return len(self._turns)

    def __getitem__(self, index: int) -> Any:
        """A batch by its number in this stream, for loaders that ask for items. It is made when it is taken.

        Raises:
            IndexError: If the stream has no batch with this number.
        """
        return self._batch(self._turns[index])

    def __iter__(self) -> Iterator[Any]:
        """The batches, from the first one on: each is a `Batch` or, with `keep`, a `KeptBatch`."""
        numbers = self._turns
        if self.keep:
            return map(self._batch, numbers)
        call = check(generated, self.options)
        maker = _gridmill.Generator(**call.job)
        batches = maker.batches(call.settings, numbers.start, numbers.step, self.batch_size)
        return (_batch_of(cells, self.batch_size) for _, cells in zip(numbers, batches, strict=False))

    @property
    def _turns(self) -> range:
        """The numbers of the batches."""
        first = min((self.start + self.worker) * self.world + self.rank, _checks.MAX_INT)
        step = min(self.workers * self.world, _checks.MAX_INT)
        last = _checks.MAX_INT // self.batch_size
        return range(first, last if self.batches is None else min(last, self.batches), step)

    def _batch(self, number: int) -> Batch | KeptBatch:
        """A batch that is made at once."""
        table = generate(self.batch_size, skip=number * self.batch_size, **self._options)
        puzzles, solutions, *columns = (table.to_numpy(name) for name in table.columns)
        kept = dict(zip(self.keep, columns, strict=True))
        return KeptBatch(puzzles, solutions, kept) if kept else Batch(puzzles, solutions)

    @property
    def _options(self) -> dict[str, Any]:
        """The options of `generate` for a batch with columns."""
        fixed = {"columns": ["puzzle", "solution", *self.keep], "with_solution": True, "threads": 1, "progress": False}
        return fixed | self.options

    def __repr__(self) -> str:
        """The size of the batches and the options."""
        shown = self.options | ({"keep": self.keep} if self.keep else {})
        given = "".join(f", {name}={value!r}" for name, value in shown.items())
        return f"gridmill.stream.Generated in batches of {self.batch_size:,}{given}"


@dataclasses.dataclass(kw_only=True)
class Mixed:
    """A mixture of streams, made by `mixed`.

    A loop goes on where the last one stopped. The stream of the next batch follows from the seed, the numbers of
    batches that were taken, and the weights, which may be set while a loop runs. A run that is resumed with the same
    `taken` and `weights` goes on in the same way, with any number of workers.

    Attributes:
        streams: The streams by their names.
        weights: Their weights.
        taken: The number of batches of each that this rank has taken.
        seed: As given to `mixed`.
        rank, world, worker, workers: As in a stream.
    """

    streams: dict[str, Augmented | Generated]
    weights: dict[str, float]
    taken: dict[str, int]
    seed: int = 0
    rank: int = 0
    world: int = 1
    worker: int = 0
    workers: int = 1

    def __post_init__(self) -> None:
        """Checks the fields that depend on each other."""
        _check_share(self)

    def at(self, **place: Unpack[Share]) -> Mixed:
        """The same mixture for another process; it has its own weights.

        Args:
            place: `rank`, `world`, `worker`, `workers` and `start`, as in `mixed`; the rest stays as it is.

        Raises:
            TypeError: If an argument has a wrong type.
            ValueError: If an argument has a wrong value.
        """
        given = _checked(Share, dict(place))
        start = given.pop("start", 0)
        moved = dataclasses.replace(self, weights=dict(self.weights), taken=dict(self.taken), **given)
        for _ in range(start):
            moved.taken[moved._drawn()] += 1
        return moved

    def __iter__(self) -> Iterator[KeptBatch]:
        """The batches, until the stream of the next one has ended."""
        import numpy

        place: Share = {"rank": self.rank, "world": self.world, "worker": 0, "workers": 1}
        own = {name: stream.at(**place) for name, stream in self.streams.items()}
        ends = {name: len(stream) for name, stream in own.items() if getattr(stream, "batches", 0) is not None}
        loops: dict[str, tuple[int, Iterator[Any]]] = {}
        for turn in itertools.count():
            name = self._drawn()
            number = self.taken[name]
            if number >= ends.get(name, math.inf):
                return
            self.taken[name] += 1
            # The other workers have the turns between.
            if turn % self.workers != self.worker:
                continue
            stream = own[name]
            if isinstance(stream, Augmented) or self.workers > 1:
                # The next batch of the stream may be another worker's, so none is made ahead.
                batch: Any = stream._batch(stream._turns[number])
            else:
                next_number, loop = loops.get(name, (-1, iter(())))
                if next_number != number:
                    loop = iter(stream.at(start=stream.start + number))
                batch = next(loop)
                loops[name] = (number + 1, loop)
            puzzles, solutions, *columns = batch
            source = numpy.full(len(puzzles), name, dtype=object)
            yield KeptBatch(puzzles, solutions, {**(columns[0] if columns else {}), "source": source})

    def _drawn(self) -> str:
        """The name of the next stream."""
        turn = sum(self.taken.values())
        digest = hashlib.sha256(f"{self.seed}:{turn}".encode()).digest()
        place = int.from_bytes(digest[:8], "big") / 2**64 * sum(self.weights.values())
        for name, weight in self.weights.items():
            place -= weight
            if place < 0:
                return name
        raise ValueError(f"the weights {self.weights} have no sum above 0")


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
    `e` of each puzzle, counted from 0, in a random order that follows from the seed and the epoch. Only `augment` draws
    again where a copy repeats an earlier one or the puzzle, which 9x9 puzzles, with a trillion isomorphs, hardly ever
    do. Puzzles without answers are solved. A loop goes through all `epochs`, also in workers that stay.

    Args:
        puzzles: The path of a file in any format, or a list, an array or a table, as for `solve`.
        answers: The answers to puzzles that are not a table: as many, in any of the same types.
        batch_size: The number of puzzles of a batch, up to 16,777,216; the last one of an epoch may have fewer.

    Returns:
        An object to loop over. It leaves out malformed records, puzzles with neither an answer nor exactly one
        solution, and puzzles with a wrong answer. A warning tells so, and `report` has their numbers.

    Raises:
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
        if isinstance(data, _gridmill.BatchIterator) and options.get("keep"):
            raise TypeError("keep needs data that can be read twice: a file, or a table in memory")
    beside = None if answers is None else puzzles_of("answers", answers)
    with watched(progress, None if isinstance(data, PathLike) else length_of(puzzles)), with_cure(puzzles):
        examples, text, kept = _gridmill.Examples.read(data, call.settings, answers=beside, **call.job, **progress)

    columns = {}
    if kept is not None:
        records = _integers(examples.numbers()) - 1
        columns = {name: Table(kept).to_numpy(name)[records] for name in Table(kept).columns[1:]}
    report = read(AugmentReport, text)
    left_out = {
        "no puzzles": report.malformed,
        "without an answer": report.unanswered,
        "with a wrong answer": report.wrong_answers,
    }
    if any(left_out.values()):
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in left_out.items() if count)
        warnings.warn(f"{sum(left_out.values()):,} records are left out: {reasons}", stacklevel=2)
    return Augmented(batch_size=size, report=report, _examples=examples, _columns=columns, **call.run)


@takes(options_of.Generated)
def generated(*, batch_size: int, **options: Unpack[options_of.Generated]) -> Generated:
    """Makes new puzzles with exactly one solution, endlessly many if `batches` is not given.

    The puzzles are the same as those from `generate` with the same options: batch `b` has the puzzles from number
    `b * batch_size` on. Without `keep`, a thread works some batches ahead: it starts when the first batch is taken, and
    ends with the loop. With `keep`, a batch is made when it is taken.

    Args:
        batch_size: The number of puzzles of a batch, up to 16,777,216.

    Returns:
        An object to loop over.

    Raises:
        ValueError: If an argument has a wrong value, or no puzzle has so few clues.
    """
    size = _checks.integer(1, MAX_BATCH)("batch_size", batch_size)
    call = check(generated, options)
    given = {name: value for name, value in options.items() if name not in call.run}
    # An iterator ends, and a file may change.
    given |= {name: call.job[name] for name in ("pattern", "technique") if name in given}
    stream = Generated(batch_size=size, options=given, **call.run)
    call = check(generate, stream._options)
    _gridmill.Generator(**call.job).check(call.settings)
    return stream


@takes(options_of.Mixed)
def mixed(streams: Mapping[str, Augmented | Generated], **options: Unpack[options_of.Mixed]) -> Mixed:
    """Mixes streams: each batch comes from one of them, which is drawn by weights.

    Args:
        streams: The streams by their names.

    Returns:
        An object to loop over. Each batch is a `KeptBatch`, and `columns["source"]` has the name of its stream.

    Raises:
        ValueError: If an argument has a wrong value, or a name that is not the name of a stream.
    """
    call = check(mixed, options)
    for name, stream in streams.items():
        if not isinstance(stream, Stream):
            raise TypeError(f"streams[{name!r}] must be a stream, not {_checks.kind_of(stream)}")
    weights, taken, start = (call.run.pop(name) for name in ("weights", "taken", "start"))
    for name in [*(weights or {}), *(taken or {})]:
        if name not in streams:
            raise ValueError(f"no stream is called {name!r}; there are {', '.join(streams)}")
    weights = dict.fromkeys(streams, 1.0) if weights is None else weights
    taken = dict.fromkeys(streams, 0) | (taken or {})
    return Mixed(streams=dict(streams), weights=weights, taken=taken, **call.run).at(start=start)


def _integers(values: bytes) -> numpy.ndarray[Any, Any]:
    """Integers of eight bytes as an array."""
    import numpy

    return numpy.frombuffer(values, dtype=numpy.int64)


def _batch_of(cells: bytearray, count: int) -> Batch:
    """The arrays of a batch, which share its memory."""
    import numpy

    puzzles, solutions = numpy.frombuffer(cells, dtype=numpy.uint8).reshape(2, count, len(cells) // (2 * count))
    return Batch(puzzles, solutions)
