"""The native part of the package. Its functions take arguments that are already checked."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, final

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
    def grids(self, name: str) -> tuple[bytearray, int]: ...
    def rows(self, start: int, step: int, count: int) -> Batches: ...
    def take(self, indices: list[int]) -> Batches: ...
    def select(self, names: list[str]) -> Batches: ...
    def to_ipc(self) -> bytes: ...
    @staticmethod
    def from_ipc(bytes: bytes) -> Batches: ...

@final
class Bench:
    """A comparison of engines. The results are rows, and a report as JSON."""

    def __new__(
        cls,
        *,
        engines: list[str] = ...,
        threads: list[int] = ...,
        seconds: float = 2.0,
        limit: int | None = None,
        reference: str | None = None,
        shuffle: int | None = None,
        isomorphs: int | None = None,
        top: int = 0,
    ) -> Bench: ...
    def table(
        self, puzzles: object, settings: Settings, *, times: Path | None = None, disagreements: Path | None = None
    ) -> tuple[Batches, str]: ...
    def files(
        self, inputs: list[Path], settings: Settings, *, times: Path | None = None, disagreements: Path | None = None
    ) -> tuple[Batches, str]: ...

@final
class BatchIterator:
    """Batches from an iterator, at least one, all with the same schema."""

    def __new__(cls, batches: object) -> BatchIterator: ...

@final
class Cells:
    """The cells of puzzles, a number each."""

    def __new__(cls, bytes: bytes, kind: str, cells: int) -> Cells: ...

@final
class CopyJob:
    """A job that copies records as they are."""

    @staticmethod
    def split(
        parts: str | None = None,
        folds: int | None = None,
        *,
        by: str = "class",
        seed: int = 0,
        stratify: str | None = None,
        bins: str | None = None,
    ) -> CopyJob: ...
    @staticmethod
    def dedupe(*, by: str = "class", keep_max: str | None = None, keep_min: str | None = None) -> CopyJob: ...
    @staticmethod
    def sample(
        count: int,
        *,
        seed: int = 0,
        where: list[str] = ...,
        stratify: str | None = None,
        bins: str | None = None,
        unchecked: bool = False,
    ) -> CopyJob: ...
    def table(
        self, puzzles: object, settings: Settings, *, progress: Progress = None, dropped: Path | None = None
    ) -> tuple[list[tuple[str, Batches]], str]: ...
    def write(
        self,
        inputs: list[Path],
        settings: Settings,
        output: Path,
        *,
        progress: Progress = None,
        compress: str | None = None,
        dropped: Path | None = None,
        card: Path | None = None,
        croissant: Path | None = None,
    ) -> str: ...

@final
class Examples:
    """Puzzles with their answers in memory, for making copies."""

    @staticmethod
    def read(
        puzzles: object,
        settings: Settings,
        *,
        seed: int = 0,
        kind: list[str] = ...,
        progress: Progress = None,
        answers: object | None = None,
    ) -> tuple[Examples, str, Batches | None]: ...
    def __len__(self) -> int: ...
    def numbers(self) -> bytes: ...
    def indices(self, epoch: int, first: int, count: int, shuffle: bool) -> bytes: ...
    def copies(self, epoch: int, first: int, count: int, shuffle: bool) -> bytearray: ...

@final
class GeneratedBatches:
    """Batches of puzzles that a thread makes ahead."""

    def __iter__(self) -> GeneratedBatches: ...
    def __next__(self) -> bytearray: ...

@final
class Generator:
    """The job that makes puzzles."""

    def __new__(cls, **options: Any) -> Generator: ...
    @property
    def options(self) -> str: ...
    def table(
        self,
        settings: Settings,
        *,
        progress: Progress = None,
        not_in: object | None = None,
        report: Path | None = None,
    ) -> tuple[Batches, str]: ...
    def batches(self, settings: Settings, first: int, step: int, size: int) -> GeneratedBatches: ...
    def check(self, settings: Settings) -> None: ...
    def write(
        self,
        settings: Settings,
        output: Output,
        *,
        progress: Progress = None,
        not_in: list[Path] = ...,
        card: Path | None = None,
        croissant: Path | None = None,
    ) -> str: ...

@final
class Job:
    """A job that makes rows for given puzzles."""

    def __new__(cls, command: str, **options: Any) -> Job: ...
    @property
    def options(self) -> str: ...
    def table(
        self,
        puzzles: object,
        settings: Settings,
        *,
        progress: Progress = None,
        answers: object | None = None,
        against: object | None = None,
        report: Path | None = None,
    ) -> tuple[Batches, str]: ...
    def certify(
        self,
        puzzles: object,
        settings: Settings,
        against: object,
        *,
        progress: Progress = None,
    ) -> tuple[str, str]: ...
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
        card: Path | None = None,
        croissant: Path | None = None,
    ) -> str: ...

@final
class Output:
    """The files for the rows of a job on files, and their form."""

    def __new__(
        cls,
        path: Path,
        *,
        to: str | None = None,
        header: bool = True,
        resume: bool = False,
        shard: str | None = None,
        compress: str | None = None,
        report: Path | None = None,
    ) -> Output: ...
    def share(self, records: int) -> int: ...

@final
class Settings:
    """The options that most functions have."""

    def __new__(
        cls,
        *,
        engine: str = "auto",
        max_branches: str = "default",
        threads: int | None = None,
        chunk: int | None = None,
        alphabet: list[str] = ...,
        blank: str | None = None,
        puzzle_column: str | None = None,
        answer_column: str | None = None,
        response_column: str | None = None,
        state_column: str | None = None,
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

def classes(
    inputs: list[Path],
    settings: Settings,
    output: Path,
    *,
    class_key: Path | None = None,
    allow_malformed: bool = False,
    progress: Callable[[int], object] | None = None,
) -> str: ...
def command_line(program: list[str], arguments: list[str]) -> NoReturn: ...
def explain(puzzles: object, settings: Settings, grids: str = "eliminations") -> list[str]: ...
def explain_files(inputs: list[Path], settings: Settings, grids: str = "eliminations") -> str: ...
def explain_one(puzzle: str, grids: str = "eliminations") -> str: ...
def find(texts: list[str], size: str) -> Batches: ...
def merge(outputs: list[Path], output: Path, *, compress: str | None = None) -> tuple[str, str]: ...
def line_of_cells(cells: bytes) -> str: ...
def picture_of_cells(cells: bytes) -> str: ...
def read_csv(path: Path) -> Batches: ...
def read_puzzle(text: str, alphabet: str | None) -> bytes: ...

VERSION: str
