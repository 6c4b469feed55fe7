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

__all__ = ["PruningPath", "choose_subtree", "leave_one_out_change", "prune_by", "pruning_path"]

MOST_ALPHAS = 100
"""Subtrees that held-out rows compare: evenly chosen along the path."""

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
        Loss of the training rows: minus their log-likelihood, or their squared error; by "loo" of each
        row with itself left out.
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
    squared_error: bool,
    mass_prior: float,
    penalty: float | None,
    grow: Grow,
    points: NDArray[np.float64],
    folds: list[Fold],
) -> tuple[_core.GrownTree, PruningPath]:
    """Prune a grown tree and give the path along which it was chosen.

    Parameters
    ----------
    grown : GrownTree
    squared_error : bool
        Judge by integrated squared error instead of log-likelihood.
    mass_prior : float
    penalty : float or None
        What is added per leaf to the leave-one-out loss: a threshold chosen among many gains a little by
        chance. None chooses by the folds instead.
    grow : callable
        Grows a tree with other weights of the rows.
    points : ndarray
        All rows, on the cube.
    folds : list of (training weights, held-out weights)
    """
    losses = _finite(grown.losses(_loss_kind(squared_error, penalty is not None), mass_prior))
    path = pruning_path(grown, losses)
    if penalty is not None:
        return grown.pruned(losses, penalty), replace(path, chosen=penalty)
    steps = np.unique(np.linspace(0, len(path.alpha) - 1, MOST_ALPHAS).astype(int))
    alphas = _within_steps(path.alpha)[steps]
    held = np.zeros(len(alphas))
    for fold in folds:
        held += _held_out_loss(grow(fold[0]), fold, squared_error, mass_prior, points, alphas) / len(folds)
    best = float(alphas[np.flatnonzero(held <= held.min())[-1]])
    along_path = np.interp(np.arange(len(path.alpha)), steps, held)
    return grown.pruned(losses, best), replace(path, held_out_loss=along_path, chosen=best)


def prune_by(
    grown: _core.GrownTree, alpha: float, squared_error: bool, leave_one_out: bool, mass_prior: float
) -> _core.GrownTree:
    """Return the subtree of least loss plus alpha a leaf."""
    kind = _loss_kind(squared_error, leave_one_out)
    return grown.pruned(_finite(grown.losses(kind, mass_prior)), alpha)


def _held_out_loss(
    part: _core.GrownTree,
    fold: Fold,
    squared_error: bool,
    mass_prior: float,
    points: NDArray[np.float64],
    alphas: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the mean loss of a fold's held-out rows under the subtrees for each alpha."""
    train, held = fold
    rows = np.flatnonzero(held)
    others = _finite(part.held_out_losses(points[rows], held[rows], squared_error, mass_prior))
    losses = _finite(part.losses(_loss_kind(squared_error, False), mass_prior))
    if squared_error:
        return part.subtree_losses(losses, alphas, others)
    # A log-likelihood is a sum over rows, of which a fold has fewer: its penalties are smaller too.
    fraction = train.sum() / (train.sum() + held.sum())
    return part.subtree_losses(losses, alphas * fraction, others) / held.sum()


def _loss_kind(squared_error: bool, leave_one_out: bool) -> _core.LossKind:
    kinds = _core.LossKind
    if leave_one_out:
        return kinds.loo_squared_error if squared_error else kinds.loo_log_likelihood
    return kinds.squared_error if squared_error else kinds.log_likelihood


def _finite(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return losses that can be added up: an impossible row (without a prior) costs a lot, not ∞."""
    return np.nan_to_num(losses, nan=1e100, posinf=1e100, neginf=-1e100).clip(-1e100, 1e100)


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
