"""Checks arguments: a wrong type is a `TypeError` that names the expected one, a wrong value a `ValueError`."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex, TypeVar

T = TypeVar("T")

MAX_INT = 2**64 - 1


def integer(least: int = 0, most: int = MAX_INT) -> Callable[[str, object], int]:
    """Checks for an `int`, or an integer of NumPy, in a range."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be an int, not {kind_of(value)}")
        number = operator.index(value)
        if not least <= number <= most:
            raise ValueError(f"{name} must be from {least} to {most}, not {number}")
        return number

    return check


def integers(least: int, most: int) -> Callable[[str, object], list[int]]:
    """Checks for an integer in a range, or several."""

    def check(name: str, value: object) -> list[int]:
        values = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
        return [integer(least, most)(name, item) for item in values]

    return check


def number(least: float, most: float) -> Callable[[str, object], float]:
    """Checks for a number in a range."""

    def check(name: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise TypeError(f"{name} must be a float, not {kind_of(value)}")
        if not least <= value <= most:
            raise ValueError(f"{name} must be from {least} to {most}, not {value}")
        return float(value)

    return check


def weights(name: str, values: object) -> dict[str, float]:
    """Numbers from 0 on, by name."""
    return _by_name(name, values, number(0, MAX_INT))


def counts(name: str, values: object) -> dict[str, int]:
    """Integers from 0 on, by name."""
    return _by_name(name, values, integer())


def _by_name(name: str, values: object, check: Callable[[str, object], T]) -> dict[str, T]:
    """Checked values by name."""
    if not isinstance(values, Mapping):
        raise TypeError(f"{name} must be a dict, not {kind_of(values)}")
    return {text(f"a key of {name}", key): check(f"{name}[{key!r}]", value) for key, value in values.items()}


def clues(name: str, value: object) -> str:
    """A number of clues, or a range, as text."""
    if isinstance(value, range) and value and value.step == 1:
        value = value[0], value[-1]
    return _range(name, value, lambda name, value: str(integer(0, 625)(name, value)))


def range_of_er(name: str, value: object) -> str:
    """A range of difficulties, as text; a number is both ends."""
    return _range(name, value, difficulty)


def _range(name: str, value: object, check: Callable[[str, object], str]) -> str:
    """A value, a range as text, or a pair of its ends, as text."""
    if isinstance(value, tuple) and len(value) == 2:
        return "..".join(check(f"an end of {name}", end) for end in value)
    if not isinstance(value, str | SupportsIndex | float):
        raise TypeError(f"{name} must be a number, a text such as '24..28', or a pair of numbers, not {kind_of(value)}")
    return value if isinstance(value, str) else check(name, value)


def size(name: str, value: object) -> str:
    """A size, or its number of rows, as text."""
    given = value if isinstance(value, str) else str(integer(4, 25)(name, value))
    return f"{given}x{given}" if given.isdecimal() else given.lower()


def one_of(values: Iterable[str], check: Callable[[str, object], Any]) -> Callable[[str, object], Any]:
    """A check for some of these values, which also takes them with capitals, spaces or underscores."""
    known = {_plain(value): value for value in values}

    def exactly(name: str, value: object) -> Any:
        found = check(name, value)
        if isinstance(found, list):
            return [known.get(_plain(item), item) for item in found]
        return known.get(_plain(found), found)

    return exactly


def _plain(value: str) -> str:
    """A name in small letters, with hyphens."""
    return value.strip().lower().replace(" ", "-").replace("_", "-")


def pattern(name: str, value: object) -> str:
    """The text of a grid, which may be in a file."""
    return value if isinstance(value, str) else path(name, value).read_text()


def guesses(name: str, value: object) -> str:
    """A number of guesses, or the name of one."""
    return value if isinstance(value, str) else str(integer()(name, value))


def difficulty(name: str, value: object) -> str:
    """A difficulty such as 3 or 7.1, as text."""
    return f"{number(0, 20)(name, value):.1f}"


def flag(name: str, value: object) -> bool:
    """A `bool`."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be a bool, not {kind_of(value)}")
    return value


def text(name: str, value: object) -> str:
    """A `str`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {kind_of(value)}")
    return value


def texts(name: str, values: object) -> list[str]:
    """Several `str`; one `str` is refused, as it would count as its characters."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a list of str, not {kind_of(values)}")
    return [text(f"an item of {name}", value) for value in values]


def names(name: str, values: object) -> list[str]:
    """One `str`, or several."""
    return [values] if isinstance(values, str) else texts(name, values)


def some_texts(name: str, values: object) -> list[str]:
    """At least one `str`."""
    found = texts(name, values)
    if not found:
        raise ValueError(f"{name} is empty")
    return found


def parts(name: str, value: object) -> str:
    """The sizes of parts by their names, or a text with both."""
    if not isinstance(value, Mapping):
        return text(name, value)
    for part, size in value.items():
        text(f"a key of {name}", part)
        if isinstance(size, bool) or not isinstance(size, int | float | str):
            raise TypeError(f"{name}[{part!r}] must be a number or a str, not {kind_of(size)}")
    return ",".join(f"{part}={size}" for part, size in value.items())


def bins(name: str, value: object) -> str:
    """The ends of bins, as text."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return text(name, value)
    return ",".join(str(number(-MAX_INT, MAX_INT)(f"an item of {name}", end)) for end in value)


def path(name: str, value: object) -> Path:
    """The path of a file."""
    if not isinstance(value, str | PathLike):
        raise TypeError(f"{name} must be a str or a path, not {kind_of(value)}")
    return Path(value)


def paths(name: str, value: object) -> list[Path]:
    """The path of a file, or several."""
    if isinstance(value, list | tuple):
        return [path(f"an item of {name}", item) for item in value]
    return [path(name, value)]


def some_paths(name: str, value: object) -> list[Path]:
    """The path of a file, or several, but at least one."""
    found = paths(name, value)
    if not found:
        raise ValueError(f"{name} is empty")
    return found


OTHER_NAMES = {"difficulty": "level or er", "answer": "answers", "response": "responses", "solution": "answers"}
"""Names that people give to arguments, with the right ones."""


def unexpected(function: str, name: str, names: Iterable[str]) -> TypeError:
    """The error for an argument that a function does not have; it names a similar one."""
    known = OTHER_NAMES.get(name, "")
    similar = [known] if known.split(" ")[0] in names else difflib.get_close_matches(name, names, 1)
    hint = f"; did you mean {similar[0]}?" if similar else ""
    return TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")


def kind_of(value: object) -> str:
    """The name of the type of a value, for an error."""
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def progress(name: str, value: object) -> bool | Callable[[int], object]:
    """Whether to show a bar, or a function to call instead."""
    if not isinstance(value, bool) and not callable(value):
        raise TypeError(f"{name} must be a bool or a function, not {kind_of(value)}")
    return value
