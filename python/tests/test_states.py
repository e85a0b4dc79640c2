"""States are the same as on the command line, for one puzzle and for many."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path

import pytest

import gridmill

UNIQUE = "1.3..........4.2"
MULTIPLE = ".2.4.4.221434321"


def test_one_state_has_all_attributes() -> None:
    state = gridmill.states(UNIQUE, "so far: 1.34.......1.4.2")
    assert (state.status, state.solutions, state.filled, state.wrong) == ("none", 0, 2, 1)
    state = gridmill.states(MULTIPLE, candidates=True, forced=True)
    assert (state.state, state.solutions, state.forced, state.backbone) == (MULTIPLE, 2, (), MULTIPLE)
    assert state.candidates is not None
    assert state.candidates.startswith("1.3..2..1.3....4")
    state = gridmill.states(UNIQUE, "no idea")
    assert (state.state, state.status, state.detail) == (None, "malformed", "no grid of this size")


def test_many_states_are_those_of_the_command(cli: Path, tmp_path: Path) -> None:
    puzzles = gridmill.generate(30, seed=3, with_solution=True)
    cut = [solution[:40] + puzzle[40:] for puzzle, solution in zip(puzzles["puzzle"], puzzles["solution"], strict=True)]
    moves = ["r1c1=1 r1c2=2"] * 30
    with (tmp_path / "states.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("puzzle", "grid", "moves"), *zip(puzzles["puzzle"], cut, moves, strict=True)])

    options = ["--state-column", "grid", "--candidates", "--forced"]
    command = [cli, "states", "-q", "states.csv", *options, "--moves-column", "moves", "-o", "rows.csv"]
    subprocess.run(command, check=True, cwd=tmp_path)
    report = gridmill.states_file(
        tmp_path / "states.csv",
        tmp_path / "file.csv",
        state_column="grid",
        moves_column="moves",
        candidates=True,
        forced=True,
    )
    assert report.states["unique"] == 30
    assert (tmp_path / "file.csv").read_bytes() == (tmp_path / "rows.csv").read_bytes()

    table = gridmill.states(puzzles["puzzle"], cut, candidates=True, forced=True)
    rows = gridmill.read_csv(tmp_path / "rows.csv")
    for column in ("state", "solutions", "wrong", "backbone", "candidates"):
        assert table.to_list(column) == rows.to_list(column), column
    assert [";".join(cells) for cells in table.to_list("forced")] == rows.to_list("forced")


def test_states_of_arrays_and_tables() -> None:
    assert gridmill.states([UNIQUE, MULTIPLE])["solutions"] == [1, 2]
    assert gridmill.states([UNIQUE] * 2, [None, "7"])["status"] == ["malformed"] * 2
    with pytest.raises(TypeError, match="item 1 of states must be a str, a chat or a list of cells, not int"):
        gridmill.states([UNIQUE] * 2, [UNIQUE, 7])
    with pytest.raises(ValueError, match="there are 2 puzzles and 1 states"):
        gridmill.states([UNIQUE] * 2, [UNIQUE])
