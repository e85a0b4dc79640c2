"""The options that functions share: each is described here once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, cast

if TYPE_CHECKING:
    F = TypeVar("F", bound=Callable[..., Any])


class Solving(TypedDict, total=False):
    """How puzzles are solved."""

    engine: str
    max_branches: int | str
    threads: int | None


class OfOne(Solving, total=False):
    """The options for one puzzle."""

    alphabet: str | Iterable[str]


class OfRows(TypedDict, total=False):
    """Which columns rows have."""

    columns: Iterable[str] | None


class OfMany(OfOne, OfRows, total=False):
    """The options for several puzzles."""

    puzzle_column: str | None
    keep: Iterable[str]


class OfOutput(TypedDict, total=False):
    """How rows are written to a file."""

    format: str | None
    header: bool
    progress: Callable[[int], object] | None


class OfFiles(OfMany, OfOutput, total=False):
    """The options for files."""

    resume: bool
    shard: str | None


class OfMade(Solving, OfRows, total=False):
    """The options for puzzles that are made."""


class OfMadeFile(OfMade, OfOutput, total=False):
    """The options for a file of puzzles that are made."""


DEFAULTS: dict[str, Any] = {
    "engine": "auto",
    "max_branches": "default",
    "threads": None,
    "alphabet": (),
    "puzzle_column": None,
    "keep": (),
    "columns": None,
    "format": None,
    "header": True,
    "resume": False,
    "shard": None,
    "progress": None,
}


def takes(options: Any) -> Callable[[F], F]:
    """Gives a function the keys of a `TypedDict` as arguments, in place of `**options`: others are refused."""

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        parameters = [item for item in own.parameters.values() if item.kind is not item.VAR_KEYWORD]
        for name, annotation in options.__annotations__.items():
            kind = inspect.Parameter.KEYWORD_ONLY
            text = getattr(annotation, "__forward_arg__", annotation)
            parameters.append(inspect.Parameter(name, kind, default=DEFAULTS[name], annotation=text))
        signature = own.replace(parameters=parameters)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name in kwargs:
                if name not in signature.parameters:
                    raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'")
            return function(*args, **kwargs)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        return cast("F", checked)

    return decorate
