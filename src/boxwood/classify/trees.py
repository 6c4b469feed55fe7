"""What tree classifiers share: reading classes, telling shares and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import ClassifierMixin

from boxwood.classify.classes import class_weighted, classes_of_state, read_classes, read_labels
from boxwood.columns import Schema
from boxwood.model_file import State
from boxwood.parameters import check_choice
from boxwood.tree.supervised import SupervisedEstimator
from boxwood.tree.supervised.options import GAUSSIAN, check_tree_parameters

__all__ = ["TreeClassifier"]


class TreeClassifier(ClassifierMixin, SupervisedEstimator):
    """A tree or forest that tells classes."""

    _criteria = ("gini", "entropy", "log_loss", GAUSSIAN)

    classes_: NDArray[Any]
    class_weight: Any

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class: the mean over trees of the fractions in the leaves.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._predicted(X)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of `predict_proba`.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row; the first of `classes_` where several are.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        fractions = self.predict_proba(X)
        return self.classes_[np.argmax(fractions, axis=1)]

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    def _check_parameters(self) -> None:
        check_tree_parameters(self, self._criteria)
        if isinstance(self.class_weight, str):
            of_forests = ["balanced_subsample"] if self._is_forest else []
            check_choice(self, "class_weight", ["balanced", *of_forests])

    def _read_classes(self, y: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        if sparse.issparse(y) and hasattr(self, "n_estimators"):
            raise ValueError("sparse multilabel-indicator for y is not supported.")
        return read_classes(self, y)

    def _read_targets(self, y: Any) -> NDArray[Any]:
        return read_labels(self, y)

    def _score_of(self, predicted: NDArray[np.float64], targets: NDArray[Any], weights: Any) -> float:
        return float(np.average(self.classes_[np.argmax(predicted, axis=1)] == targets, weights=weights))

    def _class_weighted(self, y: Any, codes: NDArray[np.uint32], sample_weight: Any) -> Any:
        """Return row weights times class weights."""
        wanted = self.class_weight
        if wanted == "balanced_subsample" and hasattr(self, "bootstrap"):
            if self.bootstrap:  # then each tree balances its own sample
                return sample_weight
            wanted = "balanced"
        return class_weighted(wanted, y, len(codes), sample_weight)

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "classes": self.classes_.tolist()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        return {**self._trees_of_state(schema, state, len(classes)), "classes_": classes}
