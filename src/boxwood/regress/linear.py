"""Linear regression by least squares."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, lsqr
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import check_number_kinds, refuse_large_numbers
from boxwood.columns.read.from_array import unscanned_columns
from boxwood.columns.targets import check_numbers, check_values_finite
from boxwood.columns.weights import read_weights
from boxwood.estimator import TableEstimator
from boxwood.in_parts import OnePart
from boxwood.linear.cross_products import CrossProducts, cross_products
from boxwood.linear.least_squares import is_well_conditioned, solve_gram, solve_rows
from boxwood.linear.products import centred_product
from boxwood.model_file import State
from boxwood.parameters import Choice, Flag, Parameter, Real, declare, n_jobs
from boxwood.regress.least_squares_parts import (
    WIDEST,
    LeastSquaresInParts,
    Problem,
    matrix_of,
    squares_of_part,
    state_of_sums,
    sums_of_state,
    weighted_squares,
)

__all__ = ["LinearRegression"]

_MOST_NUMBERS = 2**27
"""Sparse tables of more cells stay sparse: a gigabyte."""

_FEWEST_DIGITS = 1e-8
"""Residuals below this fraction of the targets' squares are computed again, row by row."""


class LinearRegression(MultiOutputMixin, RegressorMixin, LeastSquaresInParts, TableEstimator):
    """Ordinary least squares, with standard errors and leave-one-out predictions.

    scikit-learn's parameters, methods and attributes. Columns may have any units and lie anywhere: they are
    centred and scaled before it counts. Dependent and constant columns give the coefficients of least norm,
    with a warning.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        How many columns are independent.
    singular_ : ndarray
        Singular values of the centred table.
    residual_variance_ : float or ndarray of shape (n_targets,)
        Sum of squared residuals over the degrees of freedom; NaN where there are none.
    coef_std_error_ : ndarray, as `coef_`
        Standard errors.
    intercept_std_error_ : float or ndarray, as `intercept_`
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = bw.LinearRegression().fit(X, [1.0, 2.9, 5.1, 7.0])
    >>> print(model.coef_.round(2), model.intercept_.round(2), model.coef_std_error_.round(3))
    [2.02] 0.97 [0.042]
    >>> model.leave_one_out(X, [1.0, 2.9, 5.1, 7.0]).round(2)
    array([0.9 , 3.03, 4.97, 7.1 ])
    """

    _parameters = declare(
        Parameter("fit_intercept", Flag(), "Whether the line need not go through the origin."),
        Parameter(
            "solver",
            Choice("auto", "cholesky", "pinv", "qr", "svd"),
            '"cholesky" and "pinv" solve the normal equations: one pass over the rows. "qr" and "svd" '
            'decompose the rows themselves, which is slower and keeps more digits. "auto" is "cholesky" '
            'where the columns are far from dependent, else "svd".',
        ),
        Parameter(
            "positive",
            Flag(),
            "Whether coefficients must not be negative (then no standard errors are given).",
        ),
        Parameter("copy_X", Flag(), "Accepted for scikit-learn's sake: the table is never changed."),
        Parameter("tol", Real(0.0), "Accepted for scikit-learn's sake: nothing iterates."),
        n_jobs("Accepted for scikit-learn's sake."),
    )

    _accept_sparse = True
    _allow_missing = False

    coef_: NDArray[np.float64]
    intercept_: Any
    rank_: int
    residual_variance_: Any
    _centre: NDArray[np.float64]
    _root: NDArray[np.float64] | None
    _weight: float
    _n_singular: int

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        solver: str = "auto",
        positive: bool = False,
        copy_X: bool = True,
        tol: float = 1e-6,
        n_jobs: int | None = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.positive = positive
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = not self.positive
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        if self.positive and sparse.issparse(X):
            raise TypeError("Sparse data was passed for X, but dense data is required.")
        targets = self._read_targets(y)
        columns, values = self._read_lazily(X, targets, sample_weight)
        check_number_kinds(columns.schema, "a linear model")
        Y = values[:, None] if values.ndim == 1 else values
        self._take(columns.schema, self._fit_matrix(X, columns, Y), values.ndim == 1)
        return self

    def _take(self, schema: Schema, fitted: dict[str, Any], one_target: bool) -> None:
        if one_target:
            for name in ("coef_", "intercept_", "residual_variance_"):
                fitted[name] = fitted[name][0]
        self._set_fitted(schema, **fitted)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the target of each row.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        rows = matrix_of(self._read(X))
        coef = np.atleast_2d(self.coef_).T
        level = np.atleast_1d(self.intercept_) + self._centre @ coef
        found = centred_product(rows, self._centre, coef) + level
        return found[:, 0] if self.coef_.ndim == 1 else found

    def leverage(self, X: Any) -> NDArray[np.float64]:
        """Return the diagonal of the hat matrix: how much a row of the fitted table moves its own prediction.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        if self._root is None:
            raise ValueError("positive=True: the fit is no linear map of the targets and has no hat matrix.")
        z = centred_product(matrix_of(self._read(X)), self._centre, self._root)
        level = 1.0 / self._weight if self.fit_intercept else 0.0
        return np.einsum("ij,ij->i", z, z) + level

    def leave_one_out(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Return the prediction for each row of the fitted table by the model of all others.

        Nothing is fitted again: the residual of row i without it is rᵢ / (1 − hᵢ), h its leverage. Of a row
        of weight w one copy is left out.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)
            The fitted one.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        ndarray, as y
            NaN where the others do not determine the prediction.
        """
        targets = self._read_targets(y)
        predicted = self.predict(X)
        if targets.shape != predicted.shape:
            raise ValueError(f"y has the shape {targets.shape}, the predictions {predicted.shape}.")
        rest = 1.0 - self.leverage(X)
        rest = np.where(rest > 1e-10, rest, np.nan)
        return targets - (targets - predicted) / (rest if targets.ndim == 1 else rest[:, None])

    @property
    def coef_std_error_(self) -> NDArray[np.float64]:
        """Standard errors of the coefficients."""
        check_is_fitted(self)
        if self._root is None:
            raise AttributeError("coef_std_error_ is not there with positive=True")
        lengths = np.einsum("ij,ij->i", self._root, self._root)
        errors = np.sqrt(np.multiply.outer(np.asarray(self.residual_variance_), lengths))
        return np.asarray(errors, dtype=np.float64)

    @property
    def intercept_std_error_(self) -> Any:
        """Standard error of the intercept; 0 where none was fitted."""
        check_is_fitted(self)
        if self._root is None:
            raise AttributeError("intercept_std_error_ is not there with positive=True")
        if not self.fit_intercept:
            return 0.0 * np.asarray(self.residual_variance_)[()]
        z = self._centre @ self._root
        return np.sqrt(np.asarray(self.residual_variance_) * (1.0 / self._weight + z @ z))[()]

    def _read_targets(self, y: Any) -> NDArray[np.float64]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        if sparse.issparse(y):
            raise TypeError("Sparse data was passed for y, but dense data is required.")
        values = np.asarray(y)
        if values.dtype.kind == "c":
            raise ValueError("Complex data not supported in y.")
        check_numbers(y)
        values = values.astype(np.float64, copy=False)
        if values.ndim not in (1, 2):
            raise ValueError(f"y should be a 1d or 2d array, got an array of shape {values.shape} instead.")
        check_values_finite(values)
        return values

    def _read_lazily(
        self, X: Any, y: NDArray[np.float64], sample_weight: Any
    ) -> tuple[Columns, NDArray[np.float64]]:
        """Read a table; a plain array without looking at its numbers, which the sums will show.

        Measured on 200,000 × 50: looking at them takes a seventh of the whole fit.
        """
        columns = unscanned_columns(X)
        if columns is None or columns.n_rows != len(y):
            return self._read_weighted(X, y, sample_weight)
        weights = read_weights(sample_weight, columns.n_rows)
        return columns.with_weights(weights), y if weights is None else y[weights > 0.0]

    def _fit_matrix(self, X: Any, columns: Columns, Y: NDArray[np.float64]) -> dict[str, Any]:
        rows, weights, centred = matrix_of(columns), columns.weights, bool(self.fit_intercept)
        n, d = rows.shape
        problem: Problem | None = None
        kept: CrossProducts | None = None
        if not self.positive and self.solver in ("auto", "cholesky", "pinv") and n >= d and d <= WIDEST:
            with np.errstate(over="ignore", invalid="ignore"):
                sums = cross_products(rows, Y, weights, centred=centred)
            if np.isfinite(sums.gram).all() and np.isfinite(sums.with_targets).all():
                kept, table = sums, OnePart(columns, Y)
                problem = self._solved_sums(sums, lambda *found: table.fold(squares_of_part, *found).squares)
        if problem is None:
            self._read_fit(X)  # raises for what is not finite
            refuse_large_numbers(columns)
            problem = self._solved_rows(rows, Y, weights)
        if not np.isfinite(problem.coef).all():
            raise ValueError("the sums of products with y overflow. Rescale y.")
        self._warn_of_rank(problem.rank, min(n - centred, d), d)
        return self._attributes(replace(problem, sums=kept), n)

    def _solved_sums(
        self, sums: CrossProducts, squares_of: Callable[..., NDArray[np.float64]]
    ) -> Problem | None:
        """Solve the normal equations; None where their digits do not suffice.

        `squares_of` the means and coefficients sums the squares of the residuals row by row.
        """
        if self.solver == "auto" and not is_well_conditioned(sums.gram):
            return None
        solver = "cholesky" if self.solver == "auto" else self.solver
        solution = solve_gram(sums.gram, sums.with_targets, solver)
        squares = sums.of_targets - np.einsum("ij,ij->j", solution.coef, sums.with_targets)
        if np.any(squares < _FEWEST_DIGITS * sums.of_targets):
            squares = squares_of(sums.mean, sums.targets_mean, solution.coef)
        return Problem(sums.weight, sums.mean, sums.targets_mean, solution.coef, squares, solution, sums)

    def _solved_rows(self, rows: Any, Y: NDArray[np.float64], weights: Any) -> Problem:
        """Solve the rows themselves."""
        weight = float(len(Y)) if weights is None else float(weights.sum())
        if not isinstance(rows, np.ndarray):
            if rows.shape[0] * rows.shape[1] > _MOST_NUMBERS:
                return self._solved_iteratively(rows, Y, weights, weight)
            rows = rows.toarray()
        mean, targets_mean = np.zeros(rows.shape[1]), np.zeros(Y.shape[1])
        if self.fit_intercept:
            mean, targets_mean = _mean(rows, weights), _mean(Y, weights)
        roots = np.ones((len(Y), 1)) if weights is None else np.sqrt(weights)[:, None]
        left, right = (rows - mean) * roots, (Y - targets_mean) * roots
        if self.positive:
            from scipy.optimize import nnls  # slow to import

            coef = np.column_stack([nnls(left, side)[0] for side in right.T])
            return Problem(weight, mean, targets_mean, coef, weighted_squares(right - left @ coef, None))
        solution = solve_rows(left, right, "qr" if self.solver == "qr" else "svd")
        squares = weighted_squares(right - left @ solution.coef, None)
        return Problem(weight, mean, targets_mean, solution.coef, squares, solution)

    def _solved_iteratively(self, rows: Any, Y: NDArray[np.float64], weights: Any, weight: float) -> Problem:
        """Solve a large sparse table by LSQR, centred on the way."""
        fractions = np.full(len(Y), 1.0 / weight) if weights is None else weights / weight
        mean, targets_mean = np.zeros(rows.shape[1]), np.zeros(Y.shape[1])
        if self.fit_intercept:
            mean, targets_mean = np.asarray(rows.T @ fractions).ravel(), fractions @ Y
        roots = np.sqrt(fractions)
        operator = LinearOperator(
            rows.shape,
            matvec=lambda v: roots * (rows @ v - mean @ v),
            rmatvec=lambda u: rows.T @ (roots * u) - mean * (roots @ u),
            dtype=np.float64,
        )
        right = (Y - targets_mean) * roots[:, None]
        tol = float(self.tol)
        coef = np.column_stack([lsqr(operator, side, atol=tol, btol=tol)[0] for side in right.T])
        residuals = Y - targets_mean - centred_product(rows, mean, coef)
        return Problem(weight, mean, targets_mean, coef, weighted_squares(residuals, weights))

    def _warn_of_rank(self, rank: int | None, possible: int, n_columns: int) -> None:
        if rank is not None and rank < n_columns:
            cause = "more columns than rows" if rank == possible else "constant or dependent columns"
            warnings.warn(
                f"The columns are collinear ({cause}): rank {rank} of {n_columns}. Of the best coefficients "
                "those of least norm are given.",
                stacklevel=4,
            )

    def _attributes(self, problem: Problem, n_rows: int) -> dict[str, Any]:
        freedom = problem.weight - (problem.rank or 0) - bool(self.fit_intercept)
        variance = np.full(len(problem.squares), math.nan)
        if freedom > 0.0 and problem.rank is not None:
            variance = problem.squares / freedom
        return {
            "coef_": np.ascontiguousarray(problem.coef.T),
            "intercept_": problem.targets_mean - problem.mean @ problem.coef,
            "residual_variance_": variance,
            "rank_": problem.rank,
            "_centre": problem.mean,
            "_root": None if problem.solution is None else problem.solution.root,
            "_weight": problem.weight,
            "_n_singular": min(n_rows, len(problem.mean)),
            "_sums": problem.sums,
        }

    @property
    def singular_(self) -> NDArray[np.float64]:
        """Singular values of the centred table, in descending order."""
        check_is_fitted(self)
        if self._root is None:
            raise AttributeError("singular_ is not there for this fit")
        values = np.zeros(self._n_singular)
        values[: self._root.shape[1]] = 1.0 / np.linalg.svd(self._root, compute_uv=False)[::-1]
        return values

    def _get_state(self) -> dict[str, Any]:
        kept: dict[str, Any] = {
            "coef": np.atleast_2d(self.coef_),
            "intercept": np.atleast_1d(self.intercept_),
            "one_target": self.coef_.ndim == 1,
            "centre": self._centre,
            "weight": self._weight,
            "n_singular": self._n_singular,
        }
        if self._root is not None:
            kept["root"] = self._root
        if self._sums is not None:
            kept["sums"] = state_of_sums(self._sums)
        variance = np.atleast_1d(self.residual_variance_)
        if np.isfinite(variance).all():
            kept["variance"] = variance
        return kept

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema, "a linear model")
        d = len(schema)
        coef = state.array("coef", np.float64, (None, d), low=-1e300, high=1e300)
        variance = np.full(len(coef), math.nan)
        if "variance" in state:
            variance = state.array("variance", np.float64, (len(coef),), low=0.0)
        root = state.array("root", np.float64, (d, None)) if "root" in state else None
        one = state.flag("one_target")
        if len(coef) == 0 or (one and len(coef) != 1):
            raise state.error("coef", f"has {len(coef)} rows")
        intercept = state.array("intercept", np.float64, (len(coef),), low=-1e300, high=1e300)
        centre = state.array("centre", np.float64, (d,))
        if np.any(np.abs(coef) > 1e300 / d / np.maximum(np.abs(centre), 1.0)):
            raise state.error("coef", "times the centre is too large to add up")
        rank = 0 if root is None else root.shape[1]
        return {
            "coef_": coef[0] if one else coef,
            "intercept_": intercept[0] if one else intercept,
            "residual_variance_": variance[0] if one else variance,
            "rank_": None if root is None else rank,
            "_centre": centre,
            "_root": root,
            "_weight": state.number("weight", low=math.ulp(0.0), high=1e308),
            "_n_singular": state.integer("n_singular", low=rank, high=max(rank, d)),
            "_sums": sums_of_state(state, centre, len(coef)),
        }


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    mean = np.average(values, axis=0, weights=weights)
    # The rounding of a mean far from 0 shows in the mean of what it centres.
    return np.asarray(mean + np.average(values - mean, axis=0, weights=weights), dtype=np.float64)
