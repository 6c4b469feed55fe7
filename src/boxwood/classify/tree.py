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
        max_leaf_nodes: int | str | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float | str = 0.0,
        monotonic_cst: Any = None,
        oblique: int = 0,
        leaf_factor: float | None = None,
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
        self.leaf_factor = leaf_factor

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
