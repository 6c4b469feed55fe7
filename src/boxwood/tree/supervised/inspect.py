"""What is asked of a single decision or regression tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from boxwood import _core
from boxwood.columns import Columns, Schema
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, declare
from boxwood.tree.supervised.base import SupervisedEstimator, n_outputs
from boxwood.tree.supervised.options import features_a_node
from boxwood.tree.supervised.parameters import CCP_ALPHA
from boxwood.tree.supervised.pruning import RULES, choose_alpha
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["SingleTree"]


class SingleTree(SupervisedEstimator):
    """The methods of scikit-learn's trees that ask for the tree itself."""

    _parameters = declare(
        Parameter(
            "splitter",
            Choice("best", "random"),
            "The best cut of a column, or one at random between its extremes in the node.",
        ),
        CCP_ALPHA.but(
            "Penalty per leaf by which the tree is pruned, or how to choose it from the tree's own pruning "
            "path: on a fifth of the rows, or by cross-validation on five fifths, by the Brier score of "
            "classes or the squared error of values.",
            CCP_ALPHA.kind | Choice(*RULES),
        ),
    )

    splitter: str

    ccp_alpha_: float

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node of the leaf that each row falls into.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return super().apply(X)[:, 0]

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes, as a sparse indicator matrix.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node.
        """
        return super().decision_path(X)[0]

    def get_depth(self) -> int:
        """Return the depth of the tree: the most cuts between its root and a leaf."""
        check_is_fitted(self)
        return int(self.trees_.depth(0).max())

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return int((self.trees_.feature < 0).sum())

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas at which pruning takes a subtree away, with the impurity of what is left.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        Bunch with ``ccp_alphas`` and ``impurities``
        """
        whole = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight=sample_weight)
        steps = whole.trees_.path(0)
        alphas = np.array([alpha for alpha, _, _ in steps])
        return Bunch(ccp_alphas=alphas, impurities=np.array([loss for _, _, loss in steps]))

    def to_sklearn(self) -> Any:
        """Return the tree as a fitted scikit-learn one, for `plot_tree`, `export_text`, SHAP and the like.

        Its predictions are the same for rows of single-precision numbers; others scikit-learn rounds to
        single precision first.

        Returns
        -------
        sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor

        Raises
        ------
        ValueError
            Where the tree splits a column into sets of categories, or obliquely.
        """
        from boxwood.tree.supervised.export import sklearn_tree

        check_is_fitted(self)
        parameters = {**self.get_params(), "ccp_alpha": self.ccp_alpha_}
        return sklearn_tree(self.trees_, 0, self.schema_, parameters, self._class_labels(), self.n_outputs_)

    @property
    def tree_(self) -> Any:
        """The nodes as scikit-learn's `Tree`, a copy; only where `to_sklearn` can give one."""
        from boxwood.tree.supervised.export import sklearn_nodes

        check_is_fitted(self)
        try:
            return sklearn_nodes(self.trees_, 0, self.schema_, self.n_outputs_)
        except ValueError as error:  # `hasattr` then says that it is not there
            raise AttributeError(f"tree_ is not there. {error}") from None

    @property
    def max_features_(self) -> int:
        """Columns tried at a node."""
        check_is_fitted(self)
        n_columns = len(self.schema_)
        return features_a_node(self.max_features, n_columns) or n_columns

    def _fit_tree(self, columns: Columns, targets: NDArray[Any], n_classes: int) -> dict[str, Any]:
        """Return the fitted attributes: the tree, pruned by the penalty that is given or chosen."""
        seed = self._seed()

        def grow(some: Columns, their: NDArray[Any]) -> SupervisedTrees:
            return self._grow(some, their, n_classes, seed)[1]

        cuts, trees, _, _ = self._grow(columns, targets, n_classes, seed)
        alpha = self.ccp_alpha
        if isinstance(alpha, str):
            alpha = choose_alpha(alpha, trees, columns, targets, grow, seed)
        return {
            "cuts_": cuts,
            "trees_": trees.pruned(float(alpha)),
            "ccp_alpha_": float(alpha),
            "n_outputs_": n_outputs(targets),
        }

    def _grow_options(self, columns: Columns, fraction: float, unit: float) -> _core.GrowOptions:
        options = super()._grow_options(columns, fraction, unit)
        options.random_splits = 1 if self.splitter == "random" else 0
        return options

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "ccp_alpha": self.ccp_alpha_}

    def _trees_of_state(self, schema: Schema, state: State, n_classes: int) -> dict[str, Any]:
        alpha = state.number("ccp_alpha", low=0.0)
        return {**super()._trees_of_state(schema, state, n_classes), "ccp_alpha_": alpha}

    max_features: Any
