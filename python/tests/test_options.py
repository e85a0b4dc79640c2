"""The options of jobs have the same names and defaults here and in the library."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gridmill import _gridmill, _options

OPTIONS: dict[str, type] = {
    "solve": _options.SolveFile,
    "rate": _options.RateFile,
    "trace": _options.TraceFile,
    "canon": _options.FileRows,
    "convert": _options.ConvertFile,
    "augment": _options.AugmentFile,
    "validate": _options.ValidateFile,
    "score": _options.ScoreFile,
    "states": _options.StatesFile,
    "generate": _options.GenerateFile,
}
NO_KEYWORDS = {"copies", "count", "against"}
"""Options of the library that are not keywords of jobs here."""
HERE_ONLY = {"set", "class_key", "allow_malformed", "fail_on", "max_tries", "template"}
"""Options that belong to another part of the library than the job, or that its rows do not depend on."""


def options_of(command: str, **given: Any) -> dict[str, Any]:
    job = _gridmill.Generator(**given) if command == "generate" else _gridmill.Job(command, **given)
    return json.loads(job.options)  # type: ignore[no-any-return]


@pytest.mark.parametrize("command", OPTIONS)
def test_names_and_defaults_are_those_of_the_library(command: str) -> None:
    table = _options.described(OPTIONS[command])
    here = {name: option.checked(name, option.default) for name, option in table.items() if option.goal == "job"}
    assert options_of(command, **here) == options_of(command)
    assert {name.replace("_", "-") for name in here if name not in HERE_ONLY} == set(options_of(command)) - NO_KEYWORDS
