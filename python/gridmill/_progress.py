"""The bar that shows the progress of a run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

DELAY = 1.0
"""The seconds before a bar appears."""


@contextmanager
def watched(run: dict[str, Any], total: int | None) -> Iterator[None]:
    """Turns the `progress` of a caller (a function, `True`, `False`, or nothing) into a function.

    Args:
        run: The arguments of a run; its `progress` is replaced.
        total: The number of records, if it is known.

    Raises:
        ImportError: If a bar is wanted, and tqdm is not installed.
    """
    wanted = run["progress"]
    if callable(wanted):
        yield
        return
    run["progress"] = None
    wanted_by_default = wanted is None
    if wanted_by_default:
        wanted = (sys.stderr is not None and sys.stderr.isatty()) or _in_notebook()
    if not wanted or (wanted_by_default and find_spec("tqdm") is None):
        yield
        return
    from tqdm.auto import tqdm

    with tqdm(total=total, delay=DELAY, unit=" puzzles", unit_scale=True, dynamic_ncols=True) as bar:
        run["progress"] = bar.update
        yield


def _in_notebook() -> bool:
    """Whether the output of this process is shown in a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    return type(shell).__name__ == "ZMQInteractiveShell"
