"""What all classifiers share: from a score of each class to labels and probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from boxwood.classify.classes import read_labels
from boxwood.columns import Columns
from boxwood.estimator import TableEstimator
from boxwood.parameters import shown

__all__ = ["FractionClassifier", "TableClassifier"]


class TableClassifier(ClassifierMixin, TableEstimator):
    """A classifier whose scores are logarithms of probabilities, up to a term that all classes share.

    A subclass implements `_scores` of a table that was read, or `_class_scores` of one as it comes.
    """

    classes_: NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row; the first of `classes_` where several are.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._labels(self._class_scores(X))

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._log_probabilities(self._class_scores(X))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`.
        """
        return self._probabilities(self._class_scores(X))

    def _labels(self, scores: NDArray[np.float64]) -> NDArray[Any]:
        """Return the class of largest score."""
        if scores.shape[1] == 2:  # ten times faster than argmax along so short an axis
            return self.classes_.take((scores[:, 1] > scores[:, 0]).view(np.int8))
        return self.classes_[np.argmax(scores, axis=1)]

    def _probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.exp(log_normalized(scores))

    def _log_probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return log_normalized(scores)

    def _part_classes(self, classes: Any) -> NDArray[Any]:
        """Return the classes that parts of a table may have: those of the first call, the same ever after."""
        given = None if classes is None else np.unique(read_labels(self, classes))
        if not self.__sklearn_is_fitted__():
            if given is None:
                raise ValueError("classes must be passed on the first call to partial_fit.")
            return given
        if given is not None and not np.array_equal(given, self.classes_):
            raise ValueError(
                f"classes={shown(classes)} is not the same as on last call to partial_fit, was: "
                f"{shown(self.classes_.tolist())}"
            )
        return self.classes_

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        """Return a score of each row of a table and each class, the larger the more probable."""
        return self._scores(self._read(X))

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        """Return the log-joint of each class and row, up to a term of the row."""
        raise NotImplementedError


class FractionClassifier(TableClassifier):
    """A classifier whose scores are probabilities: fractions of votes, or of a leaf's rows."""

    def _probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        return scores

    def _log_probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(scores))


def log_normalized(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log-probabilities of log-joints; where all are −∞ or one is too large, those share it equally.

    Examples
    --------
    >>> np.exp(log_normalized(np.log([[1.0, 3.0]])))
    array([[0.25, 0.75]])
    """
    largest = scores.max(axis=1, keepdims=True)
    # −∞ − (−∞) is NaN: such a row tells nothing, and its classes share.
    shifted = np.subtract(scores, largest, out=np.zeros_like(scores), where=np.isfinite(largest))
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
