"""Quadratic discriminant analysis: a normal density a class."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.classes import classes_of_state
from boxwood.classify.discriminant import DiscriminantAnalysis
from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import LARGEST_SQUARABLE, check_number_kinds, number_matrix
from boxwood.gaussian.class_moments import moments_by_class
from boxwood.gaussian.class_normals import ClassNormals
from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import why_no_covariance
from boxwood.gaussian.row_covariances import needs_rows, row_covariance, shrunk
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, Real, declare

__all__ = ["QuadraticDiscriminantAnalysis"]

_MOST_NUMBERS = 2**27
"""In all covariances together: a gigabyte."""


@dataclass(frozen=True, eq=False)
class ScatterMoments:
    """The moments of each class, and covariances that stand in for theirs where they need the rows."""

    classes: list[Moments]
    covariances: list[NDArray[np.float64]] | None = None

    def merge(self, other: ScatterMoments) -> ScatterMoments:
        """Return the moments of both sets of rows."""
        return ScatterMoments([a.merge(b) for a, b in zip(self.classes, other.classes, strict=True)])

    @property
    def weights(self) -> NDArray[np.float64]:
        """Weight of each class."""
        return np.array([moments.weight for moments in self.classes])

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of each class."""
        return np.array([moments.mean for moments in self.classes])


class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """Bayes' rule with a normal density a class, each with its own covariance.

    scikit-learn's parameters, methods and attributes. Beside them sample weights, `partial_fit`, `merge` and
    `sample`. A column without spread in a class, or one that depends linearly on others, is given a tiny
    spread, with a warning, where scikit-learn raises.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    covariance_ : list of ndarray of shape (n_features, n_features)
        Divided by the weight, regularised; only with `store_covariance`.
    rotations_ : list of ndarray of shape (n_features, n_features)
        Principal axes of each class, in columns.
    scalings_ : list of ndarray of shape (n_features,)
        Variances along them, in descending order.
    moments_ : ScatterMoments
        What `partial_fit` and `merge` add to.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(50, 2)), rng.normal(3.0, 2.0, size=(50, 2))])
    >>> model = bw.QuadraticDiscriminantAnalysis().fit(X, np.repeat(["narrow", "wide"], 50))
    >>> print(model.predict([[0.0, 0.0], [4.0, -4.0]]))
    ['narrow' 'wide']
    """

    _parameters = declare(
        Parameter(
            "solver",
            Choice("eigen", "svd"),
            'Both decompose the covariances; "svd" refuses `shrinkage`, as scikit-learn\'s does.',
        ),
        Parameter("reg_param", Real(0.0, 1.0), "How far a covariance is pulled towards the identity."),
        Parameter("tol", Real(0.0), "Accepted for scikit-learn's sake: nothing hangs on it."),
    )

    moments_: ScatterMoments
    normals_: ClassNormals
    _fitted_covariances: list[NDArray[np.float64]]

    def __init__(
        self,
        *,
        solver: str = "eigen",
        shrinkage: float | str | None = None,
        priors: Any = None,
        reg_param: float = 0.0,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @property
    def means_(self) -> NDArray[np.float64]:
        """The mean of each class."""
        check_is_fitted(self)
        return self.normals_.means

    @property
    def covariance_(self) -> list[NDArray[np.float64]]:
        """The covariance of each class; only with `store_covariance`."""
        if not self.store_covariance:
            raise AttributeError("covariance_ is there with store_covariance=True only")
        check_is_fitted(self)
        return self.normals_.covariances

    @property
    def rotations_(self) -> list[NDArray[np.float64]]:
        """The principal axes of each class."""
        return [vectors for _, vectors in self._principal()]

    @property
    def scalings_(self) -> list[NDArray[np.float64]]:
        """The variances along the principal axes of each class."""
        return [values for values, _ in self._principal()]

    def _principal(self) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        check_is_fitted(self)
        pairs = [np.linalg.eigh(covariance) for covariance in self.normals_.covariances]
        return [(values[::-1], vectors[:, ::-1]) for values, vectors in pairs]

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError(
                "covariance_estimator is not supported with solver='svd'. Try solver='eigen' instead."
            )

    def _check_classes(
        self, classes: NDArray[Any], n_rows: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> None:
        if len(classes) < 2:
            raise ValueError("The number of classes has to be greater than one. Got 1 class.")
        alone = (n_rows == 1) & (weights <= 1.0)  # weight 2 is the row twice
        if alone.any():
            label = classes[int(np.argmax(alone))]
            raise ValueError(f"y has only 1 sample in class {label}, covariance is ill defined.")

    def _summarize(self, columns: Columns, codes: NDArray[np.uint32], n_classes: int) -> ScatterMoments:
        rows = number_matrix(columns, missing=False)
        if n_classes * rows.shape[1] ** 2 > _MOST_NUMBERS:
            raise ValueError(
                f"{n_classes} covariances of {rows.shape[1]} columns are too large to keep. "
                "Use LinearDiscriminantAnalysis or GaussianNB, or fewer columns."
            )
        classes = moments_by_class(rows, codes, n_classes, columns.weights)
        if not needs_rows(self):
            return ScatterMoments(classes)
        covariances = []
        for k, moments in enumerate(classes):
            there = codes == k
            weights = None if columns.weights is None else columns.weights[there]
            covariances.append(row_covariance(self, rows[there], weights, moments))
        return ScatterMoments(classes, covariances)

    def _checked(self, moments: ScatterMoments) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return moments.means, np.array([part.covariance.diagonal() for part in moments.classes])

    def _finish(self, moments: ScatterMoments, classes: NDArray[Any]) -> dict[str, Any]:
        priors = self._fit_priors(moments.weights)
        covariances = self._covariances(moments)
        normals = ClassNormals.of_moments(moments.classes, covariances)
        if normals.n_raised:
            warnings.warn(
                f"Variables are collinear: {normals.n_raised} directions have no spread in their class "
                "(constant or linearly dependent columns) and were given a tiny one. Shrinkage may help.",
                stacklevel=4,
            )
        return {"priors_": priors, "normals_": normals, "_fitted_covariances": covariances}

    def _covariances(self, moments: ScatterMoments) -> list[NDArray[np.float64]]:
        if moments.covariances is not None:
            return moments.covariances
        amount, fraction = float(self.shrinkage or 0.0), float(self.reg_param)
        identity = fraction * np.eye(len(moments.classes[0].mean))
        return [(1.0 - fraction) * shrunk(part.covariance, amount) + identity for part in moments.classes]

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        scores = self.normals_.log_density(number_matrix(columns, missing=False))
        with np.errstate(divide="ignore"):
            scores += np.log(self.priors_)
        return scores

    def _draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        return self.normals_.draw(codes, rng)

    def _get_state(self) -> dict[str, Any]:
        moments = self.moments_
        return {
            "classes": self.classes_.tolist(),
            "priors": self.priors_,
            "weights": moments.weights,
            "means": moments.means,
            "moments": np.array([part.covariance for part in moments.classes]),
            "covariances": np.array(self._fitted_covariances),
            "of_rows": moments.covariances is not None,
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema, type(self).__name__)
        classes = classes_of_state(state)
        k, d = len(classes), len(schema)
        weights = state.array("weights", np.float64, (k,), low=0.0)
        if not 0.0 < weights.sum() < np.inf:
            raise state.error("weights", "do not add up to a weight")
        largest = LARGEST_SQUARABLE
        means = state.array("means", np.float64, (k, d), low=-largest, high=largest)
        covariances = _covariances_of_state(state, "covariances", k, d)
        parts = _covariances_of_state(state, "moments", k, d)
        moments = ScatterMoments(
            [Moments(float(w), mean, part) for w, mean, part in zip(weights, means, parts, strict=True)],
            covariances if state.flag("of_rows") else None,
        )
        return {
            "classes_": classes,
            "moments_": moments,
            "priors_": state.array("priors", np.float64, (k,), low=0.0, high=1.0 + 1e-6),
            "normals_": ClassNormals.of_moments(moments.classes, covariances),
            "_fitted_covariances": covariances,
        }


def _covariances_of_state(state: State, name: str, k: int, d: int) -> list[NDArray[np.float64]]:
    largest = (2.0 * LARGEST_SQUARABLE) ** 2
    found = list(state.array(name, np.float64, (k, d, d), low=-largest, high=largest))
    for covariance in found:
        wrong = why_no_covariance(covariance)
        if wrong:
            raise state.error(name, wrong)
    return found
