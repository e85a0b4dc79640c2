"""The build backend, where compilers are missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("maturin", reason="maturin is for building")

HERE = Path(__file__).parent.parent


def requires(path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    script = "import backend; print(backend.get_requires_for_build_wheel())"
    variables = {name: value for name, value in os.environ.items() if name != "CC"}
    variables |= {"PATH": str(path), **environment}
    return subprocess.run([sys.executable, "-c", script], cwd=HERE, env=variables, capture_output=True, text=True)


def add_program(path: Path, name: str) -> None:
    program = path / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="programs are found by their extension there")
def test_a_build_without_compilers_ends_with_one_line(tmp_path: Path) -> None:
    finished = requires(tmp_path)
    assert (finished.returncode, finished.stdout) == (1, "")
    assert finished.stderr.startswith("gridmill is compiled here, which needs Rust 1.95 or later")
    assert finished.stderr.count("\n") == 1

    add_program(tmp_path, "cargo")
    finished = requires(tmp_path)
    assert finished.stderr == (
        "gridmill is compiled here, which needs a C compiler, and there is no `cc` in the path\n"
    )
    finished = requires(tmp_path, CC="clang -m64")
    assert "there is no `clang` in the path" in finished.stderr

    add_program(tmp_path, "cc")
    finished = requires(tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")
