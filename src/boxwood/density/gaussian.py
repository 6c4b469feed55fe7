"""The Gaussian density: the simplest model of a table, and the baseline of every other."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.columns.errors import at
from boxwood.density.base import DensityEstimator
from boxwood.density.normal import Normal, fit_normal, log_density_of_squares, normal_of_covariance
from boxwood.density.normal_missing import fit_normal_by_em, log_density_of_observed
from boxwood.model_file import State
from boxwood.moments import Moments
from boxwood.parameters import check_choice, check_integer, check_number

__all__ = ["GaussianDensity"]


class GaussianDensity(DensityEstimator):
    """Multivariate normal density by maximum likelihood.

    Numbers, integers, booleans, ordinals (as ranks) and datetimes are taken as numbers; a categorical
    column is refused. Missing values are fitted by EM and left out (marginalised) when scoring.

    Parameters
    ----------
    covariance_type : {"full", "diag", "spherical"}, default="full"
    shrinkage : float in [0, 1], "auto" or None, default=None
        How far correlations are pulled towards 0; "auto" is the oracle-approximating amount. The
        variances stay as they are.
    contamination : float in (0, 0.5], default=0.1
        The share of training rows that `predict` calls odd.
    tol : float, default=1e-8
        EM stops when the mean log-likelihood changes by less, relatively.
    max_iter : int, default=200
        Most EM iterations; without missing values there are none.

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,)
    covariance_ : ndarray of shape (n_features, n_features)
    shrinkage_ : float
    n_iter_ : int
    offset_ : float
        Log-density below which a row is odd.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 2)) @ [[1.0, 0.5], [0.0, 1.0]]
    >>> model = bw.GaussianDensity().fit(X)
    >>> model.covariance_.round(1)
    array([[1. , 0.5],
           [0.5, 1.2]])
    >>> model.predict([[0.0, 0.0], [5.0, -5.0]])
    array([ 1, -1])
    >>> model.sample(2, random_state=0).shape
    (2, 2)
    """

    def __init__(
        self,
        *,
        covariance_type: str = "full",
        shrinkage: float | str | None = None,
        contamination: float = 0.1,
        tol: float = 1e-8,
        max_iter: int = 200,
    ) -> None:
        self.covariance_type = covariance_type
        self.shrinkage = shrinkage
        self.contamination = contamination
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit mean and covariance.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        rows = _number_matrix(columns)
        if columns.n_missing:
            normal, moments, self.n_iter_ = fit_normal_by_em(
                rows, columns.weights, self.covariance_type, self.shrinkage, self.tol, self.max_iter
            )
        else:
            moments = Moments.of_rows(rows, columns.weights)
            self.n_iter_ = 1
            normal = fit_normal(moments, self.covariance_type, self.shrinkage)
        self._take(normal, moments, columns.schema)
        scores = log_density_of_observed(normal, rows) if columns.n_missing else normal.log_density(rows)
        self._finish_fit(columns, scores, self._leave_one_out(rows))
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was fitted so far; without missing values.

        The result is that of one `fit` of all rows to rounding, but for `offset_` and p-values, which
        then follow from the chi-squared law of a Gaussian's own scores.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_parameters()
        fitted = self.__sklearn_is_fitted__()
        columns = self._read(X, sample_weight) if fitted else self._read_fit(X, sample_weight)
        if columns.n_missing:
            raise ValueError("partial_fit takes no missing values (NaN): EM needs all rows at once; use fit.")
        moments = Moments.of_rows(_number_matrix(columns), columns.weights)
        if fitted:
            moments = self.moments_.merge(moments)
        self.n_iter_ = 1
        self._take(fit_normal(moments, self.covariance_type, self.shrinkage), moments, columns.schema)
        levels = (np.arange(1000) + 0.5) / 1000.0
        scores = self._scores_by_law(np.append(levels, self.contamination))
        self.calibration_scores_, self.offset_ = scores[:-1], float(scores[-1])
        return self

    def _check_parameters(self) -> None:
        check_choice(self, "covariance_type", ["full", "diag", "spherical"])
        if isinstance(self.shrinkage, str):
            check_choice(self, "shrinkage", ["auto"])
        elif self.shrinkage is not None:
            check_number(self, "shrinkage", 0.0, 1.0)
        self._check_contamination()
        check_number(self, "tol", 0.0)
        check_integer(self, "max_iter", 1)

    def _take(self, normal: Normal, moments: Moments, schema: Schema) -> None:
        if normal.n_raised:
            warnings.warn(
                f"{normal.n_raised} directions of the table have no spread (constant or linearly dependent "
                "columns); they were given a tiny one.",
                stacklevel=3,
            )
        self.normal_ = normal
        self.moments_ = moments
        self._set_schema(schema)

    @property
    def mean_(self) -> NDArray[np.float64]:
        """The mean of each column."""
        return self.normal_.mean

    @property
    def covariance_(self) -> NDArray[np.float64]:
        """The covariance, shrunk and kept regular."""
        return self.normal_.covariance

    @property
    def shrinkage_(self) -> float:
        """The shrinkage used."""
        return self.normal_.shrinkage

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        rows = columns.matrix()
        if columns.n_missing:
            return log_density_of_observed(self.normal_, rows)
        return self.normal_.log_density(rows)

    def _leave_one_out(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give each row's log-density under the fit without it, in closed form.

        Taking a row away changes mean and covariance by rank one: with n the total weight, m the
        squared distance and k = (1 − shrinkage)/(n − 1), the determinant gains the factor
        (n/(n−1))^d·(1 − k·m) and the distance becomes n/(n−1)·m/(1 − k·m). Missing values are taken
        as their mean.
        """
        n, d = self.moments_.weight, rows.shape[1]
        z = np.nan_to_num(self.normal_.whiten(np.where(np.isnan(rows), self.normal_.mean, rows)))
        m = z * z
        if n <= 1.0:
            return log_density_of_squares(m.sum(axis=1), self.normal_.log_det, d)
        grown = n / (n - 1.0)
        k = (1.0 - self.normal_.shrinkage) / (n - 1.0)
        if self.covariance_type != "diag":
            m = m.sum(axis=1, keepdims=True)
        rank = d if self.covariance_type == "spherical" else 1
        left = (1.0 - k * m / rank).clip(min=1e-12)
        squares = (m / (grown * left)).sum(axis=1) * grown**2
        log_det = self.normal_.log_det + d * np.log(grown) + rank * np.log(left).sum(axis=1)
        return log_density_of_squares(squares + log_det - self.normal_.log_det, self.normal_.log_det, d)

    def _scores_by_law(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        squares = chdtri(len(self.mean_), levels)
        return log_density_of_squares(squares, self.normal_.log_det, len(self.mean_))

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        rows = self.normal_.sample(n_samples, rng)
        columns = [_column_of_numbers(field, rows[:, j]) for j, field in enumerate(self.schema_.fields)]
        return Columns(self.schema_, n_samples, columns=columns)

    def _get_state(self) -> dict[str, Any]:
        return {
            "mean": self.moments_.mean,
            "scatter": self.moments_.scatter,
            "weight": self.moments_.weight,
            "covariance": self.normal_.covariance,
            "shrinkage": self.normal_.shrinkage,
            "n_iter": self.n_iter_,
            **self._get_novelty_state(),
        }

    def _set_state(self, state: State) -> None:
        self._check_parameters()
        d = self.n_features_in_
        mean = state.array("mean", np.float64, (d,))
        scatter = state.array("scatter", np.float64, (d, d))
        covariance = state.array("covariance", np.float64, (d, d))
        for name, matrix in (("scatter", scatter), ("covariance", covariance)):
            if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=0.0) or matrix.diagonal().min() < 0.0:
                raise state.error(name, "is not a covariance: not symmetric, or negative on its diagonal")
        self.moments_ = Moments(state.number("weight", low=0.0, high=1e300), mean, scatter)
        self.normal_ = normal_of_covariance(mean, covariance, state.number("shrinkage", low=0.0, high=1.0))
        self.n_iter_ = state.integer("n_iter", low=1)
        self._set_novelty_state(state)


def _number_matrix(columns: Columns) -> NDArray[np.float64]:
    for column in columns:
        if column.kind is Kind.CATEGORICAL:
            raise TypeError(
                f"{at(column.name)} is categorical, and a Gaussian has no place for categories. Drop the "
                "column, or read it as ordinal if its categories have an order."
            )
        if len(column.values) and np.nanmax(np.abs(column.numbers()), initial=0.0) > 1e150:
            raise ValueError(
                f"{at(column.name)}: squares of numbers beyond 1e150 overflow. Rescale the column."
            )
    return columns.matrix()


def _column_of_numbers(field: Field, values: NDArray[np.float64]) -> Column:
    if field.kind is Kind.NUMERIC:
        return Column(field, values, 0)
    values = np.round(values)
    if field.kind.is_number:
        return Column(field, values, 0)
    codes = values.clip(0, len(field.categories) - 1).astype(np.int32)
    return Column(field, codes, 0)
