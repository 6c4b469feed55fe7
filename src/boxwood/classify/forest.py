"""The random forest of decision trees."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from boxwood import _core
from boxwood.classify.class_weight import CLASS_WEIGHT, class_weighted
from boxwood.classify.tree import DecisionTreeClassifier
from boxwood.classify.trees import TreeClassifier
from boxwood.columns import Columns
from boxwood.columns.weights import read_weights
from boxwood.parameters import Choice, Parameter, declare, shown
from boxwood.progress import with_callbacks
from boxwood.tree.supervised.forests import SupervisedForest, of_all_rows
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["RandomForestClassifier"]


class RandomForestClassifier(SupervisedForest, TreeClassifier):
    """Random forest: the mean of the class fractions of trees that saw different rows and columns.

    scikit-learn's parameters; categories and missing values as in `DecisionTreeClassifier`.

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

    _parameters = declare(
        CLASS_WEIGHT.but(
            f'{CLASS_WEIGHT.sentence} "balanced_subsample" balances each tree\'s own sample.',
            CLASS_WEIGHT.kind | "balanced_subsample",
        ),
        Parameter(
            "voting",
            Choice("soft", "hard"),
            "Average class fractions, or let every tree vote for its majority.",
        ),
    )

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
        max_leaf_nodes: int | str | None = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.monotonic_cst = monotonic_cst
        self.oblique = oblique
        self.voting = voting
        self.leaf_factor = leaf_factor

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

    def _read_classes(self, y: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        if sparse.issparse(y):
            raise ValueError("sparse multilabel-indicator for y is not supported.")
        return super()._read_classes(y)

    def _class_weighted(self, y: Any, codes: NDArray[np.uint32], sample_weight: Any) -> Any:
        if self.class_weight != "balanced_subsample":
            return super()._class_weighted(y, codes, sample_weight)
        if self.bootstrap:  # then each tree balances its own sample
            return sample_weight
        return class_weighted("balanced", y, len(codes), sample_weight)

    def _options(
        self, columns: Columns, seed: int, n_trees: int = 1, unit: float = 1.0
    ) -> _core.SupervisedForestOptions:
        options = super()._options(columns, seed, n_trees, unit)
        options.balanced = bool(self.bootstrap) and self.class_weight == "balanced_subsample"
        return options

    def _finished(self, trees: SupervisedTrees) -> SupervisedTrees:
        """Prune the trees, and let them vote where they should."""
        pruned = super()._finished(trees)
        return pruned.voting() if self.voting == "hard" else pruned

    def _tree_parameters(self) -> dict[str, Any]:
        given = super()._tree_parameters()
        if self.class_weight == "balanced_subsample":
            given["class_weight"] = "balanced"
        return given

    def _fitted_of_every_tree(self) -> dict[str, Any]:
        return {**super()._fitted_of_every_tree(), "classes_": self.classes_}

    oob_score_: float
    oob_decision_function_: NDArray[np.float64]
