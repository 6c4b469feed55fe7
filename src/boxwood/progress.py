"""Progress of a long fit: scikit-learn's callbacks where they exist, and a bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["CallbackSupportMixin", "Progress", "fit_progress", "with_callbacks"]

Method = TypeVar("Method", bound=Callable[..., Any])

try:
    from sklearn import callback as _sklearn_callback
    from sklearn.callback import CallbackSupportMixin
except ImportError:  # before scikit-learn 1.9
    _sklearn_callback = None

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands for scikit-learn's, which is not there."""


def with_callbacks(method: Method) -> Method:
    """Have callbacks taken down after a ``fit``, however it ends."""
    return method if _sklearn_callback is None else _sklearn_callback.with_callbacks(method)


BAR_LENGTH = 30


class Progress:
    """Counts trees that are done; the core calls it now and then, from the thread that called it.

    Parameters
    ----------
    estimator : estimator
    n_trees : int
    context : CallbackContext or None
        Of scikit-learn's callbacks; each tree is a task of its own.
    bar : bool
        Write a bar to standard error.
    unit : str, default="trees"
        What the bar counts.
    """

    def __init__(self, estimator: Any, n_trees: int, context: Any, bar: bool, unit: str = "trees") -> None:
        self.estimator = estimator
        self.n_trees = n_trees
        self.context = context
        self.bar = bar
        self.unit = unit
        self.n_reported = 0
        self.n_drawn = -1

    def __call__(self, n_done: int) -> None:
        """Report that so many trees are done."""
        if self.context is not None:
            for _ in range(self.n_reported, n_done):
                task = self.context.subcontext(task_name="tree")
                task.call_on_fit_task_begin(estimator=self.estimator)
                task.call_on_fit_task_end(estimator=self.estimator)
        self.n_reported = max(self.n_reported, n_done)
        if self.bar and self.n_reported != self.n_drawn:
            self.n_drawn = self.n_reported
            filled = BAR_LENGTH * self.n_reported // max(self.n_trees, 1)  # a warm start may have none to add
            bar = "#" * filled + "." * (BAR_LENGTH - filled)
            sys.stderr.write(f"\r[{bar}] {self.n_reported}/{self.n_trees} {self.unit}")
            sys.stderr.flush()

    def end_line(self) -> None:
        """Leave the bar's line."""
        if self.bar:
            sys.stderr.write("\n")
            sys.stderr.flush()


@contextmanager
def fit_progress(estimator: Any, X: Any, n_trees: int, verbose: int = 0) -> Iterator[Progress | None]:
    """Return what the core shall tell of its progress, or None where nobody listens."""
    context = None
    if getattr(estimator, "_skl_callbacks", None):
        context = estimator._init_callback_context(max_subtasks=n_trees)
        context.call_on_fit_task_begin(estimator=estimator, X=X)
    if context is None and not verbose:
        yield None
        return
    progress = Progress(estimator, n_trees, context, bool(verbose))
    try:
        yield progress
        progress(n_trees)
    finally:
        progress.end_line()
    if context is not None:
        context.call_on_fit_task_end(estimator=estimator, X=X)
