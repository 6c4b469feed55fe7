"""Gaussian naive Bayes."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood import _core
from boxwood.classify.classes import classes_of_state
from boxwood.classify.gaussian_classifier import GaussianClassifier
from boxwood.classify.priors import PRIORS, fit_priors
from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import LARGEST_SQUARABLE, check_number_kinds, number_matrix
from boxwood.gaussian.class_moments import ColumnMoments
from boxwood.model_file import State
from boxwood.parameters import Parameter, Real, declare

__all__ = ["GaussianNB"]

LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)


class GaussianNB(GaussianClassifier):
    """Naive Bayes with a normal distribution a column and class.

    scikit-learn's parameters, methods and attributes. Beside them missing values, whose factor is left out,
    at fit and at prediction; `merge`; `sample`; and tables of booleans, ranks and dates, which count as
    numbers. It is quadratic discriminant analysis with diagonal covariances.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Weight of the rows of each class.
    class_prior_, priors_ : ndarray of shape (n_classes,)
    theta_ : ndarray of shape (n_classes, n_features)
        Means.
    var_ : ndarray of shape (n_classes, n_features)
        Variances, with what was added.
    epsilon_ : float
        What was added to the variances.
    moments_ : ColumnMoments
        What `partial_fit` and `merge` add to.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.array([[-1.0, -1.0], [-2.0, np.nan], [1.0, 1.0], [2.0, 1.5]])
    >>> model = bw.GaussianNB().fit(X, ["low", "low", "high", "high"])
    >>> print(model.predict([[-0.8, np.nan], [np.nan, 1.2]]))
    ['low' 'high']
    >>> model.sample(3, y="high", random_state=0).shape
    (3, 2)
    """

    _parameters = declare(
        PRIORS,
        Parameter(
            "var_smoothing",
            Real(0.0),
            "Fraction of the largest variance of a column that is added to all variances.",
        ),
    )

    class_count_: NDArray[np.float64]
    theta_: NDArray[np.float64]
    var_: NDArray[np.float64]
    epsilon_: float

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    @property
    def class_prior_(self) -> NDArray[np.float64]:
        """The prior of each class, by scikit-learn's name."""
        check_is_fitted(self)
        return self.priors_

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log P(y) + log p(x | y) of each class.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._scores(self._read(X))

    def _summarize(self, columns: Columns, codes: NDArray[np.uint32], n_classes: int) -> ColumnMoments:
        rows = number_matrix(columns)
        missing = columns.n_missing > 0
        return ColumnMoments.of_rows(rows, codes, n_classes, columns.weights, missing=missing)

    def _checked(self, moments: ColumnMoments) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return moments.mean, moments.variance

    def _finish(self, moments: ColumnMoments, classes: NDArray[Any]) -> dict[str, Any]:
        whole = moments.pooled()
        epsilon = float(self.var_smoothing) * float(whole.variance.max())
        # A column that a class never shows has there the moments of all classes: it tells nothing.
        unseen = moments.weight == 0.0
        variance = np.where(unseen, whole.variance, moments.variance) + epsilon
        return {
            "class_count_": moments.class_weight,
            "priors_": fit_priors(self, moments.class_weight),
            "theta_": np.where(unseen, whole.mean, moments.mean),
            # Without any spread and without smoothing all columns are constant, and tell nothing.
            "var_": np.where(variance > 0.0, variance, 1.0),
            "epsilon_": epsilon,
        }

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        rows = number_matrix(columns)
        missing = columns.n_missing > 0 or rows is not columns.matrix()
        scale = 1.0 / np.sqrt(self.var_)
        log_density = _core.column_log_density(
            rows, self.theta_, scale, np.log(scale) - LOG_ROOT_TWO_PI, missing
        )
        scores = np.asarray(log_density)
        with np.errstate(divide="ignore"):
            scores += np.log(self.priors_)
        return scores

    def _seen(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.class_count_)

    def _draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        noise = rng.standard_normal((len(codes), self.n_features_in_))
        return self.theta_[codes] + noise * np.sqrt(self.var_)[codes]

    def _get_state(self) -> dict[str, Any]:
        moments = self.moments_
        return {
            "classes": self.classes_.tolist(),
            "class_weight": moments.class_weight,
            "weight": moments.weight,
            "mean": moments.mean,
            "variance": moments.variance,
            "priors": self.priors_,
            "theta": self.theta_,
            "var": self.var_,
            "epsilon": self.epsilon_,
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema, type(self).__name__)
        classes = classes_of_state(state)
        k, d = len(classes), len(schema)
        largest = LARGEST_SQUARABLE
        moments = ColumnMoments(
            state.array("class_weight", np.float64, (k,), low=0.0),
            state.array("weight", np.float64, (k, d), low=0.0),
            state.array("mean", np.float64, (k, d), low=-largest, high=largest),
            state.array("variance", np.float64, (k, d), low=0.0, high=(2.0 * largest) ** 2),
        )
        if not moments.class_weight.sum() > 0.0:
            raise state.error("class_weight", "is zero for every class")
        # What follows from the moments is kept too: parameters may have been set anew after the fit.
        return {
            "classes_": classes,
            "moments_": moments,
            "class_count_": moments.class_weight,
            "priors_": state.array("priors", np.float64, (k,), low=0.0, high=1.0 + 1e-6),
            "theta_": state.array("theta", np.float64, (k, d), low=-largest, high=largest),
            "var_": state.array("var", np.float64, (k, d), low=math.ulp(0.0)),
            "epsilon_": state.number("epsilon", low=0.0, high=sys.float_info.max),
        }
