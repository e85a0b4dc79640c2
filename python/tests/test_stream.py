"""Streams have the copies of `augment` and the puzzles of `generate`, however they are shared and resumed."""

from __future__ import annotations

import csv
import itertools
import multiprocessing
import pickle
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pyarrow
import pytest
from conftest import blocks, output_after_ctrl_c, start_python

import gridmill
from gridmill import stream

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["digits", "rows", "columns", "bands", "stacks", "transpose"]
Grids = list[tuple[bytes, bytes]]


def grids_of(batches: Any) -> Grids:
    """The puzzles of batches, each with its solution."""
    return [
        (puzzle.tobytes(), solution.tobytes())
        for puzzles, solutions in batches
        for puzzle, solution in zip(puzzles, solutions, strict=True)
    ]


def rows_of(table: gridmill.Table) -> Grids:
    """The same of the rows of a table."""
    return grids_of([(table.to_numpy("puzzle"), table.to_numpy("solution"))])


@pytest.fixture(scope="module")
def solved() -> gridmill.Table:
    """Puzzles with their solutions."""
    puzzles = [
        *(ROOT / "data/easy.txt").read_text().split()[:60],
        *(ROOT / "data/minimal.txt").read_text().split()[:40],
    ]
    return gridmill.solve(puzzles, columns=["puzzle", "solution"])


@pytest.fixture(scope="module")
def examples(solved: gridmill.Table) -> stream.Augmented:
    """A hundred puzzles in batches of seven."""
    return stream.augmented(solved, batch_size=7, seed=5)


@pytest.mark.parametrize("name", ["easy", "minimal", "16x16", "25x25"])
@pytest.mark.parametrize("kind", [(), ("digits", "transpose"), ("rows", "columns", "stacks")], ids=str)
def test_an_epoch_has_the_copies_of_augment(name: str, kind: tuple[str, ...]) -> None:
    texts = (ROOT / f"data/{name}.txt").read_text().split()[:40]
    table = gridmill.solve(texts, max_branches=10_000)
    known = pyarrow.table(table).filter(pyarrow.array([row["status"] == "unique" for row in table]))
    copies = gridmill.augment(known, 3, seed=9, kind=kind)
    one = stream.augmented(known, batch_size=6, seed=9, kind=kind, shuffle=False)
    assert len(copies) == 3 * known.num_rows > 0
    assert rows_of(copies) == [
        grids for three in zip(*(grids_of(one.at(epoch=epoch)) for epoch in range(3)), strict=True) for grids in three
    ]


def test_the_command_line_writes_the_same_copies(cli: Path, solved: gridmill.Table, tmp_path: Path) -> None:
    rows = [[row["puzzle"], row["solution"]] for row in solved[:30]]
    rows[3][0] = rows[3][0][:80]
    rows[5][1] = rows[6][1]
    rows[8][1] = ""
    source, made = tmp_path / "train.csv", tmp_path / "copies.csv"
    with source.open("w", newline="") as file:
        csv.writer(file).writerows([["question", "answer"], *rows])
    subprocess.run([cli, "augment", "-q", source, "--copies", "2", "--seed", "3", "-o", made], check=True)
    copies = rows_of(gridmill.read_csv(made))

    left_out = "3 records are left out: 1 no puzzles, 1 without an answer, 1 with a wrong answer"
    for data in (source, str(source), gridmill.read_csv(source)):
        with pytest.warns(UserWarning, match=left_out):
            ours = stream.augmented(data, batch_size=10, seed=3, shuffle=False)
        assert (ours.report.puzzles, ours.report.malformed) == (27, 1)
        assert grids_of(ours) == copies[::2]
        assert grids_of(ours.at(epoch=1)) == copies[1::2]
    assert rows_of(gridmill.augment(gridmill.read_csv(source), 2, seed=3)) == copies


def test_all_inputs_give_the_same_copies(solved: gridmill.Table, examples: stream.Augmented, tmp_path: Path) -> None:
    texts, answers = solved["puzzle"], solved["solution"]
    arrays = solved.to_numpy("puzzle"), solved.to_numpy("solution")
    numpy.save(tmp_path / "puzzles.npy", arrays[0])
    expected = grids_of(examples)
    for data in (
        (pyarrow.table(solved),),
        (solved.to_pandas(),),
        (solved.to_polars(),),
        (texts, answers),
        (tuple(texts), numpy.array(answers)),
        arrays,
        (arrays[0].reshape(-1, 9, 9) + 1, arrays[1]),
        # Those without answers are solved.
        (texts,),
        (arrays[0],),
        (tmp_path / "puzzles.npy",),
    ):
        assert grids_of(stream.augmented(*data, batch_size=100, seed=5)) == expected


def test_arrays_belong_to_the_caller(examples: stream.Augmented) -> None:
    puzzles, solutions = batch = next(iter(examples))
    assert isinstance(batch, stream.Batch)
    for array in batch:
        assert (array.shape, array.dtype) == ((7, 81), numpy.uint8)
        assert array.flags.writeable
        assert array.flags.c_contiguous
    assert ((puzzles == 0) | (puzzles == solutions)).all()
    puzzles[:] = 0
    assert next(iter(examples)).puzzles.any()


def test_epochs_and_seeds_have_other_orders_of_other_copies(solved: gridmill.Table, examples: stream.Augmented) -> None:
    plain = stream.augmented(solved, batch_size=50, seed=5, shuffle=False)
    orders = []
    for epoch in range(20):
        shuffled, in_order = grids_of(examples.at(epoch=epoch)), grids_of(plain.at(epoch=epoch))
        assert sorted(shuffled) == sorted(in_order)
        orders.append([in_order.index(grids) for grids in shuffled])
    # The positions of a record over the epochs are spread: their mean is far from both ends.
    assert len({tuple(order) for order in orders}) == 20
    firsts = [order[0] for order in orders]
    assert 20 < sum(firsts) / 20 < 80
    other = grids_of(stream.augmented(solved, batch_size=50, seed=6))
    assert not set(other) & set(grids_of(examples))


def test_few_isomorphs_repeat() -> None:
    grid = "1234341221434321"
    table = gridmill.solve([grid])
    isomorphs = {*rows_of(gridmill.augment(table, 1000, seed=2, original=True))}
    assert 10 < len(isomorphs) < 1000
    one = stream.augmented([grid], batch_size=1, seed=2)
    assert {grids_of(one.at(epoch=epoch))[0] for epoch in range(20 * len(isomorphs))} == isomorphs


@pytest.mark.parametrize(("world", "workers"), [(1, 1), (1, 3), (2, 1), (3, 2), (4, 5)])
@pytest.mark.parametrize("start", [0, 2])
def test_shares_have_each_batch_once(examples: stream.Augmented, world: int, workers: int, start: int) -> None:
    every = [grids_of([batch]) for batch in examples.at(epoch=4)]
    assert [len(batch) for batch in every] == [7] * 14 + [2]
    ranks = []
    for rank in range(world):
        shares = [
            examples.at(epoch=4, rank=rank, world=world, worker=worker, workers=workers, start=start)
            for worker in range(workers)
        ]
        assert [len(share) for share in shares] == [len(list(share)) for share in shares]
        ranks.append(in_turn(shares))
    # The batches of all ranks, step by step, are the batches of the epoch in order.
    steps = itertools.zip_longest(*ranks, fillvalue=None)
    assert [batch for step in steps for batch in step if batch is not None] == every[start * world :]


def in_turn(shares: list[Any]) -> list[Grids]:
    """The batches of workers, one of each in turn, as a loader asks for them."""
    turns = itertools.zip_longest(*([grids_of([batch]) for batch in share] for share in shares), fillvalue=None)
    return [batch for turn in turns for batch in turn if batch is not None]


def test_ranks_may_have_as_many_full_batches(solved: gridmill.Table, examples: stream.Augmented) -> None:
    equal = stream.augmented(solved, batch_size=7, seed=5, drop_last=True)
    assert [len(equal.at(rank=rank, world=4)) for rank in range(4)] == [3, 3, 3, 3]
    assert [len(examples.at(rank=rank, world=4)) for rank in range(4)] == [4, 4, 4, 3]
    assert {len(batch.puzzles) for batch in equal} == {7}
    assert len(stream.augmented(solved, batch_size=101, drop_last=True)) == 0
    assert len(equal.at(start=10**19 // 2)) == 0


def test_a_stream_can_be_pickled(examples: stream.Augmented) -> None:
    place = examples.at(epoch=3, rank=1, world=2, start=2)
    again = pickle.loads(pickle.dumps(place))
    assert again == dataclass_without(place, again)
    assert grids_of(again) == grids_of(place)
    small = stream.augmented(["1.3..........4.2", "1234341221434321"], batch_size=2, kind=["digits", "rows"], seed=3)
    assert grids_of(pickle.loads(pickle.dumps(small)).at(epoch=7)) == grids_of(small.at(epoch=7))
    made = stream.generated(batch_size=3, seed=4, size="4x4").at(rank=1, world=3)
    assert pickle.loads(pickle.dumps(made)) == made


def test_a_damaged_stream_is_refused(examples: stream.Augmented) -> None:
    saved = pickle.dumps(examples.at(rank=1, world=2))
    for name in ("rank", "start", "shuffle"):
        damaged = saved.replace(name.encode(), b"x" * len(name))
        assert damaged != saved
        with pytest.raises(ValueError, match="the saved stream is damaged"):
            pickle.loads(damaged)
    make, (size, seed, kind, lines, cells, sha256) = examples._examples.__reduce__()
    for state in (
        (size, seed + 1, kind, lines, cells),
        (size, seed, kind, lines[8:], cells),
        (size, seed, kind, lines, cells[1:] + cells[:1]),
    ):
        with pytest.raises(ValueError, match="do not have their checksum"):
            make(*state, sha256)


def dataclass_without(place: stream.Augmented, other: stream.Augmented) -> stream.Augmented:
    """A stream with the puzzles of another one."""
    import dataclasses

    return dataclasses.replace(place, _examples=other._examples)


def share_of(part: tuple[Any, int]) -> list[Grids]:
    """The first batches of a stream in another process."""
    share, count = part
    return [grids_of([batch]) for batch in itertools.islice(share, count)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_share_a_stream(examples: stream.Augmented, method: str) -> None:
    made = stream.generated(batch_size=5, seed=1)
    # The thread of this process is missing in those that are forked.
    before = iter(made)
    next(before)
    with multiprocessing.get_context(method).Pool(3) as pool:
        for whole, count in ((examples, 15), (made, 6)):
            alone = share_of((whole, count))
            parts = [(whole.at(worker=worker, workers=3), count // 3) for worker in range(3)]
            assert [batch for turn in zip(*pool.map(share_of, parts), strict=True) for batch in turn] == alone


def test_a_loop_goes_on_in_a_process_that_is_forked() -> None:
    batches = iter(stream.generated(batch_size=5, seed=1))
    first = next(batches)
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)

    def child() -> None:
        sender.send([batch.puzzles for batch in itertools.islice(batches, 3)])

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    theirs = receiver.recv()
    process.join(60)
    assert process.exitcode == 0
    ours = [batch.puzzles for batch in itertools.islice(batches, 3)]
    assert numpy.array_equal(theirs, ours)
    assert not numpy.array_equal(first.puzzles, ours[0])


RECIPES = dict(blocks("models.md", "python"))


class LikeTorch(types.ModuleType):
    """The protocol of `torch.utils.data`, with workers that are asked in turn, one after another in this process."""

    IterableDataset = object
    info: Any = None

    def get_worker_info(self) -> Any:
        return self.info

    def DataLoader(self, dataset: Any, *, batch_size: None, num_workers: int = 0) -> Iterator[Any]:  # noqa: N802
        loops = []
        for worker in range(num_workers):
            self.info = types.SimpleNamespace(id=worker, num_workers=num_workers)
            loops.append(iter(dataset))
        self.info = None
        turns = itertools.zip_longest(*loops or [iter(dataset)])
        return (batch for turn in turns for batch in turn if batch is not None)


@pytest.fixture
def torch_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that loaders import: torch if it is installed, otherwise one with the same protocol."""
    try:
        import torch  # noqa: F401
    except ImportError:
        like = LikeTorch("torch.utils.data")
        for name, module in {"torch": like, "torch.utils": like, "torch.utils.data": like}.items():
            monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("torch_data")
@pytest.mark.parametrize("title", ["Streams", "PyTorch", "New puzzles"])
def test_the_recipes_train(title: str, solved: gridmill.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Path("train.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["puzzle", "solution"], *([row["puzzle"], row["solution"]] for row in solved)])
    trained: list[Any] = []
    exec(RECIPES[title], {"train": lambda *batch: trained.append([numpy.asarray(grids) for grids in batch])})

    file_of = stream.augmented("train.csv", batch_size=512, seed=1)
    all_epochs = [batch for epoch in range(3) for batch in file_of.at(epoch=epoch)]
    expected: dict[str, Any] = {
        "Streams": all_epochs,
        "PyTorch": all_epochs,
        "New puzzles": itertools.islice(stream.generated(batch_size=64, seed=1, level="medium", symmetry="rot180"), 5),
    }
    assert len(RECIPES[title].splitlines()) <= 15
    assert grids_of(trained) == grids_of(expected[title])


@pytest.mark.usefixtures("torch_data")
@pytest.mark.parametrize("workers", [0, 1, 3])
def test_a_loader_of_torch_has_the_batches_in_order(examples: stream.Augmented, workers: int) -> None:
    names: dict[str, Any] = {}
    exec(RECIPES["PyTorch"].split("data = ")[0], names)
    for batches, count in ((examples, 15), (stream.generated(batch_size=5, seed=1), 7)):
        loader = names["DataLoader"](names["Batches"](batches), batch_size=None, num_workers=workers)
        loaded = itertools.islice(loader, count)
        found = [[numpy.asarray(grids) for grids in batch] for batch in loaded]
        assert grids_of(found) == grids_of(itertools.islice(batches, count))


@pytest.mark.parametrize("workers", [0, 1, 2])
@pytest.mark.parametrize("start", [0, 4, 20])
def test_a_loop_goes_through_all_epochs(examples: stream.Augmented, workers: int, start: int) -> None:
    expected = [grids_of([batch]) for epoch in range(2, 5) for batch in examples.at(epoch=epoch)]
    assert len({str(batch) for batch in expected}) == 45
    # Workers that persist have a copy of the stream, which is made once.
    whole = examples.at(epoch=2, epochs=3, start=start)
    shares = [pickle.loads(pickle.dumps(whole.at(worker=worker, workers=workers))) for worker in range(workers)]
    assert len(whole) == 45 - start
    assert in_turn(shares or [whole]) == expected[start:]
    ranks = [in_turn([whole.at(rank=rank, world=2, start=0)]) for rank in range(2)]
    assert [batch for turn in itertools.zip_longest(*(rank[:8] for rank in ranks)) for batch in turn][:15] == expected[
        :15
    ]
    assert sorted(map(str, ranks[0] + ranks[1])) == sorted(map(str, expected))


MADE: list[dict[str, Any]] = [
    {},
    {"size": "4x4", "clues": 6},
    {"level": "hard", "symmetry": "rot180"},
    {"clues": "30..34", "max_er": 2.0},
    {"pattern": "xxxx....xxxx...."},
    {"technique": ["x-wing"], "minimal": True},
]


@pytest.mark.parametrize("options", MADE, ids=str)
def test_puzzles_are_those_of_generate(options: dict[str, Any]) -> None:
    made = stream.generated(batch_size=4, seed=11, **options)
    expected = rows_of(gridmill.generate(20, seed=11, with_solution=True, **options))
    assert grids_of(itertools.islice(made, 5)) == expected
    assert grids_of(itertools.islice(made.at(start=3), 2)) == expected[12:]
    share = made.at(rank=1, world=2, worker=0, workers=2)
    assert grids_of(itertools.islice(share, 2)) == [*expected[4:8], *rows_of(slice_of(options, 20, 4))]


def test_arguments_are_read_once(tmp_path: Path) -> None:
    made = stream.generated(batch_size=2, seed=11, technique=iter(["x-wing"]))
    pattern = tmp_path / "pattern"
    pattern.write_text("xxxx....xxxx....")
    in_pattern = stream.generated(batch_size=2, seed=11, pattern=pattern)
    pattern.unlink()
    for batches, options in ((made, {"technique": "x-wing"}), (in_pattern, {"pattern": "xxxx....xxxx...."})):
        expected = rows_of(gridmill.generate(4, seed=11, with_solution=True, **options))
        assert grids_of(itertools.islice(batches, 2)) == expected
        assert grids_of(itertools.islice(batches, 2)) == expected


def slice_of(options: dict[str, Any], skip: int, count: int) -> gridmill.Table:
    return gridmill.generate(count, seed=11, skip=skip, with_solution=True, **options)


def test_batches_are_items(examples: stream.Augmented) -> None:
    made = stream.generated(batch_size=4, seed=11, batches=5)
    assert (len(made), len(made.at(rank=1, world=2))) == (5, 2)
    for batches in (examples.at(epochs=2), made, made.at(rank=1, world=2), examples.at(rank=1, world=2, start=3)):
        expected = [grids_of([batch]) for batch in batches]
        assert [grids_of([batches[number]]) for number in range(len(batches))] == expected
        assert grids_of([batches[-1]]) == expected[-1]
        with pytest.raises(IndexError):
            batches[len(batches)]
    endless = stream.generated(batch_size=4, seed=11, keep=["clues"])
    assert endless[4].columns["clues"].shape == (4,)
    assert grids_of([endless[4][:2]]) == grids_of([made[4]])
    with pytest.raises(TypeError, match="an endless stream has no length: pass batches"):
        len(endless)
    mixture = stream.mixed({"made": made, "old": examples}, seed=1)
    assert sum(1 for _ in mixture) <= 5 + len(examples)
    assert mixture.taken["made"] <= 5


def test_many_batches_are_made_in_order() -> None:
    made = stream.generated(batch_size=3, seed=2, size="4x4")
    expected = rows_of(gridmill.generate(3000, seed=2, size="4x4", with_solution=True))
    assert grids_of(itertools.islice(made, 1000)) == expected
    last = (2**64 - 1) // 3
    assert len(list(made.at(start=last - 1))) == 1
    assert not list(made.at(start=last, world=2**63))


def test_a_loop_that_ends_leaves_no_thread(tmp_path: Path) -> None:
    # numpy starts its threads when it is imported.
    script = """
        import numpy
        from gridmill import stream

        before = threads()
        batches = iter(stream.generated(batch_size=100, clues=20))
        assert threads() == before, "it starts with the first batch"
        next(iter(stream.generated(batch_size=5, level="medium")))
        quick = iter(stream.generated(batch_size=5))
        next(quick)
        assert threads_after(before + 1) == before + 1
        del quick, batches
        assert threads_after(before) == before
    """
    assert start_python(script, tmp_path).wait(60) == 0


def test_a_failure_comes_after_the_puzzles_before_it() -> None:
    found: list[Any] = []
    with pytest.raises(ValueError, match="60 random grids gave no 9x9 puzzle with 22 clues"):
        found.extend(stream.generated(batch_size=1, clues=22, max_tries=60, seed=1))
    made = gridmill.generate(len(found), clues=22, seed=1, with_solution=True)
    assert found
    assert grids_of(found) == rows_of(made)


@pytest.mark.parametrize(
    "long",
    [
        "next(iter(stream.generated(batch_size=100_000, clues=19)))",
        "stream.augmented(['.' * 256] * 100_000, batch_size=5, max_branches='none')",
    ],
    ids=["generated", "augmented"],
)
def test_ctrl_c_ends_a_wait(long: str, tmp_path: Path) -> None:
    script = f"""
        from gridmill import stream

        print("ready", flush=True)
        try:
            {long}
        except KeyboardInterrupt:
            print("interrupted")
    """
    assert output_after_ctrl_c(script, tmp_path) == "interrupted\n"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"batch_size": 0}, ValueError, "batch_size must be from 1"),
        ({"batch_size": "5"}, TypeError, "batch_size must be an int, not str"),
        ({"seed": -1}, ValueError, "seed must be from 0"),
        ({"kind": "digit"}, ValueError, "kind: no kind of isomorphs is called 'digit'"),
        ({"rank": 2, "world": 2}, ValueError, "rank must be below world, which is 2, not 2"),
        ({"worker": 1}, ValueError, "worker must be below workers, which is 1, not 1"),
        ({"world": 0}, ValueError, "world must be from 1"),
        ({"shuffle": 1}, TypeError, "shuffle must be a bool, not int"),
        ({"copies": 3}, TypeError, "unexpected keyword argument 'copies'"),
        ({"puzzles": []}, ValueError, "no record has a puzzle and its solution"),
        ({"puzzles": "no.csv"}, FileNotFoundError, "no.csv"),
        ({"puzzles": "no.csv", "answers": ["1"]}, ValueError, "answers are for puzzles in memory"),
        ({"puzzles": 5}, TypeError, "puzzles must be the path of a file, a list or tuple of str"),
        ({"puzzles": ["1.3..........4.2"], "answers": []}, ValueError, "there are 1 puzzles and 0 answers"),
    ],
    ids=str,
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    given = {"puzzles": ["1.3..........4.2"], "batch_size": 5, **arguments}
    with pytest.raises(error, match=message):
        stream.augmented(**given)


def test_sizes_cannot_be_mixed() -> None:
    nine = (ROOT / "data/easy.txt").read_text().split()[0]
    with pytest.raises(ValueError, match="record 2 has a 9x9 puzzle after 4x4 ones, but copies have one size"):
        stream.augmented(["1.3..........4.2", nine, "1.3..........4.2"], batch_size=5)


def test_wrong_places_are_refused(examples: stream.Augmented) -> None:
    made = stream.generated(batch_size=5)
    with pytest.raises(ValueError, match="rank must be below world"):
        examples.at(rank=1)
    with pytest.raises(TypeError, match="epoch must be an int, not float"):
        examples.at(epoch=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword argument 'epoch'"):
        made.at(epoch=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="no 9x9 puzzle with a single solution has 10 clues"):
        stream.generated(batch_size=5, clues=10)
    assert repr(examples) == "gridmill.stream.Augmented of 100 puzzles: 15 batches of 7"
    assert repr(made.at(start=1)) == "gridmill.stream.Generated in batches of 5"
