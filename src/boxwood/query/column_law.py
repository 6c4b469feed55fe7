"""The distribution of one column under evidence: a density over cells of [0, 1], in the column's values."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind
from boxwood.margins import CategoryMargin, NumberMargin
from boxwood.query.column_set import ColumnSet, NumberSet
from boxwood.query.cube_set import Margin, cube_set, hold_values
from boxwood.query.interval import Interval
from boxwood.query.moments import (
    log_derivatives_at,
    mean_log_derivatives,
    value_integrals,
    values_at,
)

__all__ = ["ColumnLaw", "end_of", "ends_of"]

Numbers = NDArray[np.float64]

PARTS = 8
"""Parts of a cell between which the shortest interval and the mode are looked for."""

LEAST_ATOM = 0.01
"""An atom with a smaller probability is no mode of a continuous column."""


class ColumnLaw:
    """A distribution that is a multiple of the column's margin in each cell.

    Of values that are there: `missing` is apart, and everything else is given that the value is there. Where
    leaves are Gaussians it is exact at the edges of bins, and within a bin has their mean density.

    Parameters
    ----------
    field : Field
    margin : NumberMargin or CategoryMargin
    edges : ndarray of shape (n_cells + 1,)
        Of cells, ascending, in u.
    density : ndarray of shape (n_cells,)
        With respect to u; normalised here.
    unseen_gap : float
        Mass, on the same scale, of a gap that the margin has no interval for.
    """

    def __init__(
        self, field: Field, margin: Margin, edges: Numbers, density: Numbers, unseen_gap: float = 0.0
    ) -> None:
        self.field, self.margin = field, margin
        end = 1.0 - margin.missing_mass if margin.missing_mass else 1.0
        if isinstance(margin, NumberMargin) and margin.missing_mass:
            end = margin.cdf.total
        mass = density * np.diff(edges)
        kept = hold_values(edges, end) if margin.missing_mass else np.ones(len(density), dtype=np.bool_)
        total = float(mass.sum()) + unseen_gap
        self.missing = (float(mass[~kept].sum()) + unseen_gap) / total
        self.edges = np.append(edges[:-1][kept], np.minimum(edges[1:][kept][-1:], end))
        present = float(mass[kept].sum())
        self.density = density[kept] / present if present > 0.0 else density[kept]
        self.below = np.concatenate([[0.0], np.cumsum(self.density * np.diff(self.edges))])
        if present > 0.0:
            self.below /= self.below[-1]
        self._present = present > 0.0

    def check_present(self) -> None:
        """Raise where the value is missing for certain."""
        if not self._present:
            raise ValueError(f"column {self.field.name!r} is missing for certain under this evidence.")

    def fraction_below(self, u: Any) -> Numbers:
        """Return the probability below places of [0, 1]."""
        return np.interp(u, self.edges, self.below)

    def probability(self, values: ColumnSet) -> float:
        """Return the probability of a set of values, gaps among them."""
        part = cube_set(self.margin, values)
        inside = float((self.fraction_below(part.high) - self.fraction_below(part.low)).sum())
        if self.margin.missing_mass and part.missing and len(part.high) and part.high[-1] >= 1.0:
            inside = min(inside, 1.0)
        return (1.0 - self.missing) * inside + (self.missing if part.missing else 0.0)

    def cdf(self, values: Numbers) -> Numbers:
        """Return P(X <= value) for numbers."""
        self.check_present()
        u = ends_of(self.margin, self.field, np.ravel(values))
        return self.fraction_below(u).reshape(np.shape(values))

    def quantile(self, p: Numbers) -> Numbers:
        """Return the smallest values whose `cdf` is at least p."""
        self.check_present()
        flat = np.ravel(np.asarray(p, dtype=np.float64))
        if not ((flat >= 0.0) & (flat <= 1.0)).all():
            raise ValueError("p must lie in [0, 1].")
        values = values_at(self.margin, self._places(flat))
        if isinstance(self.margin, NumberMargin):
            values = np.array(
                [self._raised(v, q) for v, q in zip(values.tolist(), flat.tolist(), strict=True)]
            )
        return values.reshape(np.shape(p))

    def _places(self, p: Numbers) -> Numbers:
        """Return the smallest u below which a fraction p lies, just inside a cell with mass."""
        cell = np.clip(np.searchsorted(self.below, p, side="left") - 1, 0, len(self.density) - 1)
        used = np.flatnonzero(self.density > 0.0)
        cell = np.maximum(cell, used[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            along = (p - self.below[cell]) / self.density[cell]
        low, high = self.edges[cell], self.edges[cell + 1]
        places = low + np.clip(np.nan_to_num(along), 0.0, high - low)
        # u at a cell's end is the next one's; the end of the last cell may be the beginning of gaps.
        return np.clip(places, np.nextafter(low, 1.0), np.nextafter(high, 0.0))

    def _raised(self, value: float, p: float) -> float:
        """Return the value, or one a few roundings above whose cdf reaches p."""
        step = value
        for _ in range(8):
            if self.fraction_below(end_of(self.margin, self.field, step)) >= p - 1e-15 or not math.isfinite(
                step
            ):
                return step
            step = step + self._step if self._step else math.nextafter(step, math.inf)
        return step

    @property
    def _step(self) -> float:
        """The step of the column's lattice; 0 where it has none."""
        lattice = self.margin.lattice if isinstance(self.margin, NumberMargin) else None
        return 0.0 if lattice is None else lattice.step

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and variance of numbers; a boolean counts as 0 or 1."""
        self.check_present()
        if isinstance(self.margin, CategoryMargin):
            p = self.category_probabilities[1] if len(self.margin.mass) == 2 else math.nan
            return p, p * (1.0 - p)
        center = float(values_at(self.margin, self._places(np.array([0.5])))[0])
        first, second = value_integrals(self.margin, self.edges, center)
        used = self.density > 0.0
        mean = float((self.density[used] * first[used]).sum())
        square = float((self.density[used] * second[used]).sum())
        return center + mean, max(square - mean * mean, 0.0)

    @cached_property
    def category_probabilities(self) -> Numbers:
        """Of each category, then of unseen ones, given that the value is there."""
        assert isinstance(self.margin, CategoryMargin)
        ends = np.concatenate([[0.0], np.cumsum(self.margin.masses[:-1])])
        return np.diff(self.fraction_below(ends))

    @cached_property
    def entropy(self) -> float:
        """In nats, gaps as a value; of continuous values the differential entropy."""
        mass = np.diff(self.below) * (1.0 - self.missing)
        used = mass > 0.0
        logs = mean_log_derivatives(self.margin, self.edges)
        density = np.log((1.0 - self.missing) * self.density[used])
        total = -float((mass[used] * (density + logs[used])).sum())
        return total - (self.missing * math.log(self.missing) if self.missing > 0.0 else 0.0)

    def log_density(self, values: NDArray[Any]) -> Numbers:
        """Return the log-density of values, or the logarithm of their probability; NaN asks for a gap."""
        missing = np.isnan(values) if self.field.kind.is_number else values < 0
        u = np.full(len(values), 0.5)
        self.margin.encode(np.ascontiguousarray(values), u)
        u = np.where(missing, 0.5, u)
        cell = np.clip(np.searchsorted(self.edges, u, side="right") - 1, 0, len(self.density) - 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log((1.0 - self.missing) * self.density[cell]) + self.margin.log_derivative(
                np.ascontiguousarray(values)
            )
            outside = (u < self.edges[0]) | (u > self.edges[-1])
            return np.where(missing, np.log(self.missing), np.where(outside, -np.inf, logs))

    @cached_property
    def _grid(self) -> tuple[Numbers, Numbers]:
        """Places between the parts of all cells, and the fraction below them; a single value has no parts."""
        low, high = self.edges[:-1], self.edges[1:]
        first, last = (values_at(self.margin, u) for u in (np.nextafter(low, 1.0), np.nextafter(high, 0.0)))
        wide = first < last
        parts = low[wide, None] + (high - low)[wide, None] * (np.arange(1, PARTS) / PARTS)
        u = np.unique(np.concatenate([self.edges, parts.ravel()]))
        return u, self.fraction_below(u)

    def mode(self) -> float:
        """Return the value of highest probability; of continuous values that of highest density."""
        self.check_present()
        if isinstance(self.margin, CategoryMargin):
            if not self.field.categories:
                raise ValueError(f"column {self.field.name!r} has no values in the fitted table.")
            return float(np.argmax(self.category_probabilities[:-1]))
        u, _ = self._grid
        middle = 0.5 * (u[1:] + u[:-1])
        cell = np.clip(np.searchsorted(self.edges, middle, side="right") - 1, 0, len(self.density) - 1)
        with np.errstate(divide="ignore"):
            logs = np.log(self.density[cell]) + log_derivatives_at(self.margin, middle)
        values = values_at(self.margin, middle)
        if self.margin.lattice is None:
            atoms = np.isin(values, self.margin.atoms)
            # Where there is nothing but atoms, as in a histogram of rounded numbers, small ones are compared.
            large = atoms & ((logs >= math.log(LEAST_ATOM)) | atoms.all())
            if large.any():
                return float(values[large][np.argmax(logs[large])])
            logs = np.where(atoms, -np.inf, logs)
        return float(values[np.argmax(logs)])

    def shortest_interval(self, level: float) -> tuple[float, float]:
        """Return the shortest interval with a probability of at least `level`."""
        self.check_present()
        u, below = self._grid
        last = np.searchsorted(below, np.minimum(below + level, 1.0) - 1e-12, side="left")
        fits = (last < len(u)) & (below + level <= 1.0 + 1e-12)
        first, last = np.flatnonzero(fits), last[fits]
        inner = np.nextafter(self.edges[-1], 0.0)
        low = values_at(self.margin, np.minimum(np.nextafter(u[first], 1.0), inner))
        high = values_at(self.margin, np.minimum(np.nextafter(u[last], 0.0), inner))
        best = int(np.argmin(high - low))
        return float(low[best]), float(high[best])


def ends_of(margin: Margin, field: Field, values: Numbers) -> Numbers:
    """Return the places of [0, 1] below which the numbers up to each value lie, whatever the evidence."""
    return np.array([end_of(margin, field, float(value)) for value in values])


def end_of(margin: Margin, field: Field, value: float) -> float:
    """Return the place of [0, 1] below which the numbers up to a value lie."""
    whole = field.kind is Kind.INTEGER
    up_to = NumberSet((Interval(-math.inf, value, False, value < math.inf),), whole=whole)
    part = cube_set(margin, up_to)
    return float(part.high[-1]) if len(part.high) else 0.0
