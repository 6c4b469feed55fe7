"""Workers must have boxwood, and the same one: another version may give other bytes."""

from __future__ import annotations

from typing import Any

__all__ = ["check_versions"]


def check_versions(client: Any) -> None:
    """Raise where a worker of a client has no boxwood, or another version of it.

    Dask asks the workers, so that those without the package can answer too. Workers that come later are
    not asked: a worker without the package then fails with the task that it is given.
    """
    from boxwood import __version__

    found = client.get_versions(packages=["boxwood"])["workers"]
    for worker, versions in sorted(found.items()):
        theirs = versions["packages"].get("boxwood")
        if theirs is None:
            raise RuntimeError(
                f"the worker {worker} does not have boxwood. Install boxwood {__version__} there "
                '(pip install "boxwood[dask]").'
            )
        if theirs != __version__:
            raise RuntimeError(
                f"the worker {worker} has boxwood {theirs}, this process {__version__}. Other versions may give "
                "other models: install the same one everywhere."
            )
