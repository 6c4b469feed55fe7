"""The reference implementation of the smooth CDF: the same method in plain Python, one bin at a time.

It is written for reading: lists, loops and math only, no care for speed or for extreme values.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from math import lgamma

CONCENTRATIONS = (1.0, 4.0, 16.0, 64.0, 256.0, 1024.0)
STARTS = (0.8, 0.66, 0.54, 0.44, 0.365, 0.3)
MOST_LOST, COMB, SMOOTH = 1.0, 0.5, 0.6
FEWEST_ROWS, MOST_BINS = 5.0, 16384.0
EM_STEPS, EM_PRIOR = 5, 4.0
TAIL_PIECES, TAIL_STEP, TAIL_GROWTH, TAIL_REST, TAIL_ROWS = 2, 0.7, 2.5, 0.25, 6


@dataclass
class ReferenceCdf:
    """Knots, masses between them, density at both ends of each piece, mass and rate of the tails."""

    x: list[float]
    mass: list[float]
    slopes: list[tuple[float, float]]
    tails: tuple[float, float, float, float]


@dataclass
class Column:
    """Distinct values in order, and how many rows lie before each."""

    values: list[float]
    below: list[float]

    @property
    def total(self) -> float:
        return self.below[-1]


def clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def end_slopes(x: list[float], mass: list[float]) -> list[tuple[float, float]]:
    """Densities at the ends of pieces: harmonic means at inner knots, within [½, 2] of the piece's mean."""
    density = [m / (b - a) for m, a, b in zip(mass, x, x[1:], strict=False)]
    if len(density) == 1:
        return [(density[0], density[0])]
    inner = [2 / (1 / a + 1 / b) for a, b in pairwise(density)]
    first = 1.5 * density[0] - 0.5 * inner[0]
    last = 1.5 * density[-1] - 0.5 * inner[-1]
    ends = zip([first, *inner], [*inner, last], density, strict=True)
    return [(clip(a, d / 2, 2 * d), clip(b, d / 2, 2 * d)) for a, b, d in ends]


def mass_left_of(at: float, low: float, high: float, mass: float, slopes: tuple[float, float]) -> float:
    """Mass of a cubic piece left of a point."""
    width = high - low
    t = (at - low) / width
    return (
        width * slopes[0] * t * (1 - t) ** 2
        + mass * t * t * (3 - 2 * t)
        - width * slopes[1] * t * t * (1 - t)
    )


def cut_at(column: Column, low: float, high: float, first: int, last: int) -> tuple[float, int] | None:
    """Where a bin is halved: its middle, moved between two distinct values. None where it cannot be."""
    edge = (low + high) / 2
    cell = min(max(bisect_left(column.values, edge), first), last)
    if first < cell < last:
        edge = (column.values[cell - 1] + column.values[cell]) / 2
    elif cell == first:
        edge = min(edge, column.values[cell])
    else:
        edge = max(edge, column.values[cell - 1])
    return (edge, cell) if low < edge < high else None


def weigh(left: float, right: float, expected: float) -> tuple[list[float], list[float]]:
    """Likelihood of each hypothesis (first: the cubic is right), and the left half's fraction under it."""
    logs = [left * math.log(expected) + right * math.log(1 - expected)]
    fractions = [expected]
    for c in CONCENTRATIONS:
        a, b = c * expected, c * (1 - expected)
        logs.append(log_beta(left + a, right + b) - log_beta(a, b))
        fractions.append((left + a) / (left + right + c))
    return [math.exp(log - max(logs)) for log in logs], fractions


def responsibilities(likelihood: list[float], prior: list[float]) -> list[float]:
    joint = [a * b for a, b in zip(likelihood, prior, strict=True)]
    return [j / sum(joint) for j in joint]


def learn_prior(likelihoods: list[list[float]]) -> list[float]:
    start = [0.5] + [0.5 / len(CONCENTRATIONS)] * len(CONCENTRATIONS)
    prior = start
    for _ in range(EM_STEPS):
        fractions = [responsibilities(likelihood, prior) for likelihood in likelihoods]
        sums = [
            EM_PRIOR * s + sum(column) for s, column in zip(start, zip(*fractions, strict=True), strict=True)
        ]
        prior = [s / sum(sums) for s in sums]
    return prior


def subdivide(
    column: Column, x: list[float], mass: list[float], first: list[int], halvings: list[float]
) -> tuple[list[float], list[float]]:
    """Halve bins level by level; the mass of a left half is a posterior mean.

    Of each halving the prior that the cubic is right is added to `halvings`.
    """
    smallest = max(FEWEST_ROWS, column.total / MOST_BINS)
    while True:
        slopes = end_slopes(x, mass)
        found = {}
        for i in range(len(mass)):
            rows = column.below[first[i + 1]] - column.below[first[i]]
            cut = cut_at(column, x[i], x[i + 1], first[i], first[i + 1])
            if rows < smallest or first[i + 1] - first[i] < 2 or cut is None:
                continue
            edge, cell = cut
            expected = mass_left_of(edge, x[i], x[i + 1], mass[i], slopes[i]) / mass[i]
            left = column.below[cell] - column.below[first[i]]
            found[i] = (edge, cell, *weigh(left, rows - left, clip(expected, 0.01, 0.99)))
        if not found:
            return x, mass
        prior = learn_prior([entry[2] for entry in found.values()])
        halvings += [prior[0]] * len(found)
        for i in sorted(found, reverse=True):  # from the right, so that indices stay
            edge, cell, likelihood, fractions = found[i]
            weights = responsibilities(likelihood, prior)
            fraction = clip(sum(w * s for w, s in zip(weights, fractions, strict=True)), 1e-9, 1 - 1e-9)
            x = [*x[: i + 1], edge, *x[i + 1 :]]
            first = [*first[: i + 1], cell, *first[i + 1 :]]
            mass = [*mass[:i], mass[i] * fraction, mass[i] * (1 - fraction), *mass[i + 1 :]]


def start_bins(column: Column, n_bins: int) -> list[int]:
    """First cells of bins of about equal mass."""
    first = [0]
    for i in range(1, n_bins):
        rank = column.total * i / n_bins
        cell = bisect_left(column.below, rank)
        if rank - column.below[cell - 1] < column.below[cell] - rank:
            cell -= 1
        if first[-1] < cell < len(column.values):
            first.append(cell)
    return [*first, len(column.values)]


def average(fits: list[tuple[list[float], list[float]]], total: float) -> tuple[list[float], list[float]]:
    """The mean of several CDFs on the union of their knots, without near-duplicates."""
    if len(fits) == 1:
        return fits[0]
    union = sorted({knot for x, _ in fits for knot in x})
    near = {b for a, b, c in zip(union, union[1:], union[2:], strict=False) if b - a <= 1e-9 * (c - b)}
    x = [knot for knot in union if knot not in near]
    mass = [0.0] * (len(x) - 1)
    for knots, masses in fits:
        slopes = end_slopes(knots, masses)
        at = []
        for knot in x:
            i = min(bisect_right(knots, knot) - 1, len(masses) - 1)
            at.append(sum(masses[:i]) + mass_left_of(knot, knots[i], knots[i + 1], masses[i], slopes[i]))
        mass = [m + b - a for m, a, b in zip(mass, at, at[1:], strict=False)]
    return x, [m * total / sum(mass) for m in mass]


def merge(x: list[float], mass: list[float], most: int, small: float) -> tuple[list[float], list[float]]:
    """Merge the neighbours of least Kullback–Leibler loss until few are left, then those of small loss.

    The loss of a piece is that of all merges that made it.
    """
    lost = [0.0] * len(mass)
    while len(mass) > 1:
        losses = []
        for i in range(len(mass) - 1):
            density = (mass[i] + mass[i + 1]) / (x[i + 2] - x[i])
            parts = ((mass[j], x[j + 1] - x[j]) for j in (i, i + 1))
            losses.append(lost[i] + lost[i + 1] + sum(m * math.log(m / w / density) for m, w in parts))
        i = losses.index(min(losses))
        if len(mass) <= most and losses[i] > small:
            break
        x = [*x[: i + 1], *x[i + 2 :]]
        mass = [*mass[:i], mass[i] + mass[i + 1], *mass[i + 2 :]]
        lost = [*lost[:i], losses[i], *lost[i + 2 :]]
    return x, mass


def reference_smooth_cdf(rows: list[float], max_bin_edges: int = 1024) -> ReferenceCdf:
    """Fit the smooth CDF to rows of which at least two differ."""
    values = sorted(set(rows))
    below = [0.0]
    for value in values:
        below.append(below[-1] + rows.count(value))
    column = Column(values, below)
    n = column.total
    k = min(TAIL_ROWS, max(1, n // 3))
    inner_low = values[bisect_right(below, k) - 1]
    inner_high = values[max(bisect_right(below, n - 1 - k) - 1, 0)]
    gap_low, gap_high = values[1] - values[0], values[-1] - values[-2]
    excess_low, excess_high = max(inner_low - values[0], gap_low), max(values[-1] - inner_high, gap_high)
    low = values[0] - min(gap_low, excess_low / k) / 2
    high = values[-1] + min(gap_high, excess_high / k) / 2
    tail = min(0.25, 1 / (n + 1))

    fits: list[tuple[list[float], list[float]]] = []
    halvings: list[float] = []
    for n_bins in dict.fromkeys(max(1, round(factor * math.cbrt(n))) for factor in STARTS):
        first = start_bins(column, n_bins)
        x = [low, *((values[c - 1] + values[c]) / 2 for c in first[1:-1]), high]
        mass = [(below[b] - below[a]) / n * (1 - 2 * tail) for a, b in pairwise(first)]
        fits.append(subdivide(column, x, mass, first, halvings))
    cubic = sum(halvings) / len(halvings) if halvings else COMB
    lost = MOST_LOST * clip((cubic - COMB) / (SMOOTH - COMB), 0, 1) ** 2
    x, mass = merge(*average(fits, 1 - 2 * tail), max_bin_edges - 1 - 2 * TAIL_PIECES, lost / n)
    return with_tails(x, mass, excess_low, excess_high, tail)


def with_tails(x: list[float], mass: list[float], low: float, high: float, tail: float) -> ReferenceCdf:
    """Two growing pieces and an exponential beyond each end; `low` and `high` are the units of length."""
    step, rest = TAIL_STEP, tail
    for _ in range(TAIL_PIECES):
        x = [x[0] - step * low, *x, x[-1] + step * high]
        mass = [rest * (1 - TAIL_REST), *mass, rest * (1 - TAIL_REST)]
        step, rest = step * TAIL_GROWTH, rest * TAIL_REST
    first, last = mass[0] / (x[1] - x[0]), mass[-1] / (x[-1] - x[-2])
    scale_low, scale_high = max(step * low, rest / (2 * first)), max(step * high, rest / (2 * last))
    slopes = end_slopes(x, mass)
    slopes[0] = (clip(rest / scale_low, first / 2, 2 * first), slopes[0][1])
    slopes[-1] = (slopes[-1][0], clip(rest / scale_high, last / 2, 2 * last))
    return ReferenceCdf(x, mass, slopes, (rest, 1 / scale_low, rest, 1 / scale_high))
