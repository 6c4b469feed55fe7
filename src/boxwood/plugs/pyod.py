"""A detector in PyOD's manner: large scores for outliers, labels 0 and 1, a threshold by contamination."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from boxwood.anomaly import AnomalyDetector

__all__ = ["BoxwoodDetector"]


class BoxwoodDetector(BaseEstimator):
    """An outlier detector with PyOD's methods and attributes, over any model with ``score_samples``.

    PyOD itself need not be installed.

    Parameters
    ----------
    estimator : estimator, optional
        A density or a detector; by default :class:`boxwood.AnomalyDetector`.
    contamination : float, default=0.1
        The fraction of the fitted rows that are called outliers.

    Attributes
    ----------
    decision_scores_ : ndarray of shape (n_samples,)
        Of the fitted rows: minus the model's scores, so that outliers have large ones.
    threshold_ : float
        Rows above it are outliers.
    labels_ : ndarray of shape (n_samples,)
        Of the fitted rows: 1 for outliers, 0 for the others.
    estimator_ : estimator
        The fitted model, which can also ``explain``.
    n_features_in_ : int
        How many columns there are.

    Examples
    --------
    >>> import numpy as np
    >>> from boxwood.plugs.pyod import BoxwoodDetector
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> detector = BoxwoodDetector(contamination=0.05).fit(X)
    >>> int(detector.labels_.sum()), detector.predict([[0.0, 0.0], [9.0, 9.0]])
    (10, array([0, 1]))
    """

    def __init__(self, estimator: Any = None, *, contamination: float = 0.1) -> None:
        self.estimator = estimator
        self.contamination = contamination

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit the model, and the threshold to its scores of the same rows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to fit to; they may have categories and gaps.
        y : ignored
            Here because PyOD's detectors take it.
        """
        if not 0.0 < self.contamination <= 0.5:
            raise ValueError(f"contamination must be in (0, 0.5]; got {self.contamination!r}.")
        model = AnomalyDetector() if self.estimator is None else clone(self.estimator)
        self.estimator_ = model.fit(X)
        self.n_features_in_ = self.estimator_.n_features_in_
        self.decision_scores_ = self.decision_function(X)
        self.threshold_ = float(np.percentile(self.decision_scores_, 100 * (1 - self.contamination)))
        self.labels_ = (self.decision_scores_ > self.threshold_).astype(int)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return a score for each row, large for outliers.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to judge.
        """
        check_is_fitted(self, "estimator_")
        return -np.asarray(self.estimator_.score_samples(X), dtype=np.float64)

    def predict(self, X: Any) -> NDArray[np.int64]:
        """Return 1 for outliers and 0 for the other rows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to judge.
        """
        return (self.decision_function(X) > self.threshold_).astype(int)

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Fit the model and return the labels of the fitted rows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to fit to; they may have categories and gaps.
        y : ignored
            Here because PyOD's detectors take it.
        """
        labels: NDArray[np.int64] = self.fit(X).labels_
        return labels

    def predict_proba(self, X: Any, method: str = "linear") -> NDArray[np.float64]:
        """Return scores brought into [0, 1], of being ordinary and of being an outlier.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to judge.
        method : {"linear", "unify"}, default="linear"
            Between the smallest and the largest score of the fitted rows, or by the error function of the
            standardised score.

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        check_is_fitted(self, "estimator_")
        fitted, scores = self.decision_scores_, self.decision_function(X)
        if method == "linear":
            spread = np.ptp(fitted) or 1.0
            odd = (scores - fitted.min()) / spread
        elif method == "unify":
            odd = erf((scores - fitted.mean()) / ((fitted.std() or 1.0) * np.sqrt(2.0)))
        else:
            raise ValueError(f"method must be 'linear' or 'unify'; got {method!r}.")
        odd = odd.clip(0.0, 1.0)
        return np.column_stack([1.0 - odd, odd])

    def explain(self, X: Any) -> Any:
        """Return how far each cell is to blame, as the model has it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to judge.
        """
        check_is_fitted(self, "estimator_")
        return self.estimator_.explain(X)
