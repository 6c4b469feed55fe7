"""Categories never seen, which trees must not learn away.

The margin of a column keeps intervals for categories that no row has: those of its schema, and others. A tree
would split them off and give them next to nothing, where a column with many rare categories shows a new one
every few rows. So each row stands in one of their bins, too, with the fraction of its weight that the margin
keeps, in all columns but one as it is. Where the margin keeps little, no rows stand there; then it is the
histograms of leaves that keep as much of these bins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.binning.bin_edges import BinnedRows
from boxwood.columns import Columns
from boxwood.margins import CategoryMargin, Margins

__all__ = ["RowsToGrow", "UnseenCategories"]

LEAST_MASS = 0.01
"""Of columns that keep less than this for unseen categories no rows stand in their bins: it costs rows."""

ROWS_A_BIN, MOST_TIMES = 2, 16
"""About so many rows stand in a bin; for that a row of a small table stands in several, up to a number."""

UNIT = 2.0**-20
"""Weights stay whole multiples of this."""


class RowsToGrow(NamedTuple):
    """What the core grows on."""

    bins: NDArray[np.uint16]
    points: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None
    observations: NDArray[np.float64]
    groups: NDArray[np.uint64] | None
    keys: NDArray[np.uint64] | None = None


@dataclass(frozen=True, eq=False)
class _Column:
    """A column's bins without rows, which bin each row stands in, and what it takes there."""

    number: int
    fraction: float
    bins: NDArray[np.uint16]  # (times, n_rows)
    points: NDArray[np.float64]
    missing: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class UnseenCategories:
    """What the columns of a table keep for categories never seen.

    Attributes
    ----------
    columns : sequence of _Column
        That keep much: rows stand in their bins.
    bins : list of (int, int)
        Columns that keep little, and their bins without rows.
    """

    columns: Sequence[_Column]
    bins: list[tuple[int, int]]

    @classmethod
    def of_table(cls, margins: Margins, rows: BinnedRows, table: Columns) -> UnseenCategories:
        """Find them; of a table without categories nothing is looked at."""
        if all(field.kind.is_number for field in table.schema.fields):
            return cls((), [])
        columns, bins = [], list[tuple[int, int]]()
        for j, parts in enumerate(margins.native.columns()):
            if not isinstance(parts[0], np.ndarray):
                continue  # numbers have a map
            kept = _kept_by_bins(j, CategoryMargin(*parts), rows)
            if kept.sum() < LEAST_MASS:
                counts = np.bincount(rows.bins[:, j], minlength=len(kept))
                bins += [(j, int(k)) for k in np.flatnonzero(counts == 0)]
            else:
                columns.append(_standing(j, kept, parts[2], rows, table[j].missing()))
        return cls(tuple(columns), bins)

    def extended(self, rows: RowsToGrow, keys: NDArray[np.uint64]) -> RowsToGrow:
        """Return the rows, and behind them those that stand for unseen categories; the weight stays.

        `keys` of the rows' random draws are theirs, too: trees that leave a row out have not seen it standing
        elsewhere. Drawn apart, out-of-bag scores of tables with ids were up to 4 nats too high.
        """
        if not self.columns:
            return rows
        n = len(rows.bins)
        left = np.ones(n) if rows.weights is None else rows.weights
        parts, weights = [np.arange(n)], []
        for column in self.columns:
            each = np.rint(left * (column.fraction / len(column.bins) / UNIT)) * UNIT
            each[column.missing] = 0.0
            left = left - each * len(column.bins)
            standing = np.flatnonzero(~column.missing)  # whatever they weigh: folds have the same rows
            parts.append(np.tile(standing, len(column.bins)))
            weights.append(np.tile(each[standing], len(column.bins)))
        order = np.concatenate(parts)
        bins = rows.bins[order]
        points = None if rows.points is None else rows.points[order]
        begin = n
        for column, part in zip(self.columns, parts[1:], strict=True):
            here = slice(begin, begin + len(part))
            times = np.repeat(np.arange(len(column.bins)), len(part) // len(column.bins))
            bins[here, column.number] = column.bins[times, part]
            if points is not None:
                points[here, column.number] = column.points[times, part]
            begin += len(part)
        return RowsToGrow(
            bins,
            points,
            np.concatenate([left, *weights]),
            rows.observations[order],
            None if rows.groups is None else rows.groups[order],
            keys[order],
        )


def _kept_by_bins(j: int, margin: CategoryMargin, rows: BinnedRows) -> NDArray[np.float64]:
    """Return what each bin of a column keeps for categories that no row has."""
    edges = rows.bin_edges[j][0]
    # Where gaps were seen their bin is not empty; where none were they have none.
    kept = np.where(np.bincount(rows.bins[:, j], minlength=len(edges) - 1) > 0, 0.0, np.diff(edges))
    others = 1.0 - margin.missing_mass - 0.5 * margin.unseen_mass
    bin_of_others = min(int(np.searchsorted(edges, others, side="right")), len(edges) - 1) - 1
    kept[bin_of_others] = max(kept[bin_of_others], margin.unseen_mass)  # rare ones may be in it, too
    return kept


def _standing(
    j: int, kept: NDArray[np.float64], missing_mass: float, rows: BinnedRows, missing: NDArray[np.bool_]
) -> _Column:
    """Return which row stands in which bin for unseen categories."""
    n, chosen, total = len(rows.bins), np.flatnonzero(kept), float(kept.sum())
    times = min(MOST_TIMES, -(-ROWS_A_BIN * len(chosen) // n))
    # Rows stand in the order of a hash: their numbers say nothing about what they hold.
    levels = (np.arange(n * times) + 0.5) / (n * times)
    places = chosen[np.searchsorted(np.cumsum(kept[chosen]) / total, levels).clip(max=len(chosen) - 1)]
    places = places.reshape(n, times).T
    edges = rows.bin_edges[j][0]
    middles = 0.5 * (edges[1:] + edges[:-1])
    fraction = min(total / (1.0 - missing_mass), 1.0 - UNIT * times)
    return _Column(j, fraction, places.astype(np.uint16), middles[places], missing)
