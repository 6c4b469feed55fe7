"""Tables as matrices for models that take numbers only: fitted on training rows, applied to any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Kind

__all__ = ["EncodedClassifier", "EncodedModel", "EncodedRegressor", "TableEncoder"]


@dataclass(frozen=True, eq=False)
class TableEncoder:
    """How each column becomes numbers.

    A number is centred and scaled by the training rows' mean and deviation. A category becomes one column
    of 0 and 1 for each category but the first, so that no column follows from others. What is missing, or a
    category that the training rows did not have, becomes the training rows' mean.

    Attributes
    ----------
    centres, scales : list of ndarray
        Of each column's numbers or indicators.
    """

    centres: list[NDArray[np.float64]]
    scales: list[float]

    @classmethod
    def of_rows(cls, columns: Columns) -> Self:
        """Fit means and deviations."""
        centres, scales = [], []
        for column in columns:
            numbers = _numbers_of(column)
            present = ~np.isnan(numbers[:, 0])
            weights = None if columns.weights is None else columns.weights[present]
            mean = _mean(numbers[present], weights)
            centres.append(mean)
            scales.append(1.0 if _is_coded(column) else _deviation(numbers[present] - mean, weights))
        return cls(centres, scales)

    def matrix(self, columns: Columns, keep_missing: bool = False) -> NDArray[np.float64]:
        """Return the rows as numbers, none missing unless such are to be kept."""
        parts = []
        for column, centre, scale in zip(columns, self.centres, self.scales, strict=True):
            numbers = _numbers_of(column) - centre
            if not keep_missing:
                numbers[np.isnan(numbers)] = 0.0
            parts.append(numbers / scale)
        return np.hstack(parts)


class EncodedModel:
    """A model of numbers that takes tables: it reads them by what its own training rows tell.

    Parameters
    ----------
    estimator : classifier or regressor
        Unfitted.
    keep_missing : bool, default=False
        Whether it takes missing values.
    """

    def __init__(self, estimator: Any, keep_missing: bool = False) -> None:
        self.estimator = estimator
        self.keep_missing = keep_missing

    def fit(self, columns: Columns, y: NDArray[Any]) -> Self:
        """Fit the numbers, then the model, with the table's weights."""
        self.numbers_ = TableEncoder.of_rows(columns)
        weights = {} if columns.weights is None else {"sample_weight": columns.weights}
        self.estimator.fit(self._matrix(columns), y, **weights)
        return self

    def _matrix(self, columns: Columns) -> NDArray[np.float64]:
        return self.numbers_.matrix(columns, self.keep_missing)


class EncodedClassifier(EncodedModel):
    """A classifier of numbers that takes tables."""

    @property
    def classes_(self) -> NDArray[Any]:
        """The classifier's classes."""
        return np.asarray(self.estimator.classes_)

    def predict_proba(self, columns: Columns) -> NDArray[np.float64]:
        """Return the classifier's probabilities."""
        return np.asarray(self.estimator.predict_proba(self._matrix(columns)), dtype=np.float64)


class EncodedRegressor(EncodedModel):
    """A regressor of numbers that takes tables."""

    def predict(self, columns: Columns) -> NDArray[np.float64]:
        """Return the regressor's estimates."""
        return np.asarray(self.estimator.predict(self._matrix(columns)), dtype=np.float64)


def _is_coded(column: Column) -> bool:
    return column.kind is Kind.CATEGORICAL


def _numbers_of(column: Column) -> NDArray[np.float64]:
    """Return one column of numbers, or indicators of all categories but the first; NaN where missing."""
    if not _is_coded(column):
        numbers = column.numbers().copy()
        if not column.kind.is_number:
            numbers[numbers >= len(column.field.categories)] = np.nan  # an unknown rank
        return numbers[:, None]
    n_categories = len(column.field.categories)
    numbers = (column.values[:, None] == np.arange(1, max(n_categories, 2))).astype(np.float64)
    numbers[(column.values < 0) | (column.values >= n_categories)] = np.nan
    return numbers


def _mean(numbers: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    if len(numbers) == 0:
        return np.zeros(numbers.shape[1])
    return np.asarray(np.average(numbers, axis=0, weights=weights), dtype=np.float64)


def _deviation(centred: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Return the standard deviation of a column; 1 where it has none."""
    largest = float(np.abs(centred).max(initial=0.0))
    if largest == 0.0:
        return 1.0
    squares = (centred[:, 0] / largest) ** 2  # of numbers whose squares would overflow
    return largest * float(np.sqrt(np.average(squares, weights=weights)))
