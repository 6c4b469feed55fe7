"""Methods of estimators that take a source in place of a table."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from boxwood.columns.columns import Columns
from boxwood.progress import fit_progress
from boxwood.randomness import generator
from boxwood.stream.named_target import NamedTarget, without_column
from boxwood.stream.opening import as_source
from boxwood.stream.stacking import stacked
from boxwood.stream.table_source import TableSource

__all__ = ["TakesSources"]

WHOLE = ("fit", "partial_fit", "score")
"""Methods that need all rows at a time."""

ROWS = (
    "score_samples",
    "score_rows",
    "p_values",
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_interval",
    "predict_quantiles",
    "predict_rows",
    "decision_function",
    "apply",
    "explain",
    "impute",
    "transform",
)
"""Methods that say something about each row by itself."""


class TakesSources:
    """An estimator whose methods take sources in place of tables (see `boxwood.open_table`).

    ``fit`` and what else needs all rows gets columns that are mapped where they are large; what says
    something about each row gets batch by batch.
    """

    _releases_rows = False
    """Whether ``fit`` needs the rows of a table no longer once it has the distinct ones."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in (*WHOLE, *ROWS):
            method = inspect.getattr_static(cls, name, None)
            if inspect.isfunction(method) and not hasattr(method, "_takes_sources"):
                setattr(cls, name, (_of_whole_table if name in WHOLE else _by_rows)(method))


def _of_whole_table(method: Callable[..., Any]) -> Callable[..., Any]:
    """Have a method, such as ``fit``, take sources: it is given the columns, mapped where they are large.

    ``y``, where it is not optional, and ``sample_weight`` may then be names of columns, which the method does
    not see as such.
    """
    signature = inspect.signature(method)
    named = ["sample_weight"] if "sample_weight" in signature.parameters else []
    if "y" in signature.parameters and signature.parameters["y"].default is inspect.Parameter.empty:
        named.append("y")

    @functools.wraps(method)
    def on_source(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        source = as_source(X)
        if source is None:
            return method(self, X, *args, **kwargs)
        given = signature.bind(self, X, *args, **kwargs)
        with source.memory() as memory:
            columns = _read(self, source, memory)
            for key in named:
                if isinstance(given.arguments.get(key), str):
                    columns, column = without_column(columns, given.arguments[key])
                    given.arguments[key] = NamedTarget(column) if key == "y" else column.numbers()
            columns.of_one_fit = _may_release(self, method)
            given.arguments["X"] = columns
            return method(*given.args, **given.kwargs)

    on_source._takes_sources = True  # type: ignore[attr-defined]
    return on_source


def _may_release(estimator: Any, method: Callable[..., Any]) -> bool:
    """Return whether nobody looks at the table after a method; callbacks would be given it."""
    only_fit = method.__name__ == "fit" and estimator._releases_rows
    return only_fit and not getattr(estimator, "_skl_callbacks", None)


def _by_rows(method: Callable[..., Any]) -> Callable[..., Any]:
    """Have a method that says something about each row take sources: it is given batch by batch."""

    @functools.wraps(method)
    def on_source(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        source = as_source(X)
        if source is None:
            return method(self, X, *args, **kwargs)
        if kwargs.get("random_state") is not None:
            kwargs["random_state"] = generator(kwargs["random_state"])  # one stream for all batches
        return stacked(method(self, batch, *args, **kwargs) for batch in source.batches())

    on_source._takes_sources = True  # type: ignore[attr-defined]
    return on_source


def _read(estimator: Any, source: TableSource, memory: Any) -> Columns:
    verbose = estimator.get_params(deep=False).get("verbose") or 0
    n_done = 0
    with fit_progress(None, None, source.n_rows or 0, verbose, "row") as bar:

        def advance(n_more: int) -> None:
            nonlocal n_done
            n_done += n_more
            if bar is not None:
                bar.n_steps = max(bar.n_steps, n_done)
                bar(n_done)

        return source.read(memory, advance)
