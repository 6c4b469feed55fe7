"""Comparing classifiers on the same held-out rows."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.bayes_error import BayesErrorBounds, bayes_error_bounds
from boxwood.columns import Schema
from boxwood.columns.new_frame import new_frame
from boxwood.parameters import shown
from boxwood.randomness import generator, seed_of
from boxwood.select.classifier_validation import ClassifierValidation, LabelledTable, validate
from boxwood.select.families import makers_of
from boxwood.select.numbers import TableEncoder

__all__ = ["Comparison", "compare"]

MOST_NEIGHBORS = 10_000
"""Of more rows so many, drawn at random, bracket the Bayes error: their distances would take all the time."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What `compare` found.

    Attributes
    ----------
    validations : dict of name to ClassifierValidation
        The models that were compared, that of least error first; of equal ones that of least log-loss.
    left_out : dict of name to str
        The models that were not, each with the reason.
    bayes_error : BayesErrorBounds or None
        The bracket of the error that no classifier can beat, from the 1-NN error of the scaled table without
        weights (of 10,000 of its rows at most). It is asymptotic: with few rows its lower end may lie above
        the Bayes error, and above the error of a good model. See `bayes_error_bounds`. None where it could
        not be found, as `left_out` says.
    schema : Schema
        Of the table.
    """

    validations: dict[str, ClassifierValidation]
    left_out: dict[str, str]
    bayes_error: BayesErrorBounds | None
    schema: Schema

    @property
    def best(self) -> str:
        """The name of the model of least error."""
        return next(iter(self.validations))

    @property
    def frame(self) -> Any:
        """The results as a frame, one row a model, that of least error first.

        Of the table's own library, else of pandas, polars or pyarrow, whichever is installed, else a dict of
        arrays. Its columns are

        - ``model``;
        - ``error`` and ``error_std``: mean and deviation over folds of the fraction of wrong answers;
        - ``log_loss``, in nats, ``brier_score``, and ``calibration_error``: see `ClassifierValidation`;
        - ``train_error``, and ``optimism``, by how much the error of held-out rows exceeds it;
        - ``fit_seconds`` and ``predict_seconds`` a fold.
        """
        found = self.validations.values()
        return new_frame(
            {
                "model": list(self.validations),
                "error": np.array([each.error for each in found]),
                "error_std": np.array([each.std for each in found]),
                "log_loss": np.array([each.log_loss for each in found]),
                "brier_score": np.array([each.brier_score for each in found]),
                "calibration_error": np.array([each.calibration_error for each in found]),
                "train_error": np.array([each.train_error for each in found]),
                "optimism": np.array([each.optimism for each in found]),
                "fit_seconds": np.array([each.fit_seconds.mean() for each in found]),
                "predict_seconds": np.array([each.predict_seconds.mean() for each in found]),
            },
            self.schema,
        )

    def __repr__(self) -> str:
        width = max((len(name) for name in self.validations), default=5)
        heads = "error          log-loss  calibration  in training  optimism     fit"
        lines = [f"{'model':<{width}}  {heads}"]
        for name, found in self.validations.items():
            lines.append(
                f"{name:<{width}}  {found.error:.3f} ± {found.std:.3f}  {found.log_loss:8.3f}  "
                f"{found.calibration_error:11.3f}  {found.train_error:11.3f}  {found.optimism:8.3f}  "
                f"{found.fit_seconds.mean():5.2f} s"
            )
        if self.bayes_error is not None:
            low, high = self.bayes_error.lower, self.bayes_error.upper
            bracket = f"Bayes error between {low:.3f} and {high:.3f}"
            lines.append(f"{bracket}, if the nearest neighbour errs as with many more rows")
        lines += [f"left out: {name} ({reason})" for name, reason in self.left_out.items()]
        return "\n".join(lines)


def compare(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    cv: Any = 5,
    sample_weight: Any = None,
    time_budget: float | None = None,
    random_state: Any = 0,
) -> Comparison:
    """Cross-validate classifiers on the same folds, and bracket the error that none can beat.

    Nothing of a held-out row is seen before it is scored: the families of the library that take tables are
    given them as they are, with categories and missing values, and for the others means, deviations and
    indicators of categories are worked out anew from each fold's training rows.

    Parameters
    ----------
    X : table
        Of any kind that `boxwood.read_columns` takes.
    y : array-like of shape (n_samples,)
        Classes, of any type.
    models : sequence or dict of classifiers, optional
        Classifiers with ``fit`` and ``predict_proba``, of boxwood's or others, and names of families; without
        it every family of the library. Models that are no family are given the table as it is.
    cv : int, float, "loo", cross-validation generator or iterable, default=5
        An integer makes that many stratified folds of shuffled rows, a fraction in (0, 1) holds out one
        part of that size, "loo" each row in turn; all else is as scikit-learn takes it.
    sample_weight : array-like of shape (n_samples,), optional
        Frequencies, in training and in the scores. Folds are of rows.
    time_budget : float, optional
        Seconds. A model is left out where its folds, at the pace of those done, would not end in time; what
        runs is not broken off, so that a little more may pass.
    random_state : int, RandomState or None, default=0
        Shuffles the rows, and seeds the models of families.

    Returns
    -------
    Comparison
        With the results as ``frame``. Warnings of models are not shown, but kept with their results.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> gaussian = bw.BayesClassifier(bw.GaussianDensity())
    >>> found = bw.compare(X, y, {"prior": "prior", "Gaussians": gaussian})
    >>> found.frame[["model", "error", "train_error"]].round(2)
           model  error  train_error
    0  Gaussians   0.03         0.02
    1      prior   0.67         0.67
    >>> found.best
    'Gaussians'
    """
    seed = seed_of(random_state)
    deadline = _deadline(time_budget)
    table = LabelledTable.read(X, y, sample_weight, compare)
    folds = table.folds(cv, seed)
    validations: dict[str, ClassifierValidation] = {}
    left_out: dict[str, str] = {}
    bounds = None
    try:
        bounds = _bayes_error(table, seed)
    except ValueError as reason:  # such as a single class
        left_out["Bayes error"] = str(reason)
    for name, make in makers_of(models, seed).items():
        try:
            validations[name] = validate(make, table, folds, _Pace(deadline, len(folds)).go_on)
        except _OutOfTimeError as reason:
            left_out[name] = str(reason)
        except (TypeError, ValueError, ArithmeticError) as reason:
            left_out[name] = f"{type(reason).__name__}: {reason}"
    if not validations:
        raise ValueError(f"no model could be compared: {left_out}")
    ranked = sorted(validations.items(), key=lambda item: (item[1].error, item[1].log_loss))
    return Comparison(dict(ranked), left_out, bounds, table.columns.schema)


def _bayes_error(table: LabelledTable, seed: int) -> BayesErrorBounds:
    """Bracket the Bayes error by the rows' numbers.

    Without weights: a copy of a row would be its own nearest neighbour. Means stand in for missing values,
    since a row with few values is close to too many others by those that it shares with them.
    """
    some = generator(seed).permutation(table.columns.n_rows)[:MOST_NEIGHBORS]
    columns = table.columns.take(np.sort(some))
    rows = TableEncoder.of_rows(columns).matrix(columns)
    codes = table.codes[np.sort(some)]
    return bayes_error_bounds(rows, codes, standardize=False, n_repeats=1, random_state=seed)  # it is scaled


class _OutOfTimeError(Exception):
    """A model's folds would not end in time."""


class _Pace:
    """Stops a model whose folds, at the pace of those done, end after the deadline."""

    def __init__(self, deadline: float, n_folds: int) -> None:
        self._started = time.perf_counter()
        self._deadline = deadline
        self._n_folds = n_folds
        if self._started >= deadline:
            raise _OutOfTimeError("the time budget was spent")

    def go_on(self, n_done: int) -> None:
        """Raise where the remaining folds take too long."""
        now = time.perf_counter()
        a_fold = (now - self._started) / n_done
        if n_done < self._n_folds and now + a_fold * (self._n_folds - n_done) > self._deadline:
            raise _OutOfTimeError(f"at {a_fold:.2g} s a fold it would not end within the time budget")


def _deadline(time_budget: float | None) -> float:
    if time_budget is None:
        return float("inf")
    if isinstance(time_budget, bool) or not isinstance(time_budget, int | float) or not time_budget > 0.0:
        raise ValueError(f"time_budget must be a positive number of seconds; got {shown(time_budget)}.")
    return time.perf_counter() + float(time_budget)
