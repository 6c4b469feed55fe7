"""A column along which a chart shows something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind

__all__ = ["A_DAY", "Axes", "SliceAxis"]

A_DAY = 86_400e6
"""Microseconds a day: matplotlib counts dates in days."""


@dataclass(frozen=True, eq=False)
class SliceAxis:
    """A column that is shown.

    Attributes
    ----------
    field : Field
    edges : ndarray of shape (n + 1,)
        Ends of the bins; of categories −½, ½, 1½, …; of dates days since 1970.
    values : ndarray of shape (n,)
        Where in each bin the density is taken, as the table holds values.
    counted : bool
        Whether densities along it are probabilities of single values, not a length.
    step : float
        Of a lattice, whose points have probabilities.
    """

    field: Field
    edges: NDArray[np.float64]
    values: NDArray[Any]
    counted: bool = False
    step: float | None = None

    @property
    def unit(self) -> float:
        """What one step of the edges is in the table's own numbers."""
        return A_DAY if self.field.kind is Kind.DATETIME else 1.0

    @property
    def log_scale(self) -> float:
        """What turns the logarithm of a table's density into that of one along the edges."""
        return 0.0 if self.counted else float(np.log(self.unit / (self.step or 1.0)))

    @property
    def is_continuous(self) -> bool:
        """Whether neighbouring bins are neighbours in the table, and lines through them mean something."""
        return self.field.kind in (Kind.NUMERIC, Kind.DATETIME) and not self.counted

    @property
    def sizes(self) -> NDArray[np.float64]:
        """What a density is multiplied by to give each bin's probability."""
        return np.ones(len(self.values)) if self.counted else np.diff(self.edges)

    def bins_of(self, places: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the bins of places on the axis; −1 where they lie beyond it."""
        bins = np.searchsorted(self.edges, places, side="right") - 1
        bins[places == self.edges[-1]] = len(self.values) - 1
        return np.where((places >= self.edges[0]) & (places <= self.edges[-1]), bins, -1)

    @property
    def places(self) -> NDArray[np.float64]:
        """Places of the values on the axis."""
        return np.asarray(self.values, dtype=np.float64) / self.unit


Axes = tuple[SliceAxis, ...]
"""One axis, or two: across and up."""
