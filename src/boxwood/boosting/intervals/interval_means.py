"""Densities of rows with intervals: means over points of them, moved through chains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.boosting.chain import Chain, log_densities
from boxwood.boosting.intervals.shifted_points import HALVES, ShiftedPoints

__all__ = ["Mixing", "Moving", "counts_over_intervals", "mean_over_intervals"]

POINTS_AT_ONCE = 65_536
"""Points that are moved at once, which bounds the memory of rows with intervals."""

LARGEST_ERROR = 0.05
"""Standard error of a row's log-density above which the row gets more points."""

MOST_TIMES = 64
"""Upper limit for the number of a row's points, as a multiple of the points of the first pass."""

Numbers = NDArray[np.float64]


class Mixing(NamedTuple):
    """How chains are mixed with other parts, which decides how precisely each chain must be known.

    Attributes
    ----------
    log_factors : ndarray of shape (n_rows, n_chains)
        What is added to a chain's log-density on the cube: the logarithms of its weight and of the margins.
    log_rest : ndarray of shape (n_rows,)
        Logarithm of the other parts' contribution to the density.
    """

    log_factors: Numbers
    log_rest: Numbers

    def take(self, rows: NDArray[np.intp]) -> Mixing:
        """Return what is known of some rows."""
        return Mixing(self.log_factors[rows], self.log_rest[rows])

    def points_wanted(self, log_means: Numbers, variances: Numbers) -> Numbers:
        """Return how many points of each chain bring a row's standard error down to `LARGEST_ERROR`.

        Chains share the points by Neyman's rule: each gets as many as its standard deviation is of all.

        Parameters
        ----------
        log_means, variances : ndarray of shape (n_rows, n_chains)
            Of the density over points, the variance relative to the squared mean.
        """
        logs = log_means + self.log_factors
        total = np.logaddexp(self.log_rest, logsumexp(logs, axis=1))
        possible = total > -np.inf
        fractions = np.zeros_like(logs)
        fractions[possible] = np.exp(logs[possible] - total[possible, None])
        deviations = fractions * np.sqrt(variances)
        return np.asarray(deviations * deviations.sum(axis=1, keepdims=True) / LARGEST_ERROR**2)


class Moving:
    """Points of intervals on their way through a chain, all of them at once."""

    def __init__(
        self, chain: Chain, points: ShiftedPoints, counts: Sequence[NDArray[np.intp]], n_threads: int
    ) -> None:
        self.trees, self.n_threads = chain.trees, n_threads
        self.halves = [points.points(half, 0, counts[half]) for half in HALVES]
        self.moved = [chain.coordinates.apply(of_half.u, n_threads) for of_half in self.halves]

    def after(self, stage: int) -> Numbers:
        """Move through one more tree, if there is one, and return the mean log-density of each row."""
        if stage < self.trees.n_trees:
            for v, log_density in self.moved:
                log_density += self.trees.move(v, stage, stage + 1, self.n_threads)
        means = [rows.log_means(logs) for rows, (_, logs) in zip(self.halves, self.moved, strict=True)]
        return _log_mean_of_halves(*means)


def mean_over_intervals(
    chains: Sequence[Chain],
    points: ShiftedPoints,
    n_points: int,
    n_threads: int,
    mixing: Mixing | None = None,
) -> Numbers:
    """Return the logarithm of the mean density over points of each row's intervals, under each chain.

    Parameters
    ----------
    chains : sequence of Chain
    points : ShiftedPoints
    n_points : int
        Points of each row in the first pass.
    n_threads : int
    mixing : Mixing, optional
        If given, rows get more points while the standard error of their log-density is too large.

    Returns
    -------
    ndarray of shape (n_rows, n_chains)
    """
    logs = np.empty((len(points), len(chains)))
    spread = points.intervals.width.any(axis=1)
    exact = np.flatnonzero(~spread)
    for begin in range(0, len(exact), POINTS_AT_ONCE):
        rows = exact[begin : begin + POINTS_AT_ONCE]
        logs[rows] = log_densities(chains, points.intervals.lower[rows], n_threads)
    wide = np.flatnonzero(spread)
    if len(wide) and chains:
        own = None if mixing is None else mixing.take(wide)
        logs[wide] = _means_of_wide(chains, points.take(wide), n_points, n_threads, own)
    return logs


def counts_over_intervals(
    chains: Sequence[Chain], points: ShiftedPoints, n_points: int, n_threads: int, mixing: Mixing
) -> list[list[NDArray[np.intp]]]:
    """Return how many points `mean_over_intervals` takes: for each chain and half those of every row."""
    wide = np.flatnonzero(points.intervals.width.any(axis=1))
    counts = [[np.ones(len(points), dtype=np.intp) for _ in HALVES] for _ in chains]
    if len(wide) and chains:
        first = _first_passes(chains, points.take(wide), n_points, n_threads)
        wanted = _counts_of_halves(first, n_points // 2, mixing.take(wide))
        for k, of_chain in enumerate(counts):
            for half in HALVES:
                of_chain[half][wide] = wanted[half][:, k]
    return counts


class _FirstPass(NamedTuple):
    """What the first points of one half show: (n_rows, n_chains) each."""

    log_means: Numbers
    variances: Numbers


def _means_of_wide(
    chains: Sequence[Chain], points: ShiftedPoints, n_points: int, n_threads: int, mixing: Mixing | None
) -> Numbers:
    """Return the means of rows that all have an interval.

    The points of a row are two halves with shifts of their own. The first points of one half decide how many
    further points the other half gets: the number does not depend on the half's own points, so the mean over
    them stays without bias. (Had a half decided for itself, it would stop the sooner the fewer of its points
    are at peaks of the density, and probabilities would sum to less than 1.)
    """
    first = _first_passes(chains, points, n_points, n_threads)
    means = [of_half.log_means for of_half in first]
    if mixing is not None:
        n_half = n_points // 2
        for half, counts in enumerate(_counts_of_halves(first, n_half, mixing)):
            for k, chain in enumerate(chains):
                rows = np.flatnonzero(counts[:, k] > n_half)
                for part in _parts(rows, counts[rows, k] - n_half):
                    further = points.take(part).points(half, n_half, counts[part, k])
                    sums = further.log_sums(log_densities([chain], further.u, n_threads)[:, 0])
                    whole = np.logaddexp(means[half][part, k] + np.log(n_half), sums)
                    means[half][part, k] = whole - np.log(counts[part, k])
    return _log_mean_of_halves(*means)


def _first_passes(
    chains: Sequence[Chain], points: ShiftedPoints, n_points: int, n_threads: int
) -> list[_FirstPass]:
    n_half = n_points // 2
    return [_first_pass(chains, points, half, n_half, n_threads) for half in HALVES]


def _first_pass(
    chains: Sequence[Chain], points: ShiftedPoints, half: int, n_half: int, n_threads: int
) -> _FirstPass:
    found = _FirstPass(*(np.empty((len(points), len(chains))) for _ in range(2)))
    for part in _parts(np.arange(len(points)), np.full(len(points), n_half)):
        rows = points.take(part).points(half, 0, np.full(len(part), n_half))
        for k, logs in enumerate(log_densities(chains, rows.u, n_threads).T):
            found.log_means[part, k] = rows.log_means(logs)
            found.variances[part, k] = rows.relative_variances(logs)
    return found


def _counts_of_halves(first: Sequence[_FirstPass], n_half: int, mixing: Mixing) -> list[NDArray[np.intp]]:
    """Return how many points each half takes of each row for each chain, decided by the other half."""
    counts = []
    for half in HALVES:
        other = first[1 - half]
        wanted = 0.5 * mixing.points_wanted(other.log_means, other.variances)
        times = np.exp2(np.ceil(np.log2(np.clip(wanted / n_half, 1.0, MOST_TIMES))))
        counts.append((n_half * times).astype(np.intp))
    return counts


def _parts(rows: NDArray[np.intp], counts: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Return rows in parts of about `POINTS_AT_ONCE` points."""
    part_of = np.cumsum(counts) // POINTS_AT_ONCE
    for begin, end in _runs(part_of):
        yield rows[begin:end]


def _runs(numbers: NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """Return where runs of equal numbers begin and end."""
    ends = [*np.flatnonzero(np.diff(numbers)) + 1, len(numbers)]
    begin = 0
    for end in ends:
        if end > begin:
            yield begin, int(end)
        begin = int(end)


def _log_mean_of_halves(first: Numbers, second: Numbers) -> Numbers:
    return np.asarray(np.logaddexp(first, second) - np.log(2.0))
