"""The K-nearest-neighbours classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight

from boxwood.classify.base import FractionClassifier
from boxwood.classify.class_weight import CLASS_WEIGHT
from boxwood.classify.classes import classes_of_state, codes_in, read_labels
from boxwood.columns import Schema
from boxwood.model_file import State
from boxwood.neighbors.base import METRIC, METRIC_PARAMS, NeighborEstimator
from boxwood.neighbors.learn import learn_nca
from boxwood.neighbors.metric import Metric
from boxwood.parameters import Choice, Function, Integer, Parameter, declare

__all__ = ["KNeighborsClassifier"]


class KNeighborsClassifier(FractionClassifier, NeighborEstimator):
    """Classifier by the majority of the K nearest training rows.

    The posterior of class t is K_t/K. scikit-learn's parameters and methods, with sample and class
    weights, missing values, categories, standardised columns, a learnt metric, `partial_fit` and a rule
    for K beside them.

    Attributes
    ----------
    classes_ : ndarray
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
    Ties: of rows at equal distance those with the smaller number are nearer; of classes with equal votes
    the first of `classes_` is told. Sample weights are frequencies: a row of weight 2 takes two of the K
    places. A categorical column differs by 1 or not at all.

    Predictions and `score` take None in the place of a table: they ask about the training rows, each without
    itself, which is leave-one-out.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = bw.KNeighborsClassifier(n_neighbors="log", standardize=True).fit(X, y)
    >>> model.predict_proba(X[[0, 77]]).round(1)
    array([[1. , 0. , 0. ],
           [0. , 0.6, 0.4]])
    """

    _parameters = declare(
        Parameter(
            "n_neighbors",
            Integer(1) | "log",
            'K. "log" takes max(1, round(ln N)), for two classes the next odd number, which makes the '
            "classifier consistent: K → ∞ and K/N → 0.",
        ),
        Parameter(
            "weights",
            Choice("uniform", "distance", None) | Function(),
            "Votes are equal, or 1/distance, or what the function of distances gives.",
        ),
        METRIC.but(
            'Those of `NeighborIndex`, "nan_euclidean" (Euclid\'s with ``missing="partial"``), '
            '"precomputed", or "nca": a linear map is learnt by scikit-learn\'s neighbourhood components '
            "analysis, from 2,000 rows at most."
        ),
        METRIC_PARAMS.but('Of the metric; of "nca" those of ``NeighborhoodComponentsAnalysis``.'),
        CLASS_WEIGHT.but("The votes of a class are multiplied by it."),
    )

    classes_: NDArray[Any]
    codes_: NDArray[np.int64]
    class_votes_: NDArray[np.float64]

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
        class_weight: Any = None,
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
        self.class_weight = class_weight
        self.standardize = standardize
        self.missing = missing
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Keep the training rows and make their index.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            For ``metric="precomputed"`` the distances of the rows to each other.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        return self._fit(X, y, None, sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add training rows. Scales and learnt metrics stay those of the first call.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, optional
            All classes there will be; by default those of the first call's `y`.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if not self.__sklearn_is_fitted__():
            return self._fit(X, y, classes, sample_weight)
        self._check_parameters()
        labels = read_labels(self, y)
        if classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            raise ValueError("`classes` is not the same as on last call to partial_fit.")
        columns, labels = self._read_weighted(self._read(X), labels, sample_weight)
        codes = np.concatenate([self.codes_, codes_in(self.classes_, labels).astype(np.int64)])
        return self._add_rows(columns, codes_=codes, class_votes_=self._class_votes(self.classes_, codes))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the fraction of rows whose class is told rightly.

        Parameters
        ----------
        X : table of shape (n_samples, n_features) or None
            None asks about the training rows, each without itself: leave-one-out.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        return float(super().score(X, y, sample_weight))

    def _fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        self._check_parameters()
        columns, labels = self._read_weighted(X, read_labels(self, y), sample_weight)
        known = np.unique(labels if classes is None else classes)
        codes = codes_in(known, labels).astype(np.int64)
        index = self._make_index(columns, codes)
        votes = self._class_votes(known, codes)
        return self._fit_rows(columns, index, classes_=known, codes_=codes, class_votes_=votes)

    def _class_votes(self, classes: NDArray[Any], codes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what a vote of each class counts."""
        if self.class_weight is None:
            return np.ones(len(classes))
        present = np.unique(codes)
        votes = np.ones(len(classes))
        votes[present] = compute_class_weight(self.class_weight, classes=classes[present], y=classes[codes])
        return votes

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        """Return each class's fraction of the votes."""
        votes = self._votes(X)
        total = votes.sum(axis=1, keepdims=True)
        if not (total > 0.0).all():
            raise ValueError(
                "All neighbors of some sample is getting zero weights. Please modify 'weights' to avoid "
                "this case if you are using a user-defined function."
            )
        return np.asarray(votes / total)

    def _votes(self, X: Any) -> NDArray[np.float64]:
        rows, weights = self._neighborhood(X)
        n, n_classes = len(rows), len(self.classes_)
        cells = self.codes_[rows] + n_classes * np.arange(n)[:, None]
        counted = None if weights is None else weights.ravel()
        votes = np.bincount(cells.ravel(), weights=counted, minlength=n * n_classes)
        return np.asarray(votes.reshape(n, n_classes) * self.class_votes_)

    def _learnt_metric(self, rows: Any, codes: NDArray[np.int64] | None) -> Metric:
        assert codes is not None
        return learn_nca(rows, codes, self.metric_params)

    def _n_classes(self) -> int | None:
        return len(self.classes_)

    def _get_state(self) -> dict[str, Any]:
        return {
            **super()._get_state(),
            "classes": self.classes_.tolist(),
            "codes": self.codes_,
            "class_votes": self.class_votes_,
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        fitted = self._index_of_state(schema, state)
        n = fitted["n_samples_fit_"]
        codes = state.array("codes", np.int64, (n,), low=0, high=len(classes) - 1)
        votes = state.array("class_votes", np.float64, (len(classes),), low=0.0)
        return {**fitted, "classes_": classes, "codes_": codes, "class_votes_": votes}
