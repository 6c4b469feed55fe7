"""The K-nearest-neighbours regressor."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import check_array, column_or_1d

from boxwood.columns import Schema
from boxwood.columns.targets import check_numbers, check_values_finite
from boxwood.model_file import State
from boxwood.neighbors.base import NeighborEstimator

__all__ = ["KNeighborsRegressor"]


class KNeighborsRegressor(RegressorMixin, NeighborEstimator):
    """Regressor by the mean of the K nearest training rows.

    scikit-learn's parameters and methods, several targets too, with sample weights, missing values,
    categories, standardised columns, `partial_fit` and a rule for K beside them.

    Attributes
    ----------
    index_ : RowIndex
    n_samples_fit_ : int
    n_neighbors_ : int
        K: what "log" chose, or the number that was given.
    effective_metric_ : str or callable
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    Of rows at equal distance those with the smaller number are nearer. Sample weights are frequencies: a row
    of weight 2 takes two of the K places. A categorical column differs by 1 or not at all.

    Examples
    --------
    >>> import boxwood as bw
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0.0, 0.0, 1.0, 1.0]
    >>> bw.KNeighborsRegressor(n_neighbors=2).fit(X, y).predict([[1.5]])
    array([0.5])
    """

    targets_: NDArray[np.float64]

    def __init__(
        self,
        n_neighbors: Any = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: Any = "minkowski",
        metric_params: dict[str, Any] | None = None,
        standardize: bool = False,
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.standardize = standardize
        self.missing = missing
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the training rows and make their index.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            For ``metric="precomputed"`` the distances of the rows to each other.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, targets = self._read_weighted(X, self._read_targets(y), sample_weight)
        return self._fit_rows(columns, self._make_index(columns), targets_=targets)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add training rows. Scales stay those of the first call.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if not self.__sklearn_is_fitted__():
            return self.fit(X, y, sample_weight)
        self._check_parameters()
        columns, targets = self._read_weighted(self._read(X), self._read_targets(y), sample_weight)
        if targets.shape[1:] != self.targets_.shape[1:]:
            raise ValueError(f"y has the shape {targets.shape}, the fitted one {self.targets_.shape}.")
        return self._add_rows(columns, targets_=np.concatenate([self.targets_, targets]))

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean target of each row's neighbours.

        Parameters
        ----------
        X : table of shape (n_samples, n_features) or None
            None asks about the training rows, each without itself: leave-one-out.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        rows, weights = self._neighborhood(X)
        targets = self.targets_[rows]
        if weights is None:
            return np.asarray(targets.mean(axis=1))
        total = weights.sum(axis=1)
        if not (total > 0.0).all():
            raise ValueError(f"the neighbours of row {int(np.argmin(total > 0.0))} all have weight zero.")
        sums = np.einsum("nk,nk...->n...", weights, targets)
        return np.asarray(sums / (total if sums.ndim == 1 else total[:, None]))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the coefficient of determination R².

        Parameters
        ----------
        X : table of shape (n_samples, n_features) or None
            None asks about the training rows, each without itself: leave-one-out.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        return float(super().score(X, y, sample_weight))

    def _read_targets(self, y: Any) -> NDArray[np.float64]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        check_numbers(y)
        values = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y", ensure_all_finite=False)
        check_values_finite(values)
        return np.asarray(values if values.ndim == 2 else column_or_1d(values))

    def _get_state(self) -> dict[str, Any]:
        flat = self.targets_.ndim == 1
        return {
            **super()._get_state(),
            "targets": self.targets_.reshape(len(self.targets_), -1),
            "flat": flat,
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        fitted = self._index_of_state(schema, state)
        targets = state.array("targets", np.float64, (fitted["n_samples_fit_"], None))
        flat = state.flag("flat")
        if targets.shape[1] == 0 or (flat and targets.shape[1] != 1):
            raise state.error("targets", "has a wrong number of columns")
        return {**fitted, "targets_": targets[:, 0] if flat else targets}
