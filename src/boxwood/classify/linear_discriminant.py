"""Linear discriminant analysis, by three derivations."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.classes import classes_of_state
from boxwood.classify.discriminant import DiscriminantAnalysis
from boxwood.classify.linear_moments import WIDEST, LinearMoments, covariance_of_state, moments_of_state
from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import check_number_kinds, number_matrix
from boxwood.gaussian.class_moments import ColumnMoments, PooledMoments, moments_by_class
from boxwood.gaussian.row_covariances import needs_rows, row_covariance, shrunk
from boxwood.in_parts import TableInParts
from boxwood.linear.products import centred_product
from boxwood.linear.whitening import Whitening, whiten_covariance, whiten_rows
from boxwood.model_file import State
from boxwood.parameters import Choice, Flag, Integer, Parameter, Real, declare

__all__ = ["LinearDiscriminantAnalysis"]

_SOLVERS = {
    "gaussian": "gaussian",
    "fisher": "fisher",
    "lstsq": "lstsq",
    "svd": "gaussian",
    "lsqr": "gaussian",
    "eigen": "fisher",
}
"""scikit-learn's names beside our own."""


class LinearDiscriminantAnalysis(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    DiscriminantAnalysis,
):
    """Bayes' rule with normal densities that fraction one covariance; a projection that parts the classes.

    scikit-learn's parameters, methods and attributes. Beside them sample weights, `partial_fit`, `merge` and
    `sample`. Redundant and constant columns are left out by a pseudo-inverse, with a warning.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    xbar_ : ndarray of shape (n_features,)
        The classes' means, averaged by their priors.
    covariance_ : ndarray of shape (n_features, n_features)
        Within classes, divided by the weight.
    coef_ : ndarray of shape (n_classes, n_features), or (1, n_features) with two classes
    intercept_ : ndarray of shape (n_classes,), or (1,)
    scalings_ : ndarray of shape (n_features, n_directions)
        The directions of `transform`, in columns.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Fraction of the spread between classes along each.
    moments_ : LinearMoments
        What `partial_fit` and `merge` add to.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.array([[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]])
    >>> model = bw.LinearDiscriminantAnalysis().fit(X, list("aaabbb"))
    >>> print(model.predict([[-0.8, -1]]))
    ['a']
    >>> model.transform(X).shape
    (6, 1)
    """

    _parameters = declare(
        Parameter(
            "solver",
            Choice(*_SOLVERS),
            '"gaussian" solves Σ·w = μ for each class; "fisher" maximises the spread between the classes '
            'over that within them, a generalised eigenproblem; "lstsq" regresses labels ±1 of two classes. '
            'They agree, but for the threshold of "lstsq" on classes of unequal size. scikit-learn\'s '
            '"svd" and "lsqr" are "gaussian", its "eigen" is "fisher".',
        ),
        Parameter(
            "n_components",
            Integer(1) | None,
            "Of `transform`; at most one less than there are classes.",
        ),
        Parameter(
            "store_covariance",
            Flag(),
            'Whether to show `covariance_`; with scikit-learn\'s "lsqr" and "eigen" it is always there.',
        ),
        Parameter(
            "tol",
            Real(0.0),
            "Directions of less spread, in units of the columns' spreads, are left out.",
        ),
    )

    moments_: LinearMoments
    xbar_: NDArray[np.float64]
    coef_: NDArray[np.float64]
    intercept_: NDArray[np.float64]
    scalings_: NDArray[np.float64]
    explained_variance_ratio_: NDArray[np.float64]
    _whitening: Whitening
    _centred_intercept: NDArray[np.float64]
    _covariance: NDArray[np.float64] | None
    _n_features_out: int

    def __init__(
        self,
        solver: str = "gaussian",
        *,
        shrinkage: float | str | None = None,
        priors: Any = None,
        n_components: int | None = None,
        store_covariance: bool = False,
        tol: float = 1e-4,
        covariance_estimator: Any = None,
    ) -> None:
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    @property
    def means_(self) -> NDArray[np.float64]:
        """The mean of each class."""
        check_is_fitted(self)
        return self.moments_.means

    @property
    def covariance_(self) -> NDArray[np.float64]:
        """The covariance within classes, shrunk."""
        check_is_fitted(self)
        if self._covariance is None or not (self.store_covariance or self.solver in ("lsqr", "eigen")):
            raise AttributeError("covariance_ is there with store_covariance=True only, and fewer columns")
        return self._covariance

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Project rows onto the directions that part the classes, the best first.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        rows = number_matrix(self._read(X), missing=False)
        return centred_product(rows, self.xbar_, self.scalings_[:, : self._n_features_out])

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if self.solver == "svd" and self.covariance_estimator is not None:
            raise ValueError("covariance estimator is not supported with svd solver. Try another solver")
        if self.solver == "lstsq" and self.priors is not None:
            raise ValueError("a regression of labels knows no priors: solver='lstsq' takes none.")

    def _summarize(self, columns: Columns, codes: NDArray[np.uint32], n_classes: int) -> LinearMoments:
        rows, weights = number_matrix(columns, missing=False), columns.weights
        if needs_rows(self):
            return self._summarize_rows(rows, codes, n_classes, weights)
        n_rows, d = rows.shape
        if n_rows >= d:
            return LinearMoments.of_pooled(PooledMoments.of_rows(rows, codes, n_classes, weights))
        return self._summarize_wide(rows, codes, n_classes, weights)

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        if table.n_rows < len(table.schema) or len(table.schema) > WIDEST:
            return "tables of more columns than rows, or of very many columns, keep no moments that merge."
        return super()._why_not_in_parts(table)

    def _summarize_mergeable(
        self, columns: Columns, codes: NDArray[np.uint32], n_classes: int
    ) -> LinearMoments:
        rows = number_matrix(columns, missing=False)  # of which there may be fewer than columns
        return LinearMoments.of_pooled(PooledMoments.of_rows(rows, codes, n_classes, columns.weights))

    def _summarize_wide(
        self, rows: NDArray[np.float64], codes: NDArray[np.uint32], n_classes: int, weights: Any
    ) -> LinearMoments:
        """Keep the covariance only of few columns, and whiten without it."""
        columns = ColumnMoments.of_rows(rows, codes, n_classes, weights, missing=False)
        fractions = np.ones(len(rows)) if weights is None else weights
        centred = (rows - columns.mean[codes]) * np.sqrt(fractions / fractions.sum())[:, None]
        covariance = None if rows.shape[1] > WIDEST else centred.T @ centred
        pooled = None if covariance is None else PooledMoments(columns.class_weight, columns.mean, covariance)
        whitening = None if self.shrinkage else whiten_rows(centred, float(self.tol))
        if whitening is None and covariance is None:
            raise ValueError(f"shrinkage needs a matrix of {rows.shape[1]} × {rows.shape[1]} numbers.")
        return LinearMoments(columns.class_weight, columns.mean, pooled, None, whitening)

    def _summarize_rows(
        self, rows: NDArray[np.float64], codes: NDArray[np.uint32], n_classes: int, weights: Any
    ) -> LinearMoments:
        parts = moments_by_class(rows, codes, n_classes, weights)
        totals = np.array([part.weight for part in parts])
        covariance = np.zeros((rows.shape[1], rows.shape[1]))
        for k, part in enumerate(parts):
            there = codes == k
            of_class = None if weights is None else weights[there]
            covariance += totals[k] / totals.sum() * row_covariance(self, rows[there], of_class, part)
        return LinearMoments(totals, np.array([part.mean for part in parts]), None, covariance)

    def _checked(self, moments: LinearMoments) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return moments.means, moments.means if moments.pooled is None else moments.pooled.covariance

    def _finish(self, moments: LinearMoments, classes: NDArray[Any]) -> dict[str, Any]:
        priors = self._fit_priors(moments.weights)
        covariance = self._within(moments)
        whitening = moments.whitening
        if whitening is None:
            assert covariance is not None
            whitening = whiten_covariance(covariance, float(self.tol))
        _warn_of_collinear(whitening)
        xbar = priors @ moments.means
        scalings, ratio = _directions(moments.means - xbar, priors, covariance, whitening, self.solver)
        if _SOLVERS[self.solver] == "lstsq":
            coef, intercept = _regressed(moments, whitening)
        else:
            root = whitening.matrix if _SOLVERS[self.solver] == "gaussian" else scalings
            coef, intercept = _of_means(moments.means - xbar, priors, root)
        n_components = self._n_components(len(classes), len(xbar))
        return {
            "priors_": priors,
            "xbar_": xbar,
            "coef_": coef,
            "intercept_": intercept - coef @ xbar,
            "scalings_": scalings,
            "explained_variance_ratio_": ratio[:n_components],
            "_whitening": whitening,
            "_centred_intercept": intercept,
            "_covariance": covariance,
            "_n_features_out": n_components,
        }

    def _within(self, moments: LinearMoments) -> NDArray[np.float64] | None:
        if moments.covariance is not None or moments.pooled is None:
            return moments.covariance
        return shrunk(moments.pooled.covariance, float(self.shrinkage or 0.0))

    def _n_components(self, n_classes: int, n_columns: int) -> int:
        most = min(n_classes - 1, n_columns)
        if self.n_components is None:
            return most
        if self.n_components > most:
            raise ValueError("n_components cannot be larger than min(n_features, n_classes - 1).")
        return int(self.n_components)

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        rows = number_matrix(columns, missing=False)
        scores = centred_product(rows, self.xbar_, self.coef_.T) + self._centred_intercept
        if len(self.classes_) == 2:
            return np.hstack([np.zeros_like(scores), scores])
        return scores

    def _draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        noise = rng.standard_normal((len(codes), self._whitening.rank))
        return self.moments_.means[codes] + noise @ self._whitening.colouring

    def _get_state(self) -> dict[str, Any]:
        moments = self.moments_
        kept: dict[str, Any] = {
            "classes": self.classes_.tolist(),
            "priors": self.priors_,
            "weights": moments.weights,
            "means": moments.means,
            "whitening": self._whitening.matrix,
            "colouring": self._whitening.colouring,
            "coef": self.coef_,
            "intercept": self._centred_intercept,
            "scalings": self.scalings_,
            "ratio": self.explained_variance_ratio_,
            "n_components": self._n_features_out,
            "of_rows": moments.covariance is not None,
        }
        if moments.pooled is not None:
            kept["pooled"] = moments.pooled.covariance
        if self._covariance is not None:
            kept["covariance"] = self._covariance
        return kept

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        k, d = len(classes), len(schema)
        n_scores = 1 if k == 2 else k
        whitening = Whitening(
            state.array("whitening", np.float64, (d, None)), state.array("colouring", np.float64, (None, d))
        )
        if len(whitening.colouring) != whitening.rank:
            raise state.error("colouring", f"has {len(whitening.colouring)} rows, not {whitening.rank}")
        covariance = covariance_of_state(state, "covariance", d)
        moments = moments_of_state(state, k, d, covariance if state.flag("of_rows") else None)
        priors = state.array("priors", np.float64, (k,), low=0.0, high=1.0 + 1e-6)
        check_number_kinds(schema, "a linear model")
        coef = state.array("coef", np.float64, (n_scores, d))
        intercept = state.array("intercept", np.float64, (n_scores,), finite=False)
        scalings = state.array("scalings", np.float64, (d, None))
        n_components = state.integer("n_components", high=min(k - 1, d))
        xbar = priors @ moments.means
        return {
            "classes_": classes,
            "moments_": moments,
            "priors_": priors,
            "xbar_": xbar,
            "coef_": coef,
            "intercept_": intercept - coef @ xbar,
            "scalings_": scalings,
            "explained_variance_ratio_": state.array("ratio", np.float64, (None,), low=0.0, high=1.0 + 1e-6),
            "_whitening": whitening,
            "_centred_intercept": intercept,
            "_covariance": covariance,
            "_n_features_out": n_components,
        }


def _warn_of_collinear(whitening: Whitening) -> None:
    if whitening.rank < len(whitening.matrix):
        warnings.warn(
            f"Variables are collinear: {len(whitening.matrix) - whitening.rank} directions have no spread "
            "within classes (constant or linearly dependent columns) and are left out. Shrinkage may help.",
            stacklevel=5,
        )


def _of_means(
    means: NDArray[np.float64], priors: NDArray[np.float64], root: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return coefficients and intercepts of centred means; root @ root.T inverts the covariance."""
    projected = means @ root
    with np.errstate(divide="ignore"):
        intercept = np.log(priors) - 0.5 * np.sum(projected**2, axis=1)
    coef = projected @ root.T
    if len(means) == 2:
        return coef[1:] - coef[:1], intercept[1:] - intercept[:1]
    return coef, intercept


def _directions(
    means: NDArray[np.float64],
    priors: NDArray[np.float64],
    covariance: NDArray[np.float64] | None,
    whitening: Whitening,
    solver: str,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the directions of largest spread between centred means over that within, and its fractions."""
    n_directions = min(len(means) - 1, whitening.rank)
    weighted = np.sqrt(priors)[:, None] * means
    full = whitening.rank == len(whitening.matrix)
    if _SOLVERS[solver] == "fisher" and covariance is not None and full:
        values, vectors = linalg.eigh(weighted.T @ weighted, covariance)
        values, scalings = values[::-1].clip(min=0.0), vectors[:, ::-1]
    else:
        _, roots, vectors = np.linalg.svd(weighted @ whitening.matrix, full_matrices=False)
        values, scalings = roots**2, whitening.matrix @ vectors.T
    ratio = values / (values.sum() or 1.0)
    return scalings[:, :n_directions], ratio[:n_directions]


def _regressed(
    moments: LinearMoments, whitening: Whitening
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the log-odds by least squares on labels −1 and 1, from the moments of two classes.

    The regression is of the total covariance W + π₀π₁ΔΔᵀ on the label's covariance 2π₀π₁Δ. Divided by
    2π₀π₁/(1 + π₀π₁·ΔᵀW⁻¹Δ) its slope is W⁻¹Δ, that of the posterior.
    """
    if len(moments.means) != 2:
        raise ValueError(f"solver='lstsq' regresses labels ±1 of two classes; got {len(moments.means)}.")
    fractions = moments.weights / moments.weights.sum()
    both = float(fractions[0] * fractions[1])
    delta = moments.means[1] - moments.means[0]
    # In whitened coordinates the total covariance is I + π₀π₁δδᵀ, whatever the columns' units.
    within = delta @ whitening.matrix
    total = np.eye(len(within)) + both * np.outer(within, within)
    slope, *_ = np.linalg.lstsq(total, 2.0 * both * within, rcond=None)
    unit = 2.0 * both / (1.0 + both * float(within @ within))
    level = float(fractions[1] - fractions[0])
    return (whitening.matrix @ slope)[None] / unit, np.array([level / unit])
