"""A researcher's session: each cell is a wish, in one or a few lines, with the libraries that people have."""

from __future__ import annotations

import inspect
import itertools
import json
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import blocks

import gridmill
import gridmill.pandas
import gridmill.polars
from gridmill import _options, stream

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@pytest.fixture(scope="module")
def made() -> gridmill.Table:
    """Puzzles with solutions and ratings."""
    return gridmill.generate(60, seed=1, clues=30, with_solution=True, columns=["puzzle", "solution", "er", "level"])


def test_what_people_have_goes_in(made: gridmill.Table) -> None:
    data = datasets.Dataset.from_dict({"puzzle": made["puzzle"], "answer": made["solution"]})
    splits: Any = data.train_test_split(test_size=10, shuffle=False)
    given = [data, data["puzzle"], data[:60], data.to_iterable_dataset(), made.to_pandas(), made.to_polars(), made]
    assert {tuple(gridmill.solve(puzzles)["solution"]) for puzzles in given} == {tuple(made["solution"])}
    assert {name: len(table) for name, table in gridmill.solve(splits).items()} == {"train": 50, "test": 10}
    assert gridmill.solve(iter(made.to_arrow().to_batches()))["solution"] == made["solution"]
    solved = data.map(lambda batch: gridmill.solve(batch).to_arrow(), batched=True)
    assert solved["solution"][:] == made["solution"]
    series = pandas.Series(made["puzzle"][:2], index=["a", "b"])
    assert list(gridmill.rate(series).to_pandas().index) == ["a", "b"]


def test_mistakes_name_their_cure(made: gridmill.Table) -> None:
    made.to_csv("train.csv")
    with pytest.raises(ValueError, match="looks like a path"):
        gridmill.solve(["train.csv"])
    with pytest.raises(TypeError, match=r"schema_overrides=\{\"puzzle\": polars.String\}"):
        gridmill.solve(polars.DataFrame({"puzzle": [1e80]}))
    assert gridmill.read_csv("train.csv").to_numpy("er").dtype == numpy.float64


def test_results_go_out(made: gridmill.Table) -> None:
    made.to_parquet("made.parquet")
    made.to_csv("made.csv")
    assert pyarrow.parquet.read_table("made.parquet").equals(made.to_arrow())
    assert list(gridmill.read_csv("made.csv")[["puzzle", "level"]]) == list(made[["puzzle", "level"]])
    assert set(made.filter(lambda row: row["level"] == "easy")["level"]) <= {"easy"}
    report = gridmill.solve(made).report
    assert "unique 60" in str(report)
    assert "<table>" in report._repr_html_()
    assert made.to_numpy("solution").shape == (60, 81)


def test_pages_and_templates_are_as_on_the_command_line(cli: Path, made: gridmill.Table) -> None:
    made.to_csv("made.csv")
    gridmill.validate_file("made.csv", "rows.csv", report="page.html")
    page = Path("page.html").read_text()
    assert "Validated corpus" in page
    assert "<dt>command</dt>" not in page
    subprocess.run([cli, "validate", "made.csv", "-q", "-o", "rows.csv", "--report", "theirs.html"], check=True)
    assert "<dt>command</dt>" in Path("theirs.html").read_text()
    gridmill.generate_file(3, "three.txt", report="three.html")
    assert "Generated puzzles" in Path("three.html").read_text()
    with pytest.raises(ValueError, match="output"):
        gridmill.solve_file("made.csv", "page.html.csv", report="page.html.csv")

    Path("template").write_text("{{ puzzle }}: {{ steps|length }}\n")
    gridmill.trace_file("made.csv", "ours.steps", to="text", template="template")
    command = [cli, "trace", "made.csv", "-q", "--to", "text", "--template", "template", "-o", "theirs.steps"]
    subprocess.run(command, check=True)
    assert Path("ours.steps").read_text() == Path("theirs.steps").read_text()
    for text, output, error in [("{{ ", "out.txt", ValueError), ("", "out.csv", ValueError)]:
        Path("template").write_text(text)
        with pytest.raises(error, match="template"):
            gridmill.trace_file("made.csv", output, template="template")
    with pytest.raises(FileNotFoundError, match="none"):
        gridmill.trace_file("made.csv", "out.txt", template="none")


def test_editors_complete_names() -> None:
    assert "easy" in get_args(_options.Level)
    assert list(inspect.signature(gridmill.solve).parameters)[:2] == ["puzzles", "limit"]
    assert (gridmill.__doc__ or "").split("\n\n")[1].lstrip().startswith("solve, count")


def test_queries(made: gridmill.Table) -> None:
    frame = made.to_polars().lazy().with_columns(key=polars.col("puzzle").gridmill.key())  # type: ignore[attr-defined]
    assert frame.collect(engine="streaming")["key"].n_unique() == 60
    gridmill.augment(made[:7], 1, seed=2).to_parquet("test.parquet")
    made.to_parquet("train.parquet")
    connection = duckdb.connect()
    gridmill.duckdb.register(connection)
    leaks = connection.execute(
        "SELECT count(*) FROM 'test.parquet' SEMI JOIN (SELECT gridmill_class(puzzle) AS class FROM 'train.parquet') "
        "AS train ON gridmill_class(puzzle) = train.class"
    )
    assert leaks.fetchone() == (7,)
    assert made.to_pandas()["puzzle"].gridmill.solve().tolist() == made["solution"]


def test_a_test_set_is_certified(made: gridmill.Table) -> None:
    parts = gridmill.split(made, parts={"train": 40, "test": 20}, seed=1)
    certificate = gridmill.certify(parts["test"], parts["train"])
    assert certificate, certificate
    assert str(certificate).startswith("# Certificate: passed\n\n| 20 test records ")
    assert not gridmill.certify(parts["train"], parts["train"])
    assert not gridmill.validate(parts["test"], against=parts["train"], fail_on="leak").report.failed_on


def test_a_set_of_classes_is_a_corpus_to_compare_with(made: gridmill.Table) -> None:
    old = gridmill.generate(40, seed=5, size="4x4")
    old.to_csv("old.csv")
    Path("key").write_bytes(bytes(16))
    gridmill.classes_file("old.csv", "old.classes", class_key="key")
    options: Any = {"seed": 6, "size": "4x4"}
    expected = gridmill.generate(5, **options, not_in=old)
    assert expected != gridmill.generate(5, **options)
    assert gridmill.generate(5, **options, not_in="old.csv") == expected
    assert gridmill.generate(5, **options, not_in="old.classes", class_key="key") == expected
    gridmill.generate_file(5, "new.csv", **options, not_in="old.classes", class_key="key", columns=["puzzle"])
    assert gridmill.read_csv("new.csv")["puzzle"] == expected["puzzle"]
    with pytest.raises(ValueError, match="class_key is for sets of classes, and not_in names none"):
        gridmill.generate(5, **options, not_in=old, class_key="key")


def test_streams_carry_columns(made: gridmill.Table) -> None:
    rows = [{**row, "source": f"s{number % 3}"} for number, row in enumerate(made)]
    rows.insert(5, {**rows[5], "puzzle": "no puzzle"})
    data = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(data, "data.parquet")
    classes = {row["class"]: row for row in gridmill.canonical(data, keep=["er", "source"])}
    for puzzles in (data, "data.parquet"):
        with pytest.warns(UserWarning, match="1 no puzzles"):
            batches: Any = stream.augmented(puzzles, batch_size=16, seed=1, epochs=2, keep=["er", "source"])
        assert sum(len(batch.puzzles) for batch in batches) == 120
        for found, solutions, columns in pickle.loads(pickle.dumps(batches)):
            for key, er, source in zip(gridmill.canonical(found)["class"], *columns.values(), strict=True):
                assert (classes[key]["er"], classes[key]["source"]) == (er, source)
            assert (gridmill.solve(found).to_numpy("solution") == solutions).all()
    with pytest.raises(TypeError, match="keep needs data that can be read twice"):
        stream.augmented(iter([data]), batch_size=4, keep=["er"])


def test_new_puzzles_carry_columns() -> None:
    options: Any = {"seed": 3, "weighted": True}
    kept = stream.generated(batch_size=2, keep=["er", "level", "weight"], **options)
    expected = gridmill.generate(8, with_solution=True, columns=["puzzle", "solution", *kept.keep], **options)
    share = pickle.loads(pickle.dumps(kept)).at(rank=1, world=2)
    for number, batch in zip([1, 3], share, strict=False):
        rows = expected[2 * number : 2 * number + 2]
        for name, array in zip(
            expected.columns, [batch.puzzles, batch.solutions, *batch.columns.values()], strict=True
        ):
            assert (array == rows.to_numpy(name)).all()
    last = 2**64 // 3 - 1
    assert len(list(stream.generated(batch_size=3, size="4x4", keep=["clues"]).at(start=last))) == 1
    for keep, size, message in [
        (["no"], "9x9", "there is no column 'no'"),
        (["er"], "16x16", "16x16 puzzles have no rating"),
        ("er", "9x9", "keep must be a list of str"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            stream.generated(batch_size=2, size=size, keep=keep)


def mixture() -> stream.Mixed:
    sources: Any = {
        "old": stream.augmented(list(gridmill.generate(10, seed=1, size="4x4")["puzzle"]), batch_size=2, epochs=40),
        "new": stream.generated(batch_size=3, size="4x4", seed=2),
    }
    return stream.mixed(sources, weights={"old": 3, "new": 1}, seed=7)


def content(batches: Any, count: int) -> list[tuple[str, bytes]]:
    return [(batch.columns["source"][0], batch.puzzles.tobytes()) for batch in itertools.islice(batches, count)]


def test_streams_are_mixed_and_resumed() -> None:
    expected = content(mixture(), 80)
    names = [name for name, _ in expected]
    assert 45 < names.count("old") < 75
    # A source has its batches in order, each once.
    own = iter(mixture().streams["new"])
    assert [cells for name, cells in expected if name == "new"] == [
        next(own).puzzles.tobytes() for _ in range(names.count("new"))
    ]
    half = mixture()
    content(half, 30)
    saved = json.loads(json.dumps(half.taken))
    again = mixture()
    again.taken.update(saved)
    for rest in (half, again, mixture().at(start=30), pickle.loads(pickle.dumps(half))):
        assert content(rest, 50) == expected[30:]
    shares = [content(mixture().at(worker=worker, workers=3), 20) for worker in range(3)]
    assert [batch for turn in zip(*shares, strict=True) for batch in turn] == expected[:60]
    # Weights that are set count from the next batch on.
    half = mixture()
    loop = iter(half)
    assert content(loop, 10) == expected[:10]
    half.weights.update(old=0, new=1)
    assert {name for name, _ in content(loop, 20)} == {"new"}
    assert len(list(stream.mixed({"a": mixture().streams["old"]}))) == 200
    started = {"a": mixture().streams["old"].at(start=50)}
    ranks = [list(stream.mixed(started, rank=rank, world=3)) for rank in range(3)]
    assert [len(batches) for batches in ranks] == [30, 30, 0]


def test_the_recipe_for_mixtures(made: gridmill.Table) -> None:
    made.to_csv("easy.csv")
    sizes: list[int] = []

    def train(puzzles: Any, solutions: Any) -> None:
        assert puzzles.shape == solutions.shape
        sizes.append(len(puzzles))
        if len(sizes) == 12:
            raise EOFError

    recipe = dict(blocks("models.md", "python"))["Columns and mixtures"]
    with pytest.raises(EOFError):
        exec(recipe, {"train": train})
    assert set(sizes) == {60, 64}


def test_wrong_mixtures_are_refused() -> None:
    sources = mixture().streams
    for options, message in [
        ({"weights": {"odd": 1}}, "no stream is called 'odd'; there are old, new"),
        ({"weights": {"old": -1}}, "weights\\['old'\\] must be from 0"),
        ({"taken": {"old": 1.5}}, "must be an int"),
        ({"rank": 2}, "rank must be below world"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            stream.mixed(sources, **options)
    with pytest.raises(TypeError, match="must be a stream, not int"):
        stream.mixed({"a": 1})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="have no sum above 0"):
        next(iter(stream.mixed(sources, weights={})))


def test_states_are_arrays(made: gridmill.Table) -> None:
    puzzles, solutions = made.to_numpy("puzzle")[:4], made.to_numpy("solution")[:4]
    states = numpy.repeat(puzzles[:, None], 3, axis=1)
    blanks = [numpy.flatnonzero(puzzle == 0) for puzzle in puzzles]
    for number, cells in enumerate(blanks):
        states[number, 1, cells[:5]] = solutions[number, cells[:5]]
        states[number, 2, cells[0]] = solutions[number, cells[0]] % 9 + 1
    moves = gridmill.states(puzzles, states)
    assert moves.alive.tolist() == [[True, True, False]] * 4
    assert moves.wrong.tolist() == [[0, 0, 1]] * 4
    assert moves.candidates.tolist() == [[81, 81, 0]] * 4
    single = gridmill.states(made["puzzle"][0], forced=True)
    assert moves.forced[0, 0] == len(single.forced or ())
    # Without a single solution, the candidates and the backbone are more.
    table = gridmill.states(["1...............", "1.3..........4.2", "no"], candidates=True)
    assert table.to_numpy("candidates").shape == (3, 16, 4)
    assert table.to_numpy("candidates").sum(axis=(1, 2)).tolist()[1:] == [16, 0]
    assert table.to_numpy("backbone").tolist()[1] == [int(digit) for digit in "1234432121433412"]


def test_samples_are_estimated(made: gridmill.Table) -> None:
    puzzles, right = made["puzzle"][:6], made["solution"][:6]
    samples = [[right[0]] * 4, [right[1], "no", "no", "no"], *[["no"] * 4] * 4]
    found = gridmill.score_samples(puzzles, samples, k=[1, 2], by="level")
    assert found.pass_at[1].mean == pytest.approx(1.25 / 6)
    assert found.pass_at[2].mean == pytest.approx(1.5 / 6)
    assert found.score.mean == pytest.approx(1.25 / 6)
    assert 0 < found.pass_at[1].low < found.pass_at[1].mean < found.pass_at[1].high < 1
    assert set(found.groups) == set(made["level"][:6])
    assert sum(group.score.puzzles for group in found.groups.values()) == 6
    assert len(found.table) == 24
    perfect = gridmill.score_samples(puzzles, [[answer] for answer in right]).pass_at[1]
    assert (perfect.mean, perfect.high) == (1, 1)
    assert perfect.low == pytest.approx(0.6097, abs=1e-4)
    for arguments, message in [
        ((puzzles, samples[:3]), "6 puzzles and answers to 3"),
        ((puzzles, [["no"]] * 6, 2), "k is 2, and a puzzle has 1 answers"),
        ((["1" * 16], [["no"]]), "a puzzle has no solution, or a puzzle or a chat is malformed"),
    ]:
        with pytest.raises(ValueError, match=message):
            gridmill.score_samples(*arguments[:2], k=(arguments[2:] or (1,))[0])  # type: ignore[arg-type]


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_votes_are_those_of_all_choices(k: int, made: gridmill.Table) -> None:
    puzzle, right = made["puzzle"][0], made["solution"][0]
    wrong = [right[1:] + right[:1], right[2:] + right[:2]]
    answers = [right, right, wrong[0], wrong[0], wrong[1], "no grid", right]
    found = gridmill.score_samples([puzzle], [answers], k=k).maj_at[k].mean

    def share(votes: tuple[str, ...]) -> float:
        counts = Counter(vote for vote in votes if vote != "no grid")
        most = [vote for vote, count in counts.items() if count == max(counts.values())]
        return most.count(right) / len(most) if most else 0.0

    choices = list(itertools.combinations(answers, k))
    assert found == pytest.approx(sum(map(share, choices)) / len(choices))


def test_models_are_compared_puzzle_by_puzzle(made: gridmill.Table) -> None:
    puzzles, right = made["puzzle"][:40], made["solution"][:40]
    all_right, none = gridmill.score_samples(puzzles, right), gridmill.score_samples(puzzles, ["no"] * 40)
    some = gridmill.score_samples(puzzles, [*right[:22], *["no"] * 18])
    others = gridmill.score_samples(puzzles, [*["no"] * 20, *right[20:]])
    best = all_right.score.compare(none.score)
    assert (best.mean, best.low, best.high) == (1.0, 1.0, 1.0)
    assert best.p < 0.001
    close = some.pass_at[1].compare(others.pass_at[1])
    assert close.mean == pytest.approx(0.05)
    assert close.low < 0 < close.high
    assert close.p > 0.5
    assert some.score.compare(some.score).p == 1.0
    assert close == some.pass_at[1].compare(others.pass_at[1], seed=0)
    with pytest.raises(ValueError, match="about different puzzles"):
        some.score.compare(gridmill.score_samples(puzzles[:5], right[:5]).score)


def test_samples_are_grouped_by_bins(made: gridmill.Table) -> None:
    puzzles, right, er = made["puzzle"][:20], made["solution"][:20], gridmill.rate(made["puzzle"][:20])["er"]
    groups = gridmill.score_samples(puzzles, right, by="er", bins=[1.0, 2.0, 20.0]).groups
    assert groups["1.0..2.0"].score.puzzles == sum(value < 2 for value in er)
    assert groups["2.0..20.0"].score.puzzles == sum(value >= 2 for value in er)
    clues = gridmill.score_samples(puzzles, right, by="clues").groups
    assert sum(group.score.puzzles for group in clues.values()) == 20
    sources = [None, *["a"] * 9, *["b"] * 10]
    given = gridmill.score_samples(puzzles, right, by=polars.Series(sources)).groups
    assert {name: group.score.puzzles for name, group in given.items()} == {"other": 1, "a": 9, "b": 10}
    numbers = gridmill.score_samples(puzzles, right, by=range(20), bins=[0, 5, 10]).groups
    assert {name: group.score.puzzles for name, group in numbers.items()} == {"0..5": 5, "5..10": 6, "other": 9}
    with pytest.raises(TypeError, match="bins are for numbers"):
        gridmill.score_samples(puzzles, right, by="level", bins=[0, 1])
    with pytest.raises(ValueError, match="by has 2 values, and there are 20 puzzles"):
        gridmill.score_samples(puzzles, right, by=["a", "b"])


def test_grids_are_found_in_text(made: gridmill.Table) -> None:
    puzzle = made["puzzle"][0]
    rows = "\n".join(puzzle[start : start + 9] for start in range(0, 81, 9))
    texts = [f"Élan: {puzzle}. And:\n{rows}\nThe end.", "No grid, but 1234567.", None, f"[{list(puzzle)}]", "." * 81]
    found = gridmill.find(texts)
    assert found["line"] == [1, 1, 4]
    assert found["puzzle"] == [puzzle] * 3
    assert [texts[0].encode()[start:].startswith(puzzle[:9].encode()) for start in found["start"][:2]] == [True, True]
    copies = gridmill.augment(made[:3], 1, seed=4)["puzzle"]
    documents = polars.Series(["Nothing", *(f"A puzzle:\n\n    {copy}\n" for copy in copies)])
    leaks = gridmill.validate(gridmill.find(documents), against=made, keep=["line"])
    assert leaks["verdict"] == ["leak-isomorph"] * 3
    assert gridmill.find("It is 1.3..........4.2 here", size=4)["puzzle"] == ["1.3..........4.2"]
    assert gridmill.find([]).columns == ["line", "start", "puzzle"]
    with pytest.raises(TypeError, match="an item of texts must be a str, not int"):
        gridmill.find([5])


def test_a_page_is_written_of_a_table(made: gridmill.Table, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    calls: list[Callable[[], object]] = [
        lambda: gridmill.solve(made[:5], report=page),
        lambda: gridmill.validate(made[:5], report=page, audit=True),
        lambda: gridmill.score(made["puzzle"][:5], made["solution"][:5], report=page),
        lambda: gridmill.rate(made["puzzle"][:5], report=str(page)),
        lambda: gridmill.generate(5, level="easy", report=page),
    ]
    for call in calls:
        call()
        assert "<h1" in page.read_text()
        page.unlink()
    with pytest.raises(ValueError, match="report is for several puzzles"):
        gridmill.solve(made["puzzle"][0], report=page)
    with pytest.raises(OSError, match="nowhere"):
        gridmill.solve(made[:5], report=tmp_path / "nowhere" / "page.html")
    with pytest.raises(TypeError, match="unexpected keyword argument 'report'"):
        gridmill.spark.solve(None, report=page)


def test_one_answer_is_a_sample(made: gridmill.Table) -> None:
    puzzles, right = made["puzzle"][:3], made["solution"][:3]
    cells, grids = made.to_numpy("puzzle")[:3], made.to_numpy("solution")[:3]
    chats = [[{"role": "assistant", "content": answer}] for answer in right]
    for given in (puzzles, pandas.Series(puzzles), numpy.array(puzzles), pyarrow.array(puzzles), cells, cells + 1):
        for answers in (
            right,
            polars.Series(right),
            pyarrow.chunked_array([right]),
            pandas.Series(right),
            numpy.array(right),
            chats,
            [[answer] for answer in right],
        ):
            assert gridmill.score_samples(given, answers).pass_at[1].mean == 1.0
    for answers in (grids, grids.reshape(3, 9, 9), grids.reshape(3, 1, 81), grids.tolist(), list(grids)):
        assert gridmill.score_samples(cells, answers).pass_at[1].mean == 1.0
    assert gridmill.score_samples(cells + 1, grids + 1).pass_at[1].mean == 1.0
    both = numpy.stack([grids, cells], axis=1)
    assert gridmill.score_samples(cells, both, k=[1, 2]).pass_at[1].mean == 0.5
    with pytest.raises(TypeError, match="answers must have an item for each puzzle, not be a str"):
        gridmill.score_samples(puzzles, right[0])
    with pytest.raises(TypeError, match="item 2 of responses must be a str, a chat or a list of cells, not object"):
        gridmill.score_samples(puzzles[:2], [right[:2], [object()]])
    with pytest.raises(ValueError, match="a grid of 16 rows or 16 grids"):
        gridmill.score_samples(["1" + "." * 15], [[[1] * 16] * 16])


def test_rewards(made: gridmill.Table) -> None:
    reward = gridmill.Reward(formula="exact")
    rewards = reward(completions=[made["solution"][0], "no"], puzzle=[made["puzzle"][0]] * 2)
    assert rewards == [1.0, 0.0]


def test_the_command_is_there() -> None:
    program = [sys.executable, "-m", "gridmill", "solve", ROOT / "data/4x4.txt", "-q", "--columns", "status"]
    rows = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    assert rows.splitlines() == ["status", *gridmill.solve((ROOT / "data/4x4.txt").read_text().split())["status"]]
