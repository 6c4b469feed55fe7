"""What the nodes of a tree would lose as leaves: as leaves of the kind that the tree will have."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.tree.density.folds import Fold
from boxwood.tree.density.growth import EncodedTable

__all__ = ["NodeLosses"]

Losses = NDArray[np.float64]
Weights = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NodeLosses:
    """By what the nodes of trees of one table are judged.

    Of uniform leaves every loss has a closed form. Leaves of other kinds are fitted to the rows of every
    node, on the way down, and scored at the rows in question.

    Attributes
    ----------
    table : EncodedTable
    leaf : LeafOptions
    squared_error : bool
        Judge by integrated squared error instead of log-likelihood.
    parts : list of (training weights, held-out weights)
        In these parts rows are left out of leaves that are not uniform. One row at a time would take a fit
        of all nodes for each: the histogram of a node hangs on those of its ancestors, and the mass of a
        full Gaussian in its box on a quadrature.
    """

    table: EncodedTable
    leaf: _core.LeafOptions
    squared_error: bool
    parts: list[Fold]

    @property
    def uniform(self) -> bool:
        """Whether leaves are uniform."""
        return self.leaf.kind == _core.LeafKind.uniform

    def of_training(self, grown: _core.GrownTree, weights: Weights | None) -> Losses:
        """Return the losses at the rows that leaves are fitted to."""
        if self.uniform:
            return self._closed_form(grown, leave_one_out=False)
        own = np.ones(len(self.table.points)) if weights is None else weights
        return self._fitted(grown, own, own)

    def left_out(self, grown: _core.GrownTree, weights: Weights | None = None) -> Losses:
        """Return the losses at rows that are left out of the leaves, but not of where the tree is cut.

        Weights are those of a fold's training part, where the tree was grown on one.
        """
        if self.uniform:
            return self._closed_form(grown, leave_one_out=True)
        if not self.parts:  # of one row
            return self.of_training(grown, self.table.weights if weights is None else weights)
        own = self.parts[0][0] + self.parts[0][1]
        fraction = np.divide(
            own if weights is None else weights, own, out=np.zeros(len(own)), where=own > 0.0
        )
        losses = np.zeros(grown.n_nodes)
        for train, held in self.parts:
            part = self.held_out(grown, train * fraction, held * fraction)
            scale = (held * fraction).sum() / (own * fraction).sum()
            losses += part * scale if self.squared_error else part
        return _finite(losses)

    def held_out(self, grown: _core.GrownTree, train: Weights, held: Weights) -> Losses:
        """Return the losses at held-out rows of leaves that are fitted to others."""
        if not self.uniform:
            return self._fitted(grown, train, held)
        rows = np.flatnonzero(held)
        points, prior = self.table.points[rows], self.leaf.mass_prior
        return _finite(grown.held_out_losses(points, held[rows], self.squared_error, prior))

    def _closed_form(self, grown: _core.GrownTree, leave_one_out: bool) -> Losses:
        kinds = _core.LossKind
        if leave_one_out:
            kind = kinds.loo_squared_error if self.squared_error else kinds.loo_log_likelihood
        else:
            kind = kinds.squared_error if self.squared_error else kinds.log_likelihood
        return _finite(grown.losses(kind, self.leaf.mass_prior))

    @cached_property
    def _distinct(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """The distinct points in their own order, so that sums know neither that of rows nor repetition."""
        points, number = np.unique(self.table.points, axis=0, return_inverse=True)
        return points, number.ravel()

    def _fitted(self, grown: _core.GrownTree, train: Weights, at: Weights) -> Losses:
        points, number = self._distinct
        weights = np.bincount(number, weights=at, minlength=len(points)).astype(np.float64)
        there = weights > 0.0
        table = self.table.reweighted(train)
        return _finite(
            grown.fitted_losses(table, self.leaf, points[there], weights[there], self.squared_error)
        )


def _finite(losses: Losses) -> Losses:
    """Return losses that can be added up: an impossible row (without a prior) costs a lot, not ∞."""
    return np.nan_to_num(losses, nan=1e100, posinf=1e100, neginf=-1e100).clip(-1e100, 1e100)
