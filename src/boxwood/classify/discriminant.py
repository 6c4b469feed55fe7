"""What linear and quadratic discriminant analysis share."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.gaussian_classifier import GaussianClassifier
from boxwood.classify.priors import PRIORS, fit_priors
from boxwood.gaussian.row_covariances import (
    COVARIANCE_ESTIMATOR,
    SHRINKAGE,
    check_covariance_parameters,
    needs_rows,
)
from boxwood.parameters import Flag, Parameter, Unchecked, declare

__all__ = ["DiscriminantAnalysis"]


class DiscriminantAnalysis(GaussianClassifier):
    """A Gaussian classifier with correlated columns."""

    _parameters = declare(
        SHRINKAGE,
        PRIORS.but(
            "Probabilities of the classes, brought to the sum 1; None learns their fractions of the rows.",
            Unchecked("array-like of shape (n_classes,)") | "uniform" | None,
        ),
        Parameter("store_covariance", Flag(), "Whether to show `covariance_`."),
        COVARIANCE_ESTIMATOR,
    )
    _allow_missing = False

    solver: str

    shrinkage: Any
    covariance_estimator: Any
    store_covariance: bool
    tol: float

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the log-posterior of each class, up to a term that all classes share.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes), or (n_samples,) with two classes
            In the order of `classes_`; with two, the second's less the first's.
        """
        check_is_fitted(self)
        scores = self._scores(self._read(X))
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def _check_combinations(self) -> None:
        super()._check_combinations()
        check_covariance_parameters(self)
        if self.solver == "svd" and self.shrinkage is not None:
            raise NotImplementedError("shrinkage not supported with 'svd' solver.")

    def _check_mergeable(self) -> None:
        if needs_rows(self):
            raise ValueError(
                "shrinkage='auto' and covariance_estimator need all rows at once; use fit, or a number as "
                "shrinkage."
            )

    def _check_classes(
        self, classes: NDArray[Any], n_rows: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> None:
        if n_rows.sum() <= len(classes):
            raise ValueError(
                "The number of samples must be more than the number of classes; "
                f"got n_samples={n_rows.sum()} and n_classes={len(classes)}."
            )

    def _fit_priors(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the priors; those that do not sum to 1 are brought to it, with a warning."""
        given = self.priors
        if not (given is None or isinstance(given, str)):
            total = float(np.sum(given))
            if not np.all(np.asarray(given) >= 0.0) or not 0.0 < total < np.inf:
                raise ValueError("priors must be non-negative, finite and not all zero")
            if abs(total - 1.0) > 1e-5:
                warnings.warn("The priors do not sum to 1. Renormalizing", stacklevel=5)
        return fit_priors(self, weights)

    def _seen(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.moments_.weights)
