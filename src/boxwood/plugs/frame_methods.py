"""What a frame can ask of a model: the methods behind ``df.boxwood``."""

from __future__ import annotations

import os
from typing import Any

from boxwood.model_file import load
from boxwood.table import TableModel

__all__ = ["FrameMethods"]


class FrameMethods:
    """Questions of a frame to a fitted model, which may also be the path of a model file.

    Answers come in the frame's library; those of pandas have its index.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def fit(self, model: Any = None, **options: Any) -> Any:
        """Fit a model to the frame and return it.

        Parameters
        ----------
        model : estimator, optional
            By default a :class:`boxwood.TableModel`.
        **options
            Further arguments of its ``fit``.
        """
        return (TableModel(random_state=0) if model is None else model).fit(self._frame, **options)

    def score(self, model: Any) -> Any:
        """Return the log-density (of a detector: the score) of each row, as a series."""
        return self._series(_loaded(model).score_samples(self._frame), "score")

    def p_values(self, model: Any) -> Any:
        """Return the fraction of unseen rows that are at least as odd as each row, as a series."""
        loaded = _loaded(model)
        density = loaded.density_ if isinstance(loaded, TableModel) else loaded
        return self._series(density.p_values(self._frame), "p_value")

    def predict(self, model: Any, column: str | None = None) -> Any:
        """Return what a model predicts of each row, as a series; of a TableModel for the column named."""
        arguments = () if column is None else (column,)
        return self._series(_loaded(model).predict(self._frame, *arguments), column or "prediction")

    def explain(self, model: Any) -> Any:
        """Return how surprising, or how far to blame, each cell is, as a frame."""
        return self._own(_loaded(model).explain(self._frame))

    def impute(self, model: Any) -> Any:
        """Return the frame with its gaps filled, by a TableModel or by what has ``transform``."""
        loaded = _loaded(model)
        return self._own(
            loaded.impute(self._frame) if isinstance(loaded, TableModel) else loaded.transform(self._frame)
        )

    def _series(self, values: Any, name: str) -> Any:
        """Return an array as a series of the frame's library."""
        raise NotImplementedError

    def _own(self, frame: Any) -> Any:
        """Return a frame of any library as one of this library, with the index where it has one."""
        raise NotImplementedError


def _loaded(model: Any) -> Any:
    return load(model) if isinstance(model, str | os.PathLike) else model
