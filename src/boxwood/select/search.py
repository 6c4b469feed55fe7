"""Searching hyper-parameters of densities and classifiers, on tables of any kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from boxwood.columns import Schema, read_columns
from boxwood.columns.new_frame import new_frame
from boxwood.density.base import DensityEstimator
from boxwood.parameters import shown
from boxwood.randomness import seed_of
from boxwood.select.classifier_validation import ClassifierValidation, LabelledTable, fit_to, validate
from boxwood.select.cross_validation import CrossValidation, mean_of, variance_of
from boxwood.select.log_likelihood import cross_val_log_likelihood

__all__ = ["GridSearch", "grid_search"]

SCORES = ("log_likelihood", "log_loss", "error")


@dataclass(frozen=True, eq=False)
class GridSearch:
    """What `grid_search` found.

    Attributes
    ----------
    params : list of dict
        The candidates, in the order of the grid.
    validations : list of CrossValidation or ClassifierValidation
        What was found of each.
    scoring : {"log_likelihood", "log_loss", "error"}
        By what the candidates were judged.
    losses, train_losses : ndarray of shape (n_candidates,)
        Means over the folds of what is to be small: of held-out rows, and of the rows of the fit.
    spreads : ndarray of shape (n_candidates,)
        Standard deviations of the losses over the folds.
    best_index : int
        The candidate that was chosen.
    best_estimator : estimator
        With its parameters, fitted to all rows.
    schema : Schema
        Of the table.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> grid = {"n_neighbors": [15, 110]}
    >>> found = bw.grid_search(bw.KNeighborsClassifier(), grid, *load_iris(return_X_y=True))
    >>> found.params[found.best_index]
    {'n_neighbors': 15}
    """

    params: list[dict[str, Any]]
    validations: Sequence[CrossValidation | ClassifierValidation]
    scoring: str
    losses: NDArray[np.float64]
    train_losses: NDArray[np.float64]
    spreads: NDArray[np.float64]
    best_index: int
    best_estimator: Any
    schema: Schema

    @property
    def best_params(self) -> dict[str, Any]:
        """The parameters of the chosen candidate."""
        return self.params[self.best_index]

    @property
    def frame(self) -> Any:
        """The candidates as a frame, in the order of the grid.

        Of the table's own library, else of an installed one, else a dict of arrays. Its columns are the
        parameters, as text where they are not numbers, and ``loss``, ``loss_std``, ``train_loss``,
        ``optimism`` (by how much the loss of held-out rows exceeds that of the fitted ones) and ``chosen``.
        """
        names = sorted({name for candidate in self.params for name in candidate})
        table: dict[str, Any] = {name: _column([c.get(name) for c in self.params]) for name in names}
        table |= {
            "loss": self.losses,
            "loss_std": self.spreads,
            "train_loss": self.train_losses,
            "optimism": self.losses - self.train_losses,
            "chosen": np.arange(len(self.params)) == self.best_index,
        }
        return new_frame(table, self.schema)

    def __repr__(self) -> str:
        i = self.best_index
        return (
            f"best of {len(self.params)} by {self.scoring}: {self.best_params}, loss {self.losses[i]:.4g} ± "
            f"{self.spreads[i]:.2g}, in training {self.train_losses[i]:.4g}"
        )


def grid_search(
    estimator: Any,
    grid: Any,
    X: Any,
    y: Any = None,
    *,
    scoring: str | None = None,
    cv: Any = 5,
    sample_weight: Any = None,
    one_standard_error: bool = False,
    random_state: Any = 0,
) -> GridSearch:
    """Choose hyper-parameters of a density or a classifier by cross-validation.

    All candidates are scored on the same folds. Tables may be of any kind that `boxwood.read_columns` takes.

    Parameters
    ----------
    estimator : density or classifier
        It is cloned, not changed.
    grid : dict of name to values, or list of such
        Every combination is a candidate; names as ``set_params`` takes them, such as ``density__max_depth``.
    X : table
        The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
    y : array-like of shape (n_samples,), optional
        Classes, for a classifier.
    scoring : {"log_likelihood", "log_loss", "error"}, optional
        What decides: minus the log-likelihood for densities; for classifiers the log-loss, which is the
        default, or the error.
    cv : int, float, "loo", cross-validation generator or iterable, default=5
        As in `cross_val_log_likelihood` and `cross_val_error`.
    sample_weight : array-like of shape (n_samples,), optional
        Frequencies, in training and in the scores.
    one_standard_error : bool, default=False
        Choose not the candidate of least loss but the first of the grid whose loss exceeds it by no more than
        one standard error of the mean over the folds: give values from simple to complex.
    random_state : int, RandomState or None, default=0
        Shuffles the rows where `cv` is a number.

    Returns
    -------
    GridSearch

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> found = bw.grid_search(bw.DensityTree(margins="smooth"), {"max_depth": [1, 3, 9]}, X)
    >>> found.best_params
    {'max_depth': 1}
    >>> y = X[:, 0] * X[:, 1] > 0
    >>> model = bw.BayesClassifier(bw.GaussianDensity())
    >>> found = bw.grid_search(model, {"density__covariance_type": ["full", "diag"]}, X, y)
    >>> found.best_params, found.best_estimator.score(X, y) > 0.9
    ({'density__covariance_type': 'full'}, True)
    """
    scoring = _checked_scoring(estimator, scoring)
    params = list(ParameterGrid(grid))
    seed = seed_of(random_state)
    models = [clone(estimator).set_params(**candidate) for candidate in params]
    validations: list[Any]
    if scoring == "log_likelihood":
        validations = [
            cross_val_log_likelihood(m, X, cv=cv, sample_weight=sample_weight, random_state=seed)
            for m in models
        ]
    else:
        table = LabelledTable.read(X, y, sample_weight, estimator)
        folds = table.folds(cv, seed)
        validations = [validate(partial(clone, m), table, folds) for m in models]
    losses, train_losses, spreads = np.array([_loss(found, scoring) for found in validations]).T
    n_folds = _n_folds(validations[0])
    best = _choice(losses, spreads, n_folds, one_standard_error)
    columns = read_columns(X, sample_weight=sample_weight) if y is None else table.columns
    labels = None if y is None else table.classes[table.codes]
    fit_to(models[best], columns, labels)
    return GridSearch(
        params, validations, scoring, losses, train_losses, spreads, best, models[best], columns.schema
    )


def _checked_scoring(estimator: Any, scoring: str | None) -> str:
    is_density = isinstance(estimator, DensityEstimator)
    if not is_density and not hasattr(estimator, "predict_proba"):
        raise TypeError(
            f"grid_search takes densities of boxwood's and classifiers; got {shown(estimator)}. For other "
            "models scikit-learn's GridSearchCV serves."
        )
    allowed = SCORES[:1] if is_density else SCORES[1:]
    if scoring is None:
        return allowed[0]
    if scoring not in allowed:
        listed = " or ".join(repr(name) for name in allowed)
        raise ValueError(f"scoring of a {type(estimator).__name__} must be {listed}; got {shown(scoring)}.")
    return scoring


def _loss(found: Any, scoring: str) -> tuple[float, float, float]:
    """Return a candidate's mean loss, its loss in training, and its deviation over the folds."""
    if scoring == "log_likelihood":
        return -found.mean, -mean_of(found.train_scores), found.std
    if scoring == "log_loss":
        spread = float(np.sqrt(variance_of(found.log_losses)))
        return found.log_loss, mean_of(found.train_log_losses), spread
    return found.error, found.train_error, found.std


def _n_folds(found: Any) -> int:
    return len(found.test_scores if isinstance(found, CrossValidation) else found.test_errors)


def _choice(
    losses: NDArray[np.float64], spreads: NDArray[np.float64], n_folds: int, one_standard_error: bool
) -> int:
    best = int(np.argmin(losses))
    if not one_standard_error or n_folds < 2:
        return best
    return int(np.argmax(losses <= losses[best] + spreads[best] / np.sqrt(n_folds)))


def _column(values: list[Any]) -> Any:
    if all(isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in values):
        return np.array(values)
    return [value if isinstance(value, str) else repr(value) for value in values]
