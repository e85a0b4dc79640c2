"""One puzzle as a `str` has the row that a table of this one puzzle has; it is made on the calling thread."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import start_python

import gridmill

EASY = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7.."
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
ANSWER = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
ROWS = [HARD[start : start + 9] for start in range(0, 81, 9)]

PENCIL = "".join("".join(digit if clue in (".", digit) else "." for digit in "123456789") for clue in EASY)

ODD = [
    *(
        "",
        " ",
        "\n",
        "x",
        '"',
        "\0",
        "é" * 81,
        "\ud800",
        "\udfff".join(ROWS),
        "1.3..........4.2",
        "1...............",
        "1" * 16,
    ),
    *(HARD[:80], HARD + ".", HARD * 2, "." * 81, "5" * 81, HARD.replace(".", "0"), f' "{HARD}"\r\n', "\ufeff" + HARD),
    *("\n".join(ROWS), "\r\n".join(ROWS), "\n".join(" ".join(row) for row in ROWS), "\n\n".join([*ROWS, *ROWS])),
    *("123456789" * 81, PENCIL, PENCIL[:-1] + "x", "9" * 70_000),
    *("ABH" + "." * 253, "1G" + "0" * 254, "09F" + "." * 253, "." * 256, "AX" + "." * 623, "1P" + "x" * 623),
    *(" ".join(str(cell % 17) for cell in range(256)), "AB" * 128),
]
"""Texts of all kinds that have a row."""

UNCLEAR = "AF" + "." * 254
"""A puzzle that may be in one alphabet or another."""

CASES: list[tuple[str, dict[str, Any]]] = [
    ("solve", {}),
    ("solve", {"limit": 1, "max_branches": 20}),
    ("solve", {"limit": 5, "engine": "dlx", "max_branches": 1000}),
    ("solve", {"first": True, "alphabet": ["1-G"], "max_branches": 20}),
    ("count", {"limit": 1000}),
    ("validate", {}),
    ("validate", {"minimal": True, "classes": True, "max_branches": 10}),
    ("validate", {"duplicates": True, "isomorphs": True}),
    ("validate", {"against": [HARD, PENCIL, EASY[::-1]]}),
    ("canonical", {}),
    ("rate", {}),
    ("rate", {"max_er": 2, "progress": False}),
]


def names(kind: Any) -> list[str]:
    return ["class" if name == "class_id" else name for name in kind._fields]


def techniques(counts: str | None) -> dict[str, int]:
    pairs = (count.rpartition(":") for count in (counts or "").split(";") if count)
    return {name: int(count) for name, _, count in pairs}


def in_table(function: str, text: str, answer: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The row of a table of one puzzle."""
    answers = [] if answer is None else [[answer]]
    table = getattr(gridmill, function)([text], *answers, **options)
    return {name: table.to_list(name)[0] for name in table.columns}


def check(function: str, text: str, answer: str | None, options: dict[str, Any]) -> None:
    answers = [] if answer is None else [answer]
    expected = in_table(function, text, answer, options)
    if function == "count":
        if expected["status"] == "malformed":
            with pytest.raises(ValueError) as raised:
                gridmill.count(text, **options)
            assert str(raised.value) == f"not a puzzle: {expected['detail']}"
        else:
            assert gridmill.count(text, **options) == expected["solutions"]
        return

    row = getattr(gridmill, function)(text, *answers, **options)
    found = dict(zip(names(type(row)), row, strict=True))
    assert expected.pop("line") == 1
    assert list(found) == [name for name in names(type(row)) if name in expected]
    assert isinstance(found.get("findings", ()), tuple)
    for name, value in expected.items():
        if name == "nanos":
            assert isinstance(found[name], int)
        elif name == "techniques":
            assert found[name] == techniques(value)
        elif name == "findings":
            assert list(found[name]) == value
        else:
            assert (found[name], type(found[name])) == (value, type(value)), name


@pytest.mark.parametrize(("function", "options"), CASES)
def test_rows_are_those_of_a_table(function: str, options: dict[str, Any], puzzles: list[str]) -> None:
    for text in [*ODD, *puzzles[:40], *puzzles[-6:], HARD, EASY]:
        check(function, text, None, options)


@pytest.mark.parametrize("answer", ["", ANSWER, ANSWER[::-1], "x", "\ud800", "1234432121433412"])
def test_answers_are_judged_as_in_a_table(answer: str) -> None:
    for text in [HARD, EASY, "", "1.3..........4.2", "." * 81]:
        check("validate", text, answer, {})
        check("validate", text, answer, {"classes": True, "against": [HARD]})


def test_an_alphabet_that_is_not_clear_is_refused_as_in_a_table() -> None:
    for puzzles in ([UNCLEAR], UNCLEAR, UNCLEAR):
        with pytest.raises(ValueError, match=r"is not clear: A-P, 0-F or 1-G; name it with alphabet"):
            gridmill.solve(puzzles)  # type: ignore[call-overload]
    assert gridmill.solve(UNCLEAR, alphabet="0-F").status == gridmill.solve(UNCLEAR, alphabet=["A-P"]).status


@pytest.mark.parametrize("function", ["solve", "count", "validate", "canonical", "rate"])
def test_a_path_is_refused(function: str) -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match=r"puzzles looks like a path, 'puzzles\.CSV': use solve_file"):
            getattr(gridmill, function)("puzzles.CSV")


WRONG: list[tuple[str, dict[str, Any], dict[str, Any], type[Exception]]] = [
    ("solve", {"limit": 1}, {"limit": True}, TypeError),
    ("solve", {"limit": 2}, {"limit": 2.0}, TypeError),
    ("solve", {"limit": 2}, {"limit": 0}, ValueError),
    ("solve", {"first": True}, {"first": 1}, TypeError),
    ("solve", {"engine": "dlx"}, {"engine": "none"}, ValueError),
    ("solve", {"alphabet": "1-G"}, {"alphabet": [1]}, TypeError),
    ("solve", {"alphabet": ("1-G",)}, {"alphabet": {"1-H"}}, ValueError),
    ("solve", {}, {"all": True}, ValueError),
    ("solve", {}, {"keep": ["id"]}, ValueError),
    ("solve", {}, {"puzzle_column": "puzzle"}, ValueError),
    ("solve", {}, {"limits": 2}, TypeError),
    ("solve", {}, {"columns": ["status"]}, ValueError),
    ("validate", {}, {"columns": ["verdict"], "against": [HARD]}, ValueError),
    ("count", {"limit": 2}, {"limit": 1}, ValueError),
    ("validate", {"minimal": False}, {"minimal": 0}, TypeError),
    ("validate", {}, {"answers": 1}, TypeError),
    ("validate", {}, {"answer_column": "a"}, ValueError),
    ("validate", {}, {"rating_column": "er"}, ValueError),
    ("validate", {}, {"against": 1}, TypeError),
    ("rate", {"max_er": 1}, {"max_er": True}, TypeError),
    ("rate", {"max_er": 1}, {"max_er": -1}, ValueError),
]


@pytest.mark.parametrize(("function", "right", "wrong", "error"), WRONG)
def test_wrong_arguments_are_refused_each_time(
    function: str, right: dict[str, Any], wrong: dict[str, Any], error: type[Exception]
) -> None:
    call = getattr(gridmill, function)
    for _ in range(2):
        assert call(HARD, **right)
        with pytest.raises(error):
            call(HARD, **wrong)


def test_results_are_tuples_with_names() -> None:
    solved = gridmill.solve(HARD)
    assert (solved.status, solved.solution, solved.solutions, solved.detail) == ("unique", ANSWER, 1, None)
    assert solved._replace(nanos=0) == gridmill.solve(HARD)._replace(nanos=0)
    assert gridmill.rate(EASY).techniques == {"Hidden Single": 55}
    # It has all attributes.
    assert gridmill.rate(EASY, only="er") == gridmill.rate(EASY)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="Linux lists the threads of a process")
def test_the_calling_thread_does_the_work(tmp_path: Path) -> None:
    script = """
        import threading, gridmill

        most, done = 0, threading.Event()

        def watch():
            global most
            while not done.is_set():
                most = max(most, threads())

        before = threads()
        watcher = threading.Thread(target=watch)
        watcher.start()
        # Meanwhile, other threads run: the watcher sees at least itself.
        gridmill.count("." * 81, limit=300_000)
        done.set()
        watcher.join()
        assert most == before + 1, (before, most)
    """
    assert start_python(script, tmp_path).wait(60) == 0


def test_many_threads_may_call_at_once(puzzles: list[str]) -> None:
    texts = [*puzzles[:100], *ODD[:20]]

    def rows(order: int) -> list[Any]:
        found = {text: gridmill.solve(text)._replace(nanos=0) for text in texts[::order]}
        return [found[text] for text in texts]

    expected, results = rows(1), []
    threads = [threading.Thread(target=lambda n=n: results.append(rows((-1) ** n))) for n in range(8)]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


class AlarmError(Exception):
    """Raised by a handler."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raises an exception from the handler of a signal that comes later."""

    def handler(*_: object) -> None:
        raise AlarmError

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# Each takes minutes.
LONG: dict[str, Callable[[], object]] = {
    "9x9": lambda: gridmill.count("." * 81, limit=10**12),
    "16x16": lambda: gridmill.solve("1" + "." * 255, limit=10**9, max_branches="none", alphabet="1-G"),
    "dlx": lambda: gridmill.count("." * 81, limit=10**12, engine="dlx"),
}


@pytest.mark.parametrize("kind", LONG)
def test_a_signal_ends_a_long_search(kind: str) -> None:
    for _ in range(2):
        start = time.monotonic()
        with pytest.raises(AlarmError), alarm(0.3):
            LONG[kind]()
        assert 0.3 <= time.monotonic() - start < 5
        assert gridmill.solve(HARD).solution == ANSWER


def test_a_handler_may_call_gridmill() -> None:
    found: list[Any] = []
    before = signal.signal(signal.SIGALRM, lambda *_: found.append(gridmill.count("1...............")))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        gridmill.count("." * 81, limit=2_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert found == [72]


def test_memory_stays_flat_over_ten_thousand_calls() -> None:
    easy = (Path(__file__).resolve().parents[2] / "data/easy.txt").read_text().split()

    def call(times: int) -> int:
        """Calls the functions so many times; returns the memory of the process in bytes."""
        for number in range(times):
            puzzle = easy[number % len(easy)]
            gridmill.solve(puzzle)
            gridmill.solve("nonsense")
            gridmill.validate(puzzle)
            gridmill.canonical(puzzle)
            gridmill.rate(puzzle)
            assert gridmill.Puzzle(puzzle).candidates
            if number % 100 == 0:
                gridmill.solve([puzzle] * 100).to_arrow()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    before = call(2_000)
    # A leak of one row of a table would be more than this.
    assert call(10_000) - before < 2_000_000
