"""The decision tree."""

from __future__ import annotations

from typing import Any, Self

from boxwood.classify.trees import TreeClassifier
from boxwood.tree.supervised.inspect import SingleTree

__all__ = ["DecisionTreeClassifier"]


class DecisionTreeClassifier(SingleTree, TreeClassifier):
    """Decision tree: the table is split in two again and again until the parts are pure.

    scikit-learn's parameters, and beside them categories split natively into sets, missing values at fit
    and at prediction (each split learns their side), and any number of classes.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gaussian_conditional_entropy"}, default="gini"
    splitter : {"best", "random"}, default="best"
        The best cut of a column, or one at random between its extremes in the node.
    max_depth : int or None, default=None
    min_samples_split : int or float, default=2
        Weight of the rows, or fraction of their number, from which on a node may be split.
    min_samples_leaf : int or float, default=1
    min_weight_fraction_leaf : float, default=0.0
    max_features : int, float, "sqrt", "log2" or None, default=None
        Columns tried at a node.
    random_state : int, RandomState or None, default=None
    max_leaf_nodes : int or None, default=None
        Grows best-first until there are so many.
    min_impurity_decrease : float, default=0.0
    class_weight : dict, "balanced" or None, default=None
    ccp_alpha : float, "validation" or "cv", default=0.0
        Penalty per leaf by which the tree is pruned, or how to choose it from the tree's own pruning path:
        on a fifth of the rows, or by cross-validation on five fifths, by Brier score.
    monotonic_cst : array-like of shape (n_features,), dict of column names or None, default=None
        Direction in which what is told must go with each column of numbers: 1 up, −1 down, 0 any. Of two
        classes it is about the probability of the second.
    oblique : int, default=0
        Oblique splits tried at a node beside the columns: each a direction x·w < t that mixes √n_features
        random columns of numbers, fitted to the node's targets.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the impurity that splits of each column took away.
    ccp_alpha_ : float
        The penalty that was given or chosen.
    max_features_ : int
    trees_ : TargetTrees
        The fitted nodes.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = {"size": [1.0, 2.0, 3.0, None], "colour": ["red", "red", "blue", "blue"]}
    >>> tree = bw.DecisionTreeClassifier().fit(table, ["cherry", "cherry", "plum", "plum"])
    >>> print(tree.predict({"size": [None], "colour": ["blue"]}))
    ['plum']
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float | str = 0.0,
        monotonic_cst: Any = None,
        oblique: int = 0,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.oblique = oblique

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        classes, codes = self._read_classes(y)
        columns, codes = self._read_weighted(X, codes, self._class_weighted(y, codes, sample_weight))
        fitted = self._fit_tree(columns, codes, len(classes))
        self._set_fitted(columns.schema, classes_=classes, **fitted)
        return self
