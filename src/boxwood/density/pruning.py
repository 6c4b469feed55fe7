"""The choice of a subtree: by leave-one-out, by cross-validation or by a validation part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

__all__ = ["PruningPath", "choose_subtree", "pruning_path"]

_MOST_ALPHAS = 100
"""Alphas that cross-validation compares: evenly chosen along the path."""

Grow = Callable[[NDArray[Any]], _core.GrownTree]


@dataclass(frozen=True, eq=False)
class PruningPath:
    """The subtrees of a tree from the whole to its root, by weakest links.

    Attributes
    ----------
    alpha : ndarray
        Penalty per leaf from which on each subtree is best.
    n_leaves : ndarray
    loss : ndarray
        Loss of the training rows: minus their log-likelihood, or their squared error.
    held_out_loss : ndarray or None
        Mean loss of held-out rows for each alpha, where rows were held out.
    chosen : float
        The alpha that was taken.
    """

    alpha: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    loss: NDArray[np.float64]
    held_out_loss: NDArray[np.float64] | None
    chosen: float


def pruning_path(grown: _core.GrownTree, losses: NDArray[np.float64]) -> PruningPath:
    """Give the whole path of a grown tree."""
    steps = grown.path(losses)
    alpha, leaves, loss = zip(*steps, strict=True)
    return PruningPath(np.array(alpha), np.array(leaves, dtype=np.int64), np.array(loss), None, 0.0)


def choose_subtree(
    grown: _core.GrownTree,
    method: str,
    squared_error: bool,
    penalty: float,
    mass_prior: float,
    grow: Grow,
    points: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    folds: list[tuple[NDArray[Any], NDArray[Any]]],
) -> tuple[_core.GrownTree, PruningPath]:
    """Prune a grown tree and give the path along which it was chosen.

    Parameters
    ----------
    grown : GrownTree
    method : {"loo", "cv", "validation"}
    squared_error : bool
        Judge by integrated squared error instead of log-likelihood.
    penalty : float
        What "loo" adds per leaf: a threshold chosen among many gains a little by chance.
    mass_prior : float
    grow : callable
        Grows a tree on some of the rows.
    points, weights : ndarray
        All rows, on the cube.
    folds : list of (training rows, held-out rows)
    """
    kinds = _core.LossKind
    if method == "loo":
        kind = kinds.loo_squared_error if squared_error else kinds.loo_log_likelihood
        losses = grown.losses(kind, mass_prior)
        path = pruning_path(grown, losses)
        chosen = PruningPath(path.alpha, path.n_leaves, path.loss, None, penalty)
        return grown.pruned(losses, penalty), chosen
    kind = kinds.squared_error if squared_error else kinds.log_likelihood
    losses = grown.losses(kind, mass_prior)
    path = pruning_path(grown, losses)
    alphas = _between(path.alpha)
    held = np.zeros(len(alphas))
    for train, test in folds:
        part = grow(train)
        there = None if weights is None else weights[test]
        others = part.held_out_losses(np.ascontiguousarray(points[test]), there, squared_error, mass_prior)
        total = float(len(test)) if there is None else float(there.sum())
        scale = 1.0 if squared_error else 1.0 / total
        held += scale * part.subtree_losses(part.losses(kind, mass_prior), alphas, others) / len(folds)
    best = float(alphas[np.flatnonzero(held <= held.min())[-1]])
    held_out = np.interp(path.alpha, alphas, held)
    return grown.pruned(losses, best), PruningPath(path.alpha, path.n_leaves, path.loss, held_out, best)


def _between(alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give one alpha inside each interval of the path: geometric means, and one beyond the last."""
    if len(alpha) > _MOST_ALPHAS:
        alpha = alpha[np.unique(np.linspace(0, len(alpha) - 1, _MOST_ALPHAS).astype(int))]
    inside = np.sqrt(alpha[:-1] * alpha[1:])
    return np.unique(np.concatenate([[0.0], inside, [2.0 * alpha[-1] + 1e-12]]))
