"""Scores behind the novelty threshold and the p-values: of rows, of bins, or of the fitted law."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Columns, Kind
from boxwood.histogram.column import ColumnHistogram, gaps_of, log_of
from boxwood.histogram.estimate import Alpha, masses_left_out
from boxwood.in_parts import ScoreSummary

__all__ = ["left_out_logs", "scores_by_law", "scores_of_bins", "scores_of_part"]

N_SIMULATED = 10_000

Scores = tuple[NDArray[np.float64], NDArray[np.float64] | None]
"""Scores with the row itself left out, and weights."""


def left_out_logs(histogram: ColumnHistogram, estimate: str, alpha: Alpha) -> NDArray[np.float64]:
    """Return the log-density that each bin has for a row of it that was left out; −inf outside."""
    if len(histogram.counts) == 0:
        return np.array([-np.inf])
    widths = histogram.widths
    logs = log_of(masses_left_out(histogram.counts, widths, estimate, alpha), widths)
    if histogram.unseen:
        logs += math.log1p(-histogram.unseen)
        alone = np.isneginf(logs[:-1])
        if histogram.edges is None:
            logs[-1] = math.log(histogram.unseen)
            logs[:-1][alone] = logs[-1]
        else:
            logs[:-1][alone] = histogram.tail.left_out()[alone]
    return logs


def scores_of_bins(histogram: ColumnHistogram, left_out: NDArray[np.float64], event: bool) -> Scores:
    """Return the scores of a table of one column: its bins stand for their rows."""
    weights = np.concatenate([histogram.counts, [histogram.outside, histogram.missing]])
    held_out = np.append(left_out, 0.0)
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
) -> ScoreSummary:
    """Return the scores of the rows of a part of a table (see `TableInParts.fold`)."""
    return ScoreSummary(*_scores_of_rows(histograms, left_out, columns, event))


def _scores_of_rows(
    histograms: Sequence[ColumnHistogram],
    left_out: Sequence[NDArray[np.float64]],
    columns: Columns,
    event: bool,
) -> Scores:
    """Return the scores of each row; with the probability of its gaps where they are an event."""
    gaps = gaps_of(histograms)
    held_out = gaps.left_out_log_probability(columns) if event else np.zeros(columns.n_rows)
    for histogram, logs, column in zip(histograms, left_out, columns, strict=True):
        histogram.add_log_density(column, held_out, logs)
    return held_out, columns.weights


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
