"""Workers must have boxwood, and the same one: another version may give other bytes."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

__all__ = ["check_versions"]


def check_versions(client: Any) -> None:
    """Raise where a worker of a client has no boxwood, or another version of it.

    What is asked is a function of Python's own, so that workers without the package can answer too. Workers
    that come later are not asked: one without the package fails with the task that it is given.
    """
    mine = version("boxwood")
    found = client.run(version, "boxwood", on_error="return")
    for worker, theirs in sorted(found.items()):
        if isinstance(theirs, OSError):
            continue  # it was lost while it was asked; another may come in its place
        if isinstance(theirs, BaseException):
            raise RuntimeError(
                f"the worker {worker} does not have boxwood ({type(theirs).__name__}: {theirs}). Install "
                f'boxwood {mine} there: pip install "boxwood[dask]".'
            )
        if theirs != mine:
            raise RuntimeError(
                f"the worker {worker} has boxwood {theirs}, this process {mine}. Other versions may give "
                "other models: install the same one everywhere."
            )
