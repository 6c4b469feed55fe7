"""Histograms of all classes at once: large tables of continuous numbers are counted without being copied."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, Kind
from boxwood.density.histogram import Histogram
from boxwood.evidence.lattice import common_step
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.novelty import left_out_logs
from boxwood.histogram.prior.loo_prior import BY_LOO, binned_moments, loo_alpha
from boxwood.histogram.uniform_grid import uniform_edges

__all__ = ["are_continuous", "fit_at_once"]

Numbers = NDArray[np.float64]

FEWEST_ROWS = 2_000
"""Smaller tables are fitted class by class, which compares more numbers of bins."""

MOST_LOOKED_AT = 20_000
"""Tables of up to this many rows are checked for continuity on all rows, larger ones on a part."""

FINE = 2520
"""Each column is first counted in this many bins; the candidates are its divisors."""

_NUMBERS = np.array(
    [
        *(4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 18, 21, 24, 28, 35, 42, 56, 63, 72, 84, 105, 126, 168, 210, 280),
        *(360, 504, 630, 840, 1260),
    ]
)
_PART = 16
_ROWS_OF_STEP = 256
_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
MOST_MOVED = 0.05
"""Bins may move the mean or the standard deviation of a class by this fraction of the latter."""


def fit_at_once(
    model: Any, columns: Columns, codes: NDArray[np.uint32], n_classes: int
) -> list[Histogram] | None:
    """Return the histogram of each class, counted in one pass; None if the table or the parameters need more.

    Parameters
    ----------
    model : HistogramNB
    columns : Columns
    codes : ndarray of uint32
        The class of each row.
    """
    plain = isinstance(model.bins, str) and model.bins == "loo_likelihood"
    by_loo = isinstance(model.alpha, str) and model.alpha == BY_LOO
    if not plain or not by_loo or model.range is not None or model.support is not None:
        return None
    if not are_continuous(columns):
        return None
    rows = columns.matrix()
    edges = [_edges(rows[:, j], codes, n_classes) for j in range(rows.shape[1])]
    densities: list[Histogram] = [model._new_density() for _ in range(n_classes)]
    fitted: list[list[ColumnHistogram]] = [[] for _ in range(n_classes)]
    held_out = np.zeros(columns.n_rows)
    for j, of_column in enumerate(edges):
        bins = _core.Bins(of_column)
        counts = bins.count_by_class(rows[:, j], codes, n_classes)[:, :-1]
        logs = []
        for k, alpha in enumerate(loo_alpha(of_column, counts)):
            counted = ColumnHistogram(of_column, counts[k].copy(), np.zeros(counts.shape[1]))
            fitted[k].append(counted.estimated("bayes", alpha))
            logs.append(left_out_logs(fitted[k][-1], "bayes", alpha, as_new=True))
        bins.add_of_class(rows[:, j], codes, np.stack(logs), held_out)
    for k, density in enumerate(densities):
        density._take_counted(columns.schema, fitted[k], held_out[codes == k])
    return densities


def are_continuous(columns: Columns) -> bool:
    """Return whether a table is large and all columns are continuous: no copies, atoms or lattices.

    If there are more than `MOST_LOOKED_AT` rows, a part of them is checked. The part is chosen by content, so
    neither the order of the rows nor their partition matters. The check may miss values that fewer than one
    row in a thousand has.
    """
    if columns.n_rows < FEWEST_ROWS or columns.weights is not None or columns.is_sparse or columns.n_missing:
        return False
    if len(columns) < 3 or any(field.kind is not Kind.NUMERIC for field in columns.schema.fields):
        return False
    rows = columns.matrix()
    part = rows
    if columns.n_rows > MOST_LOOKED_AT:
        part = rows[_chosen_by_content(rows)]
        if not columns.n_rows / (2 * _PART) < len(part) < 2 * columns.n_rows / _PART:
            return False
    return all(_is_continuous(part[:, j]) for j in range(part.shape[1]))


def _chosen_by_content(rows: Numbers) -> NDArray[np.intp]:
    """Return about one row in `_PART`, by the bits of its first columns."""
    keys = np.zeros(len(rows), dtype=np.uint64)
    for j, multiplier in enumerate(_MULTIPLIERS):
        keys ^= np.ascontiguousarray(rows[:, j]).view(np.uint64) * multiplier
    keys ^= keys >> np.uint64(29)
    keys *= _MULTIPLIERS[0]
    return np.flatnonzero(keys >> np.uint64(64 - 4) == 0)


def _is_continuous(values: Numbers) -> bool:
    ordered = np.sort(values)
    if (ordered[1:] == ordered[:-1]).any():
        return False
    # A lattice of all values is one of some of them.
    return common_step(ordered[:: max(1, len(ordered) // _ROWS_OF_STEP)]) is None


def _edges(values: Numbers, codes: NDArray[np.uint32], n_classes: int) -> Numbers:
    """Return equal bins: as many as predict left-out rows best, by the notes' estimate with α = 2."""
    low, high = float(values.min()), float(values.max())
    fine = _core.Bins(uniform_edges(low, high, FINE)).count_by_class(values, codes, n_classes)[:, :-1]
    upto = np.concatenate([np.zeros((n_classes, 1)), np.cumsum(fine, axis=1)], axis=1)
    n = upto[:, -1]
    losses = []
    for n_bins in _NUMBERS.tolist():
        counts = np.diff(upto[:, :: FINE // n_bins]).ravel()
        own = counts @ np.log(np.maximum(counts, 1.0))
        losses.append(n @ np.log(np.maximum(n - 1.0 + n_bins, 1.0)) - own - n.sum() * math.log(n_bins))
    best = int(np.argmin(losses))
    while best < len(_NUMBERS) - 1 and _moves(fine, int(_NUMBERS[best])):
        best += 1
    return uniform_edges(low, high, int(_NUMBERS[best]))


def _moves(fine: Numbers, n_bins: int) -> bool:
    """Return whether bins move the mean or the standard deviation of a class by more than a twentieth."""
    counts = fine.reshape(len(fine), n_bins, -1).sum(axis=2)
    before, after = (
        binned_moments(np.linspace(0.0, 1.0, of.shape[1] + 1), of[of.sum(axis=1) > 0.0])
        for of in (fine, counts)
    )
    spread = np.sqrt(before[1])
    shifted, widened = np.abs(after[0] - before[0]) / spread, np.abs(np.sqrt(after[1]) / spread - 1.0)
    return bool(max(shifted.max(), widened.max()) > MOST_MOVED)
