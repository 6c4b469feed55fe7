"""What the nodes of a tree would lose as leaves: as leaves of the kind that the tree will have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence import Fold
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

    def of_training(self, grown: _core.GrownTree, weights: Weights | None = None) -> Losses:
        """Return the losses at the rows that leaves are fitted to; all of them without weights."""
        if self.uniform:
            return self._closed_form(grown, leave_one_out=False)
        own = self.table.evidence.weights if weights is None else weights
        return self.held_out(grown, own, own)

    def left_out(self, grown: _core.GrownTree, weights: Weights | None = None) -> Losses:
        """Return the losses at rows that are left out of the leaves, but not of where the tree is cut.

        Weights are those of a fold's training part, where the tree was grown on one.
        """
        if self.uniform:
            return self._closed_form(grown, leave_one_out=True)
        if not self.parts:  # of one row
            return self.of_training(grown, weights)
        own = self.table.evidence.weights
        fraction = np.ones(len(own)) if weights is None else weights / own
        losses = np.zeros(grown.n_nodes)
        for train, held in self.parts:
            part = self.held_out(grown, train * fraction, held * fraction)
            scale = (held * fraction).sum() / (own * fraction).sum()
            losses += part * scale if self.squared_error else part
        return _finite(losses)

    def held_out(self, grown: _core.GrownTree, train: Weights, held: Weights) -> Losses:
        """Return the losses at held-out rows of leaves that are fitted to others."""
        rows = np.flatnonzero(held)
        points, weights = self.table.points[rows], held[rows]
        if self.uniform:
            losses = grown.held_out_losses(points, weights, self.squared_error, self.leaf.mass_prior)
        else:
            native = self.table.reweighted(train)
            losses = grown.fitted_losses(native, self.leaf, points, weights, self.squared_error)
        return _finite(losses)

    def _closed_form(self, grown: _core.GrownTree, leave_one_out: bool) -> Losses:
        kinds = _core.LossKind
        if leave_one_out:
            kind = kinds.loo_squared_error if self.squared_error else kinds.loo_log_likelihood
        else:
            kind = kinds.squared_error if self.squared_error else kinds.log_likelihood
        return _finite(grown.losses(kind, self.leaf.mass_prior))


def _finite(losses: Losses) -> Losses:
    """Return losses that can be added up: an impossible row (without a prior) costs a lot, not ∞."""
    return np.nan_to_num(losses, nan=1e100, posinf=1e100, neginf=-1e100).clip(-1e100, 1e100)
