"""The prior alpha="loo": its total by leave-one-out likelihood, shared among the bins by a smooth law."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boxwood.histogram.bin_measure import LENGTH, BinMeasure

__all__ = ["BY_LOO", "TOTALS", "binned_moments", "loo_alpha", "losses_of_priors", "prior_fractions"]

Numbers = NDArray[np.float64]

BY_LOO = "loo"
"""The value of `alpha` that selects this prior."""

TOTALS = np.array([300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1])
"""Total weights of the prior that are compared, in rows."""

MOST_SHIFTED = 0.04
"""The prior may move the mean of the rows by this fraction of their standard deviation."""

MOST_WIDENED = 0.05
"""The prior may change the standard deviation of the rows by this fraction."""

FEWEST_ROWS = 10.0
"""Fewer rows do not show mean and standard deviation well enough."""

_EVERYWHERE = 1e-6
"""The part of the prior that all bins share alike: no bin has probability zero, however far it is."""

_ROOT_TEN = math.sqrt(10.0)


def prior_fractions(edges: Numbers | None, counts: Numbers, measure: BinMeasure = LENGTH) -> Numbers:
    """Return how a prior's total is shared among the bins, one row a set of counts; each row sums to 1.

    Bins of numbers share it like Student's t distribution with ten degrees of freedom and the counts' mean
    and variance, so the prior moves neither. If all bins shared it alike, a total of one row in fifty could
    double the standard deviation of a class that has a tenth of the table's range. Atoms keep their fraction
    of the rows, up to one row. Categories and the bins of no rows share alike. If every bin is a single
    value, the bins share a small part alike.

    Parameters
    ----------
    edges : ndarray of shape (n_bins + 1,) or None
        None: the bins are categories.
    counts : ndarray of shape (n_sets, n_bins)
    measure : BinMeasure, optional
        The measure of the bins. It defines which bins are single values.

    Examples
    --------
    >>> edges = np.arange(6.0)
    >>> prior_fractions(edges, np.array([[0.0, 8.0, 0.0, 0.0, 0.0]])).round(3)
    array([[0.066, 0.869, 0.066, 0.   , 0.   ]])
    """
    n_bins = counts.shape[1]
    alike = np.full(counts.shape, 1.0 / max(n_bins, 1))
    if edges is None or n_bins == 0:
        return alike
    extent = edges[-1] - edges[0]
    places = (edges - edges[0]) / extent  # squares of numbers past 1e154 overflow
    mean, variance, n = binned_moments(places, counts)
    # A few rows underestimate the spread of a class. One row gets the variance of a uniform distribution
    # over the range.
    variance = variance + 1.0 / (12.0 * np.maximum(n, 1.0) ** 2)
    scale = np.sqrt(0.8 * variance)[:, None]
    smooth = np.diff(_student((places - mean[:, None]) / scale), axis=1)
    is_atom = measure.is_atom(edges)
    smooth = np.where(is_atom, 0.0, smooth)
    total = smooth.sum(axis=1, keepdims=True)
    known = (n[:, None] > 0.0) & (total > 0.0)
    smooth = np.divide(smooth, total, out=alike.copy(), where=known)
    if is_atom.any():
        smooth = _beside_atoms(smooth, is_atom, counts)
    single = measure.is_counting and bool((measure.sizes(edges) <= 1.0).all())
    # If all rows have one of two codes, such as 0 and 1, the spread does not show how rare the other is.
    even = max(_EVERYWHERE, float(n_bins) ** -3) if single else _EVERYWHERE
    return (1.0 - even) * smooth + even * alike


def _beside_atoms(smooth: Numbers, is_atom: NDArray[np.bool_], counts: Numbers) -> Numbers:
    """Return the fractions of atoms and of the other bins. The latter are proportional to `smooth`.

    The distribution over the other bins predicts nothing about an atom. One row is added and divided equally
    among the atoms and the group of all other bins. Each then gets its fraction of the rows. A total of 300
    rows therefore does not halve an atom that has a tenth of the rows.
    """
    n_atoms = int(is_atom.sum())
    of_atoms = (counts + 1.0 / (n_atoms + 1.0)) / (counts.sum(axis=1, keepdims=True) + 1.0)
    of_atoms = np.where(is_atom, of_atoms, 0.0)
    others = np.where(is_atom, 0.0, smooth)
    total = others.sum(axis=1, keepdims=True)
    others = np.divide(others, total, out=np.zeros_like(others), where=total > 0.0)
    fractions = of_atoms + (1.0 - of_atoms.sum(axis=1, keepdims=True)) * others
    return np.asarray(fractions / fractions.sum(axis=1, keepdims=True))


def left_out_losses(counts: Numbers, fractions: Numbers) -> Numbers:
    """Return minus the leave-one-out log-likelihood of bins, up to their widths: one row a total of `TOTALS`.

    One more row counts, which comes from the prior, as Good and Turing count one. Without this row no prior
    would be best for two rows in the same bin, which predict each other. It only keeps the total from
    vanishing: totals of one row and more do not differ by it.

    Parameters
    ----------
    counts, fractions : ndarray of shape (n_sets, n_bins)
    """
    sets, bins = np.nonzero(counts)
    held = counts[sets, bins]
    n = counts.sum(axis=1)
    left = np.maximum(held - 1.0, 0.0) + TOTALS[:, None] * fractions[sets, bins]
    rest = np.maximum(n - 1.0, 0.0) + TOTALS[:, None]
    logs = np.log(left)
    logs *= held
    starts = np.searchsorted(sets, np.arange(len(n)))
    found = np.zeros((len(TOTALS), len(n)))
    with_rows = n > 0.0
    if len(held):
        found[:, with_rows] = np.add.reduceat(logs, starts[with_rows], axis=1)
    small = np.minimum(TOTALS, 1.0)[:, None]
    from_prior = np.log(small) - np.log(n + small)
    return np.asarray(n * np.log(rest) - found - from_prior)


def losses_of_priors(edges: Numbers | None, counts: Numbers, measure: BinMeasure = LENGTH) -> Numbers:
    """Return the losses of all totals; infinite if the prior moves mean or spread by more than it has to.

    Student's t ends where the bins end, which moves its own mean.
    """
    return _allowed(edges, counts, prior_fractions(edges, counts, measure))


def _allowed(edges: Numbers | None, counts: Numbers, fractions: Numbers) -> Numbers:
    losses = left_out_losses(counts, fractions)
    if edges is None or counts.shape[1] < 2:
        return losses
    places = (edges - edges[0]) / (edges[-1] - edges[0])
    mean, variance, n = binned_moments(places, counts)
    of_prior = binned_moments(places, fractions)
    spread = np.sqrt(np.maximum(variance, 1e-300))
    fraction = TOTALS[:, None] / (n + TOTALS[:, None])
    shift = of_prior[0] - mean
    widened = (1.0 - fraction) * variance + fraction * (of_prior[1] + (1.0 - fraction) * shift * shift)
    shifts, ratios = fraction * np.abs(shift) / spread, np.sqrt(widened) / spread
    moved = np.maximum(shifts / MOST_SHIFTED, np.abs(ratios - 1.0) / MOST_WIDENED)
    moved[:, n < FEWEST_ROWS] = 0.0
    return np.where(moved <= np.maximum(1.0, moved.min(axis=0)), losses, np.inf)


def loo_alpha(edges: Numbers | None, counts: Numbers, measure: BinMeasure = LENGTH) -> Numbers:
    """Return the pseudo-counts of each bin, given the rows in all of them: of one set, or of several.

    Examples
    --------
    >>> alone = loo_alpha(None, np.array([30.0, 0.0, 0.0]))
    >>> mixed = loo_alpha(None, np.array([10.0, 9.0, 11.0]))
    >>> alone.round(2), mixed.round(2)  # rows that are all alike leave little to other categories
    (array([0.33, 0.33, 0.33]), array([100., 100., 100.]))
    """
    sets = np.atleast_2d(counts)
    fractions = prior_fractions(edges, sets, measure)
    losses = _allowed(edges, sets, fractions)
    best = np.argmin(losses, axis=0)
    return np.asarray((TOTALS[best][:, None] * fractions).reshape(counts.shape))


def binned_moments(places: Numbers, counts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return mean and variance of rows that are uniform within their bins, and how many there are."""
    n = counts.sum(axis=1)
    fractions = counts / np.maximum(n, 1e-300)[:, None]
    middles, widths = 0.5 * (places[1:] + places[:-1]), np.diff(places)
    mean = fractions @ middles
    squares = fractions @ (middles * middles + widths * widths / 12.0)
    return mean, np.maximum(squares - mean * mean, 0.0), n


def _student(t: Numbers) -> Numbers:
    """Return the distribution function of Student's t with ten degrees of freedom."""
    root = np.hypot(t, _ROOT_TEN)
    sine, square = t / root, (_ROOT_TEN / root) ** 2
    series = 1.0 + square * (1 / 2 + square * (3 / 8 + square * (5 / 16 + square * (35 / 128))))
    return np.asarray(0.5 + 0.5 * sine * series)
