"""The build backend: maturin, after a check for the compilers, so that a build without them ends at once."""

import os
import shutil
import sys
from collections.abc import Mapping

import maturin
from maturin import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def get_requires_for_build_wheel(settings: Mapping[str, object] | None = None) -> list[str]:
    """The hook that is called first."""
    check_compilers()
    return list(maturin.get_requires_for_build_wheel(settings))


def get_requires_for_build_editable(settings: Mapping[str, object] | None = None) -> list[str]:
    """The hook that is called first."""
    check_compilers()
    return list(maturin.get_requires_for_build_editable(settings))


def check_compilers() -> None:
    """Stops with one line if Rust or a C compiler is missing."""
    if not shutil.which("cargo"):
        sys.exit("gridmill is compiled here, which needs Rust 1.95 or later (https://rustup.rs) and a C compiler")
    # Rust finds Microsoft's compiler without the path.
    compiler = os.environ.get("CC", "cc").split()[0]
    if os.name != "nt" and not shutil.which(compiler):
        sys.exit(f"gridmill is compiled here, which needs a C compiler, and there is no `{compiler}` in the path")
