"""The probabilities of classes given the columns."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.classify.base import FractionClassifier
from boxwood.classify.classes import classes_of_state, codes_in, read_classes, read_labels
from boxwood.columns import Columns, Field, Kind, Schema
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, check_count, declare, random_state
from boxwood.randomness import generator, seed_of
from boxwood.table.conditional import ConditionalModel, target_name, with_target
from boxwood.table.fitted_density import TARGET_MODEL
from boxwood.table.target import ClassTarget

__all__ = ["ConditionalClassifier"]


class ConditionalClassifier(FractionClassifier, ConditionalModel):
    """Classifier that tells probabilities.

    Without a `model`, by forests of small and of large leaves and the classes' frequencies, mixed with
    weights by the out-of-bag likelihood, and by gradient-boosted trees that begin with what these say and end
    by held-out rows. Gaps go with one side of a split.

    With a `model`, by its density of the columns and the class together; gaps are summed out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    target_ : ClassTarget
        The forests and the boosted trees; only without a model.
    density_ : estimator
        The fitted density, its last column the class; only with a model.
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
        TARGET_MODEL,
        Parameter("scoring", Choice("accuracy", "log_likelihood"), "What `score` returns."),
        random_state("Of the forests that are fitted where no model is given."),
    )

    def __init__(self, model: Any = None, *, scoring: str = "accuracy", random_state: Any = None) -> None:
        self.model = model
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the probabilities of the classes given the columns.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            What they are the model's `weight_kind` says; without a model, whole numbers are frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, labels = self._read_weighted(X, read_labels(self, y), sample_weight)
        classes, codes = read_classes(self, labels)
        joint = self._joint(columns, _field(columns.schema, classes), codes.astype(np.int32))
        if self.model is not None:
            self._set_fitted(columns.schema, density_=self._new_density().fit(joint), classes_=classes)
        else:
            target = ClassTarget.fit(joint, seed_of(self.random_state))
            self._set_fitted(columns.schema, target_=target, classes_=classes)
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
        check_count("n", n)
        below = np.cumsum(self._scores(self._read(X)), axis=1)[:, None, :-1]
        fractions = generator(random_state).random((len(below), n))
        return self.classes_[(below <= fractions[:, :, None]).sum(axis=2)]

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
        if "target_" in self.__dict__:
            return self.target_.probabilities(columns)
        conditionals = self._conditionals(columns, _field(self.schema_, self.classes_))
        return np.asarray(conditionals.category_probabilities(self.n_features_in_), dtype=np.float64)

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "classes": self.classes_.tolist()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        if "density" in state:  # with a model, and of files of the time when every target was a density's
            density = self._density_of_state(with_target(schema, _field(schema, classes)), state)
            return {"density_": density, "classes_": classes}
        target = ClassTarget.from_state(state.child("target"), schema, len(classes))
        return {"target_": target, "classes_": classes}


def _field(schema: Schema, classes: NDArray[Any]) -> Field:
    return Field(target_name(schema), Kind.CATEGORICAL, tuple(classes.tolist()))
