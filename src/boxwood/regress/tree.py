"""The regression tree."""

from __future__ import annotations

from typing import Any, Self

from boxwood.regress.trees import TreeRegressor
from boxwood.tree.supervised.inspect import SingleTree

__all__ = ["DecisionTreeRegressor"]


class DecisionTreeRegressor(SingleTree, TreeRegressor):
    """Regression tree: the table is split in two again and again, a leaf tells the mean of its rows.

    scikit-learn's parameters, and beside them categories split natively into sets and missing values at
    fit and at prediction (each split learns their side).

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the variance that splits of each column took away.
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
    >>> tree = bw.DecisionTreeRegressor(max_depth=1).fit(table, [1.0, 1.5, 7.0, 9.0])
    >>> print(tree.predict({"size": [None], "colour": ["blue"]}))
    [8.]
    """

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | str | None = None,
        min_impurity_decrease: float = 0.0,
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
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.oblique = oblique
        self.leaf_factor = leaf_factor

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Values. Of several, splits lessen the mean of their variances.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, values = self._read_weighted(X, self._read_values(y), sample_weight)
        self._set_fitted(columns.schema, **self._fit_tree(columns, values, 0))
        return self
