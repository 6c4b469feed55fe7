"""The random forest of regression trees."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.weights import read_weights
from boxwood.progress import with_callbacks
from boxwood.regress.tree import DecisionTreeRegressor
from boxwood.regress.trees import TreeRegressor
from boxwood.tree.supervised.forests import SupervisedForest, of_all_rows

__all__ = ["RandomForestRegressor"]


class RandomForestRegressor(SupervisedForest, TreeRegressor):
    """Random forest: the mean of trees that saw different rows and columns.

    scikit-learn's parameters; categories and missing values as in `DecisionTreeRegressor`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
    oob_score_ : float
        Coefficient of determination out of bag, where asked for.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Predictions out of bag; NaN for rows that every tree saw, and for rows of weight 0.
    estimators_ : list of DecisionTreeRegressor
        The trees as estimators, made when asked for.
    trees_ : TargetTrees
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = bw.RandomForestRegressor(random_state=0, oob_score=True).fit(X, y)
    >>> bool(forest.oob_score_ > 0.4)
    True
    """

    _tree_class = DecisionTreeRegressor

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = 1.0,
        max_leaf_nodes: int | str | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        oblique: int = 0,
        leaf_factor: float | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.oblique = oblique
        self.leaf_factor = leaf_factor

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

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
        values = self._read_values(y)
        weights = read_weights(sample_weight, len(values))
        columns, values = self._read_weighted(X, values, weights)
        fitted = self._fit_forest(X, columns, values, 0)
        oob = fitted.pop("oob")
        if oob is not None:
            fitted["oob_prediction_"] = of_all_rows(self._as_given(oob), weights)
            fitted["oob_score_"] = self._score_out_of_bag(values, self._as_given(oob), columns.weights)
        self._set_fitted(columns.schema, **fitted)
        return self

    def _score_out_of_bag(
        self, values: NDArray[np.float64], predicted: NDArray[np.float64], weights: Any
    ) -> float:
        from sklearn.metrics import r2_score

        seen = ~np.isnan(predicted.reshape(len(predicted), -1)[:, 0])
        if seen.sum() < 2:
            return float("nan")
        if callable(self.oob_score):
            return float(self.oob_score(values[seen], predicted[seen]))
        return float(
            r2_score(values[seen], predicted[seen], sample_weight=None if weights is None else weights[seen])
        )

    oob_score_: float
    oob_prediction_: NDArray[np.float64]
