"""What decision and regression trees and forests share."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy import sparse

from boxwood import _core
from boxwood.columns import Columns, Schema
from boxwood.columns.weights import read_weights
from boxwood.decision.cuts import TableCuts, choose_cuts, rows_of
from boxwood.decision.options import grow_options
from boxwood.decision.trees import TargetTrees, trees_of_flat
from boxwood.estimator import TableEstimator
from boxwood.model_file import State
from boxwood.randomness import seed_of

__all__ = ["TargetEstimator"]


class TargetEstimator(TableEstimator):
    """A tree or forest that tells a class or a value."""

    _accept_sparse = True
    _criteria: tuple[str, ...]

    trees_: TargetTrees
    cuts_: TableCuts
    feature_importances_: NDArray[np.float64]
    n_outputs_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Give the node of the leaf that each row falls into.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) for a tree, (n_samples, n_estimators) for a forest
        """
        leaves = self.trees_.native.apply(rows_of(self._read(X))).astype(np.int64)
        return leaves if self._is_forest else leaves[:, 0]

    def decision_path(self, X: Any) -> Any:
        """Give the nodes that each row passes, as a sparse indicator matrix.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes)
            For a forest with the trees' first nodes beside it.
        """
        leaves = self.trees_.native.apply(rows_of(self._read(X)))
        columns, lengths = [], np.zeros(len(leaves), dtype=np.int64)
        for t in range(self.trees_.n_trees):
            nodes = self.trees_.tree(t)
            passed = _paths(self.trees_.feature[nodes], self.trees_.left[nodes])
            for i, leaf in enumerate(leaves[:, t].tolist()):
                columns.append((i, passed[leaf] + nodes.start))
                lengths[i] += len(passed[leaf])
        columns.sort(key=lambda entry: entry[0])
        indices = np.concatenate([part for _, part in columns])
        indptr = np.concatenate([[0], np.cumsum(lengths)])
        shape = (len(leaves), len(self.trees_.feature))
        path = sparse.csr_matrix((np.ones(len(indices), dtype=np.int64), indices, indptr), shape=shape)
        return (path, self.trees_.start.copy()) if self._is_forest else path

    @property
    def _is_forest(self) -> bool:
        return hasattr(self, "n_estimators")

    def _read_weighted(self, X: Any, y: NDArray[Any], weights: Any) -> tuple[Columns, NDArray[Any]]:
        """Read a table with its targets; rows of weight zero leave both."""
        columns = self._read_fit(X)
        if columns.n_rows != len(y):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{columns.n_rows}, {len(y)}] rows in X and y."
            )
        checked = read_weights(weights, columns.n_rows)
        if checked is None:
            return columns, y
        return columns.with_weights(checked), y[checked > 0.0]

    def _grow(
        self, columns: Columns, classes: Any, n_classes: int, values: Any, seed: int, n_trees: int = 1
    ) -> tuple[TableCuts, TargetTrees, _core.TargetTable, _core.TargetForestOptions]:
        cuts = choose_cuts(columns)
        table = _core.TargetTable(
            cuts.n_cells, cuts.categorical, cuts.cells(columns), classes, n_classes, values, columns.weights
        )
        options = _core.TargetForestOptions()
        options.n_trees = n_trees
        options.bootstrap = bool(getattr(self, "bootstrap", False))
        options.max_samples = self._share_of_rows(columns.n_rows)
        options.n_threads = int(effective_n_jobs(getattr(self, "n_jobs", None)))
        options.seed = seed
        options.impurity = getattr(_core.Impurity, _IMPURITIES[self.criterion])
        options.grow = grow_options(self, len(columns), columns.n_rows, columns.total_weight)
        flat = _core.fit_target_forest(table, options, None)
        regression = values is not None
        trees = trees_of_flat(flat, cuts, 1 if regression else n_classes, regression)
        return cuts, trees.pruned(float(self.ccp_alpha)), table, options

    def _share_of_rows(self, n_rows: int) -> float:
        wanted = getattr(self, "max_samples", None)
        if wanted is None:
            return 1.0
        return float(wanted) / n_rows if isinstance(wanted, int | np.integer) else float(wanted)

    def _seed(self) -> int:
        return seed_of(self.random_state)

    criterion: str
    ccp_alpha: float
    random_state: Any

    def _predicted(self, X: Any) -> NDArray[np.float64]:
        columns = self._read(X)
        n_threads = int(effective_n_jobs(getattr(self, "n_jobs", None)))
        return self.trees_.native.predict(rows_of(columns), n_threads)

    def _get_state(self) -> dict[str, Any]:
        return {
            "cuts": self.cuts_.to_state(),
            "trees": self.trees_.to_state(),
            "feature_importances": self.feature_importances_,
        }

    def _trees_of_state(self, schema: Schema, state: State, n_outputs: int) -> dict[str, Any]:
        cuts = TableCuts.from_state(state, "cuts", schema)
        trees = TargetTrees.from_state(state.child("trees"), cuts.categorical, n_outputs)
        importances = state.array("feature_importances", np.float64, (len(schema),), low=0.0, high=1.0)
        return {"cuts_": cuts, "trees_": trees, "feature_importances_": importances, "n_outputs_": 1}


_IMPURITIES = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "variance",
}


def _paths(feature: NDArray[np.int32], left: NDArray[np.uint32]) -> list[NDArray[np.int64]]:
    """Give, for every node of a tree, the nodes from the root to it."""
    paths: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)] * len(feature)
    for node in np.flatnonzero(feature >= 0).tolist():
        for child in (int(left[node]), int(left[node]) + 1):
            paths[child] = np.append(paths[node], child)
    return paths
