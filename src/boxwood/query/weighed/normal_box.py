"""A box of a normal distribution: columns at points, in intervals, missing or free; draws and probability."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from boxwood.columns import Field, Kind
from boxwood.gaussian.normal import Normal
from boxwood.query.box import Box
from boxwood.query.column_set import ColumnSet, NumberSet

__all__ = ["ConditionedNormal", "Part", "condition_normal", "latent_part", "truncated_draws"]

Numbers = NDArray[np.float64]
Spans = tuple[tuple[float, float], ...]

_LINE: Spans = ((-math.inf, math.inf),)


@dataclass(frozen=True)
class Part:
    """What a box asks of one column.

    Attributes
    ----------
    point : float or None
        The continuous value that the column has.
    spans : tuple of pairs
        Intervals of the normal variable behind the column; what is rounded to an integer k lies between
        k − ½ and k + ½.
    missing : bool
        Whether a gap is allowed.
    """

    point: float | None = None
    spans: Spans = _LINE
    missing: bool = True

    @property
    def is_restricted(self) -> bool:
        """Whether some values are not allowed."""
        return self.spans != _LINE


FREE = Part()


def latent_part(field: Field, values: ColumnSet | None) -> Part:
    """Return what a set of values asks of the normal variable behind a column."""
    if values is None:
        return FREE
    if not isinstance(values, NumberSet):
        last = len(field.categories) - 1
        codes = sorted(values.codes)
        spans = [(k - 0.5 if k else -math.inf, k + 0.5 if k < last else math.inf) for k in codes]
        return Part(None, _merged(spans), values.missing)
    ends = [(interval.low, interval.high) for interval in values.intervals]
    if field.kind is Kind.INTEGER:
        return Part(None, _merged([(low - 0.5, high + 0.5) for low, high in ends]), values.missing)
    if len(ends) == 1 and ends[0][0] == ends[0][1] and not values.missing:
        return Part(ends[0][0], (), False)
    # A value among intervals has no probability beside theirs.
    wide = [(low, high) for low, high in ends if high > low]
    return Part(None, tuple(wide), values.missing)


def _merged(spans: list[tuple[float, float]]) -> Spans:
    found: list[tuple[float, float]] = []
    for low, high in spans:
        if found and found[-1][1] >= low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class ConditionedNormal:
    """A normal distribution given the values of some columns.

    Attributes
    ----------
    columns : ndarray of int
        Those that are left.
    mean, covariance : ndarray
        Of these.
    log_density : float
        Of the given values.
    """

    columns: NDArray[np.intp]
    mean: Numbers
    covariance: Numbers
    log_density: float


def condition_normal(normal: Normal, points: dict[int, float]) -> ConditionedNormal:
    """Return a normal distribution given values of some columns."""
    d = len(normal.mean)
    known = np.array(sorted(points), dtype=np.intp)
    left = np.setdiff1d(np.arange(d), known)
    if not len(known):
        return ConditionedNormal(left, normal.mean, normal.covariance, 0.0)
    values = np.array([points[int(j)] for j in known])
    of_known = normal.marginal(known)
    log = float(of_known.log_density(values[None])[0])
    cross = normal.covariance[np.ix_(left, known)]
    # By the whitened known columns: Σ⁻¹ = W Wᵀ.
    whitened = cross @ of_known.whitening
    mean = normal.mean[left] + whitened @ (of_known.whitening.T @ (values - of_known.mean))
    covariance = normal.covariance[np.ix_(left, left)] - whitened @ whitened.T
    return ConditionedNormal(left, mean, 0.5 * (covariance + covariance.T), log)


def parts_of(fields: tuple[Field, ...], box: Box) -> list[Part]:
    """Return what a box asks of each column."""
    return [latent_part(field, box.sets.get(j)) for j, field in enumerate(fields)]


def truncated_draws(
    mean: Numbers, deviation: float, spans: Spans, rng: np.random.Generator
) -> tuple[Numbers, Numbers]:
    """Draw normal values inside intervals; return them standardised, and the intervals' log-probabilities.

    Where an interval lies above the mean, its mirror image is drawn from: the upper tail of a distribution
    function has no digits left.
    """
    low, high = (np.array([span[k] for span in spans])[None] for k in (0, 1))
    a, b = (low - mean[:, None]) / deviation, (high - mean[:, None]) / deviation
    flip = a > 0.0
    first, last = np.where(flip, -b, a), np.where(flip, -a, b)
    below = special.ndtr(first)
    inside = np.maximum(special.ndtr(last) - below, 0.0)
    total = inside.sum(axis=1)
    rows = np.arange(len(mean))
    chosen = (rng.random(len(mean))[:, None] * total[:, None] >= np.cumsum(inside, axis=1)).sum(axis=1)
    chosen = np.minimum(chosen, len(spans) - 1)
    p = below[rows, chosen] + rng.random(len(mean)) * inside[rows, chosen]
    z = np.clip(special.ndtri(np.clip(p, 1e-320, 1.0)), first[rows, chosen], last[rows, chosen])
    with np.errstate(divide="ignore"):
        return np.where(flip[rows, chosen], -z, z), np.log(total)
