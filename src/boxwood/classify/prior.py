"""The classifier that looks at no column: the floor of every comparison."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.classify.base import TableClassifier
from boxwood.classify.classes import classes_of_state, codes_in, read_labels
from boxwood.classify.priors import PRIORS, class_counts, fit_priors, priors_of_state
from boxwood.columns import Columns, Schema
from boxwood.model_file import State
from boxwood.parameters import declare

__all__ = ["PriorClassifier"]


class PriorClassifier(TableClassifier):
    """Always the class of largest prior, with error 1 − max π_k: what any other model must beat.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Weight of each class's rows.
    priors_ : ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.PriorClassifier().fit([[0.0], [1.0], [2.0]], ["b", "a", "b"])
    >>> print(model.predict([[5.0]]), model.predict_proba([[5.0]]).round(2))
    ['b'] [[0.33 0.67]]
    """

    _parameters = declare(PRIORS.but("None learns the classes' fractions of the rows."))

    _accept_sparse = True

    classes_: NDArray[Any]
    class_count_: NDArray[np.float64]
    priors_: NDArray[np.float64]

    def __init__(self, *, priors: Any = None) -> None:
        self.priors = priors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.classifier_tags.poor_score = True  # it is the floor
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Count the classes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Only its columns' names and kinds are kept.
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, labels = self._read_weighted(X, read_labels(self, y), sample_weight)
        classes, codes = np.unique(labels, return_inverse=True)
        counts = class_counts(codes, len(classes), columns.weights)
        return self._take(columns.schema, classes, counts)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to the counts. The result equals one `fit` of all rows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), optional
            All classes that may occur. Required in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        fitted = self.__sklearn_is_fitted__()
        known = self._part_classes(classes)
        codes = codes_in(known, read_labels(self, y))
        columns, codes = self._read_weighted(X, codes, sample_weight, fitted=fitted)
        counts = class_counts(codes, len(known), columns.weights)
        return self._take(columns.schema, known, counts + self.class_count_ if fitted else counts)

    def _take(self, schema: Schema, classes: NDArray[Any], counts: NDArray[np.float64]) -> Self:
        priors = fit_priors(self, counts)
        self._set_fitted(schema, classes_=classes, class_count_=counts, priors_=priors)
        return self

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.tile(np.log(self.priors_), (columns.n_rows, 1))

    def _get_state(self) -> dict[str, Any]:
        return {
            "classes": self.classes_.tolist(),
            "class_count": self.class_count_,
            "priors": self.priors_,
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        return {"classes_": classes, **priors_of_state(state, len(classes))}
