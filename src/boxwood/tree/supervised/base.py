"""What decision and regression trees and forests share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from boxwood import _core
from boxwood.binning.thresholds import TableThresholds, choose_thresholds, rows_of
from boxwood.columns import Columns, Schema
from boxwood.model_file import State
from boxwood.parameters import fill_options, shown
from boxwood.parameters.options import pack_options
from boxwood.progress import Progress
from boxwood.randomness import generator, seed_of
from boxwood.tree.elsewhere import TravellingTable, tree_runner
from boxwood.tree.supervised.exchange import ExchangedTrees
from boxwood.tree.supervised.options import GAUSSIAN, grow_options, monotone_signs
from boxwood.tree.supervised.parameters import TREES
from boxwood.tree.supervised.permutation import falls_by_permutation
from boxwood.tree.supervised.ranges import grow_elsewhere
from boxwood.tree.supervised.rules import rule_of_node
from boxwood.tree.supervised.scale import Scale
from boxwood.tree.supervised.trees import SupervisedTrees, joined, trees_of_flat

__all__ = ["SupervisedEstimator", "n_outputs"]


class SupervisedEstimator(ExchangedTrees):
    """A tree or forest that tells a class or a value."""

    _parameters = TREES
    _accept_sparse = True

    trees_: SupervisedTrees
    cuts_: TableThresholds
    n_outputs_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node of the leaf that each row falls into, in every tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_estimators)
        """
        return self._leaves(X)

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes, as a sparse indicator matrix.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; the trees' nodes side by side.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The nodes of tree t are those from ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.
        """
        leaves = self._leaves(X)
        parts = []
        for t in range(self.trees_.n_trees):
            rows, nodes = self.trees_.passed(t, leaves[:, t])
            shape = (len(leaves), self.trees_.tree(t).stop - self.trees_.tree(t).start)
            ones = np.ones(len(rows), dtype=np.int64)
            parts.append(sparse.csr_matrix((ones, (rows, nodes)), shape=shape))
        path = sparse.csr_matrix(sparse.hstack(parts, format="csr"))
        return path, self.trees_.start.copy()

    def rules(self, leaf: int, tree: int = 0, decimals: int | None = None) -> str:
        """Describe in words which rows come to a leaf.

        Parameters
        ----------
        leaf : int
            A node, as `apply` gives it.
        tree : int, default=0
            Which tree of a forest.
        decimals : int, optional
            Of numbers; without it, six significant digits.

        Returns
        -------
        str
            One condition a column that was cut on the way. Missing values are told of where the fitted
            column had some. Elsewhere they go with the larger half of each node, and categories that the
            fitted column did not have to the right.
        """
        check_is_fitted(self)
        return rule_of_node(self.trees_, tree, leaf, self.schema_, self.cuts_, decimals)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the impurity that the splits of each column took away; each tree's shares, averaged."""
        check_is_fitted(self)
        return self.trees_.importances(len(self.schema_))

    def permutation_importance(
        self, X: Any, y: Any, *, n_repeats: int = 5, random_state: Any = None, sample_weight: Any = None
    ) -> Bunch:
        """Return how far the score falls where a column's values are shuffled among the rows.

        As scikit-learn's function of this name, but on any table that the model can read, and without a
        look at columns that no split uses. On rows that were not fitted it tells what a column is worth for
        new ones; unlike `feature_importances_` it does not favour columns of many values.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        n_repeats : int, default=5
            Times that each column is shuffled.
        random_state : int, RandomState, Generator or None, default=None
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies, for the score.

        Returns
        -------
        Bunch with ``importances_mean``, ``importances_std`` and ``importances``
            By columns, the last by repeats as well. The score is that of `score`: accuracy, or the
            coefficient of determination.

        Examples
        --------
        >>> import boxwood as bw
        >>> table = {"size": [1.0, 2.0, 3.0, 4.0] * 9, "hue": ["red", "blue", "blue", "red"] * 9}
        >>> tree = bw.DecisionTreeClassifier().fit(table, [0, 1, 1, 0] * 9)
        >>> worth = tree.permutation_importance(table, [0, 1, 1, 0] * 9, random_state=0)
        >>> bool(worth.importances_mean[0] == 0.0), bool(worth.importances_mean[1] > 0.2)
        (True, True)
        """
        check_is_fitted(self)
        if isinstance(n_repeats, bool) or not isinstance(n_repeats, int | np.integer) or n_repeats < 1:
            raise ValueError(f"n_repeats must be an integer, at least 1; got {shown(n_repeats)}.")
        columns, targets = self._read_weighted(X, self._read_targets(y), sample_weight, fitted=True)
        threads = self._n_threads()

        def score(rows: NDArray[np.float64]) -> float:
            return self._score_of(self.trees_.native.predict(rows, threads), targets, columns.weights)

        used = self.trees_.used_columns()
        falls = falls_by_permutation(rows_of(columns), used, score, n_repeats, generator(random_state))
        return Bunch(
            importances_mean=falls.mean(axis=1), importances_std=falls.std(axis=1), importances=falls
        )

    def _read_targets(self, y: Any) -> NDArray[Any]:
        raise NotImplementedError

    def _score_of(self, predicted: NDArray[np.float64], targets: NDArray[Any], weights: Any) -> float:
        """Return the score of what the trees tell."""
        raise NotImplementedError

    def _leaves(self, X: Any) -> NDArray[np.int64]:
        rows = rows_of(self._read(X))
        return self.trees_.native.apply(rows, self._n_threads()).astype(np.int64)

    @property
    def _unit(self) -> float:
        """The core's unit of impurity in scikit-learn's: it reckons entropy in nats, scikit-learn in bits."""
        return 1.0 / math.log(2.0) if self.criterion in ("entropy", "log_loss", GAUSSIAN) else 1.0

    def _n_threads(self) -> int:
        """Return on how many threads trees grow and rows are told of."""
        return 1

    def _sampled_fraction(self, n_rows: int) -> float | None:
        """Return the fraction of the rows drawn for a tree; None where it sees each of them once."""
        return None

    def _class_labels(self) -> NDArray[Any] | None:
        """Return the labels of the classes, where there are classes."""
        return None

    def _table(
        self, columns: Columns, classes: Any, n_classes: int, values: Any
    ) -> tuple[TableThresholds, tuple[Any, ...]]:
        """Return the thresholds of a table, and what the core makes its table of."""
        cuts = choose_thresholds(columns)
        signs = monotone_signs(self, columns.schema, n_classes, 1 if values is None else values.shape[1])
        specs = [
            (codes.view(np.uint8), codes.itemsize, n_bins, n_categories >= 0, sign)
            for codes, n_bins, n_categories, sign in zip(
                cuts.codes(columns), cuts.n_bins, cuts.n_categories, signs, strict=True
            )
        ]
        numbers = rows_of(columns) if self.oblique or self.criterion == GAUSSIAN else None
        return cuts, (specs, classes, n_classes, values, columns.weights, numbers)

    def _options(
        self, columns: Columns, seed: int, n_trees: int = 1, unit: float = 1.0
    ) -> _core.SupervisedForestOptions:
        drawn = self._sampled_fraction(columns.n_rows)
        fraction = 1.0 if drawn is None else drawn
        return fill_options(
            _core.SupervisedForestOptions(),
            self,
            n_trees=n_trees,
            bootstrap=drawn is not None,
            max_samples=fraction,
            n_threads=self._n_threads(),
            seed=seed,
            impurity=getattr(_core.Impurity, _IMPURITIES[self.criterion]),
            grow=self._grow_options(columns, fraction, unit),
        )

    def _grow_options(self, columns: Columns, fraction: float, unit: float) -> _core.GrowOptions:
        return grow_options(self, len(columns), columns.total_weight, fraction, unit)

    def _grow(
        self,
        columns: Columns,
        targets: NDArray[Any],
        n_classes: int,
        seed: int,
        n_trees: int = 1,
        first_tree: int = 0,
        progress: Progress | None = None,
    ) -> tuple[TableThresholds, SupervisedTrees, _core.SupervisedTable, _core.SupervisedForestOptions]:
        """Grow trees; without classes the targets are values, one or several a row."""
        if n_classes:
            cuts, arguments = self._table(columns, targets, n_classes, None)
            unit, n_outputs, scale = self._unit, n_classes, None
        else:
            values = targets.reshape(len(targets), -1)
            n_outputs, scale = values.shape[1], Scale.of(values)
            cuts, arguments = self._table(columns, None, 0, scale.scaled(values))
            unit = scale.unit / n_outputs  # scikit-learn's impurity is the mean over the values
        options = self._options(columns, seed, n_trees, unit)
        options.first_tree = first_tree
        table, runner = _core.SupervisedTable(*arguments), tree_runner()
        if runner is None or n_trees < 2:
            parts = [_core.fit_supervised_forest(table, options, progress)]
        else:
            travelling = TravellingTable("SupervisedTable", arguments, pack_options(options))
            parts = grow_elsewhere(runner, travelling, progress)
        trees = [trees_of_flat(flat, cuts, n_outputs, scale, unit) for flat in parts]
        return cuts, trees[0] if len(trees) == 1 else joined(trees), table, options

    def _seed(self) -> int:
        return seed_of(self.random_state)

    criterion: str
    oblique: int
    monotonic_cst: Any
    ccp_alpha: Any
    random_state: Any

    def _predicted(self, X: Any) -> NDArray[np.float64]:
        columns = self._read(X)
        return self.trees_.native.predict(rows_of(columns), self._n_threads())

    def _get_state(self) -> dict[str, Any]:
        return {
            "cuts": self.cuts_.to_state(),
            "trees": self.trees_.to_state(),
        }

    def _trees_of_state(self, schema: Schema, state: State, n_classes: int) -> dict[str, Any]:
        cuts = TableThresholds.from_state(state, "cuts", schema)
        trees = SupervisedTrees.from_state(state.child("trees"), list(cuts.n_categories), n_classes)
        return {"cuts_": cuts, "trees_": trees, "n_outputs_": 1 if n_classes else trees.value.shape[1]}


_IMPURITIES = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "variance",
    GAUSSIAN: GAUSSIAN,
}


def n_outputs(targets: NDArray[Any]) -> int:
    """Return how many things are told of a row."""
    return targets.shape[1] if targets.ndim == 2 else 1
