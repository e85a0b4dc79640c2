"""Sets of classes: the leaks of a hidden test set are found without its puzzles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import gridmill

EASY, MINIMAL = ROOT / "data/easy.txt", ROOT / "data/minimal.txt"


def test_leaks_are_found_through_a_set(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden.classes"
    report = gridmill.classes_file(EASY, hidden)
    assert (report.classes, report.records, report.without_class, report.malformed) == (1000, 1000, 0, 0)
    assert json.loads(hidden.read_bytes().split(b"\n")[0])["classes"] == 1000

    # Isomorphs of hidden puzzles among other puzzles.
    hidden_puzzles, others = EASY.read_text().split()[:5], MINIMAL.read_text().split()[:7]
    puzzles = others + gridmill.augment(hidden_puzzles, 1).to_list("puzzle")
    expected = ["sound"] * 7 + ["leak-isomorph"] * 5
    for against in (hidden, str(hidden)):
        found = gridmill.validate(puzzles, against=against)
        assert found.to_list("verdict") == expected
        assert found.report.against_sets["classes"] == 1000
    assert gridmill.validate(puzzles, against=EASY).to_list("verdict") == expected
    assert gridmill.validate(puzzles[-1], against=hidden).findings == ("leak-isomorph",)

    (tmp_path / "train.txt").write_text("\n".join(puzzles))
    for files in (hidden, [hidden], [EASY, hidden]):
        card = gridmill.validate_file(tmp_path / "train.txt", tmp_path / "rows.csv", against=files)
        assert card.findings["leak-isomorph"] == 5


def test_a_key_hides_a_set(tmp_path: Path) -> None:
    key, other, short = tmp_path / "key", tmp_path / "other", tmp_path / "short"
    key.write_bytes(b"a secret of sixteen bytes")
    other.write_bytes(b"another secret of theirs")
    short.write_bytes(b"short")
    hidden = tmp_path / "hidden.classes"
    gridmill.classes_file(EASY, hidden, class_key=key)

    leaked = EASY.read_text().split()[0]
    assert gridmill.validate([leaked], against=hidden, class_key=key).to_list("verdict") == ["leak-isomorph"]
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"against": hidden}, "hashed with a key, which is not given"),
        ({"against": hidden, "class_key": other}, "hashed with another key"),
        ({"against": hidden, "class_key": short}, "at least 16 bytes"),
        ({"against": EASY, "class_key": key}, "against names none"),
        ({"class_key": key}, "against names none"),
    ]
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            gridmill.validate([leaked], **options)
    for write in (
        lambda: gridmill.classes_file(EASY, key, class_key=key),
        lambda: gridmill.validate_file(EASY, key, against=hidden, class_key=key),
    ):
        with pytest.raises(ValueError, match="key is an input, too"):
            write()
    with pytest.raises(OSError, match="missing"):
        gridmill.validate([leaked], against=hidden, class_key=tmp_path / "missing")
    with pytest.raises(OSError, match="missing"):
        gridmill.validate([leaked], against=tmp_path / "missing")
