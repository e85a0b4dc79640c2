"""The native part of the package. Its functions take arguments that are already checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, final

Progress: TypeAlias = Callable[[int], object] | None

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
    def rows(self, start: int, step: int, count: int) -> Batches: ...
    def to_ipc(self) -> bytes: ...
    @staticmethod
    def from_ipc(bytes: bytes) -> Batches: ...

@final
class Cells:
    """The cells of puzzles, an integer each."""

    def __new__(cls, bytes: bytes, kind: str, cells: int) -> Cells: ...

@final
class Generator:
    """The job that makes puzzles."""

    def __new__(
        cls, count: int, *, seed: int, skip: int, clues: int | None, order: int, with_solution: bool, distinct: bool
    ) -> Generator: ...
    def table(self, settings: Settings, *, progress: Progress = None) -> tuple[Batches, str]: ...
    def write(self, settings: Settings, output: Output, *, progress: Progress = None) -> str: ...

@final
class Job:
    """A job with rows for puzzles that are given."""

    @staticmethod
    def solve(*, limit: int, first: bool) -> Job: ...
    @staticmethod
    def rate(
        *,
        max_er: str | None,
        isomorphs: int | None = None,
        seed: int = 0,
        only: str | None = None,
        steps: bool = False,
    ) -> Job: ...
    @staticmethod
    def canonical() -> Job: ...
    @staticmethod
    def augment(copies: int, *, seed: int, kind: list[str], original: bool, origin: bool, unchecked: bool) -> Job: ...
    @staticmethod
    def validate(*, minimal: bool, duplicates: bool, isomorphs: bool, classes: bool) -> Job: ...
    def table(
        self,
        puzzles: object,
        settings: Settings,
        *,
        progress: Progress = None,
        answers: object | None = None,
        against: object | None = None,
    ) -> tuple[Batches, str]: ...
    def single(self, settings: Settings, columns: list[str], *, answers: bool) -> Single: ...
    def write(
        self,
        inputs: list[Path],
        settings: Settings,
        output: Output,
        *,
        progress: Progress = None,
        against: list[Path] = ...,
        accepts: Path | None = None,
        rejects: Path | None = None,
    ) -> str: ...

@final
class Output:
    """Where the rows of a job on files go, and how they are written."""

    def __new__(
        cls, path: Path, *, to: str | None, header: bool, resume: bool = False, shard: str | None = None
    ) -> Output: ...

@final
class Settings:
    """The options that most functions share."""

    def __new__(
        cls,
        *,
        engine: str,
        max_branches: str,
        threads: int | None,
        chunk: int | None,
        alphabet: list[str] = ...,
        puzzle_column: str | None = None,
        answer_column: str | None = None,
        from_: str | None = None,
        keep: list[str] = ...,
        columns: list[str] | None = None,
    ) -> Settings: ...

@final
class Single:
    """A job that makes the rows of one puzzle at a time."""

    def row(self, puzzle: str, answer: str | None = None) -> tuple[Any, ...]: ...

def columns(function: str) -> list[tuple[str, str]]:
    """The columns that the rows of a function can have: their names, and `number`, `decimal`, `text` or `texts`."""

def line_of_cells(cells: bytes) -> str: ...
def read_csv(path: Path) -> Batches: ...
def read_puzzle(text: str, alphabet: str | None) -> bytes: ...

VERSION: str
