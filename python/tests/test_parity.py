"""Options of solve, rate, validate, augment and generate that the command line has, too."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy
import pytest

import gridmill

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"clues": "24..28"}, ["--clues", "24..28"]),
        ({"clues": "26..30", "minimal": True}, ["--clues", "26..30", "--minimal"]),
        ({"symmetry": "rot180"}, ["--symmetry", "rot180"]),
        ({"er": "2.0..2.6"}, ["--er", "2.0..2.6"]),
        ({"er": 1.2}, ["--er", "1.2"]),
        ({"level": "medium", "max_tries": 5000}, ["--level", "medium", "--max-tries", "5000"]),
        ({"max_er": 1.5}, ["--max-er", "1.5"]),
        ({"technique": "pointing"}, ["--technique", "pointing"]),
        ({"skip": 3, "size": "4x4"}, ["--skip", "3", "--size", "4x4"]),
        ({"size": "6x6", "minimal": True}, ["--size", "6x6", "--minimal"]),
        ({"grids": True}, ["--grids"]),
    ],
    ids=str,
)
def test_puzzles_are_those_of_the_command_line(
    cli: Path, tmp_path: Path, options: dict[str, Any], arguments: list[str]
) -> None:
    text = subprocess.check_output([cli, "generate", "-n", "5", "--seed", "4", "-q", *arguments], text=True)
    assert gridmill.generate(5, seed=4, **options)["puzzle"] == text.split()
    gridmill.generate_file(5, tmp_path / "puzzles", seed=4, **options)
    assert (tmp_path / "puzzles").read_text() == text


def test_clues_have_a_pattern(cli: Path, tmp_path: Path) -> None:
    grid = tmp_path / "pattern.txt"
    grid.write_text("x.x.\n.x.x\nx...\n...x\n")
    text = subprocess.check_output([cli, "generate", "-n", "3", "--pattern", grid, "-q"], text=True)
    for pattern in (grid, grid.read_text()):
        assert gridmill.generate(3, pattern=pattern)["puzzle"] == text.split()
    with pytest.raises(ValueError, match="pattern: it has 3 cells"):
        gridmill.generate(3, pattern="x..")
    with pytest.raises(ValueError, match="pattern and size exclude each other"):
        gridmill.generate(3, pattern=grid, size="4x4")


def test_known_puzzles_are_not_made_again(tmp_path: Path) -> None:
    known = gridmill.generate(20, seed=1)
    copies = gridmill.augment(known, 1, seed=9)
    assert not set(gridmill.generate(20, seed=1, not_in=copies)["puzzle"]) & set(known["puzzle"])
    source = tmp_path / "known.txt"
    source.write_text("\n".join(copies["puzzle"]))
    gridmill.generate_file(20, tmp_path / "new.txt", seed=1, not_in=source)
    assert not set((tmp_path / "new.txt").read_text().split()) & set(known["puzzle"])
    with pytest.raises(ValueError, match="cannot look for isomorphs in not_in"):
        gridmill.generate(1, not_in=["rubbish"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": "28..24"}, "clues: the first number must not be the larger one"),
        ({"er": "hard"}, "er: "),
        ({"er": 2.6, "level": "hard"}, "er and level exclude each other"),
        ({"level": "hard", "max_er": 3}, "level and max_er exclude each other"),
        ({"level": "harder"}, "level: "),
        ({"technique": ["luck"]}, "technique: "),
        ({"symmetry": "none"}, "symmetry: no symmetry is called 'none'; there are rot180"),
    ],
    ids=str,
)
def test_wrong_specs_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        gridmill.generate(1, **options)
    assert "--" not in str(error.value)


def test_a_training_set_is_that_of_the_command_line(cli: Path, tmp_path: Path) -> None:
    source = tmp_path / "puzzles.txt"
    source.write_text("\n".join((ROOT / "data/easy.txt").read_text().split()[:20]))
    options = ["--copies", "3", "--to", "hrm", "--set", "test", "-q"]
    subprocess.run([cli, "augment", source, *options, "-o", tmp_path / "theirs"], check=True)
    report = gridmill.augment_file(source, tmp_path / "ours", 3, to="hrm", set="test")
    assert report.copies == 60
    files = sorted(path.name for path in (tmp_path / "theirs/test").iterdir())
    assert files == sorted(path.name for path in (tmp_path / "ours/test").iterdir())
    for name in files:
        assert (tmp_path / "ours/test" / name).read_bytes() == (tmp_path / "theirs/test" / name).read_bytes()
    assert numpy.load(tmp_path / "ours/test/all__inputs.npy").shape == (80, 81)
    with pytest.raises(ValueError, match="a training set has no rows; leave out columns"):
        gridmill.augment_file(source, tmp_path / "ours", 3, to="hrm", columns=["puzzle"])
    with pytest.raises(ValueError, match="set: no training set is called 'val'; there are train, test"):
        gridmill.augment_file(source, tmp_path / "ours", 3, to="hrm", set="val")


def test_all_solutions_are_listed(cli: Path, tmp_path: Path) -> None:
    source = tmp_path / "puzzles.txt"
    source.write_text("1...............\n1.3..........4.2\n")
    for name, arguments, options in [
        ("listing.txt", ["--to", "listing"], {"to": "listing"}),
        ("all.jsonl", ["--all", "--limit", "5"], {"all": True, "limit": 5}),
    ]:
        columns: dict[str, Any] = {} if name.endswith("txt") else {"columns": ["line", "solution", "detail"]}
        wanted = ["--columns", ",".join(columns["columns"])] if columns else []
        subprocess.run([cli, "solve", source, *arguments, *wanted, "-q", "-o", tmp_path / f"cli-{name}"], check=True)
        gridmill.solve_file(source, tmp_path / name, **options, **columns)  # type: ignore[arg-type]
        assert (tmp_path / name).read_bytes() == (tmp_path / f"cli-{name}").read_bytes()
    lists = gridmill.solve(source.read_text().split(), all=True)["solution"]
    assert list(map(len, lists)) == [72, 1]
    with pytest.raises(ValueError, match="pass a list of str"):
        gridmill.solve("1...............", all=True)


def test_reports_name_the_slowest_puzzles() -> None:
    easy = (ROOT / "data/easy.txt").read_text().split()[:50]
    assert len(gridmill.solve(easy, top=7).report.slowest) == 7
    assert len(gridmill.rate(easy, top=2).report.slowest) == 2


def test_ratings_are_checked(tmp_path: Path) -> None:
    rated = gridmill.rate((ROOT / "data/easy.txt").read_text().split()[:10]).to_polars()
    table = rated.select("puzzle", "er")
    verdicts = gridmill.validate(table, rating_column="er")
    assert verdicts["verdict"] == ["sound"] * 10
    assert verdicts["er"] == table["er"].to_list()
    wrong = gridmill.validate(table.with_columns(er=9.0), rating_column="er")
    assert wrong["verdict"] == ["wrong-rating"] * 10
    table.with_columns(er=9.0).write_parquet(tmp_path / "rated.parquet")
    card = gridmill.validate_file(tmp_path / "rated.parquet", tmp_path / "card.csv", rating_column="er")
    assert card.verdicts["wrong-rating"] == 10


def test_outputs_are_not_each_other(tmp_path: Path) -> None:
    easy = ROOT / "data/easy.txt"
    with pytest.raises(ValueError, match="give accepts another name"):
        gridmill.validate_file(easy, tmp_path / "a.csv", accepts=tmp_path / "a.csv")
    with pytest.raises(ValueError, match="compress: no compression is called 'zip'; there are gzip"):
        gridmill.solve_file(easy, tmp_path / "a.csv", compress="zip")
    gridmill.solve_file(easy, tmp_path / "a.csv", compress="zstd", columns=["line"])
    assert (tmp_path / "a.csv").read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.csv"]
