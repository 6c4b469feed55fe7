"""Explanations of models in SHAP's form, for its plots."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, read_columns, to_native
from boxwood.table import TableModel
from boxwood.tree.supervised import SupervisedEstimator

__all__ = ["explanation"]


def explanation(model: Any, X: Any, *, kind: str = "order") -> Any:
    """Return what a model says about each cell of a table, in the form that SHAP's plots take.

    It needs the package ``shap``.

    Parameters
    ----------
    model : a fitted model
        Of a decision tree or forest it gives the exact Shapley values of `shap_values`. Of a density, a
        :class:`boxwood.TableModel` or another model with ``explain`` it gives how surprising each cell is.
    X : table of shape (n_samples, n_features)
        The rows to explain.
    kind : {"order", "rest"}, default="order"
        Of a density: surprises given the cells to the left, which add up to the row's, or given all other
        cells, which do not.

    Returns
    -------
    shap.Explanation
        With names of columns and of classes, and cells in their own words as ``display_data``.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.datasets import load_cars
    >>> from boxwood.plugs.shap import explanation
    >>> import shap  # doctest: +SKIP
    >>> X, y = load_cars(return_X_y=True)
    >>> forest = bw.RandomForestRegressor(10, random_state=0).fit(X, y)
    >>> explained = explanation(forest, X)  # doctest: +SKIP
    >>> shap.plots.beeswarm(explained)  # doctest: +SKIP
    """
    import shap

    if isinstance(model, SupervisedEstimator):
        values, base = model.shap_values(X), np.asarray(model.expected_value_)
        names = model._class_labels()
    else:
        values, base, names = _surprises(model, X, kind), np.zeros(()), None
    columns = read_columns(X).matched(model.schema_)
    return shap.Explanation(
        values,
        base_values=np.broadcast_to(base, (columns.n_rows, *base.shape)).copy(),
        data=columns.matrix(),
        display_data=_cells(columns),
        feature_names=list(columns.schema.names),
        output_names=None if names is None else [str(name) for name in names.tolist()],
    )


def _surprises(model: Any, X: Any, kind: str) -> NDArray[np.float64]:
    density = model.density_ if isinstance(model, TableModel) else model
    if not hasattr(density, "explain"):
        raise TypeError(f"{type(model).__name__} explains nothing: it has no shap_values and no explain.")
    if not hasattr(density, "sample"):  # no density: its cells are to blame, not surprising
        return _matrix(density.explain(X))
    return _matrix(density.explain(X, kind))


def _matrix(frame: Any) -> NDArray[np.float64]:
    if not isinstance(frame, np.ndarray):
        return np.asarray(nw.from_native(frame).to_numpy(), dtype=np.float64)
    if frame.dtype.names is not None:  # where no library of frames is installed
        return np.column_stack([frame[name] for name in frame.dtype.names])
    return frame


def _cells(columns: Columns) -> NDArray[Any]:
    cells: NDArray[Any] = np.asarray(to_native(columns, "numpy"), dtype=object)
    return cells
