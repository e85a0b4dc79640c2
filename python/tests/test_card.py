"""Data cards and Croissant: other programs read them, and the data through them."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import mlcroissant
import pytest
import yaml
from huggingface_hub import DatasetCard

import gridmill

PUBLISHER = {"license", "version", "datePublished", "citeAs", "url", "creator"}
"""What only the publisher of a data set knows: mlcroissant may miss it."""


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path_factory.mktemp("cache"))
    datasets.disable_progress_bars()


def described(folder: Path) -> dict[str, Any]:
    """The arguments for both descriptions in a folder."""
    return {"card": folder / "README.md", "croissant": folder / "croissant.json"}


def header(folder: Path) -> dict[str, Any]:
    """The header of a card, read by a YAML library and by the library of the hub."""
    text = (folder / "README.md").read_text()
    found: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    card = DatasetCard.load(folder / "README.md")
    assert card.data.pretty_name == found["pretty_name"]
    assert card.data.to_dict()["configs"] == found["configs"]
    return found


def records(folder: Path, split: str) -> list[dict[str, Any]]:
    """The records of a split, by mlcroissant, which has nothing to complain about."""
    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all(any(f'{name}"' in warning for name in PUBLISHER) for warning in issues.warnings), issues.warnings
    rows = dataset.records(split)
    return [{name.removeprefix(f"{split}/"): plain(value) for name, value in row.items()} for row in rows]


def plain(value: Any) -> Any:
    """A text, or a decimal as it was written: pandas, which reads JSON for mlcroissant, misses the last bit of some."""
    if isinstance(value, bytes):
        return value.decode()
    return round(value, 9) if isinstance(value, float) else value


def loaded(folder: Path, split: str, **options: Any) -> list[dict[str, Any]]:
    """The records of a split, by datasets, which reads the header of the card."""
    return list(datasets.load_dataset(str(folder), split=split, **options))


@pytest.mark.parametrize("name", ["data.parquet", "data.csv", "data.csv.gz", "data.jsonl"])
def test_generated_puzzles_are_read_through_their_description(tmp_path: Path, name: str) -> None:
    columns = ["puzzle", "clues", "er", "level"]
    file = tmp_path / name
    gridmill.generate_file(30, file, seed=1, max_er=3.0, columns=columns, **described(tmp_path))
    expected = gridmill.generate(30, seed=1, max_er=3.0, columns=columns).to_arrow().to_pylist()
    assert loaded(tmp_path, "train") == expected
    assert records(tmp_path, "train") == expected

    info = header(tmp_path)["dataset_info"][0]
    assert [feature["name"] for feature in info["features"]] == columns
    assert info["splits"][0]["num_examples"] == 30
    assert info["download_size"] == file.stat().st_size
    card = (tmp_path / "README.md").read_text()
    assert hashlib.sha256(file.read_bytes()).hexdigest() in card
    assert "| `seed` | `1` |" in card


def test_lines_are_read_through_their_description(tmp_path: Path) -> None:
    gridmill.generate_file(20, tmp_path / "data.txt", seed=3, **described(tmp_path))
    puzzles = (tmp_path / "data.txt").read_text().split()
    assert [row["text"] for row in loaded(tmp_path, "train")] == puzzles
    assert [row["puzzle"] for row in records(tmp_path, "train")] == puzzles


def test_splits_are_read_through_their_description(tmp_path: Path) -> None:
    gridmill.generate_file(100, tmp_path / "all.parquet", with_solution=True)
    parts = tmp_path / "parts"
    report = gridmill.split_file(tmp_path / "all.parquet", parts, parts="train=0.7,test=0.3", **described(parts))
    for part in report.parts:
        rows = loaded(parts, part["name"])
        assert len(rows) == part["records"] > 0
        assert records(parts, part["name"]) == rows
        assert set(rows[0]) == {"puzzle", "solution"}


def test_solutions_in_csv_are_texts_if_the_types_are_given(tmp_path: Path) -> None:
    gridmill.generate_file(20, tmp_path / "few.csv", with_solution=True)
    data = tmp_path / "data"
    data.mkdir()
    gridmill.augment_file(tmp_path / "few.csv", data / "data.csv", 2, seed=5, origin=True, **described(data))
    types = header(data)["dataset_info"][0]["features"]
    features = datasets.Features({feature["name"]: datasets.Value(feature["dtype"]) for feature in types})
    rows = loaded(data, "train", features=features)
    assert len(rows) == 40
    assert {len(row["solution"]) for row in rows} == {81}
    assert records(data, "train") == rows


def test_lists_are_read_through_their_description(tmp_path: Path) -> None:
    made = gridmill.generate(10, seed=2, with_solution=True)
    rows = [[int(cell) for cell in puzzle.replace(".", "0")] for puzzle in made.to_list("puzzle")]
    data = datasets.Dataset.from_dict({"puzzle": rows, "id": list(range(10))})
    data.to_parquet(tmp_path / "test.parquet")
    gridmill.validate_file(tmp_path / "test.parquet", tmp_path / "rows.csv", **described(tmp_path))
    (tmp_path / "rows.csv").unlink()
    assert [row["puzzle"] for row in loaded(tmp_path, "test")] == rows
    assert [list(row["puzzle"]) for row in records(tmp_path, "test")] == rows


def test_the_files_are_those_of_the_command_line(cli: Path, tmp_path: Path) -> None:
    run: Callable[..., Any] = lambda *arguments: subprocess.run(  # noqa: E731
        [cli, *arguments, "-q", "--card", "README.md", "--croissant", "croissant.json"], check=True, cwd=tmp_path
    )
    texts = lambda: [(tmp_path / name).read_text() for name in ("README.md", "croissant.json")]  # noqa: E731
    options = described(tmp_path)

    run("generate", "-n", "40", "--clues", "30", "--with-solution", "-o", "all.csv")
    theirs = texts()
    gridmill.generate_file(40, tmp_path / "all.csv", clues=30, with_solution=True, **options)
    assert texts() == theirs

    run("split", "all.csv", "--folds", "2", "-o", ".")
    theirs = texts()
    gridmill.split_file(tmp_path / "all.csv", tmp_path, folds=2, **options)
    assert texts() == theirs

    run("augment", "fold-1.csv", "--copies", "2", "-o", "more.csv")
    theirs = texts()
    gridmill.augment_file(tmp_path / "fold-1.csv", tmp_path / "more.csv", 2, **options)
    assert texts() == theirs

    run("validate", "more.csv", "--isomorphs", "--minimal", "-o", "rows.csv")
    theirs = texts()
    gridmill.validate_file(tmp_path / "more.csv", tmp_path / "rows.csv", isomorphs=True, minimal=True, **options)
    assert texts() == theirs


def test_what_cannot_be_described_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    file = tmp_path / "a.csv"
    with pytest.raises(ValueError, match="header"):
        gridmill.generate_file(1, file, header=False, columns=["puzzle"], card=tmp_path / "README.md")
    with pytest.raises(ValueError, match="is not in that folder"):
        gridmill.generate_file(1, file, card=tmp_path / "cards/README.md")
    with pytest.raises(ValueError, match="card"):
        gridmill.generate_file(1, file, card=file)
    assert not file.exists()
    gridmill.generate_file(1, file)
    with pytest.raises(ValueError, match="shard"):
        gridmill.validate_file(file, tmp_path / "rows.csv", shard="1/2", croissant=tmp_path / "c.json")
    with pytest.raises(ValueError, match="training set"):
        gridmill.augment_file(file, tmp_path / "hrm", 1, to="hrm", card=tmp_path / "README.md")
    with pytest.raises(ValueError, match="is not in that folder"):
        gridmill.split_file(file, tmp_path, folds=2, card=tmp_path / "cards/README.md")
