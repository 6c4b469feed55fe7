"""Least squares from sums of products, which merge: tables in parts, and rows that are added later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.as_numbers import check_number_kinds, number_matrix, refuse_large_numbers
from boxwood.histogram.available import available_unless
from boxwood.in_parts import FitInParts, TableInParts
from boxwood.linear.cross_products import CrossProducts, cross_products
from boxwood.linear.least_squares import Solution, solve_gram
from boxwood.linear.products import centred_product
from boxwood.model_file import State

__all__ = [
    "WIDEST",
    "LeastSquaresInParts",
    "Problem",
    "RowsNeededError",
    "matrix_of",
    "squares_of_part",
    "state_of_sums",
    "sums_of_state",
    "weighted_squares",
]

WIDEST = 4000
"""Tables of more columns are solved by rows: their gram matrix would be large."""


class RowsNeededError(Exception):
    """Sums have too few digits for a table: it must be solved by its rows."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A solved problem: coefficients about the means, and the sums of squared residuals.

    Attributes
    ----------
    sums : CrossProducts or None
        Sums that `partial_fit` adds to. None if the rows were never summed.
    """

    weight: float
    mean: NDArray[np.float64]
    targets_mean: NDArray[np.float64]
    coef: NDArray[np.float64]
    squares: NDArray[np.float64]
    solution: Solution | None = None
    sums: CrossProducts | None = None

    @property
    def rank(self) -> int | None:
        """Number of linearly independent columns; None if unknown."""
        return None if self.solution is None else self.solution.rank


@dataclass(frozen=True, eq=False)
class SquaresSummary:
    """Sums of squared residuals of each target."""

    squares: NDArray[np.float64]

    def merge(self, other: SquaresSummary) -> SquaresSummary:
        """Return the sums of both parts."""
        return SquaresSummary(self.squares + other.squares)


@dataclass(frozen=True, eq=False)
class TargetSums:
    """Sums of products, and whether the target is a single one."""

    sums: CrossProducts
    one_target: bool

    def merge(self, other: TargetSums) -> TargetSums:
        """Return the sums of both parts."""
        return TargetSums(self.sums.merge(other.sums), self.one_target)


def _why_not_by_sums(estimator: Any) -> str | None:
    """Describe why a linear regression cannot be fitted from sums of products alone."""
    if estimator.positive or estimator.solver not in ("auto", "cholesky", "pinv"):
        return (
            f"solver={estimator.solver!r} with positive={estimator.positive!r} needs all rows at once. "
            'LinearRegression(solver="cholesky") has partial_fit.'
        )
    return None


class LeastSquaresInParts(FitInParts):
    """A linear regression whose normal equations may come in parts."""

    fit_intercept: bool
    positive: bool
    solver: str
    coef_: NDArray[np.float64]
    schema_: Any
    _sums: CrossProducts | None
    _n_singular: int
    _check_parameters: Any
    _read_weighted: Any
    _read_targets: Any
    _solved_sums: Any
    _attributes: Any
    _take: Any
    _warn_of_rank: Any

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        reason = _why_not_by_sums(self)
        if reason is not None:
            return reason
        if table.n_rows < len(table.schema) or len(table.schema) > WIDEST:
            return "a table of more columns than rows, or of very many, is solved by its rows."
        return None

    def _fit_parts(self, table: TableInParts) -> Any:
        check_number_kinds(table.schema, "a linear model")
        found = table.fold(self._sums_of_part)
        sums = found.sums
        if not (np.isfinite(sums.gram).all() and np.isfinite(sums.with_targets).all()):
            raise RowsNeededError
        problem = self._solved_sums(sums, lambda *fit: table.fold(squares_of_part, *fit).squares)
        if problem is None:
            raise RowsNeededError
        n, d = table.n_rows, len(table.schema)
        self._warn_of_rank(problem.rank, min(n - bool(self.fit_intercept), d), d)
        self._take(table.schema, self._attributes(problem, n), found.one_target)
        return self

    @available_unless(_why_not_by_sums)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add rows to the sums of products, and solve the normal equations again.

        The result is that of one `fit` of all rows to rounding. Nearly collinear columns are the exception:
        `fit` decomposes their rows, which keeps more digits.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)
            The rows to add.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            Their targets.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        fitted = "schema_" in self.__dict__
        targets = self._read_targets(y)
        columns, values = self._read_weighted(X, targets, sample_weight, fitted=fitted)
        check_number_kinds(columns.schema, "a linear model")
        refuse_large_numbers(columns)
        found = self._sums_of_part(columns, values)
        n_rows, d = columns.n_rows, len(columns.schema)
        if fitted:
            found = self._found_so_far(found.one_target).merge(found)
            n_rows += self._n_singular  # min(rows so far, d): enough to know min(all rows, d)
        sums = found.sums
        solution = solve_gram(sums.gram, sums.with_targets, "pinv" if self.solver == "pinv" else "cholesky")
        squares = sums.of_targets - np.einsum("ij,ij->j", solution.coef, sums.with_targets)
        squares = np.maximum(squares, 0.0)
        problem = Problem(sums.weight, sums.mean, sums.targets_mean, solution.coef, squares, solution, sums)
        self._warn_of_rank(problem.rank, min(n_rows - bool(self.fit_intercept), d), d)
        self._take(columns.schema, self._attributes(problem, n_rows), found.one_target)
        return self

    def _found_so_far(self, one_target: bool) -> TargetSums:
        if self._sums is None:
            raise ValueError(
                "this fit kept no sums of products for partial_fit to add to: the table had more columns "
                "than rows, or another solver was set. Begin with partial_fit."
            )
        if one_target != (self.coef_.ndim == 1):
            raise ValueError("y has other targets than in the last call to fit or partial_fit.")
        return TargetSums(self._sums, one_target)

    def _sums_of_part(self, columns: Columns, targets: Any) -> TargetSums:
        values = self._read_targets(targets)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = cross_products(
                matrix_of(columns), _as_matrix(values), columns.weights, centred=bool(self.fit_intercept)
            )
        return TargetSums(sums, values.ndim == 1)


def squares_of_part(
    columns: Columns,
    targets: NDArray[np.float64],
    mean: NDArray[np.float64],
    targets_mean: NDArray[np.float64],
    coef: NDArray[np.float64],
) -> SquaresSummary:
    """Sum the squared residuals of a part of a table (see `TableInParts.fold`)."""
    residuals = _as_matrix(targets) - targets_mean - centred_product(matrix_of(columns), mean, coef)
    return SquaresSummary(weighted_squares(residuals, columns.weights))


def state_of_sums(sums: CrossProducts) -> dict[str, Any]:
    """Return what a model file keeps of the sums; weight and mean are kept by the model itself."""
    return {
        "gram": sums.gram,
        "with_targets": sums.with_targets,
        "of_targets": sums.of_targets,
        "targets_mean": sums.targets_mean,
    }


def sums_of_state(state: State, mean: NDArray[np.float64], n_targets: int) -> CrossProducts | None:
    """Read the sums of a model file."""
    if "sums" not in state:
        return None
    child, d = state.child("sums"), len(mean)
    return CrossProducts(
        state.number("weight", low=5e-324, high=1e308),
        mean,
        child.array("targets_mean", np.float64, (n_targets,)),
        child.array("gram", np.float64, (d, d)),
        child.array("with_targets", np.float64, (d, n_targets)),
        child.array("of_targets", np.float64, (n_targets,), low=0.0),
    )


def matrix_of(columns: Columns) -> Any:
    """Return the numbers of a table, sparse where it is."""
    return columns.sparse() if columns.is_sparse else number_matrix(columns, missing=False)


def weighted_squares(
    residuals: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return the sum of squares of each column, weighted."""
    squares = residuals**2
    return np.asarray(squares.sum(axis=0) if weights is None else weights @ squares, dtype=np.float64)


def _as_matrix(values: NDArray[Any]) -> NDArray[np.float64]:
    values = np.asarray(values, dtype=np.float64)
    return values[:, None] if values.ndim == 1 else values
