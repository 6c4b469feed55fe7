"""The error that no classifier can beat, bracketed by the 1-NN error of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from boxwood.bayes_error.theory import bayes_range
from boxwood.classify.classes import read_classes
from boxwood.classify.k_neighbors import KNeighborsClassifier
from boxwood.columns import Columns, read_columns
from boxwood.parameters import shown
from boxwood.randomness import generator

__all__ = ["BayesErrorBounds", "bayes_error_bounds"]

_MOST_NEIGHBORS = 51
_SMALLEST = 16
_MOST_VALIDATED = 5000


@dataclass(frozen=True, eq=False)
class BayesErrorBounds:
    """What the 1-NN error of a table says of its Bayes error, asymptotically.

    Attributes
    ----------
    lower, upper : float
        The bracket: Cover and Hart's inequality solved for the Bayes error. It holds for infinitely many
        rows. At finite N `upper` is an estimate of what 1-NN reaches, which no Bayes error exceeds; `lower`
        leans on the metric and may lie far above the Bayes error.
    nn_error : float
        The cross-validated error of 1-NN.
    nn_interval : tuple of float
        Wilson's interval of it, as if the errors of the rows that were held out were independent.
    interval : tuple of float
        The bracket of both ends of that interval.
    confidence : float
        The probability with which `nn_interval` holds the 1-NN error.
    n_samples, n_classes : int
        How many rows, and how many classes they have.
    curve_sizes : ndarray
        Numbers of training rows, ascending.
    curve_errors, curve_deviations : ndarray
        Mean error of 1-NN with so many, and its standard deviation over draws (NaN of a single one).
    neighbors : ndarray
        Values of K.
    neighbor_errors : ndarray
        Leave-one-out error of K-NN.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> bounds = bw.bayes_error_bounds(*load_iris(return_X_y=True))
    >>> 0.0 < bounds.lower < bounds.upper < 0.06
    True
    """

    lower: float
    upper: float
    nn_error: float
    nn_interval: tuple[float, float]
    interval: tuple[float, float]
    confidence: float
    n_samples: int
    n_classes: int
    curve_sizes: NDArray[np.int64]
    curve_errors: NDArray[np.float64]
    curve_deviations: NDArray[np.float64]
    neighbors: NDArray[np.int64]
    neighbor_errors: NDArray[np.float64]

    def __str__(self) -> str:
        low, high = self.interval
        best = int(self.neighbor_errors.argmin())
        return (
            f"Bayes error, asymptotic bracket: {self.lower:.3f} to {self.upper:.3f} "
            f"({self.confidence:.0%} interval {low:.3f} to {high:.3f})\n"
            f"1-NN error {self.nn_error:.3f}, best K-NN {self.neighbor_errors[best]:.3f} "
            f"(K = {self.neighbors[best]}), {self.n_samples} rows, {self.n_classes} classes\n"
            "The lower end holds for infinitely many rows and a metric that suits the classes."
        )


def bayes_error_bounds(
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    metric: Any = "euclidean",
    standardize: bool = True,
    missing: str = "error",
    confidence: float = 0.95,
    n_repeats: int = 5,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> BayesErrorBounds:
    """Bracket the Bayes error of a table by its cross-validated 1-NN error.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
    y : array-like of shape (n_samples,)
        Classes, at least two.
    cv : int, splitter or None, default=None
        None leaves one row out at a time.
    metric : str or callable, default="euclidean"
        Of `KNeighborsClassifier`.
    standardize : bool, default=True
        Whether columns are divided by their standard deviation, as `compare` does: without it the column of
        the largest unit decides alone who is near.
    missing : {"error", "partial"}, default="error"
        What to do with gaps: refuse them, or measure distances over the columns that both rows show.
    confidence : float, default=0.95
        Of the intervals.
    n_repeats : int, default=5
        Draws of each size of the learning curve.
    random_state : int, RandomState, Generator or None, default=None
        Of these draws.
    n_jobs : int, optional
        How many threads, as joblib counts them; None is one, −1 all cores.

    Returns
    -------
    BayesErrorBounds

    Notes
    -----
    The bracket is asymptotic. With few rows, many columns or a metric that does not suit the classes the
    1-NN error is far above its limit, and the lower end with it: y = sign(x₁) with 50 columns of noise and
    2,000 rows has no error at all, but looks like 0.23. The learning curve shows whether it still falls.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 2000)
    >>> X = rng.normal(size=(2000, 2)) + 2.0 * y[:, None]
    >>> bounds = bw.bayes_error_bounds(X, y, random_state=0)
    >>> bool(bounds.lower < 0.079 < bounds.upper)
    True
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1; got {shown(confidence)}.")
    model = KNeighborsClassifier(1, metric=metric, standardize=standardize, missing=missing, n_jobs=n_jobs)
    columns = read_columns(X, allow_missing=model._allow_missing)
    classes, codes = read_classes(model, y)
    if len(codes) != columns.n_rows:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{columns.n_rows}, {len(codes)}] rows in X and y."
        )
    if len(classes) < 2:
        raise ValueError("bayes_error_bounds needs at least two classes; y has one class.")
    n = columns.n_rows
    if n < 3:
        raise ValueError(f"bayes_error_bounds needs at least 3 rows; got n_samples = {n}.")
    neighbors, errors = _errors_by_neighbors(model, columns, codes)
    error, n_validated = (float(errors[0]), n) if cv is None else _cross_validated(model, columns, codes, cv)
    interval = _wilson(error, n_validated, confidence)
    sizes, means, deviations = _learning_curve(model, columns, codes, n_repeats, generator(random_state))
    low, high = bayes_range(error, len(classes))
    return BayesErrorBounds(
        lower=low,
        upper=high,
        nn_error=error,
        nn_interval=interval,
        interval=(bayes_range(interval[0], len(classes))[0], bayes_range(interval[1], len(classes))[1]),
        confidence=float(confidence),
        n_samples=n,
        n_classes=len(classes),
        curve_sizes=np.append(sizes, n - 1),
        curve_errors=np.append(means, errors[0]),
        curve_deviations=np.append(deviations, np.nan),
        neighbors=neighbors,
        neighbor_errors=errors,
    )


def _errors_by_neighbors(
    model: KNeighborsClassifier, columns: Columns, codes: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the leave-one-out errors of K-NN for odd K, from one search."""
    most = min(_MOST_NEIGHBORS, columns.n_rows - 1)
    ks = np.arange(1, most + 1, 2)
    rows = model.fit(columns, codes).kneighbors(None, int(ks[-1]), return_distance=False)
    labels = model.codes_[rows]
    votes = np.zeros((len(rows), len(model.classes_)), dtype=np.int64)
    errors = np.empty(len(ks))
    every = np.arange(len(rows))
    for j in range(int(ks[-1])):
        votes[every, labels[:, j]] += 1
        if j % 2 == 0:
            errors[j // 2] = np.mean(votes.argmax(axis=1) != model.codes_)
    return ks, errors


def _cross_validated(
    model: KNeighborsClassifier, columns: Columns, codes: NDArray[Any], cv: Any
) -> tuple[float, int]:
    """Return the error of the rows that are held out, and how many different ones they are."""
    wrong = 0
    splitter = check_cv(cv, codes, classifier=True)
    places = np.zeros((len(codes), 1))
    validated = 0
    held_out = np.zeros(len(codes), dtype=np.bool_)
    for train, test in splitter.split(places, codes):
        fitted = model.fit(columns.take(train), codes[train])
        wrong += int(np.sum(fitted.predict(columns.take(test)) != codes[test]))
        validated += len(test)
        held_out[test] = True
    return wrong / validated, int(held_out.sum())


def _learning_curve(
    model: KNeighborsClassifier,
    columns: Columns,
    codes: NDArray[Any],
    n_repeats: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the errors of 1-NN with ever more training rows, judged on rows that are not among them."""
    sizes = []
    size = columns.n_rows // 2
    while size >= _SMALLEST:
        sizes.append(size)
        size //= 2
    errors = np.empty((len(sizes), n_repeats))
    for i, size in enumerate(sizes):
        for repeat in range(n_repeats):
            order = rng.permutation(columns.n_rows)
            train, test = order[:size], order[size : size + _MOST_VALIDATED]
            fitted = model.fit(columns.take(train), codes[train])
            errors[i, repeat] = np.mean(fitted.predict(columns.take(test)) != codes[test])
    errors = errors[::-1]
    deviations = errors.std(axis=1, ddof=1) if n_repeats > 1 else np.full(len(sizes), np.nan)
    return np.array(sizes[::-1], dtype=np.int64), errors.mean(axis=1), deviations


def _wilson(error: float, n: int, confidence: float) -> tuple[float, float]:
    from scipy.special import ndtri

    z = float(ndtri(0.5 + 0.5 * confidence))
    centre = (error + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(error * (1 - error) / n + z * z / (4 * n * n))
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))
