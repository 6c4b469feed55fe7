"""Judging classifiers on rows that they have not seen."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from boxwood.classify.classes import read_labels
from boxwood.columns import Columns, read_columns, to_native
from boxwood.columns.weights import read_weights
from boxwood.estimator import TableEstimator
from boxwood.select.cross_validation import Optimistic, mean_of, variance_of
from boxwood.select.folds import Fold, make_folds
from boxwood.select.numbers import EncodedModel
from boxwood.select.probabilities import brier_scores, calibration_error, log_losses

__all__ = [
    "ClassifierValidation",
    "LabelledTable",
    "cross_val_error",
    "fit_to",
    "reads_columns",
    "run_folds",
    "validate",
]


@dataclass(frozen=True, eq=False)
class ClassifierValidation(Optimistic):
    """What cross-validation of a classifier found.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The classes, sorted; the columns of `probabilities`.
    test_errors, train_errors : ndarray of shape (n_folds,)
        Fraction of wrong answers among each fold's held-out rows, and among the rows of its fit.
    log_losses, train_log_losses, brier_scores : ndarray of shape (n_folds,)
        Means over the held-out rows, and over those of the fit: −log of the probability of the true class,
        in nats (a probability of zero counts as 2.2e-16), and Σ_k (p_k − [the class is k])².
    calibration_error : float
        Of all held-out rows: the mean difference between the probability of the predicted class and the
        fraction of right answers, in ten bins of equal weight by that probability.
    fit_seconds, predict_seconds : ndarray of shape (n_folds,)
        Wall time of the fit, and of telling the held-out rows' probabilities.
    probabilities : ndarray of shape (n_samples, n_classes)
        What each row was predicted by the model that had not seen it; NaN for rows that were never held out.
    warnings : tuple of str
        What the model warned of, each once.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> found = bw.cross_val_error(bw.HistogramNB(), *load_iris(return_X_y=True))
    >>> found.probabilities.shape, bool(found.test_errors.mean() < 0.1)
    ((150, 3), True)
    """

    classes: NDArray[Any]
    test_errors: NDArray[np.float64]
    train_errors: NDArray[np.float64]
    log_losses: NDArray[np.float64]
    train_log_losses: NDArray[np.float64]
    brier_scores: NDArray[np.float64]
    calibration_error: float
    fit_seconds: NDArray[np.float64]
    predict_seconds: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    warnings: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Mean of the test errors over the folds."""
        return mean_of(self.test_errors)

    @property
    def std(self) -> float:
        """Standard deviation of the test errors over the folds; NaN of one fold."""
        return float(np.sqrt(self.variance))

    @property
    def variance(self) -> float:
        """Variance of the test errors over the folds; NaN of one fold."""
        return variance_of(self.test_errors)

    @property
    def train_error(self) -> float:
        """Mean of the training errors over the folds."""
        return mean_of(self.train_errors)

    @property
    def log_loss(self) -> float:
        """Mean of the log-losses over the folds."""
        return mean_of(self.log_losses)

    @property
    def brier_score(self) -> float:
        """Mean of the Brier scores over the folds."""
        return mean_of(self.brier_scores)

    def __repr__(self) -> str:
        folds = "1 fold" if len(self.test_errors) == 1 else f"{len(self.test_errors)} folds"
        return (
            f"error {self.error:.4g} ± {self.std:.2g} over {folds}, in training {self.train_error:.4g} "
            f"(optimism {self.optimism:.3g}); log-loss {self.log_loss:.4g}"
        )


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """A table whose rows have classes; rows of weight zero are not in it."""

    columns: Columns
    classes: NDArray[Any]
    codes: NDArray[np.intp]
    kept: NDArray[np.bool_] | None = None
    """Which of the rows that were given these are, where they had weights."""

    @classmethod
    def read(cls, X: Any, y: Any, sample_weight: Any, reader: Any) -> LabelledTable:
        """Read a table and its labels; `reader` is who asks, for the messages."""
        columns, labels = read_columns(X), read_labels(reader, y)
        if columns.n_rows != len(labels):
            raise ValueError(f"X has {columns.n_rows} rows, y has {len(labels)}.")
        weights = read_weights(sample_weight, columns.n_rows)
        if weights is not None:
            columns, labels = columns.with_weights(weights), labels[weights > 0.0]
        classes, codes = np.unique(labels, return_inverse=True)
        return cls(columns, classes, codes, None if weights is None else weights > 0.0)

    def folds(self, cv: Any, random_state: Any) -> list[Fold]:
        """Return the folds that a parameter ``cv`` asks for."""
        return make_folds(cv, self.columns.n_rows, self.codes, random_state, self.kept)


def cross_val_error(
    estimator: Any, X: Any, y: Any, *, cv: Any = 5, sample_weight: Any = None, random_state: Any = 0
) -> ClassifierValidation:
    """Return the error of a classifier on held-out rows, its spread over folds, and its optimism.

    Parameters
    ----------
    estimator : classifier
        Boxwood's, or any with ``fit`` and ``predict_proba``, such as a pipeline of scikit-learn's. It is
        cloned, not changed. Boxwood's own are given the table as `boxwood.read_columns` reads it, others in
        its own container.
    X : table
        Of any kind that `boxwood.read_columns` takes.
    y : array-like of shape (n_samples,)
        Classes, of any type.
    cv : int, float, "loo", cross-validation generator or iterable, default=5
        An integer makes that many stratified folds of shuffled rows, a fraction in (0, 1) holds out one
        part of that size, "loo" each row in turn; all else is as scikit-learn takes it.
    sample_weight : array-like of shape (n_samples,), optional
        Frequencies, in training and in the scores. Folds are of rows.
    random_state : int, RandomState or None, default=0
        Shuffles the rows where `cv` is a number.

    Returns
    -------
    ClassifierValidation

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = bw.cross_val_error(bw.BayesClassifier(bw.GaussianDensity()), X, y)
    >>> print(f"{found.error:.3f}, in training {found.train_error:.3f}")
    0.033, in training 0.015
    """
    table = LabelledTable.read(X, y, sample_weight, estimator)
    found = validate(lambda: clone(estimator), table, table.folds(cv, random_state))
    for message in found.warnings:
        warnings.warn(message, stacklevel=2)
    return found


def validate(
    make: Callable[[], Any],
    table: LabelledTable,
    folds: list[Fold],
    go_on: Callable[[int], None] = lambda n_done: None,
) -> ClassifierValidation:
    """Fit a new model to each fold's rows and score it on the others.

    `go_on` is called after each fold with the number of folds done, and may raise to stop. Warnings of the
    models are kept in the result, not shown.
    """
    probabilities = np.full((len(table.codes), len(table.classes)), np.nan)
    scores, messages = run_folds(
        lambda train, test: _one_fold(make(), table, train, test), folds, probabilities, go_on
    )
    test_errors, train_errors, losses, train_losses, briers, fit_seconds, predict_seconds = scores
    return ClassifierValidation(
        table.classes,
        test_errors,
        train_errors,
        losses,
        train_losses,
        briers,
        _calibration(probabilities, table),
        fit_seconds,
        predict_seconds,
        probabilities,
        messages,
    )


def run_folds(
    one_fold: Callable[[NDArray[np.intp], NDArray[np.intp]], tuple[Any, ...]],
    folds: list[Fold],
    predicted: NDArray[np.float64],
    go_on: Callable[[int], None],
) -> tuple[list[NDArray[np.float64]], tuple[str, ...]]:
    """Score each fold: numbers, and last what the held-out rows were predicted, which goes into `predicted`.

    Returns
    -------
    scores : list of ndarray of shape (n_folds,)
    messages : tuple of str
        What the models warned of, each once.
    """
    scores: list[tuple[float, ...]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n_done, (train, test) in enumerate(folds, 1):
            *found, predicted[test] = one_fold(train, test)
            scores.append(tuple(found))
            go_on(n_done)
    columns = [np.array(column) for column in zip(*scores, strict=True)]
    return columns, tuple(dict.fromkeys(str(entry.message) for entry in caught))


def _one_fold(
    model: Any, table: LabelledTable, train: NDArray[np.intp], test: NDArray[np.intp]
) -> tuple[Any, ...]:
    seen, unseen = table.columns.take(train), table.columns.take(test)
    codes = table.codes[test]
    started = time.perf_counter()
    fit_to(model, seen, table.classes[table.codes[train]])
    fitted = time.perf_counter()
    predicted = _predicted(model, unseen, table.classes)
    ended = time.perf_counter()
    of_seen = _predicted(model, seen, table.classes)
    wrong = predicted.argmax(axis=1) != codes
    wrong_seen = of_seen.argmax(axis=1) != table.codes[train]
    return (
        float(np.average(wrong, weights=unseen.weights)),
        float(np.average(wrong_seen, weights=seen.weights)),
        float(np.average(log_losses(predicted, codes), weights=unseen.weights)),
        float(np.average(log_losses(of_seen, table.codes[train]), weights=seen.weights)),
        float(np.average(brier_scores(predicted, codes), weights=unseen.weights)),
        fitted - started,
        ended - fitted,
        predicted,
    )


def fit_to(model: Any, columns: Columns, labels: NDArray[Any] | None) -> None:
    """Fit a model to a table with its weights: as columns where it reads these, else in its own container."""
    if reads_columns(model):
        model.fit(columns, labels)
    elif columns.weights is None:
        model.fit(to_native(columns), labels)
    elif has_fit_parameter(model, "sample_weight"):
        model.fit(to_native(columns), labels, sample_weight=columns.weights)
    else:
        raise TypeError(f"{type(model).__name__} takes no sample_weight.")


def _predicted(model: Any, columns: Columns, classes: NDArray[Any]) -> NDArray[np.float64]:
    """Return probabilities of all classes; one that the model has not seen has probability zero."""
    fractions = np.zeros((columns.n_rows, len(classes)))
    rows = columns if reads_columns(model) else to_native(columns)
    fractions[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(rows)
    return fractions


def reads_columns(model: Any) -> bool:
    """Return whether a model takes a table as columns."""
    return isinstance(model, TableEstimator | EncodedModel)


def _calibration(probabilities: NDArray[np.float64], table: LabelledTable) -> float:
    seen = ~np.isnan(probabilities[:, 0])
    weights = None if table.columns.weights is None else table.columns.weights[seen]
    return calibration_error(probabilities[seen], table.codes[seen], weights)
