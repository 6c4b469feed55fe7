"""Pairs of columns from weighed draws: covariance, mutual information, a matrix of dependence."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boxwood.query.answer import Answer, Answers
from boxwood.query.weighed.draws import Draws
from boxwood.query.weighed.weighed_law import WeighedLaw

__all__ = ["weighed_covariance", "weighed_dependence", "weighed_information"]

MOST_CELLS = 32
"""Cells of a column of numbers for mutual information."""


def weighed_covariance(draws: Draws, a: int, b: int) -> Answer:
    """Return the covariance of two columns where both are there."""
    there = ~(draws.columns[a].missing() | draws.columns[b].missing())
    if not draws.weights[there].any():
        raise ValueError("the two columns are never both there under this evidence.")
    x, y = (np.where(there, draws.columns[j].values.astype(np.float64), 0.0) for j in (a, b))
    means = np.asarray(draws.means(np.stack([x, y], axis=1), there))
    return draws.mean((x - means[0]) * (y - means[1]), there)


def weighed_information(draws: Draws, a: int, b: int) -> Answer:
    """Return the mutual information of two columns' cells in nats, less what as few draws show by chance."""
    cells = [_cells(draws, j) for j in (a, b)]
    return _information(draws, cells[0], cells[1])


def weighed_dependence(draws: Draws) -> Answers:
    """Return √(1 − exp(−2·information)) of all pairs."""
    d = len(draws.columns)
    found, errors = np.eye(d), np.zeros((d, d))
    cells = [_cells(draws, j) for j in range(d)]
    for i in range(d):
        for j in range(i + 1, d):
            one = _information(draws, cells[i], cells[j])
            value = math.sqrt(-math.expm1(-2.0 * one))
            slope = math.exp(-2.0 * one) / value if value > 0.0 else 0.0
            found[i, j] = found[j, i] = value
            errors[i, j] = errors[j, i] = slope * one.standard_error
    return Answers.of(found, errors, draws.effective_sample_size)


def _information(draws: Draws, of_a: NDArray[np.intp], of_b: NDArray[np.intp]) -> Answer:
    n_a, n_b, size = int(of_a.max()) + 1, int(of_b.max()) + 1, draws.effective_sample_size
    masses = np.bincount(of_a * n_b + of_b, draws.weights, n_a * n_b).reshape(n_a, n_b)
    rows, columns = masses.sum(axis=1), masses.sum(axis=0)
    used = masses > 0.0
    logs = np.log(masses[used] / np.outer(rows, columns)[used])
    plain = float((masses[used] * logs).sum())
    spread = float((masses[used] * (logs - plain) ** 2).sum())
    # Miller and Madow: n rows show so many nats by chance.
    n_used, n_rows, n_columns = (int(np.count_nonzero(one)) for one in (used, rows, columns))
    degrees = max(n_used - n_rows - n_columns + 1, 0)
    chance = degrees / (2.0 * size)
    error = math.sqrt(spread / size + 0.5 * degrees / size**2)
    return Answer.weighed(max(plain - chance, 0.0), error, size)


def _cells(draws: Draws, j: int) -> NDArray[np.intp]:
    """Return the cell of each draw: a category, a part of the numbers with about equal weight, a gap."""
    column = draws.columns[j]
    gap = column.missing()
    if not column.field.kind.is_number:
        codes = np.where(gap, len(column.field.categories) + 1, column.values)
        return np.asarray(np.unique(codes, return_inverse=True)[1].ravel())
    n_cells = int(np.clip(math.sqrt(draws.effective_sample_size / 16.0), 2, MOST_CELLS))
    cells = np.zeros(draws.columns.n_rows, dtype=np.intp)
    if not gap.all():
        law = WeighedLaw(column.field, draws, j)
        ends = np.unique(np.asarray(law.quantile(np.arange(1, n_cells) / n_cells)))
        cells = np.searchsorted(ends, column.values, side="left")
    return np.asarray(np.where(gap, n_cells, cells), dtype=np.intp)
