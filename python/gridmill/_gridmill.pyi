"""The native part of the package. Its functions take arguments that are already checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, final

@final
class Batches:
    """Arrow record batches of one schema."""

    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    @property
    def columns(self) -> list[str]: ...
    def values(self, name: str) -> list[Any]: ...
    def grids(self, name: str) -> tuple[bytes, int]: ...
    def first_row(self) -> dict[str, Any]: ...

@final
class Cells:
    """The cells of puzzles, a byte each."""

    def __new__(cls, bytes: bytes, cells: int) -> Cells: ...

@final
class Checks:
    """What `validate` looks for."""

    def __new__(cls, *, minimal: bool, duplicates: bool, isomorphs: bool, classes: bool) -> Checks: ...

@final
class Settings:
    """The options that most functions share."""

    def __new__(
        cls,
        engine: str,
        max_branches: str,
        threads: int | None,
        alphabets: list[str],
        puzzle_column: str | None,
        answer_column: str | None,
        keep: list[str],
    ) -> Settings: ...

def solve(
    puzzles: object, limit: int, first: bool, columns: list[str] | None, settings: Settings
) -> tuple[Batches, str]: ...
def validate(
    puzzles: object, answers: object | None, against: object | None, checks: Checks, settings: Settings
) -> tuple[Batches, str]: ...
def canonical(puzzles: object, settings: Settings) -> tuple[Batches, str]: ...
def rate(
    puzzles: object,
    max_er: str | None,
    only_er: bool,
    isomorphs: int | None,
    seed: int,
    steps: bool,
    settings: Settings,
) -> tuple[Batches, str]: ...
def generate(
    count: int, seed: int, clues: int | None, order: int, solutions: bool, settings: Settings
) -> tuple[Batches, str]: ...
def isomorphs(puzzles: object, copies: int, seed: int, settings: Settings) -> tuple[Batches, str]: ...
def solve_file(
    inputs: list[Path],
    output: Path,
    limit: int,
    first: bool,
    resume: bool,
    progress: Callable[[int], object] | None,
    settings: Settings,
) -> str: ...
def validate_file(
    inputs: list[Path],
    output: Path,
    against: list[Path],
    accepts: Path | None,
    rejects: Path | None,
    checks: Checks,
    resume: bool,
    progress: Callable[[int], object] | None,
    settings: Settings,
) -> str: ...
