"""A forest that knows the training rows in its leaves: weights of these rows around any other row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.thresholds import rows_of
from boxwood.columns import Columns, Schema
from boxwood.model_file import State

__all__ = ["GrownForest", "LeafForest", "grow"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GrownForest:
    """A forest that was just grown, with what out-of-bag answers need.

    Attributes
    ----------
    forest : RandomForestRegressor or RandomForestClassifier
    left_out : ndarray of shape (n_rows, n_outputs)
        Predictions by the trees that did not see a row; of a row that all saw, by all of them.
    half : ndarray of shape (n_rows, n_outputs)
        The same by the first half of the trees; NaN where all of these saw a row.
    drawn : ndarray of shape (n_trees, n_rows)
        What each row weighs in each tree's sample.
    """

    forest: Any
    left_out: Numbers
    half: Numbers
    drawn: NDArray[np.float32]


def grow(forest: Any, columns: Columns, targets: NDArray[Any], n_classes: int, seed: int) -> GrownForest:
    """Grow a forest of an estimator's parameters on a table; without classes targets are values."""
    n_trees = int(forest.n_estimators)
    cuts, trees, table, options = forest._grow(columns, targets, n_classes, seed, n_trees)
    rows = rows_of(columns)
    left_out = trees.native.predict_out_of_bag(rows, table, options)
    half = trees.first((n_trees + 1) // 2).native.predict_out_of_bag(rows, table, options)
    never = np.isnan(left_out[:, 0])
    if never.any():
        left_out[never] = trees.native.predict(np.ascontiguousarray(rows[never]), 1)
    n_outputs = 1 if n_classes or targets.ndim == 1 else targets.shape[1]
    predicted = {"classes_": np.arange(n_classes)} if n_classes else {}
    forest._set_fitted(
        columns.schema, cuts_=cuts, trees_=trees, seed_=seed, n_outputs_=n_outputs, **predicted
    )
    return GrownForest(forest, left_out, half, _core.sample_weights(table, options))


@dataclass(frozen=True, eq=False)
class LeafForest:
    """A forest and the members of its leaves, as each tree's sample has them.

    Attributes
    ----------
    forest : RandomForestRegressor or RandomForestClassifier
    start : ndarray of shape (n_nodes + 1,)
        Where the members of each node of all trees begin; inner nodes have none.
    row : ndarray of uint32
        The members: numbers of training rows.
    weight : ndarray of float32
        Of each member.
    """

    forest: Any
    start: NDArray[np.int64]
    row: NDArray[np.uint32]
    weight: NDArray[np.float32]

    @classmethod
    def of_grown(cls, grown: GrownForest, columns: Columns) -> Self:
        """Put the rows of every tree's sample into its leaves."""
        leaves = _leaves(grown.forest, columns)
        trees, rows = np.nonzero(grown.drawn > 0.0)
        nodes = leaves[rows, trees]
        order = np.argsort(nodes, kind="stable")
        counts = np.bincount(nodes, minlength=int(grown.forest.trees_.start[-1]))
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(grown.forest, start, rows[order].astype(np.uint32), grown.drawn[trees, rows][order])

    def histograms(
        self, columns: Columns, codes: NDArray[np.uint32], n_codes: int, drawn: Any = None
    ) -> Numbers:
        """Return the distribution of codes of the training rows around each row: (n_rows, n_codes).

        Parameters
        ----------
        columns : Columns
        codes : ndarray of shape (n_training_rows,)
        n_codes : int
        drawn : ndarray of shape (n_trees, n_rows), optional
            The rows are training rows: trees in whose sample one weighs something say nothing of it.

        Returns
        -------
        ndarray
            Of zeros for a row that every tree saw.
        """
        leaves = _leaves(self.forest, columns).astype(np.uint32)
        skip = None if drawn is None else np.ascontiguousarray((drawn > 0.0).T.astype(np.uint8))
        found = _core.leaf_histograms(self.start, self.row, self.weight, leaves, skip, codes, n_codes, 1)
        return np.ascontiguousarray(found[:, :-1])

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "forest": self.forest._get_state(),
            "start": self.start,
            "row": self.row,
            "weight": self.weight,
        }

    @classmethod
    def from_state(cls, state: State, forest: Any, schema: Schema, n_rows: int) -> Self:
        """Read the forest of a model file into an estimator with its parameters."""
        forest._restore(schema.to_json(), state.child("forest"))
        n_nodes = int(forest.trees_.start[-1])
        start = state.array("start", np.int64, (n_nodes + 1,))
        row = state.array("row", np.uint32, (None,))
        weight = state.array("weight", np.float32, row.shape, low=1e-30, high=1e29)
        whole = len(start) and start[0] == 0 and start[-1] == len(row) and (np.diff(start) >= 0).all()
        if not whole or (len(row) and int(row.max()) >= n_rows):
            raise state.error("row", "has members that are no training rows of a leaf")
        return cls(forest, start, row, weight)


def _leaves(forest: Any, columns: Columns) -> NDArray[np.int64]:
    """Return each row's leaf in every tree, as a node of all trees."""
    trees = forest.trees_
    return np.asarray(trees.native.apply(rows_of(columns), 1).astype(np.int64) + trees.start[:-1])
