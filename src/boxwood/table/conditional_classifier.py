"""The probabilities of classes given the columns, by a density of both together."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.classify.base import FractionClassifier
from boxwood.classify.classes import classes_of_state, codes_in, read_classes, read_labels
from boxwood.columns import Columns, Field, Kind, Schema
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, declare, random_state
from boxwood.table.conditional import ConditionalModel, target_name, with_target
from boxwood.table.fitted_density import MODEL

__all__ = ["ConditionalClassifier"]


class ConditionalClassifier(FractionClassifier, ConditionalModel):
    """Classifier by a density of the columns and the class together.

    Gaps in the columns are summed out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    density_ : estimator
        The fitted density; its last column is the class.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = bw.ConditionalClassifier(random_state=0).fit(X, y)
    >>> model.predict([[5.0, 3.5, 1.5, float("nan")], [6.5, 3.0, 5.8, 2.2]])
    array([0, 2])
    """

    _parameters = declare(
        MODEL,
        Parameter("scoring", Choice("accuracy", "log_likelihood"), "What `score` returns."),
        random_state("Of the forest that is fitted where no model is given."),
    )

    def __init__(self, model: Any = None, *, scoring: str = "accuracy", random_state: Any = None) -> None:
        self.model = model
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the density of the columns and the class.

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
        columns, labels = self._read_weighted(X, read_labels(self, y), sample_weight)
        classes, codes = read_classes(self, labels)
        density = self._fit_density(columns, _field(columns.schema, classes), codes.astype(np.int32))
        self._set_fitted(columns.schema, density_=density, classes_=classes)
        return self

    def sample(self, X: Any, n: int = 1, random_state: Any = None) -> NDArray[Any]:
        """Draw classes of each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        n : int, default=1
            How many for each row.
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ndarray of shape (n_samples, n)
        """
        return self.classes_[self._draws(X, n, random_state).astype(np.intp)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the fraction of classes told right, or the mean log-probability of the true ones.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        if self.scoring == "accuracy":
            return float(super().score(X, y, sample_weight))
        columns, labels = self._read_weighted(X, read_labels(self, y), sample_weight, fitted=True)
        codes = codes_in(self.classes_, labels)
        with np.errstate(divide="ignore"):
            logs = np.log(self._scores(columns)[np.arange(len(codes)), codes])
        return float(np.average(logs, weights=columns.weights))

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        found = self._conditionals(columns).category_probabilities(self.n_features_in_)
        return np.asarray(found, dtype=np.float64)

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "classes": self.classes_.tolist()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        density = self._density_of_state(with_target(schema, _field(schema, classes)), state)
        return {"density_": density, "classes_": classes}


def _field(schema: Schema, classes: NDArray[Any]) -> Field:
    return Field(target_name(schema), Kind.CATEGORICAL, tuple(classes.tolist()))
