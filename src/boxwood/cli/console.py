"""What is shown on a terminal: text on standard output, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["console", "progress", "verbosity"]


def console(stderr: bool = False) -> Any:
    """Return a rich console; in pipes it has neither colours nor a width to break lines at."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr, width=None if stream.isatty() else 200, soft_wrap=not stream.isatty(), highlight=False
    )


def verbosity() -> int:
    """Return 1, for an estimator's own bar, where standard error is a terminal."""
    return int(sys.stderr.isatty())


@contextmanager
def progress(what: str, n_rows: int | None = None) -> Iterator[Any]:
    """Show how many rows are done, on a terminal; what is yielded takes the number of further ones.

    Parameters
    ----------
    what : str
    n_rows : int, optional
        Of all, where it is known.
    """
    if not sys.stderr.isatty():
        yield lambda n_more: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=n_rows)
        yield lambda n_more: bar.advance(task, n_more)
