"""Judging regressors on rows that they have not seen."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, read_columns, to_native
from boxwood.columns.targets import check_numbers, check_values_finite
from boxwood.columns.weights import read_weights
from boxwood.select.classifier_validation import fit_to, reads_columns, run_folds
from boxwood.select.cross_validation import Optimistic, mean_of, variance_of
from boxwood.select.folds import Fold, make_folds

__all__ = ["RegressorValidation", "ValuedTable", "validate_regressor"]


@dataclass(frozen=True, eq=False)
class RegressorValidation(Optimistic):
    """What cross-validation of a regressor found.

    Attributes
    ----------
    rmses, train_rmses : ndarray of shape (n_folds,)
        Root of the mean squared error of each fold's held-out rows, and of the rows of its fit.
    r2s : ndarray of shape (n_folds,)
        1 less the mean squared error over the variance of the fold's held-out values; NaN where that is 0.
    maes : ndarray of shape (n_folds,)
        Mean absolute errors of the held-out rows.
    fit_seconds, predict_seconds : ndarray of shape (n_folds,)
        Wall time of the fit, and of estimating the held-out rows' values.
    predictions : ndarray of shape (n_samples,)
        What each row was told by the model that had not seen it; NaN for rows that were never held out.
    warnings : tuple of str
        What the model warned of, each once.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_diabetes
    >>> models = {"linear": bw.LinearRegression()}
    >>> comparison = bw.compare(*load_diabetes(return_X_y=True), models=models, task="regression")
    >>> comparison.validations["linear"].r2s.shape
    (5,)
    """

    rmses: NDArray[np.float64]
    train_rmses: NDArray[np.float64]
    r2s: NDArray[np.float64]
    maes: NDArray[np.float64]
    fit_seconds: NDArray[np.float64]
    predict_seconds: NDArray[np.float64]
    predictions: NDArray[np.float64]
    warnings: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Mean of the root mean squared errors over the folds."""
        return mean_of(self.rmses)

    @property
    def std(self) -> float:
        """Standard deviation of these over the folds; NaN of one fold."""
        return float(np.sqrt(variance_of(self.rmses)))

    @property
    def train_error(self) -> float:
        """Mean of the training errors over the folds."""
        return mean_of(self.train_rmses)

    @property
    def r2(self) -> float:
        """Mean of R² over the folds."""
        return mean_of(self.r2s)

    @property
    def mae(self) -> float:
        """Mean of the absolute errors over the folds."""
        return mean_of(self.maes)

    def __repr__(self) -> str:
        folds = "1 fold" if len(self.rmses) == 1 else f"{len(self.rmses)} folds"
        return (
            f"RMSE {self.error:.4g} ± {self.std:.2g} over {folds}, in training {self.train_error:.4g} "
            f"(optimism {self.optimism:.3g}); R² {self.r2:.4g}"
        )


@dataclass(frozen=True, eq=False)
class ValuedTable:
    """A table whose rows have values to estimate; rows of weight zero are not in it."""

    columns: Columns
    values: NDArray[np.float64]
    kept: NDArray[np.bool_] | None = None
    """Which of the rows that were given these are, where they had weights."""

    @classmethod
    def read(cls, X: Any, y: Any, sample_weight: Any) -> ValuedTable:
        """Read a table and its values."""
        check_numbers(y)
        columns, values = read_columns(X), np.asarray(y, dtype=np.float64)
        if values.shape != (columns.n_rows,):
            raise ValueError(f"y must hold one number a row: {columns.n_rows}; its shape is {values.shape}.")
        check_values_finite(values)
        weights = read_weights(sample_weight, columns.n_rows)
        if weights is None:
            return cls(columns, values)
        return cls(columns.with_weights(weights), values[weights > 0.0], weights > 0.0)

    def folds(self, cv: Any, random_state: Any) -> list[Fold]:
        """Return the folds that a parameter ``cv`` asks for."""
        return make_folds(cv, self.columns.n_rows, None, random_state, self.kept)


def validate_regressor(
    make: Callable[[], Any],
    go_on: Callable[[int], None],
    table: ValuedTable,
    folds: list[Fold],
) -> RegressorValidation:
    """Fit a new model to each fold's rows and score it on the others; see `validate`."""
    predictions = np.full(len(table.values), np.nan)
    scores, messages = run_folds(
        lambda train, test: _one_fold(make(), table, train, test), folds, predictions, go_on
    )
    rmses, train_rmses, r2s, maes, fit_seconds, predict_seconds = scores
    return RegressorValidation(
        rmses, train_rmses, r2s, maes, fit_seconds, predict_seconds, predictions, messages
    )


def _one_fold(
    model: Any, table: ValuedTable, train: NDArray[np.intp], test: NDArray[np.intp]
) -> tuple[Any, ...]:
    seen, unseen = table.columns.take(train), table.columns.take(test)
    values, weights = table.values[test], unseen.weights
    started = time.perf_counter()
    fit_to(model, seen, table.values[train])
    fitted = time.perf_counter()
    predicted = _predicted(model, unseen)
    ended = time.perf_counter()
    squared = _mean_square(predicted - values, weights)
    spread = _mean_square(values - np.average(values, weights=weights), weights)
    return (
        float(np.sqrt(squared)),
        float(np.sqrt(_mean_square(_predicted(model, seen) - table.values[train], seen.weights))),
        1.0 - squared / spread if spread > 0.0 else float("nan"),
        float(np.average(np.abs(predicted - values), weights=weights)),
        fitted - started,
        ended - fitted,
        predicted,
    )


def _mean_square(differences: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    return float(np.average(differences**2, weights=weights))


def _predicted(model: Any, columns: Columns) -> NDArray[np.float64]:
    rows = columns if reads_columns(model) else to_native(columns)
    return np.asarray(model.predict(rows), dtype=np.float64).reshape(columns.n_rows)
