"""What a frame can ask of a model: the methods behind ``df.boxwood``."""

from __future__ import annotations

import os
from typing import Any

from boxwood.model_file import load
from boxwood.table import TableModel

__all__ = ["FrameMethods"]


class FrameMethods:
    """What ``df.boxwood`` can do, in pandas and in polars.

    Answers come in the frame's library; those of pandas have its index. A model may also be the path of a
    model file.

    Parameters
    ----------
    frame : data frame
        The rows that are asked about.

    Examples
    --------
    >>> import boxwood.plugs.pandas  # gives frames the accessor
    >>> from boxwood.datasets import load_penguins
    >>> df = load_penguins(as_frame="pandas").frame
    >>> model = df.boxwood.fit()
    >>> df.boxwood.score(model).idxmin()
    293
    >>> df.boxwood.predict(model, "species").head(2).tolist()
    ['Adelie', 'Adelie']
    >>> int(df.boxwood.impute(model).isna().sum().sum())
    0
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def fit(self, model: Any = None, **options: Any) -> Any:
        """Fit a model to the frame and return it.

        Parameters
        ----------
        model : estimator, optional
            What is fitted; by default a :class:`boxwood.TableModel`.
        **options
            Further arguments of its ``fit``.
        """
        return (TableModel(random_state=0) if model is None else model).fit(self._frame, **options)

    def score(self, model: Any) -> Any:
        """Return the log-density (of a detector: the score) of each row, as a series.

        Parameters
        ----------
        model : fitted model or path of a model file
            The model that is asked.
        """
        return self._series(_loaded(model).score_samples(self._frame), "score")

    def p_values(self, model: Any) -> Any:
        """Return the fraction of unseen rows that are at least as odd as each row, as a series.

        Parameters
        ----------
        model : fitted model or path of a model file
            The model that is asked.
        """
        loaded = _loaded(model)
        density = loaded.density_ if isinstance(loaded, TableModel) else loaded
        return self._series(density.p_values(self._frame), "p_value")

    def predict(self, model: Any, column: str | None = None) -> Any:
        """Return what a model predicts for each row, as a series.

        Parameters
        ----------
        model : fitted model or path of a model file
            The model that is asked.
        column : str, optional
            The column to predict; a TableModel needs it, other models have their target.
        """
        loaded, name = _loaded(model), column or "prediction"
        arguments = () if column is None else (column,)
        values = loaded.predict(self._frame, *arguments)
        if isinstance(loaded, TableModel) and values.dtype.kind == "M":  # arrays have no time zone
            found = self._own(loaded.predict_rows(self._frame, *arguments))
            return found[found.columns[0]].rename(name)
        return self._series(values, name)

    def explain(self, model: Any) -> Any:
        """Return how surprising, or how far to blame, each cell is, as a frame.

        Parameters
        ----------
        model : fitted model or path of a model file
            The model that is asked.
        """
        return self._own(_loaded(model).explain(self._frame))

    def impute(self, model: Any) -> Any:
        """Return the frame with its gaps filled, by a TableModel or by what has ``transform``.

        Parameters
        ----------
        model : fitted model or path of a model file
            The model that is asked.
        """
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
