"""Least squares of a table in parts: sums of products that merge, and residuals where they are too coarse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.as_numbers import check_number_kinds, number_matrix
from boxwood.in_parts import FitInParts, TableInParts
from boxwood.linear.cross_products import CrossProducts, cross_products
from boxwood.linear.products import centred_product

__all__ = [
    "WIDEST",
    "LeastSquaresInParts",
    "RowsNeededError",
    "matrix_of",
    "squares_of_part",
    "weighted_squares",
]

WIDEST = 4000
"""Tables of more columns are solved by rows: their gram matrix would be large."""


class RowsNeededError(Exception):
    """Sums have too few digits for a table: it must be solved by its rows."""


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


class LeastSquaresInParts(FitInParts):
    """A linear regression whose normal equations may come in parts."""

    fit_intercept: bool
    positive: bool
    solver: str
    _read_targets: Any
    _solved_sums: Any
    _attributes: Any
    _take: Any
    _warn_of_rank: Any

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        if self.positive or self.solver not in ("auto", "cholesky", "pinv"):
            return f"solver={self.solver!r} and positive={self.positive!r} need all rows at once."
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
