"""Scores behind the novelty threshold and the p-values: of rows, of bins, or of the fitted law."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, Columns, Kind
from boxwood.histogram.column import ColumnHistogram, gaps_of, log_of
from boxwood.histogram.estimate import Alpha, masses, masses_left_out
from boxwood.in_parts import ScoreSummary

__all__ = [
    "left_out_logs",
    "lone_ends",
    "lone_rows",
    "scores_by_law",
    "scores_of_bins",
    "scores_of_part",
    "scores_of_rows",
]

N_SIMULATED = 10_000

MOST_ALONE = 1.5
"""Rows that weigh less are one observation."""

Scores = tuple[NDArray[np.float64], NDArray[np.float64] | None]
"""Scores with the row itself left out, and weights."""


def left_out_logs(
    histogram: ColumnHistogram, estimate: str, alpha: Alpha, *, as_new: bool = False
) -> NDArray[np.float64]:
    """Return the log-density that each bin has for a row of it that was left out; −inf outside.

    Without the row there is one row fewer to divide by. With `as_new` the scores are those among all rows,
    as a new row's score is: a category with one row, left out, then has exactly the score of an unseen
    category, and ties decide the p-values of both.
    """
    if len(histogram.counts) == 0:
        return np.array([-np.inf])
    widths = histogram.widths
    logs = log_of(masses_left_out(histogram.counts, widths, estimate, alpha, as_new), widths)
    # A bin without rows has a probability by its prior, or because empty bins were filled.
    by_prior = masses(histogram.counts, widths, estimate, alpha)
    empty = (histogram.counts == 0.0) & (histogram.mass > 0.0) & (by_prior == 0.0)
    if estimate != "bayes" and empty.any() and histogram.total > 0.0:
        logs = _logs_if_filled(histogram, logs, empty)
    if histogram.unseen:
        logs += math.log1p(-histogram.unseen)
        alone = np.isneginf(logs[:-1])
        if histogram.edges is None:
            logs[-1] = math.log(histogram.unseen)
            logs[:-1][alone] = logs[-1]
        else:
            logs[:-1][alone] = histogram.tail.left_out()[alone]
    return logs


def _logs_if_filled(
    histogram: ColumnHistogram, logs: NDArray[np.float64], empty: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return left-out logs of a histogram whose empty bins share a mass: a bin of one row would be empty."""
    filled, widths = float(histogram.mass[empty].sum()), histogram.widths
    alone = np.isneginf(logs[:-1]) & ~empty
    kept = logs + math.log1p(-filled)
    density = math.log(filled) - np.log(widths[empty].sum() + np.where(alone, widths, 0.0))
    kept[:-1] = np.where(alone | empty, density, kept[:-1])
    return kept


class LoneEnds(NamedTuple):
    """Rows that alone are the least or the largest value of a column.

    Bins that rows chose end at such a row. Without it they end before it, and it has the density of a new
    row beyond them.
    """

    rows: NDArray[np.intp]
    bins: NDArray[np.intp]
    weights: NDArray[np.float64]
    logs: NDArray[np.float64]


def lone_rows(column: Column, weights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the rows that alone have the least or the largest of a column's numbers."""
    found: list[int] = []
    present = weights > 0.0 if column.n_missing == 0 else ~column.missing() & (weights > 0.0)
    all_present = bool(present.all())
    values = column.values if all_present else column.values[present]
    for end in (values.min(), values.max()) if len(values) else ():
        at = np.flatnonzero(column.values == end)
        at = at if all_present else at[present[at]]
        if weights[at].sum() < MOST_ALONE:
            found += at.tolist()
    return np.unique(np.array(found, dtype=np.intp))


def lone_ends(histogram: ColumnHistogram, column: Column, weights: NDArray[np.float64]) -> LoneEnds:
    """Find them among the rows that chose the bins."""
    rows = lone_rows(column, weights)
    if histogram.edges is None or not len(histogram.counts) or not len(rows):
        none = np.zeros(0, dtype=np.intp)
        return LoneEnds(none, none, np.zeros(0), np.zeros(0))
    bins = np.searchsorted(histogram.edges, column.values[rows], side="right") - 1
    bins = bins.clip(0, len(histogram.counts) - 1)
    logs = histogram.tail.left_out()[bins] if histogram.unseen else np.full(len(rows), -np.inf)
    return LoneEnds(rows, bins, weights[rows], logs)


def scores_of_bins(
    histogram: ColumnHistogram, left_out: NDArray[np.float64], event: bool, ends: LoneEnds | None = None
) -> Scores:
    """Return the scores of a table of one column: its bins stand for their rows."""
    weights = np.concatenate([histogram.counts, [histogram.outside, histogram.missing]])
    held_out = np.append(left_out, 0.0)
    if ends is not None:
        np.subtract.at(weights, ends.bins, ends.weights)
        weights = np.concatenate([ends.weights, np.maximum(weights, 0.0)])
        held_out = np.concatenate([np.minimum(ends.logs, left_out[ends.bins]), held_out])
        left_out = held_out[:-1]
    if event:
        rate = gaps_of([histogram]).rates[0]
        with np.errstate(divide="ignore"):
            held_out += np.append(np.full(len(left_out), np.log1p(-rate)), np.log(rate))
    present = weights > 0.0
    return held_out[present], weights[present]


def scores_of_part(
    columns: Columns,
    targets: NDArray[np.float64] | None,
    histograms: Sequence[ColumnHistogram],
    left_out: Sequence[NDArray[np.float64]],
    event: bool,
    chosen: Sequence[bool],
) -> ScoreSummary:
    """Return the scores of the rows of a part of a table (see `TableInParts.fold`)."""
    return ScoreSummary(scores_of_rows(histograms, left_out, columns, event, chosen), columns.weights)


def scores_of_rows(
    histograms: Sequence[ColumnHistogram],
    left_out: Sequence[NDArray[np.float64]],
    columns: Columns,
    event: bool,
    chosen: Sequence[bool],
) -> NDArray[np.float64]:
    """Return the scores of each row; with the probability of its gaps where they are an event.

    `chosen` says of which columns these rows chose the bins.
    """
    gaps = gaps_of(histograms)
    held_out = gaps.left_out_log_probability(columns) if event else np.zeros(columns.n_rows)
    for histogram, logs, column, by_rows in zip(histograms, left_out, columns, chosen, strict=True):
        own = np.zeros(columns.n_rows)
        histogram.add_log_density(column, own, logs)
        if by_rows:
            ends = lone_ends(histogram, column, columns.row_weights)
            own[ends.rows] = np.minimum(own[ends.rows], ends.logs)
        held_out += own
    return held_out


def scores_by_law(
    histograms: Sequence[ColumnHistogram], left_out: Sequence[NDArray[np.float64]], event: bool
) -> Scores:
    """Return the scores of rows drawn from the model itself, always the same ones: the table is gone."""
    rng = np.random.Generator(np.random.Philox(0))
    held_out = np.zeros(N_SIMULATED)
    for histogram, logs in zip(histograms, left_out, strict=True):
        bins = histogram.sample_bins(N_SIMULATED, rng)
        present = bins != MISSING_CODE
        held_out[present] += logs[bins[present]]
        if histogram.measure.profile is not None:
            drawn = histogram.within(bins[present], rng.random(int(present.sum())), Kind.NUMERIC)
            held_out[present] += histogram.measure.log_weights(drawn)
        if event and histogram.missing:
            rate = gaps_of([histogram]).rates[0]
            with np.errstate(divide="ignore"):
                held_out += np.where(present, np.log1p(-rate), np.log(rate))
    return held_out, None
