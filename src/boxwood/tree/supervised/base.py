"""What decision and regression trees and forests share."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
from boxwood.parameters import check_count, checked_names, fill_options, shown
from boxwood.parameters.options import pack_options
from boxwood.progress import Progress
from boxwood.randomness import generator, seed_of
from boxwood.tree.elsewhere import TravellingTable, tree_runner
from boxwood.tree.supervised.exchange import ExchangedTrees
from boxwood.tree.supervised.options import GAUSSIAN, grow_options, monotone_signs
from boxwood.tree.supervised.parameters import TREES
from boxwood.tree.supervised.permutation import falls_by_permutation
from boxwood.tree.supervised.ranges import grow_elsewhere
from boxwood.tree.supervised.rules import check_number_below, rule_of_node
from boxwood.tree.supervised.scale import Scale
from boxwood.tree.supervised.text import renamed_schema, tree_as_text
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

    def export_text(
        self,
        *,
        tree: int = 0,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
        max_depth: int | None = None,
        spacing: int = 3,
        decimals: int | None = None,
        show_weights: bool = False,
    ) -> str:
        """Write a tree as indented text: its cuts, and what each leaf predicts.

        Sets of categories, oblique splits and missing values are written, too. The numbers of leaves are
        those of `apply`, and `rules` describes one leaf in words.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.
        feature_names : sequence of str, optional
            Names of the columns: by default those of the fitted table.
        class_names : sequence of str, optional
            Names of the classes, in the order of ``classes_``: by default the classes themselves.
        max_depth : int, optional
            Cuts below this depth are left out.
        spacing : int, default=3
            Width of the lines between levels.
        decimals : int, optional
            Of all numbers: by default six significant digits of cuts and four of values.
        show_weights : bool, default=False
            Whether a leaf of a classifier has the weight of each class.

        Returns
        -------
        str

        Examples
        --------
        >>> import boxwood as bw
        >>> table = {"size": [1.0, 2.0, 3.0, None], "colour": ["red", "red", "blue", "blue"]}
        >>> tree = bw.DecisionTreeClassifier().fit(table, ["a", "a", "a", "b"])
        >>> print(tree.export_text())
        4 rows in 2 leaves
        |--- size not missing
        |   |--- leaf 1: class a, 100% of 3 rows
        |--- size missing
        |   |--- leaf 2: class b, 100% of 1 row
        <BLANKLINE>
        """
        check_is_fitted(self)
        classes = self._names_of_classes(class_names)
        if show_weights and not classes:
            raise ValueError("show_weights: a regression tree has no weights of classes.")
        check_count("spacing", spacing)
        return tree_as_text(
            self._checked_tree(tree),
            renamed_schema(self.schema_, feature_names),
            self.cuts_,
            classes,
            max_depth=max_depth,
            spacing=spacing,
            decimals=decimals,
            show_weights=show_weights,
        )

    def plot_tree(
        self,
        *,
        tree: int = 0,
        max_depth: int | None = None,
        feature_names: Sequence[str] | None = None,
        class_names: Sequence[str] | None = None,
        filled: bool = True,
        decimals: int | None = None,
        ax: Any = None,
        fontsize: float | None = None,
    ) -> Any:
        """Draw a tree with matplotlib: its questions, and its leaves as boxes.

        Rows for which a question is true go left. The box of a leaf is as high as its fraction of the rows.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.
        max_depth : int, optional
            Deeper parts are shown as one box each: by default only those of a tree of more than 32 leaves.
        feature_names : sequence of str, optional
            Names of the columns: by default those of the fitted table.
        class_names : sequence of str, optional
            Names of the classes, in the order of ``classes_``: by default the classes themselves.
        filled : bool, default=True
            Whether leaves have the colour of their class or value.
        decimals : int, optional
            Of all numbers: by default six significant digits of cuts and four of values.
        ax : matplotlib Axes, optional
            Where to draw: by default a new figure that is large enough for all texts.
        fontsize : float, optional
            Of the questions, in points. By default the texts are as large as the axes allow.

        Returns
        -------
        TreeDisplay
        """
        from boxwood.plot.tree_display import TreeDisplay

        style: dict[str, Any] = {
            "max_depth": max_depth,
            "decimals": decimals,
            "filled": filled,
            "fontsize": fontsize,
        }
        style |= {"feature_names": feature_names, "class_names": class_names}
        return TreeDisplay.from_estimator(self, tree=tree, ax=ax, **style)

    def _checked_tree(self, tree: int) -> SupervisedTrees:
        """Return one of the trees by itself."""
        check_number_below("tree", tree, self.trees_.n_trees)
        return self.trees_.only(int(tree))

    def _names_of_classes(self, class_names: Sequence[str] | None) -> list[str]:
        """Return the names of the classes; none of a regressor."""
        labels = self._class_labels()
        if labels is None:
            if class_names is not None:
                raise ValueError(f"class_names: a {type(self).__name__} has no classes.")
            return []
        return checked_names("class_names", list(labels) if class_names is None else class_names, len(labels))

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
