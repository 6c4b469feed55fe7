"""Comparing models on the same held-out rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from boxwood.bayes_error import BayesErrorBounds, bayes_error_bounds
from boxwood.columns import Schema
from boxwood.columns.new_frame import new_frame
from boxwood.randomness import generator, seed_of
from boxwood.select.classifier_validation import ClassifierValidation, LabelledTable, validate
from boxwood.select.families import makers_of
from boxwood.select.folds import Fold
from boxwood.select.numbers import TableEncoder
from boxwood.select.regressor_validation import RegressorValidation, ValuedTable, validate_regressor
from boxwood.select.task import task_of
from boxwood.select.trials import deadline_of, run_trials

__all__ = ["Comparison", "NothingComparedError", "compare"]

MOST_NEIGHBORS = 10_000
"""Of more rows so many, drawn at random, bracket the Bayes error: their distances would take all the time."""

_SCORES = {
    "classification": {
        "error": "error",
        "error_std": "std",
        "log_loss": "log_loss",
        "brier_score": "brier_score",
        "calibration_error": "calibration_error",
        "train_error": "train_error",
        "optimism": "optimism",
    },
    "regression": {
        "rmse": "error",
        "rmse_std": "std",
        "r2": "r2",
        "mae": "mae",
        "train_rmse": "train_error",
        "optimism": "optimism",
    },
}
"""Columns of the frame, and what of a validation stands in them."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What `compare` found.

    Attributes
    ----------
    validations : dict of name to ClassifierValidation or RegressorValidation
        The models that were compared, that of least error first; of equal classifiers that of least
        log-loss.
    left_out : dict of name to str
        The models that were not, each with the reason.
    bayes_error : BayesErrorBounds or None
        The bracket of the error that no classifier can beat, from the 1-NN error of the scaled table without
        weights (of 10,000 of its rows at most). It is asymptotic: with few rows its lower end may lie above
        the Bayes error, and above the error of a good model. See `bayes_error_bounds`. None where it could
        not be found, as `left_out` says, and of regressors.
    schema : Schema
        Of the table.
    task : {"classification", "regression"}
        What was compared: classifiers, or regressors.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> models = {"naive Bayes": bw.HistogramNB(), "neighbours": bw.KNeighborsClassifier()}
    >>> comparison = bw.compare(*load_iris(return_X_y=True), models=models)
    >>> sorted(comparison.validations)
    ['naive Bayes', 'neighbours']
    """

    validations: dict[str, Any]
    left_out: dict[str, str]
    bayes_error: BayesErrorBounds | None
    schema: Schema
    task: str = "classification"

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
        - of classifiers ``error`` and ``error_std``: mean and deviation over folds of the fraction of wrong
          answers; ``log_loss``, in nats, ``brier_score``, and ``calibration_error``: see
          `ClassifierValidation`; ``train_error``;
        - of regressors ``rmse`` and ``rmse_std``: mean and deviation over folds of the root mean squared
          error; ``r2`` and ``mae``: see `RegressorValidation`; ``train_rmse``;
        - ``optimism``, by how much the error of held-out rows exceeds that of training;
        - ``fit_seconds`` and ``predict_seconds`` a fold.
        """
        found = self.validations.values()
        scores = {
            name: np.array([getattr(each, attribute) for each in found])
            for name, attribute in _SCORES[self.task].items()
        }
        seconds = {
            name: np.array([getattr(each, name).mean() for each in found])
            for name in ("fit_seconds", "predict_seconds")
        }
        return new_frame({"model": list(self.validations), **scores, **seconds}, self.schema)

    def to_json(self) -> dict[str, Any]:
        """Return the results as plain JSON values."""
        scores = {**_SCORES[self.task]}
        models = [
            {"model": name, **{key: float(getattr(found, attribute)) for key, attribute in scores.items()}}
            for name, found in self.validations.items()
        ]
        bracket = self.bayes_error
        return {
            "task": self.task,
            "models": models,
            "bayes_error": None if bracket is None else [float(bracket.lower), float(bracket.upper)],
            "left_out": self.left_out,
        }

    def to_markdown(self) -> str:
        """Return the results as a Markdown table, and below it the Bayes error and what was left out."""
        names = list(_SCORES[self.task])
        lines = [f"| model | {' | '.join(names)} |", f"| --- |{' ---: |' * len(names)}"]
        for found in self.to_json()["models"]:
            lines.append(f"| {found['model']} | {' | '.join(f'{found[name]:.4g}' for name in names)} |")
        notes = [f"- {note}" for note in self._notes()]
        return "\n".join([*lines, "", *notes] if notes else lines)

    def _notes(self) -> list[str]:
        """Return what stands below the table."""
        lines = []
        if self.bayes_error is not None:
            low, high = self.bayes_error.lower, self.bayes_error.upper
            bracket = f"Bayes error between {low:.3f} and {high:.3f}"
            lines.append(f"{bracket}, if the nearest neighbour errs as with many more rows")
        return lines + [f"left out: {name} ({reason})" for name, reason in self.left_out.items()]

    def __repr__(self) -> str:
        width = max((len(name) for name in self.validations), default=5)
        heads, line = _LINES[self.task]
        # Fractions of wrong answers have three decimals; errors of values have their own size.
        digits, less = (".3f", ".3f") if self.task == "classification" else (".4g", ".3g")
        lines = [f"{'model':<{width}}  {heads}  in training  optimism     fit"]
        for name, found in self.validations.items():
            lines.append(
                f"{name:<{width}}  {line(found)}  {found.train_error:11{digits}}  {found.optimism:8{less}}  "
                f"{found.fit_seconds.mean():5.2f} s"
            )
        return "\n".join([*lines, *self._notes()])


def _classifier_line(found: ClassifierValidation) -> str:
    return f"{found.error:.3f} ± {found.std:.3f}  {found.log_loss:8.3f}  {found.calibration_error:11.3f}"


def _regressor_line(found: RegressorValidation) -> str:
    return f"{found.error:8.4g} ± {found.std:<8.2g}  {found.r2:6.3f}  {found.mae:8.4g}"


_LINES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "classification": ("error          log-loss  calibration", _classifier_line),
    "regression": ("RMSE                     R²       MAE", _regressor_line),
}


def compare(
    X: Any,
    y: Any,
    models: Any = None,
    *,
    task: str = "auto",
    cv: Any = 5,
    sample_weight: Any = None,
    time_budget: float | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Comparison:
    """Cross-validate models on the same folds, and bracket the error that no classifier can beat.

    Nothing of a held-out row is seen before it is scored: the families of the library that take tables are
    given them as they are, with categories and missing values, and for the others means, deviations and
    indicators of categories are worked out anew from each fold's training rows.

    Parameters
    ----------
    X : table
        Of any kind that `boxwood.read_columns` takes.
    y : array-like of shape (n_samples,)
        Classes, of any type; or numbers to estimate.
    models : sequence or dict of models, optional
        Classifiers with ``fit`` and ``predict_proba`` or regressors with ``fit`` and ``predict``, of
        boxwood's or others, and names of families; without it every family of the library, and gradient
        boosting of scikit-learn's. Models that are no family are given the table as it is.
    task : {"auto", "classification", "regression"}, default="auto"
        What is compared. "auto" estimates numbers of which some are not whole or more than 50 are distinct,
        and tells classes otherwise.
    cv : int, float, "loo", cross-validation generator or iterable, default=5
        An integer makes that many folds of shuffled rows (stratified for classes), a fraction in (0, 1) holds
        out one part of that size, "loo" each row in turn; all else is as scikit-learn takes it.
    sample_weight : array-like of shape (n_samples,), optional
        Frequencies, in training and in the scores. Folds are of rows.
    time_budget : float, optional
        Seconds. A model is left out where its folds, at the pace of those done, would not end in time.
        Forests and boosted densities are broken off as soon as that is known; of other models a fold that
        runs is ended, so that a little more may pass.
    random_state : int, RandomState or None, default=0
        Shuffles the rows, and seeds the models of families.
    n_jobs : int, optional
        Processes, each of which takes one model at a time (joblib), and threads of the bracket. The results
        are the same for any number.
    verbose : int, default=0
        1 draws a bar of the folds done on standard error.

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
    >>> widths = bw.compare(X[:, :3], X[:, 3], ["mean", "linear regression"])
    >>> widths.best, widths.task
    ('linear regression', 'regression')
    """
    seed, deadline, task = seed_of(random_state), deadline_of(time_budget), task_of(task, y)
    makers = makers_of(models, seed, task)
    bounds, left_out = None, {}
    table: LabelledTable | ValuedTable
    if task == "classification":
        table = LabelledTable.read(X, y, sample_weight, compare)
        try:
            bounds = _bayes_error(table, seed, n_jobs)
        except ValueError as reason:  # such as a single class
            left_out["Bayes error"] = str(reason)
    else:
        table = ValuedTable.read(X, y, sample_weight)
    n_rows = table.columns.n_rows
    if isinstance(cv, int | np.integer) and n_rows < cv:
        raise NothingComparedError(f"{n_rows} rows do not make {cv} folds; take fewer folds, or more rows.")
    folds = table.folds(cv, seed)
    validate: Any = _validate_classifier if task == "classification" else validate_regressor
    found, failed = run_trials(
        makers,
        partial(validate, table=table, folds=folds),
        len(folds),
        deadline=deadline,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    left_out.update(failed)
    if not found:
        raise NothingComparedError(_reasons(left_out))
    ranked = sorted(found.items(), key=lambda item: (item[1].error, getattr(item[1], "log_loss", 0.0)))
    return Comparison(dict(ranked), left_out, bounds, table.columns.schema, task)


class NothingComparedError(ValueError):
    """No model could be compared."""


def _reasons(left_out: dict[str, str]) -> str:
    """Return why no model could be compared, each reason once."""
    of_reason: dict[str, list[str]] = {}
    for name, reason in left_out.items():
        of_reason.setdefault(reason.rstrip("."), []).append(name)
    if len(of_reason) == 1:
        return f"no model could be compared: {next(iter(of_reason))}."
    said = [f"{', '.join(names)}: {reason}" for reason, names in of_reason.items()]
    return f"no model could be compared ({'; '.join(said)})."


def _validate_classifier(
    make: Callable[[], Any], go_on: Callable[[int], None], table: LabelledTable, folds: list[Fold]
) -> ClassifierValidation:
    return validate(make, table, folds, go_on)


def _bayes_error(table: LabelledTable, seed: int, n_jobs: int | None) -> BayesErrorBounds:
    """Bracket the Bayes error by the rows' numbers.

    Without weights: a copy of a row would be its own nearest neighbour. Means stand in for missing values,
    since a row with few values is close to too many others by those that it shares with them.
    """
    some = generator(seed).permutation(table.columns.n_rows)[:MOST_NEIGHBORS]
    columns = table.columns.take(np.sort(some))
    rows = TableEncoder.of_rows(columns).matrix(columns)
    codes = table.codes[np.sort(some)]
    # It is scaled already.
    return bayes_error_bounds(rows, codes, standardize=False, n_repeats=1, random_state=seed, n_jobs=n_jobs)
