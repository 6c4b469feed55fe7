"""The random forest of decision trees."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.classify.tree import DecisionTreeClassifier
from boxwood.classify.trees import TreeClassifier
from boxwood.columns.weights import read_weights
from boxwood.parameters import check_choice, shown
from boxwood.progress import with_callbacks
from boxwood.tree.supervised.forests import ForestMixin, of_all_rows

__all__ = ["RandomForestClassifier"]


class RandomForestClassifier(ForestMixin, TreeClassifier):
    """Random forest: the mean of the class fractions of trees that saw different rows and columns.

    scikit-learn's parameters; categories and missing values as in `DecisionTreeClassifier`.

    Parameters
    ----------
    n_estimators : int, default=100
    criterion : {"gini", "entropy", "log_loss", "gaussian_conditional_entropy"}, default="gini"
    max_depth : int or None, default=None
    min_samples_split : int or float, default=2
    min_samples_leaf : int or float, default=1
    min_weight_fraction_leaf : float, default=0.0
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        Columns tried at a node, drawn anew at each.
    max_leaf_nodes : int or None, default=None
    min_impurity_decrease : float, default=0.0
    bootstrap : bool, default=True
        Draw each tree's rows with replacement, else every tree sees all.
    oob_score : bool or callable, default=False
        Score the forest on the rows that each tree did not see, by accuracy or by ``oob_score(y, told)``.
    n_jobs : int or None, default=None
        Threads; the fitted model is the same for any number of them.
    random_state : int, RandomState or None, default=None
    verbose : int, default=0
        1 shows a progress bar on standard error; see `DensityForest` for callbacks.
    warm_start : bool, default=False
        Add trees to those of the last fit, which stay.
    class_weight : dict, "balanced", "balanced_subsample" or None, default=None
        ``"balanced_subsample"`` balances each tree's own sample.
    ccp_alpha : float, default=0.0
    max_samples : int, float or None, default=None
        Number, or share, of the rows drawn for a tree.
    monotonic_cst : array-like of shape (n_features,), dict of column names or None, default=None
        Direction in which what is told must go with each column of numbers: 1 up, −1 down, 0 any. Of two
        classes it is about the probability of the second.
    oblique : int, default=0
        Oblique splits tried at a node beside the columns: each a direction x·w < t that mixes √n_features
        random columns of numbers, fitted to the node's targets.
    voting : {"soft", "hard"}, default="soft"
        Average class fractions, or let every tree vote for its majority.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    feature_importances_ : ndarray of shape (n_features,)
    oob_score_ : float
        Accuracy out of bag, where asked for.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Class shares out of bag; NaN for rows that every tree saw, and for rows of weight 0.
    estimators_ : list of DecisionTreeClassifier
        The trees as estimators, made when asked for.
    trees_ : TargetTrees
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = bw.RandomForestClassifier(random_state=0, oob_score=True).fit(X, y)
    >>> bool(forest.oob_score_ > 0.9)
    True
    """

    _tree_class = DecisionTreeClassifier

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = "sqrt",
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        bootstrap: bool = True,
        oob_score: Any = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        max_samples: int | float | None = None,
        monotonic_cst: Any = None,
        oblique: int = 0,
        voting: str = "soft",
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.oblique = oblique
        self.voting = voting

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

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
        weights = read_weights(self._class_weighted(y, codes, sample_weight), len(codes))
        columns, codes = self._read_weighted(X, codes, weights)
        self._check_classes_before(classes)
        fitted = self._fit_forest(X, columns, codes, len(classes))
        fractions = fitted.pop("oob")
        if fractions is not None:
            fitted["oob_decision_function_"] = of_all_rows(fractions, weights)
            fitted["oob_score_"] = self._score_out_of_bag(classes, codes, fractions, columns.weights)
        self._set_fitted(columns.schema, classes_=classes, **fitted)
        return self

    def _check_classes_before(self, classes: NDArray[Any]) -> None:
        kept = self.warm_start and self.__sklearn_is_fitted__()
        if kept and not np.array_equal(classes, self.classes_):
            raise ValueError(
                "warm_start=True adds trees to those of the last fit, which tell the classes "
                f"{shown(self.classes_.tolist())}, but y has {shown(classes.tolist())}. "
                "Fit it with warm_start=False."
            )

    def _score_out_of_bag(
        self, classes: NDArray[Any], codes: NDArray[Any], fractions: NDArray[np.float64], weights: Any
    ) -> float:
        seen = ~np.isnan(fractions[:, 0])
        if not seen.any():
            return float("nan")
        predicted = np.argmax(fractions[seen], axis=1)
        if callable(self.oob_score):
            return float(self.oob_score(classes[codes[seen]], classes[predicted]))
        return float(np.average(predicted == codes[seen], weights=None if weights is None else weights[seen]))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "voting", ["soft", "hard"])

    oob_score_: float
    oob_decision_function_: NDArray[np.float64]
