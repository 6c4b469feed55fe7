"""Raking: factors of the columns that give a mixture the margins of its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.model_file import State

__all__ = ["EDGES", "Raking"]

EDGES = np.array(
    [0.0, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99, 1.0]
)
"""Of the bins of each column on [0, 1], narrow where chains leave mass out: at both ends."""

N_STEPS = 15
"""Turns of all columns; the last change bins by less than a thousandth."""

PRIOR_DRAWS = 4.0
"""Draws that each bin has beside those that fall into it."""

MOST = 3.0
"""A row's factors together are no larger: a draw is kept with their fraction of that."""


@dataclass(frozen=True, eq=False)
class Raking:
    """A factor for each bin of each column, and the number that brings the mass back to 1.

    A row's density is multiplied by the product of its columns' factors, at most `MOST`, over their mean.
    The factor of an interval is the mean of its bins'.

    Attributes
    ----------
    factors : ndarray of shape (n_columns, n_bins)
    log_mean : float
        Logarithm of the mean of the rows' factors under the mixture that is raked.
    """

    factors: NDArray[np.float64]
    log_mean: float

    @classmethod
    def fit(cls, drawn: CubeIntervals) -> Self:
        """Fit factors to draws of a mixture: under them every column is uniform on [0, 1].

        By iterative proportional fitting: the columns take turns.

        Parameters
        ----------
        drawn : CubeIntervals
            Draws on the cube; where values are intervals, these.
        """
        n_columns, widths = drawn.lower.shape[1], np.diff(EDGES)
        fractions = [_fractions(drawn.lower[:, j], drawn.width[:, j]) for j in range(n_columns)]
        prior = PRIOR_DRAWS / len(drawn)
        factors = np.ones((n_columns, len(widths)))
        product = np.ones(len(drawn))
        for _ in range(N_STEPS):
            for own, of_column in zip(factors, fractions, strict=True):
                product /= _factor_of(of_column, own)
                mass = _mass(of_column, np.minimum(product * _factor_of(of_column, own), MOST), own)
                own *= (widths + prior) / (mass + prior)
                np.clip(own, 1.0 / MOST, MOST, out=own)
                own /= (own * widths).sum()
                product *= _factor_of(of_column, own)
        return cls(factors, float(np.log(np.mean(np.minimum(product, MOST)))))

    def log_factor(self, rows: CubeIntervals) -> NDArray[np.float64]:
        """Return the logarithm of what each row's density is multiplied by."""
        product = np.ones(len(rows))
        for j, factors in enumerate(self.factors):
            of_column = _fractions(rows.lower[:, j], rows.width[:, j])
            product *= _factor_of(of_column, factors)
        return np.log(np.minimum(product, MOST)) - self.log_mean

    @property
    def log_most(self) -> float:
        """The largest `log_factor` that there can be."""
        highest = float(np.prod(self.factors.max(axis=1)))
        return float(np.log(min(highest, MOST)) - self.log_mean)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"factors": self.factors.ravel(), "log_mean": self.log_mean}

    @classmethod
    def from_state(cls, state: State, n_columns: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        n_bins = len(EDGES) - 1
        factors = state.array("factors", np.float64, (n_columns * n_bins,), low=1e-6, high=1e6)
        return cls(factors.reshape(n_columns, n_bins), state.number("log_mean"))


def _fractions(lower: NDArray[np.float64], width: NDArray[np.float64]) -> NDArray[Any]:
    """Return the bin of each point or, where there are intervals, the fractions of each in all bins."""
    bins = np.clip(np.searchsorted(EDGES, lower, side="right") - 1, 0, len(EDGES) - 2)
    if not width.any():
        return bins
    ends = np.clip(EDGES[None, :], lower[:, None], (lower + width)[:, None])
    is_interval = width > 0.0
    fractions = np.zeros((len(lower), len(EDGES) - 1))
    fractions[np.arange(len(lower)), bins] = 1.0
    inside = np.diff(ends, axis=1)
    total = inside.sum(axis=1, keepdims=True)
    # An interval so narrow that it ends where it begins, to rounding, is a point.
    is_wide = is_interval & (total[:, 0] > 0.0)
    fractions[is_wide] = inside[is_wide] / total[is_wide]
    return fractions


def _factor_of(of_column: NDArray[Any], factors: NDArray[np.float64]) -> NDArray[np.float64]:
    if of_column.ndim == 1:
        return np.asarray(factors[of_column])
    return np.einsum("nb,b->n", of_column, factors)


def _mass(
    of_column: NDArray[Any], weights: NDArray[np.float64], factors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the fraction of the weight in each bin; that of an interval lies in it as the factors say."""
    if of_column.ndim == 1:
        return np.bincount(of_column, weights, minlength=len(factors)) / weights.sum()
    divided = of_column * factors
    divided /= divided.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("nb,n->b", divided, weights) / weights.sum())
