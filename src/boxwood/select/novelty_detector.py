"""Novelty detection over any model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from boxwood.columns import BaseMeasure, Column, Columns, Field, Kind, Schema, to_native
from boxwood.columns.weights import read_weights
from boxwood.density.forest import DensityForest
from boxwood.estimator import TableEstimator
from boxwood.evidence import Evidence, kept_labels
from boxwood.model_file import ModelFileError, State
from boxwood.novelty import NoveltyMixin, score_table
from boxwood.parameters import Checked, Integer, Parameter, declare, random_state, shown
from boxwood.select.classifier_validation import fit_to
from boxwood.select.folds import make_folds
from boxwood.select.units import (
    evidence_for,
    folds_by_units,
    for_parts,
    is_number_of_folds,
    rows_of,
)

__all__ = ["NoveltyDetector"]


def check_model(where: str, model: object) -> None:
    """Raise unless a model scores rows or tells probabilities."""
    if not hasattr(model, "get_params"):
        raise TypeError(f"{where} must be an estimator; got {shown(model)}.")
    if not hasattr(model, "score_samples") and not hasattr(model, "predict_proba"):
        raise TypeError(
            f"{where} must have score_samples or predict_proba, which {type(model).__name__} has not."
        )


def check_cv(where: str, cv: object) -> None:
    """Raise for a number of folds below two; other folds are judged with the rows."""
    if isinstance(cv, int | np.integer):
        Integer(2).check(where, cv)


def _explains(detector: Any) -> bool:
    """Return whether a detector's model tells which cells are odd."""
    return hasattr(detector.model_ if hasattr(detector, "model_") else detector._new_model(), "explain")


class NoveltyDetector(NoveltyMixin, TableEstimator):
    """Tells what is odd by any model's own score of rows, with p-values from cross-validation.

    Densities do so by themselves. This does it for everything else that scores rows: classifiers by Bayes'
    rule, whose score is the density of a row whatever its class; other classifiers, whose score is the
    probability of the class that they tell, so that what is odd is what they doubt (far from all rows many
    are as sure as ever, which no threshold can mend); densities and outlier detectors of other libraries.

    Attributes
    ----------
    model_ : estimator
        Fitted to all rows.
    offset_ : float
        Score below which a row is odd.
    calibration_scores_ : ndarray
        Held-out scores in ascending order, behind the p-values.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> detector = bw.NoveltyDetector(bw.BayesClassifier(bw.GaussianDensity())).fit(X, y)
    >>> detector.predict([X[0], [9.0, 9.0, 1.0, 1.0]])
    array([ 1, -1])
    """

    _parameters = declare(
        Parameter(
            "model",
            Checked("estimator with score_samples or predict_proba", check_model) | None,
            "Cloned and fitted; without it ``DensityForest(random_state=0)``.",
        ),
        Parameter(
            "cv",
            Checked('int, float, "loo", cross-validation generator or iterable', check_cv),
            "Folds, each scored by a model fitted to the others, behind the p-values. An integer makes that "
            "many of shuffled rows; rows that are in no fold keep the score of the model of all rows.",
        ),
        random_state("Shuffles the rows."),
    )

    model_: Any

    def __init__(
        self, model: Any = None, *, false_alarm_rate: float = 0.05, cv: Any = 5, random_state: Any = 0
    ) -> None:
        self.model = model
        self.false_alarm_rate = false_alarm_rate
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit the model, and models without each fold.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            What the model needs, such as classes.
        sample_weight : array-like of shape (n_samples,), optional
        groups : array-like of shape (n_samples,), optional
            Rows of a group are in the same fold where `cv` is a number.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, targets, kept = self._read_rows(X, y, sample_weight)
        model = self._new_model()
        labels = kept_labels(groups, sample_weight)
        evidence = evidence_for(model, _with_target(columns, targets), labels)
        # Scores of folds compare under one measure: that of the whole table.
        measures = evidence.discrete.measures[: len(columns)]
        columns = columns.with_measure(BaseMeasure.found(measures))
        fit_to(model, columns, targets)
        held_out = _scores(model, columns)
        if is_number_of_folds(self.cv):
            found = self._scores_by_units(evidence, columns, targets)
            held_out = np.where(np.isnan(found), held_out, found)
        else:
            for train, test in make_folds(self.cv, columns.n_rows, None, self.random_state, kept):
                other = self._new_model()
                fit_to(other, columns.take(train), None if targets is None else targets[train])
                held_out[test] = _scores(other, columns.take(test))
        worth = evidence.given_weights * (evidence.n / evidence.given_weights.sum())
        novelty = self._novelty(held_out, None if (worth == 1.0).all() else worth)
        self._set_fitted(columns.schema, model_=model, **novelty)
        return self

    def _scores_by_units(
        self, evidence: Evidence, columns: Columns, targets: NDArray[Any] | None
    ) -> NDArray[np.float64]:
        """Return each row's mean score by models without its fold; NaN for rows in no fold."""
        if isinstance(self.cv, int | np.integer) and evidence.n < self.cv:
            return np.full(columns.n_rows, np.nan)  # of so few rows the model's own scores have to do
        first = np.zeros(evidence.n_rows, dtype=np.int64)
        first[evidence.number[::-1]] = np.arange(columns.n_rows)[::-1]
        # Rows without the target, which the evidence has as a column.
        of_rows = replace(evidence, columns=columns.without_weights().take(first))
        total, weight = np.zeros(evidence.n_rows), np.zeros(evidence.n_rows)
        for fold in folds_by_units(evidence, self.cv, self.random_state):
            other = for_parts(self._new_model(), evidence)
            seen, rows = rows_of(of_rows, fold.train)
            fit_to(other, seen, None if targets is None else targets[first][rows])
            held = np.flatnonzero(fold.held)
            scores = _scores(other, of_rows.columns.take(held))
            total[held] += fold.held[held] * scores
            weight[held] += fold.held[held]
        with np.errstate(invalid="ignore"):
            return evidence.of_given_rows(total / weight)

    @available_if(_explains)  # type: ignore[untyped-decorator]
    def explain(self, X: Any, kind: str = "rest") -> Any:
        """Return how surprising each cell of each row is, as the model has it: only where it is a density.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        kind : {"rest", "order"}, default="rest"
            See `DensityForest.explain`.

        Returns
        -------
        array or frame of shape (n_samples, n_features)
        """
        return self.model_.explain(self._read(X), kind)

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the model's score of each row: low for what is odd.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            ``score_samples`` of the model, or the logarithm of the largest class probability.
        """
        columns = self._read(X)
        return _scores(self.model_, columns)

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Columns, NDArray[Any] | None, NDArray[np.bool_] | None]:
        """Read a table with its targets, and tell which rows have a weight."""
        columns = self._read_fit(X)
        weights = read_weights(sample_weight, columns.n_rows)
        kept = None if weights is None else weights > 0.0
        if y is None:
            return columns.with_weights(weights), None, kept
        weighted, targets = self._read_weighted(columns, np.asarray(y), weights)
        return weighted, targets, kept

    def _new_model(self) -> Any:
        return DensityForest(random_state=0) if self.model is None else clone(self.model)

    def _get_state(self) -> dict[str, Any]:
        if type(self._new_model()) is not type(self.model_):
            raise ModelFileError("NoveltyDetector: model was changed since the fit; fit it again")
        if not isinstance(self.model_, TableEstimator):
            raise ModelFileError(
                f"NoveltyDetector: {type(self.model_).__name__} is not a class of boxwood's, so that no file "
                "of it could be read"
            )
        return {"model": self.model_._get_state(), **self._get_novelty_state()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        model = self._new_model()
        if not isinstance(model, TableEstimator):
            raise state.error("model", "is no model of boxwood's")
        model._restore(schema.to_json(), state.child("model"))
        return {"model_": model, **self._novelty_of_state(state)}


def _with_target(columns: Columns, targets: NDArray[Any] | None) -> Columns:
    """Return the table with the targets as categories: rows of two classes are not equal."""
    if targets is None:
        return columns
    labels, codes = np.unique(targets.astype(str), return_inverse=True)
    field = Field("target of the model", Kind.CATEGORICAL, tuple(labels.tolist()))
    target = Column(field, codes.astype(np.int32), 0)
    schema = Schema((*columns.schema.fields, field), named=True)
    return Columns(schema, columns.n_rows, columns=[*columns, target], weights=columns.weights)


def _scores(model: Any, columns: Columns) -> NDArray[np.float64]:
    rows = columns if isinstance(model, TableEstimator) else to_native(columns)
    if hasattr(model, "score_samples"):
        return score_table(model, rows)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.max(model.predict_proba(rows), axis=1)), dtype=np.float64)
