"""The choice of a subtree: by leave-one-out, by cross-validation or by a validation part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.evidence import Fold
from boxwood.model_file import State
from boxwood.tree.density.node_losses import NodeLosses

__all__ = ["PruningPath", "choose_subtree", "leave_one_out_change", "prune_by", "pruning_path"]

MOST_ALPHAS = 100
"""Subtrees that held-out rows compare: evenly chosen along the path."""

LARGEST_ALPHA = 1e200
"""A penalty per leaf beyond every loss: it leaves the root alone."""

Grow = Callable[[NDArray[np.float64]], _core.GrownTree]


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The subtrees of a tree from the whole to its root, by weakest links.

    Attributes
    ----------
    alpha : ndarray
        Penalty per leaf from which on each subtree is best, ascending from 0.
    n_leaves : ndarray
        Descending to 1.
    loss : ndarray
        Loss of the training rows: minus their log-likelihood, or their squared error; by "loo" of rows
        that are left out of the leaves.
    held_out_loss : ndarray or None
        Mean loss of the held-out rows for each subtree, where rows were held out; between the up to 100
        subtrees that were compared it is interpolated.
    chosen : float
        The alpha that was taken.
    """

    alpha: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    loss: NDArray[np.float64]
    held_out_loss: NDArray[np.float64] | None
    chosen: float

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "alpha": self.alpha,
            "n_leaves": self.n_leaves,
            "loss": self.loss,
            "held_out_loss": np.empty(0) if self.held_out_loss is None else self.held_out_loss,
            "chosen": self.chosen,
        }

    @classmethod
    def from_state(cls, state: State) -> PruningPath:
        """Read what `to_state` gave, after checking it."""
        alpha = state.array("alpha", np.float64, (None,), low=0.0)
        n_leaves = state.array("n_leaves", np.int64, (len(alpha),), low=1)
        loss = state.array("loss", np.float64, (len(alpha),), finite=False)
        held_out = state.array("held_out_loss", np.float64, (None,), finite=False)
        if len(held_out) not in (0, len(alpha)):
            raise state.error("held_out_loss", "has the wrong length")
        if len(alpha) == 0 or alpha[0] != 0.0 or (np.diff(alpha) <= 0.0).any():
            raise state.error("alpha", "does not ascend from 0")
        if n_leaves[-1] != 1 or (np.diff(n_leaves) >= 0).any():
            raise state.error("n_leaves", "does not descend to 1")
        chosen = state.number("chosen", low=0.0)
        return cls(alpha, n_leaves, loss, held_out if len(held_out) else None, chosen)


def pruning_path(grown: _core.GrownTree, losses: NDArray[np.float64]) -> PruningPath:
    """Return the whole path of a grown tree."""
    alpha, leaves, loss = grown.path(losses)
    return PruningPath(alpha, leaves, loss, None, 0.0)


def choose_subtree(
    grown: _core.GrownTree,
    losses: NodeLosses,
    penalty: float | None,
    grow: Grow,
    folds: list[Fold],
) -> tuple[_core.GrownTree, PruningPath]:
    """Prune a grown tree and give the path along which it was chosen.

    Parameters
    ----------
    grown : GrownTree
    losses : NodeLosses
    penalty : float or None
        What is added per leaf to the leave-one-out loss: a threshold chosen among many gains a little by
        chance. None chooses by the folds instead.
    grow : callable
        Grows a tree with other weights of the rows.
    folds : list of (training weights, held-out weights)
    """
    if penalty is not None:
        own = losses.left_out(grown)
        return grown.pruned(own, penalty), replace(pruning_path(grown, own), chosen=penalty)
    own = losses.of_training(grown)
    path = pruning_path(grown, own)
    steps = np.unique(np.linspace(0, len(path.alpha) - 1, MOST_ALPHAS).astype(int))
    alphas = _within_steps(path.alpha)[steps]
    # The last subtree is the root alone, of every fold's tree too: its own last step may be a larger one.
    compared = np.append(alphas[:-1], LARGEST_ALPHA)
    held = np.zeros(len(alphas))
    for fold in folds:
        held += _held_out_loss(grow(fold[0]), losses, fold, compared) / len(folds)
    best = float(alphas[_middle_of_best(held)])
    along_path = np.interp(np.arange(len(path.alpha)), steps, held)
    return grown.pruned(own, best), replace(path, held_out_loss=along_path, chosen=best)


def _middle_of_best(loss: NDArray[np.float64]) -> int:
    """Return the middle of the last run of subtrees that lose least; the root where the run reaches it.

    Penalties between two steps of a fold's tree give the same subtree there, but not of all rows: at the
    end of such a run the next cut goes, which the held-out rows want to keep.
    """
    best = np.flatnonzero(loss <= loss.min())
    if best[-1] == len(loss) - 1:
        return int(best[-1])
    run = best[np.flatnonzero(np.diff(best, prepend=-2) > 1)[-1] :]
    return int(run[len(run) // 2])


def prune_by(
    grown: _core.GrownTree, losses: NodeLosses, weights: NDArray[np.float64], alpha: float, left_out: bool
) -> _core.GrownTree:
    """Return the subtree of least loss plus alpha a leaf, of a tree that was grown on these weights."""
    own = losses.left_out(grown, weights) if left_out else losses.of_training(grown, weights)
    return grown.pruned(own, alpha)


def _held_out_loss(
    part: _core.GrownTree, losses: NodeLosses, fold: Fold, alphas: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean loss of a fold's held-out rows under the subtrees for each alpha."""
    train, held = fold
    others = losses.held_out(part, train, held)
    own = losses.of_training(part, train)
    if losses.squared_error:
        return part.subtree_losses(own, alphas, others)
    # A log-likelihood is a sum over rows, of which a fold has fewer: its penalties are smaller too.
    fraction = train.sum() / (train.sum() + held.sum())
    return part.subtree_losses(own, alphas * fraction, others) / held.sum()


def _within_steps(alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return alphas for which each subtree of the path is best: a geometric mean, and one beyond the last."""
    return np.append(np.sqrt(alpha[:-1]) * np.sqrt(alpha[1:]), 2.0 * alpha[-1] + 1e-12)


def leave_one_out_change(
    grown: _core.GrownTree, flat: dict[str, Any], mass_prior: float
) -> NDArray[np.float64]:
    """Return, for each leaf, how much less the log-density of its rows is by masses without the row."""
    with_row = grown.losses(_core.LossKind.log_likelihood, mass_prior)
    without = grown.losses(_core.LossKind.loo_log_likelihood, mass_prior)
    leaves = flat["feature"] < 0
    count = flat["count"][leaves]
    with np.errstate(invalid="ignore", divide="ignore"):
        change = (with_row[leaves] - without[leaves]) / count
    return np.where(count > 0.0, change, 0.0)
