"""The recipes of the pages give the rows of the command line, and their sessions print what the page shows."""

from __future__ import annotations

import dataclasses
import doctest
import functools
import os
import shutil
import signal
import subprocess
import sys
import time
import types
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from conftest import blocks

import gridmill

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("python.md", "models.md")
Row = dict[str, Any]


RECIPES = dict(recipe for page in PAGES for recipe in blocks(page, "python"))


@pytest.fixture
def directory(puzzles: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the table of the recipes."""
    monkeypatch.chdir(tmp_path)
    nine: list[str | None] = [puzzle for puzzle in puzzles if len(puzzle) != 16] * 5
    nine[7] = None
    table = pyarrow.table({"puzzle": nine, "source": [f"source {index:05}" for index in range(len(nine))]})
    pyarrow.parquet.write_table(table, "puzzles.parquet", row_group_size=100)
    # Isomorphs of some of the puzzles, and new puzzles.
    train = [*gridmill.augment(puzzles[20:60], 1)["puzzle"], *gridmill.generate(50, seed=9)["puzzle"], "nonsense"]
    pyarrow.parquet.write_table(pyarrow.table({"puzzle": train}), "train.parquet")
    return tmp_path


@pytest.fixture
def expected(directory: Path, cli: Path) -> dict[str, Row]:
    """The rows of the command line, by their source."""
    options = ["--keep", "source", "--columns", "puzzle,status,solutions,solution,branches,detail"]
    subprocess.run([cli, "solve", "-q", "puzzles.parquet", *options, "-o", "expected.parquet"], check=True)
    return {row["source"]: row for row in pyarrow.parquet.read_table("expected.parquet").to_pylist()}


def run(recipe: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(recipe, "a recipe", "exec"), names)
    return names


def rows_of(solved: Any) -> list[Row]:
    """The rows of the variable `solved` of a recipe."""
    if isinstance(solved, str):
        return pyarrow.parquet.read_table(solved).to_pylist()
    if isinstance(solved, polars.DataFrame):
        return solved.to_dicts()
    if isinstance(solved, pandas.DataFrame):
        return pyarrow.Table.from_pandas(solved).to_pylist()
    if hasattr(solved, "toLocalIterator"):
        return [row.asDict() for row in solved.collect()]
    for method in ("take_all", "to_list"):
        if hasattr(solved, method):
            rows: list[Row] = getattr(solved, method)()
            return rows
    return solved.to_arrow_table().to_pylist()


def check(rows: list[Row], expected: dict[str, Row], columns: set[str]) -> None:
    assert sorted(row["source"] for row in rows) == sorted(expected)
    for row in rows:
        right = expected[row["source"]]
        shared = right.keys() & row.keys()
        assert columns <= shared
        # The puzzle that a null stands for is null in the input, and empty in a row.
        differing = {name for name in shared if (row[name] or None) != (right[name] or None)}
        assert not differing, (row, right)


def test_recipes_are_short() -> None:
    assert set(RECIPES) >= {
        "pandas",
        "Polars",
        "DuckDB",
        "Hugging Face datasets",
        "Ray Data",
        "Spark",
        "TRL",
        "verifiers",
    }
    for title, recipe in RECIPES.items():
        assert len(recipe.splitlines()) <= 15, title


@pytest.mark.parametrize(
    ("title", "columns"),
    [
        ("pandas", {"status", "solution", "solutions", "branches", "detail"}),
        ("Polars", {"solution"}),
        ("DuckDB", {"solution"}),
        ("Hugging Face datasets", {"status", "solution"}),
        ("Files of any size", {"status", "solution", "solutions", "branches", "detail"}),
    ],
)
def test_a_recipe_gives_the_rows_of_the_command_line(title: str, columns: set[str], expected: dict[str, Row]) -> None:
    check(rows_of(run(RECIPES[title])["solved"]), expected, columns)


def test_leaks_in_sql(corpus: Corpus) -> None:
    leaks = run(RECIPES["DuckDB"])["leaks"].pl()
    assert sorted(leaks["source"]) == sorted(corpus.leaks)


def test_arrays_for_models(expected: dict[str, Row]) -> None:
    names = run(RECIPES["NumPy and PyTorch"])
    unique = [row for row in expected.values() if row["status"] == "unique"]
    for array, column in [(names["inputs"], "puzzle"), (names["labels"], "solution")]:
        assert array.shape == (len(unique), 9, 9)
        assert array.flags.writeable
        found = ["".join(map(str, grid.ravel())) for grid in array]
        assert found == ["".join(c if c.isdigit() else "0" for c in row[column]) for row in unique]


@dataclasses.dataclass
class Corpus:
    """The answer of the command line about the sources of `puzzles.parquet`."""

    leaks: set[str]
    kept: set[str]
    parts: dict[str, str]


@pytest.fixture
def corpus(directory: Path, cli: Path) -> Corpus:
    """The leaks, the records without repetitions and the parts of a split."""

    def run(*arguments: str) -> None:
        # It is 1 if there are findings.
        assert subprocess.run([cli, *arguments, "-q"], check=False).returncode in (0, 1)

    run("validate", "puzzles.parquet", "--against", "train.parquet", "--keep", "source", "-o", "verdicts.parquet")
    run("dedupe", "puzzles.parquet", "--by", "class", "-o", "kept.parquet")
    run("split", "puzzles.parquet", "--parts", "train=0.9,test=0.1", "--seed", "1", "-o", "parts")

    verdicts = pyarrow.parquet.read_table("verdicts.parquet", columns=["source", "findings"]).to_pylist()
    leaks = {row["source"] for row in verdicts if {"leak-exact", "leak-isomorph"} & set(row["findings"])}
    kept = set(pyarrow.parquet.read_table("kept.parquet")["source"].to_pylist())
    parts = {
        source: path.stem
        for path in Path("parts").glob("*.parquet")
        for source in pyarrow.parquet.read_table(path)["source"].to_pylist()
    }
    assert leaks
    assert len(kept) < len(verdicts) == len(parts)
    assert set(parts.values()) == {"train", "test", "unsplit"}
    return Corpus(leaks, kept, parts)


def check_corpus(recipes_of: str, corpus: Corpus, rows_of_recipe: Callable[[str, str], list[Row]]) -> None:
    """Compares three recipes with the command line."""

    def sources(rows: list[Row]) -> list[str]:
        return sorted(row["source"] for row in rows)

    assert sources(rows_of_recipe(f"Leaks on {recipes_of}", "leaks")) == sorted(corpus.leaks)
    assert sources(rows_of_recipe(f"Dedupe on {recipes_of}", "kept")) == sorted(corpus.kept)
    parts = rows_of_recipe(f"Split on {recipes_of}", "parts")
    assert {row["source"]: row["part"] for row in parts} == corpus.parts


@dataclasses.dataclass
class Killing:
    """Runs recipes, and kills the process of a task of each. Their tasks wait until that is done."""

    directory: Path
    process_of: Callable[[int], int]
    """The process to kill for the one that runs Python."""

    def rows(self, title: str, name: str) -> list[Row]:
        """The rows that a recipe calls `name`."""
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir()
        with ThreadPoolExecutor(1) as pool:
            try:
                rows = pool.submit(lambda: rows_of(run(RECIPES[title])[name]))
                wait_for(lambda: rows.done() or any(self.directory.iterdir()))
                assert not rows.done(), rows.exception()
                os.kill(self.process_of(int(next(self.directory.iterdir()).name)), signal.SIGKILL)
            finally:
                (self.directory / "done").touch()
            return rows.result()

    def waiting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a table that waits if the table has rows."""
        directory = self.directory

        def wait(table: pyarrow.Table, *arguments: Any, **options: Any) -> Any:
            while table.num_rows and not (directory / "done").exists():
                (directory / str(os.getpid())).touch()
                time.sleep(0.05)
            return function(table, *arguments, **options)

        return wait


@pytest.mark.cluster
def test_ray_if_a_worker_is_killed(
    expected: dict[str, Row], corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray")
    killing = Killing(tmp_path / "killing", lambda pid: pid)
    functions = {name: killing.waiting(getattr(gridmill, name)) for name in ("solve", "canonical")}
    monkeypatch.setitem(sys.modules, "gridmill", types.SimpleNamespace(**functions))
    ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
    try:
        rows = killing.rows("Ray Data", "solved")
        check_corpus("Ray Data", corpus, killing.rows)
    finally:
        ray.shutdown()
    check(rows, expected, {"status", "solution", "solutions", "branches", "detail"})


@pytest.fixture
def spark(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two executors, each a process of its own, in the directory with the table."""
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is none")
    builder = sql.SparkSession.builder.master("local-cluster[2,1,1024]").appName("gridmill")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "50",
        "spark.sql.files.maxPartitionBytes": "20000",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


def executor_of(pid: int) -> int:
    """The executor that has started the process that has started a worker."""
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    assert b"CoarseGrainedExecutorBackend" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return pid


@pytest.mark.cluster
def test_spark_if_an_executor_is_killed(
    spark: Any, expected: dict[str, Row], corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killing = Killing(tmp_path / "killing", executor_of)
    monkeypatch.setattr(gridmill.spark, "_for_spark", killing.waiting(gridmill.spark._for_spark))
    columns = {"puzzle", "status", "solution", "solutions", "branches", "detail"}
    check(killing.rows("Spark", "solved"), expected, columns)
    check(rows_of("solved.parquet"), expected, columns)
    check_corpus("Spark", corpus, killing.rows)
    assert spark.sparkContext.pythonExec == sys.executable


JOBS: dict[str, Callable[[Any], Any]] = {
    "validate": lambda module: functools.partial(module.validate, keep=["source"], classes=True),
    "score": lambda module: functools.partial(module.score, response_column="puzzle", keep=["source"]),
    "states": lambda module: functools.partial(module.states, candidates=True, keep=["source"]),
    "canonical": lambda module: functools.partial(module.canonical, keep=["source"]),
    "rate": lambda module: functools.partial(module.rate, keep=["source"], max_er=4),
    "steps": lambda module: functools.partial(module.steps, keep=["source"], max_er=2),
    "augment": lambda module: functools.partial(module.augment, copies=2, keep=["source"]),
}


@pytest.mark.cluster
def test_every_job_runs_on_spark(spark: Any, directory: Path) -> None:
    puzzles = spark.read.parquet("puzzles.parquet").limit(300).repartition(1).sortWithinPartitions("source").cache()
    table = pyarrow.Table.from_pylist([row.asDict() for row in puzzles.collect()])
    for name, make in JOBS.items():
        theirs = [row.asDict() for row in make(gridmill.spark)(puzzles).collect()]
        ours = make(gridmill)(table).to_arrow().to_pylist()
        assert len(theirs) == len(ours) > 0
        if name == "augment":
            # The copies depend on the batches of Spark.
            assert [row["source"] for row in theirs] == [row["source"] for row in ours]
            continue
        assert theirs == [{column: row[column] for column in theirs[0]} for row in ours]
    made = gridmill.spark.generate(spark, 1500, seed=5, skip=10, with_solution=True)
    assert [row.asDict() for row in made.collect()] == list(
        gridmill.generate(1500, seed=5, skip=10, with_solution=True)
    )
    with pytest.raises(ValueError, match="group the table"):
        gridmill.spark.validate(puzzles, duplicates=True)


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end, "nothing happened in ten minutes"
        time.sleep(0.1)


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_print_what_the_page_shows(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failures: list[str] = []
    names: dict[str, Any] = {}
    for title, session in blocks(page, "pycon"):
        test = doctest.DocTestParser().get_doctest(session, names, title, f"docs/{page}", 0)
        assert test.examples
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=failures.append, clear_globs=False)
        # What one block names, the next ones use.
        names = test.globs
    assert not failures, "".join(failures)


@pytest.mark.slow
def test_the_session_in_a_fresh_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "venv"], check=True)
    subprocess.run(
        ["venv/bin/pip", "install", "-q", ROOT / "python", "numpy", "pandas", "polars", "pyarrow"], check=True
    )
    session = "\n".join(session for _, session in blocks(PAGES[0], "pycon"))
    Path("session.py").write_text(f'r"""\n{session}"""\nimport doctest\nraise SystemExit(doctest.testmod()[0])\n')
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(["venv/bin/python", "session.py"], check=True, env=environment)
