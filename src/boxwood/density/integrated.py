"""Densities of some columns where no formula sums the others out: these are integrated over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.margins import CategoryMargin, Margins, decoded_columns
from boxwood.margins.margins import Margin

__all__ = ["integrated"]

Numbers = NDArray[np.float64]

N_ALONG = 256
"""Places along one column: midpoints of as many equal parts of its margin."""

N_ACROSS = 256
"""Places across several columns: Sobol's points, under the margins of these columns."""

MOST_ROWS = 65_536
"""Rows that are scored at a time."""


def integrated(
    score: Callable[[Columns], Numbers], columns: Columns, kept: Sequence[int], margins: Margins
) -> Numbers:
    """Return the log-density of some columns of each row, the others integrated over.

    The integral is the mean of p/q over places drawn from q, the product of the other columns' margins: gaps,
    atoms and categories have their share of places. A single column of categories is summed over.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.margins import fit_margins
    >>> X = bw.read_columns(np.random.default_rng(0).normal(size=(300, 2)))
    >>> margins = fit_margins(X)
    >>> independent = integrated(margins.log_derivative, X, [0], margins)
    >>> bool(np.allclose(independent, margins.columns[0].log_derivative(X[0].values)))
    True
    """
    hidden = [j for j in range(len(columns)) if j not in set(kept)]
    places, log_q = _places(margins, hidden)
    found = np.empty(columns.n_rows)
    step = max(1, MOST_ROWS // places.n_rows)
    for start in range(0, columns.n_rows, step):
        rows = np.arange(start, min(start + step, columns.n_rows))
        logs = score(_crossed(columns, rows, places, hidden)).reshape(len(rows), -1)
        found[rows] = np.logaddexp.reduce(logs - log_q, axis=1)
    return found


def _places(margins: Margins, hidden: Sequence[int]) -> tuple[Columns, Numbers]:
    """Return values of the hidden columns, in a table of all columns, and the logarithms of n times q."""
    only = margins.columns[hidden[0]]
    if len(hidden) == 1 and isinstance(only, CategoryMargin):
        masses = np.asarray(only.masses)
        ends = np.concatenate([[0.0], np.cumsum(masses)])
        held = np.flatnonzero(masses > 0.0)
        u = 0.5 * (ends[:-1] + ends[1:])[held][:, None]
        return _decoded(margins, hidden, u), np.zeros(len(held))
    u = _points(len(hidden))
    places = _decoded(margins, hidden, u)
    log_q = np.full(len(u), np.log(len(u)))
    for j in hidden:
        log_q += _log_density_at(margins.columns[j], places, j)
    return places, log_q


def _points(n_columns: int) -> Numbers:
    if n_columns == 1:
        return ((np.arange(N_ALONG) + 0.5) / N_ALONG)[:, None]
    from scipy.stats.qmc import Sobol

    return np.asarray(Sobol(n_columns, scramble=False).random(N_ACROSS)) + 0.5 / N_ACROSS


def _decoded(margins: Margins, hidden: Sequence[int], u: Numbers) -> Columns:
    points = np.full((len(u), len(margins.columns)), 0.5)
    points[:, list(hidden)] = u
    return decoded_columns(margins.schema, len(u), margins.native.decode(np.ascontiguousarray(points), 1))


def _log_density_at(margin: Margin, places: Columns, j: int) -> Numbers:
    """Return the logarithm of what a margin gives a column's values; of a gap, of its probability."""
    column = places[j]
    logs = margin.log_derivative(np.ascontiguousarray(column.values))
    if not column.n_missing:
        return np.asarray(logs)
    return np.where(column.missing(), np.log(max(margin.missing_mass, 5e-324)), logs)


def _crossed(columns: Columns, rows: NDArray[np.intp], places: Columns, hidden: Sequence[int]) -> Columns:
    """Return every row with every place in its hidden columns."""
    crossed = columns.without_weights().take(np.repeat(rows, places.n_rows))
    other = places.take(np.tile(np.arange(places.n_rows), len(rows)))
    made = [other[j] if j in set(hidden) else crossed[j] for j in range(len(columns))]
    return Columns(columns.schema, crossed.n_rows, columns=made)
