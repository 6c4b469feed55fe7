"""The bins of a column of numbers, in which its conditional distributions are told."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from boxwood.binning.bin_edges import bin_rows, check_bin_edges
from boxwood.columns import Columns, Field, Schema
from boxwood.margins import Margins, fit_margins
from boxwood.model_file import State
from boxwood.query.moments import values_at

__all__ = ["TargetBins"]

LEVEL = 1.25
"""Bandwidths are rounded to powers of this, so that rows share the kernel's matrix."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TargetBins:
    """The margin of a column of numbers and bins of [0, 1], whose edges part no atom and no lattice point.

    Attributes
    ----------
    margins : Margins
        Of the column alone.
    edges : ndarray of shape (n_bins + 1,)
    """

    margins: Margins
    edges: Numbers

    @classmethod
    def of_values(cls, column: Columns, most_bins: int) -> Self:
        """Fit the margin of a table of one column and choose bins of about equal weight."""
        margins = fit_margins(column)
        edges = np.asarray(bin_rows(margins, column, column.weights, "smooth").bin_edges[0][0])
        bins = cls(margins, edges)
        return cls(margins, edges[bins._kept(most_bins)]) if bins.n_bins > most_bins else bins

    def _kept(self, most_bins: int) -> NDArray[np.bool_]:
        """Return the edges that stay: some at equal distances, and those of atoms."""
        n = self.n_bins
        kept = np.zeros(n + 1, dtype=bool)
        kept[np.round(np.linspace(0, n, most_bins + 1)).astype(np.intp)] = True
        atoms = np.flatnonzero(self.is_atom)
        kept[atoms] = kept[atoms + 1] = True
        return kept

    @property
    def margin(self) -> Any:
        """The margin of the column."""
        return self.margins.columns[0]

    @property
    def field(self) -> Field:
        """What the column is."""
        return self.margins.schema.fields[0]

    @property
    def n_bins(self) -> int:
        """How many bins there are."""
        return len(self.edges) - 1

    @property
    def widths(self) -> Numbers:
        """The margin's probability of each bin."""
        return np.diff(self.edges)

    @cached_property
    def centers(self) -> Numbers:
        """A value in the middle of each bin."""
        return values_at(self.margin, 0.5 * (self.edges[1:] + self.edges[:-1]))

    @cached_property
    def ends(self) -> Numbers:
        """Where the bins meet, in the column's units; between the points of a lattice the middle."""
        inner = self.edges[1:-1]
        below = values_at(self.margin, np.nextafter(inner, 0.0))
        above = values_at(self.margin, np.nextafter(inner, 1.0))
        return np.concatenate([[-math.inf], 0.5 * (below + above), [math.inf]])

    @cached_property
    def is_atom(self) -> NDArray[np.bool_]:
        """Which bins hold one value of a continuous column."""
        return np.diff(self.ends) <= 0.0

    def places(self, values: Numbers) -> Numbers:
        """Return the places of values on [0, 1]."""
        flat = np.ascontiguousarray(values.ravel())
        out = np.empty(len(flat))
        self.margin.encode(flat, out)
        return out.reshape(values.shape)

    def codes(self, values: Numbers) -> NDArray[np.uint32]:
        """Return the bin of each value."""
        found = np.searchsorted(self.edges, self.places(values), side="right") - 1
        return np.clip(found, 0, self.n_bins - 1).astype(np.uint32)

    def log_derivative(self, values: Numbers) -> Numbers:
        """Return the logarithm of the margin's density at values."""
        return np.asarray(self.margin.log_derivative(np.ascontiguousarray(values)))

    def deviations(self, masses: Numbers) -> Numbers:
        """Return the standard deviation of each distribution, by the middles of the bins."""
        total = np.maximum(masses.sum(axis=1), 1e-300)
        mean = masses @ self.centers / total
        second = masses @ (self.centers - self.centers.mean()) ** 2 / total
        return np.sqrt(np.maximum(second - (mean - self.centers.mean()) ** 2, 0.0))

    def smoothed(self, masses: Numbers, bandwidth: float) -> Numbers:
        """Smooth distributions by a normal kernel of so many of their standard deviations.

        What an atom has, it keeps: values beside it are not the same value.
        """
        scales = bandwidth * self.deviations(masses)
        out = masses.copy()
        wide = np.flatnonzero(scales > 0.0)
        levels = np.round(np.log(scales[wide]) / math.log(LEVEL)).astype(np.int64)
        for level in np.unique(levels):
            rows = wide[levels == level]
            out[rows] = masses[rows] @ self._kernel(LEVEL ** float(level))
        return out

    def _kernel(self, scale: float) -> Numbers:
        below = ndtr((self.ends[None, :] - self.centers[:, None]) / scale)
        kernel = np.diff(below, axis=1)
        kernel[self.is_atom] = np.eye(self.n_bins)[self.is_atom]
        return np.asarray(kernel / kernel.sum(axis=1, keepdims=True))

    def below(self, masses: Numbers, places: Numbers) -> Numbers:
        """Return the probability below places of [0, 1]: one row of both for each distribution."""
        sums = np.concatenate([np.zeros((len(masses), 1)), np.cumsum(masses, axis=1)], axis=1)
        k = np.clip(np.searchsorted(self.edges, places, side="right") - 1, 0, self.n_bins - 1)
        within = (places - self.edges[k]) / self.widths[k]
        rows = np.arange(len(masses))[:, None]
        return np.asarray(sums[rows, k] + np.clip(within, 0.0, 1.0) * masses[rows, k])

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"margins": self.margins.to_state(), "edges": self.edges}

    @classmethod
    def from_state(cls, state: State, field: Field) -> Self:
        """Read bins of a model file."""
        margins = Margins.from_state(state, "margins", Schema((field,), "numpy", named=True))
        edges = state.array("edges", np.float64, (None,))
        if len(edges) < 2 or edges[0] != 0.0 or edges[-1] != 1.0 or not (np.diff(edges) > 0.0).all():
            raise state.error("edges", "must ascend from 0 to 1")
        wrong = check_bin_edges(margins, [(edges, False)])
        if wrong is not None:
            raise state.error("edges", "cut a value of its own")
        return cls(margins, edges)
