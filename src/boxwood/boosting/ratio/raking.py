"""Raking: factors of the columns that give a mixture the margins of its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.ratio.column_bins import ColumnBins
from boxwood.boosting.ratio.density_ratio import CubeRows, places_of
from boxwood.boosting.ratio.trees import trees_from_state, trees_to_state
from boxwood.model_file import State

__all__ = ["EDGES", "Raking", "counted_bins", "wanted_masses"]

_LOWER_EDGES = [0.0, 1e-5, 1e-4, 1e-3, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4]

EDGES = np.array([*_LOWER_EDGES, 0.5, *(1.0 - edge for edge in reversed(_LOWER_EDGES))])
"""Of the bins of each column on [0, 1], narrow where chains leave mass out, at both ends, and where networks
leave too much: beyond the data."""

EDGES_BEFORE = np.array(
    [0.0, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99, 1.0]
)
MOST_BEFORE = 3.0
"""The edges and the bound in files that do not name them."""

N_STEPS = 15
"""Turns of all columns; the last change bins by less than a thousandth."""

PRIOR_DRAWS = 4.0
"""Draws that each bin has beside those that fall into it."""

PRIOR_ROWS = 30.0
"""Rows that each bin has beside the table's, by the margin: it is smooth, and in an outer hundredth up to a
tenth off, which 150 rows tell and 15 do not."""

PRIOR_TABLE = 1000.0
"""Rows of all bins together, where that is more: what few rows say of a wide bin is mostly chance.
Unseen rows of 200 × 34 normals gained 0.08 nats by it, those of 300 × 20 0.03; of 15,000 rows it takes 6%."""

MEAN_ERROR, MOST_BATCHES = 0.003, 16
"""Largest relative standard error of the mean factor, which all probabilities share, and the most batches of
draws that find it. If chains are far from their table, the factors may deviate by twice their mean."""

LEAST = 1.0 / 64.0
"""No factor of a bin is smaller."""

MOST = 2.0
"""A row's factors together are no larger: a draw is kept with their fraction of that."""

MOST_OF_FORESTS = 2.5
"""The same where a forest of continuous columns is all of the mixture: trees have more to mend in it, and
draws of it cost less. At 2 the bound held 5% of the draws of housing, whose unseen rows gained 0.02 nats."""


@dataclass(frozen=True, eq=False)
class Raking:
    """A factor for each bin of each column, trees, and the number that brings the mass back to 1.

    A row's density is multiplied by the product of its columns' factors and of what the trees say, at most
    `most`, over their mean. The factor of an interval is the mean of its bins'.

    Attributes
    ----------
    factors : ndarray of shape (n_columns, n_bins)
    log_mean : float
        Logarithm of the mean of the rows' factors under the mixture that is raked.
    trees : RatioTrees or None
        Native: the logarithm of the ratio of the table's density to the mixture's.
    most : float
    edges : ndarray of shape (n_bins + 1,)
        Of the bins.
    """

    factors: NDArray[np.float64]
    log_mean: float
    trees: _core.RatioTrees | None = None
    most: float = MOST
    edges: NDArray[np.float64] = field(default_factory=EDGES.copy)

    @classmethod
    def fit(
        cls,
        drawn: CubeIntervals,
        wanted: NDArray[np.float64] | None = None,
        trees: _core.RatioTrees | None = None,
        most: float = MOST,
    ) -> Self:
        """Fit factors to draws of a mixture: under them every column has the distribution of the table.

        By iterative proportional fitting: the columns take turns.

        Parameters
        ----------
        drawn : CubeIntervals
            Draws on the cube; where values are intervals, these. The trees must not have seen them, or
            the mean would be too small.
        wanted : ndarray of shape (n_columns, n_bins), optional
            The mass that each bin is to have (`wanted_masses`). Without it every column is to be uniform on
            [0, 1].
        trees : RatioTrees, optional
        most : float, default=2
            Bound of a row's factors together.
        """
        n_columns = drawn.lower.shape[1]
        if wanted is None:
            wanted = np.tile(np.diff(EDGES), (n_columns, 1))
        bins = list(_bins_of_columns(drawn, EDGES))
        prior, widths = PRIOR_DRAWS / len(drawn), np.diff(EDGES)
        factors = np.ones((n_columns, len(EDGES) - 1))
        # Bins of categories that are never drawn, since no row has them, keep their factor of 1: to wait for
        # mass in them would take all of it from the others.
        drawn_in = np.array([of.counts(np.ones(len(drawn)), np.ones(len(widths))) for of in bins]) > 0.0
        wanted = np.where(drawn_in, wanted, 0.0)
        wanted = wanted / wanted.sum(axis=1, keepdims=True)
        product = _by_trees(trees, drawn)
        for _ in range(N_STEPS):
            for own, of_column, masses, there in zip(factors, bins, wanted, drawn_in, strict=True):
                before = of_column.factors(own)
                mass = of_column.counts(np.minimum(product, most), own)
                mass /= mass.sum()
                own[there] *= ((masses + prior) / (mass + prior))[there]
                np.clip(own, LEAST, most, out=own)
                own[there] *= widths[there].sum() / (own * widths)[there].sum()
                product *= of_column.factors(own) / before
        return cls(factors, float(np.log(np.mean(np.minimum(product, most)))), trees, most)

    def normalised(self, drawn: CubeIntervals, further: Callable[[int], CubeIntervals]) -> Self:
        """Return factors whose mean is known to within `MEAN_ERROR`.

        Parameters
        ----------
        drawn : CubeIntervals
            The draws that the factors were fitted to.
        further : callable
            Returns other draws, given their number. It is called only if `drawn` are too few.
        """
        factors = np.exp(self.log_factor(drawn))
        wanted = int(np.var(factors) / (np.mean(factors) * MEAN_ERROR) ** 2)
        n_batches = min(-(-wanted // len(drawn)), MOST_BATCHES)
        if n_batches <= 1:
            return self
        # The draws that factors were fitted to are left out: their mean is too small.
        means = [np.exp(self.log_factor(further(len(drawn)))).mean() for _ in range(n_batches)]
        return replace(self, log_mean=self.log_mean + float(np.log(np.mean(means))))

    def log_factor(self, rows: CubeIntervals) -> NDArray[np.float64]:
        """Return the logarithm of what each row's density is multiplied by."""
        product = _by_trees(self.trees, rows)
        for of_column, factors in zip(_bins_of_columns(rows, self.edges), self.factors, strict=True):
            product *= of_column.factors(factors)
        return np.log(np.minimum(product, self.most)) - self.log_mean

    def left_out_log_factor(
        self, rows: CubeRows, table: CubeRows, groups: NDArray[np.intp] | None = None
    ) -> NDArray[np.float64]:
        """Return `log_factor` of rows of the table that was fitted to, as if each had not been in it.

        A bin's factor goes with the mass that is wanted of it, and that changes by what the row, or all of
        its group, counts.
        """
        widths, n = np.diff(self.edges), float(table.weights.sum())
        prior, weights = _prior_rows(widths), rows.weights[:, None]
        own = _together(weights, groups)
        product = _by_trees(self.trees, rows.intervals)
        counted_in_columns = counted_bins(table, self.edges)
        columns = _bins_of_columns(rows.intervals, self.edges)
        for of_column, counted, factors in zip(columns, counted_in_columns, self.factors, strict=True):
            of_rows = of_column.by_row(len(widths))
            left = np.maximum(counted - _together(weights * of_rows, groups), 0.0) + prior
            change = left / (counted + prior) * (n * widths + prior) / ((n - own) * widths + prior)
            product *= (of_rows * factors * change).sum(axis=1)
        return np.log(np.minimum(product, self.most)) - self.log_mean

    @property
    def log_most(self) -> float:
        """The largest `log_factor` that there can be."""
        highest = float(np.prod(self.factors.max(axis=1)))
        bound = self.most if self.trees is not None else min(highest, self.most)
        return float(np.log(bound) - self.log_mean)

    def __getstate__(self) -> dict[str, Any]:
        trees = None if self.trees is None else (self.trees.n_columns, self.trees.flat())
        return {**self.__dict__, "trees": trees}

    def __setstate__(self, state: dict[str, Any]) -> None:
        trees = None if state["trees"] is None else _core.RatioTrees(state["trees"][0], *state["trees"][1])
        self.__dict__.update(state, trees=trees)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state = {
            "factors": self.factors.ravel(),
            "log_mean": self.log_mean,
            "most": self.most,
            "edges": self.edges,
        }
        if self.trees is None:
            return state
        return {**state, "trees": trees_to_state(self.trees)}

    @classmethod
    def from_state(cls, state: State, n_columns: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        edges = EDGES_BEFORE
        if "edges" in state:
            edges = state.array("edges", np.float64, (None,), low=0.0, high=1.0)
            if len(edges) < 2 or edges[0] != 0.0 or edges[-1] != 1.0 or (np.diff(edges) <= 0.0).any():
                raise state.error("edges", "do not ascend from 0 to 1")
        n_bins = len(edges) - 1
        factors = state.array("factors", np.float64, (n_columns * n_bins,), low=1e-6, high=1e6)
        most = state.number("most", low=1.0, high=1e6) if "most" in state else MOST_BEFORE
        trees = trees_from_state(state.child("trees"), n_columns) if "trees" in state else None
        # Below, next to no draw would be kept; no mean of factors is above their bound.
        log_mean = state.number("log_mean", low=-20.0, high=float(np.log(most)) + 1e-9)
        return cls(factors.reshape(n_columns, n_bins), log_mean, trees, most, edges)


def _together(values: NDArray[np.float64], groups: NDArray[np.intp] | None) -> NDArray[np.float64]:
    """Return for each row the sum over its group, which is itself where there are none."""
    if groups is None:
        return values
    total = np.zeros((int(groups.max(initial=-1)) + 1, values.shape[1]))
    np.add.at(total, groups, values)
    return np.asarray(total[groups])


def _by_trees(trees: _core.RatioTrees | None, rows: CubeIntervals) -> NDArray[np.float64]:
    """Return the factor of each row that trees tell."""
    return np.ones(len(rows)) if trees is None else np.exp(trees.log_ratio(places_of(rows)))


def wanted_masses(counted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mass that each bin of each column is to have: (n_columns, n_bins).

    Parameters
    ----------
    counted : ndarray of shape (n_columns, n_bins)
        What the table's rows in each bin weigh (`counted_bins`).
    """
    widths, n = np.diff(EDGES), counted.sum(axis=1, keepdims=True)
    prior = _prior_rows(widths)
    masses = widths * (counted + prior) / (n * widths + prior)
    return np.asarray(masses / masses.sum(axis=1, keepdims=True))


def counted_bins(rows: CubeRows, edges: NDArray[np.float64] = EDGES) -> NDArray[np.float64]:
    """Return what rows weigh in each bin of each column; intervals are divided between bins."""
    even = np.ones(len(edges) - 1)
    columns = _bins_of_columns(rows.intervals, edges)
    return np.array([of_column.counts(rows.weights, even) for of_column in columns])


def _bins_of_columns(rows: CubeIntervals, edges: NDArray[np.float64]) -> Iterator[ColumnBins]:
    """Return the bins of each column, one after another: those of all together may take much memory."""
    return (ColumnBins.of_intervals(*rows.column(j), edges) for j in range(rows.lower.shape[1]))


def _prior_rows(widths: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.maximum(PRIOR_ROWS, PRIOR_TABLE * widths)
