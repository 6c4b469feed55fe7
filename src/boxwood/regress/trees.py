"""What tree regressors share: reading values and telling means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import column_or_1d

from boxwood.columns import Schema
from boxwood.columns.targets import check_numbers, check_values_finite
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, declare
from boxwood.tree.supervised import SupervisedEstimator

__all__ = ["TreeRegressor"]


class TreeRegressor(RegressorMixin, SupervisedEstimator):
    """A tree or forest that tells values."""

    _parameters = declare(
        Parameter("criterion", Choice("squared_error"), "The impurity that splits lessen: the variance."),
    )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean target of each row's leaf, averaged over the trees.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        return self._as_given(self._predicted(X))

    def _read_values(self, y: Any) -> NDArray[np.float64]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        check_numbers(y)
        values = np.asarray(y)
        if values.ndim == 2 and values.shape[1] > 1:
            values = values.astype(np.float64)
        else:
            values = column_or_1d(y, warn=True, dtype=np.float64)
        check_values_finite(values)
        return np.ascontiguousarray(values)

    def _read_targets(self, y: Any) -> NDArray[np.float64]:
        return self._read_values(y)

    def _score_of(self, predicted: NDArray[np.float64], targets: NDArray[Any], weights: Any) -> float:
        from sklearn.metrics import r2_score

        return float(r2_score(targets, self._as_given(predicted), sample_weight=weights))

    def _as_given(self, predicted: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a single value as a column, several as a matrix."""
        return predicted[:, 0] if predicted.shape[1] == 1 else predicted

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        return self._trees_of_state(schema, state, 0)
