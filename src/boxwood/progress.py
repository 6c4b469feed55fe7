"""Progress of a long fit: scikit-learn's callbacks where they exist, and a bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

__all__ = ["CallbackSupportMixin", "Progress", "checked_by", "fit_progress", "with_callbacks"]

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

_CHECK: ContextVar[Callable[[], None] | None] = ContextVar("check", default=None)


@contextmanager
def checked_by(check: Callable[[], None]) -> Iterator[None]:
    """Have a function called now and then by the fits inside, which may raise to break them off."""
    token = _CHECK.set(check)
    try:
        yield
    finally:
        _CHECK.reset(token)


class Progress:
    """Counts trees or other steps that are done; the core calls it now and then, from its caller's thread.

    Parameters
    ----------
    estimator : estimator
    n_steps : int
        At the most.
    context : CallbackContext or None
        Of scikit-learn's callbacks; each step is a task of its own.
    bar : bool
        Write a bar to standard error.
    unit : str
        What a step is called.
    """

    def __init__(self, estimator: Any, n_steps: int, context: Any, bar: bool, unit: str = "tree") -> None:
        self.estimator = estimator
        self.n_steps = n_steps
        self.context = context
        self.bar = bar
        self.unit = unit
        self.check = _CHECK.get()
        self.n_reported = 0
        self.drawn = ""

    def __call__(self, n_done: int, n_steps: int | None = None) -> None:
        """Report that so many steps are done and, where it is less than was thought, how many there are."""
        if self.check is not None:
            self.check()
        if n_steps is not None:
            self.n_steps = min(self.n_steps, n_steps)
        if self.context is not None:
            for _ in range(self.n_reported, n_done):
                task = self.context.subcontext(task_name=self.unit)
                task.call_on_fit_task_begin(estimator=self.estimator)
                task.call_on_fit_task_end(estimator=self.estimator)
        self.n_reported = max(self.n_reported, n_done)
        if self.bar:
            self._draw()

    def _draw(self) -> None:
        filled = BAR_LENGTH * self.n_reported // max(self.n_steps, 1)  # a warm start may have none to add
        bar = "#" * filled + "." * (BAR_LENGTH - filled)
        line = f"[{bar}] {self.n_reported}/{self.n_steps} {self.unit}s"
        if line != self.drawn:
            # A shorter line would leave the end of the longer one before it.
            sys.stderr.write("\r" + line.ljust(len(self.drawn)))
            sys.stderr.flush()
            self.drawn = line

    def end_line(self) -> None:
        """Leave the bar's line."""
        if self.bar:
            sys.stderr.write("\n")
            sys.stderr.flush()


@contextmanager
def fit_progress(
    estimator: Any, X: Any, n_steps: int, verbose: int = 0, unit: str = "tree"
) -> Iterator[Progress | None]:
    """Return what the core shall tell of its progress, or None where nobody listens."""
    context = None
    if getattr(estimator, "_skl_callbacks", None):
        context = estimator._init_callback_context(max_subtasks=n_steps)
        context.call_on_fit_task_begin(estimator=estimator, X=X)
    if context is None and not verbose and _CHECK.get() is None:
        yield None
        return
    progress = Progress(estimator, n_steps, context, bool(verbose), unit)
    try:
        yield progress
        progress(progress.n_steps)
    finally:
        progress.end_line()
    if context is not None:
        context.call_on_fit_task_end(estimator=estimator, X=X)
