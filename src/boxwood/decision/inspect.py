"""What is asked of a single decision or regression tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from boxwood.decision.base import TargetEstimator

__all__ = ["SingleTree"]


class SingleTree(TargetEstimator):
    """The methods of scikit-learn's trees that ask for the tree itself."""

    def get_depth(self) -> int:
        """Give the depth of the tree: the most cuts between its root and a leaf."""
        check_is_fitted(self)
        return int(self.trees_.depth(0).max())

    def get_n_leaves(self) -> int:
        """Give the number of leaves."""
        check_is_fitted(self)
        return int((self.trees_.feature < 0).sum())

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Give the alphas at which pruning takes a subtree away, with the impurity of what is left.

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
