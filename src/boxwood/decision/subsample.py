"""Forests whose classes weigh the same in every tree's own sample."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.decision.cuts import TableCuts, choose_cuts, rows_of
from boxwood.decision.trees import TargetTrees, joined, trees_of_flat

__all__ = ["grow_balanced"]


def grow_balanced(
    forest: Any, columns: Columns, codes: NDArray[np.uint32], n_classes: int, seed: int, n_trees: int
) -> tuple[TableCuts, TargetTrees, NDArray[np.float64] | None]:
    """Grow trees one by one, each on its sample with classes weighted by their share of it.

    Returns
    -------
    cuts, trees
    shares : ndarray of shape (n_rows, n_classes) or None
        Out-of-bag predictions where the forest asks for them; NaN for rows that every tree saw.
    """
    cuts = choose_cuts(columns)
    cells, rows = cuts.cells(columns), rows_of(columns)
    options = forest._options(columns, seed, unit=forest._unit)
    share, options.bootstrap = options.max_samples, False
    grown, shares, n_unseen = [], np.zeros((columns.n_rows, n_classes)), np.zeros(columns.n_rows)
    for t in range(n_trees):
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, t], dtype=np.uint64)))
        copies = _copies(columns, share, rng)
        weights = copies * _balance(codes, copies, n_classes)
        seen = np.flatnonzero(copies > 0.0)
        options.seed = int(rng.integers(2**63))
        table = _core.TargetTable(
            cuts.n_cells, cuts.categorical, cells[seen], codes[seen], n_classes, None, weights[seen]
        )
        flat = _core.fit_target_forest(table, options, None)
        tree = forest._finished(trees_of_flat(flat, cuts, n_classes, False, forest._unit))
        if forest.oob_score:
            unseen = np.flatnonzero(copies == 0.0)
            shares[unseen] += tree.native.predict(rows[unseen], 1)
            n_unseen[unseen] += 1.0
        grown.append(tree)
    if not forest.oob_score:
        return cuts, joined(grown), None
    with np.errstate(invalid="ignore"):
        return cuts, joined(grown), shares / n_unseen[:, None]


def _copies(columns: Columns, share: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw how often each row is in a sample; all of them once where it would be empty."""
    weights = np.ones(columns.n_rows) if columns.weights is None else columns.weights
    whole = np.maximum(1.0, np.floor(weights))
    copies = rng.poisson(share * whole) * (weights / whole)
    return copies if copies.any() else weights


def _balance(codes: NDArray[np.uint32], copies: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """Give the factor of each row that makes all classes of a sample weigh the same."""
    sums = np.bincount(codes, weights=copies, minlength=n_classes)
    factor = np.zeros(n_classes)
    present = sums > 0.0
    factor[present] = sums.sum() / (present.sum() * sums[present])
    return factor[codes]
