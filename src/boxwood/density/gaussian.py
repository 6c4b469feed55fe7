"""The Gaussian density: the simplest model of a table, and the baseline of every other."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import (
    LARGEST_SQUARABLE,
    check_number_kinds,
    columns_of_numbers,
    number_matrix,
    refuse_large_numbers,
)
from boxwood.density.base import EVIDENCE, MISSING_VALUES, DensityEstimator
from boxwood.density.weighable import with_missing
from boxwood.evidence import Evidence
from boxwood.gaps import GapRates
from boxwood.gaussian.moments import Moments
from boxwood.gaussian.normal import (
    Normal,
    fit_normal,
    log_density_of_squares,
    why_no_covariance,
)
from boxwood.gaussian.normal_held_out import held_out_log_density
from boxwood.gaussian.normal_missing import fit_normal_by_em, log_density_of_observed
from boxwood.model_file import State
from boxwood.parameters import Choice, Integer, Parameter, Real, declare, only_with

if TYPE_CHECKING:
    from boxwood.query.weighed.proposal import Proposal

__all__ = ["GaussianDensity"]

_COVARIANCE_TYPES = ("full", "diag", "spherical")

WITH_EM = only_with(covariance_type=("full", "spherical"))
"""Without correlations the observed values of a column are all that its moments need."""


class GaussianDensity(DensityEstimator):
    """Multivariate normal density by maximum likelihood.

    Numbers, integers, booleans, ordinals (as ranks) and datetimes are taken as numbers; a categorical
    column is refused. Missing values are fitted by EM; in a score a row's gaps have their own probability,
    the fraction of them in each column, or are left out (`missing`). A rank that the fitted table did not
    have counts as missing. A column without spread, or one that depends
    linearly on others, is given a tiny spread, with a warning.

    Attributes
    ----------
    mean_ : ndarray of shape (n_features,)
    covariance_ : ndarray of shape (n_features, n_features)
    shrinkage_ : float
    n_iter_ : int
    gaps_ : GapRates
        How often each column's value is missing.
    offset_ : float
        Log-density below which a row is odd.
    calibration_scores_ : ndarray
        Held-out log-densities in ascending order, behind the p-values.
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

    _parameters = declare(
        MISSING_VALUES,
        *EVIDENCE,
        Parameter(
            "covariance_type",
            Choice(*_COVARIANCE_TYPES),
            "Any covariance, one without correlations, or one variance for all columns.",
        ),
        Parameter(
            "shrinkage",
            Real(0.0, 1.0) | "auto" | None,
            'How far correlations are pulled towards 0; "auto" is the oracle-approximating amount. The '
            "variances stay as they are. None shrinks only where there are no more rows than columns, by "
            "the same amount and with a warning: there the covariance of maximum likelihood is singular.",
            only_with(covariance_type="full"),
        ),
        Parameter(
            "tol",
            Real(0.0),
            "EM stops when the mean log-likelihood changes by less, relatively.",
            WITH_EM,
        ),
        Parameter(
            "max_iter", Integer(1), "Most EM iterations; without missing values there are none.", WITH_EM
        ),
    )

    normal_: Normal
    moments_: Moments
    n_iter_: int
    gaps_: GapRates | None
    _fitted_type: str

    def __init__(
        self,
        *,
        covariance_type: str = "full",
        shrinkage: float | str | None = None,
        missing: str = "event",
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        tol: float = 1e-8,
        max_iter: int = 200,
    ) -> None:
        self.covariance_type = covariance_type
        self.shrinkage = shrinkage
        self.missing = missing
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit mean and covariance.

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
        columns = self._read_fit(X, sample_weight)
        check_number_kinds(columns.schema)
        return self._fit_weighed(self._weigh(columns))

    def _fit_weighed(self, evidence: Evidence) -> Self:
        """Fit distinct rows, each for what it is worth."""
        columns = evidence.columns
        rows = _training_matrix(columns)
        normal, moments, n_iter = self._fit_normal(rows, columns.weights)
        _warn_of_raised(normal)
        gaps = GapRates.of_rows(columns)
        held_out = held_out_log_density(
            normal, rows, columns.weights, self.covariance_type, evidence.removed_weights
        )
        if self.missing == "event":
            held_out += gaps.left_out_log_probability(columns)
        # Rows that `partial_fit` adds later weigh what they are given: what these are worth counted above.
        moments = replace(moments, weight=float(evidence.given_weights.sum()))
        novelty = self._novelty_of(evidence, held_out)
        self._take(columns.schema, normal, moments, n_iter, gaps, novelty)
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
        rows = _training_matrix(columns)
        if np.isnan(rows).any():
            raise ValueError("partial_fit takes no missing values (NaN): EM needs all rows at once; use fit.")
        moments = Moments.of_rows(rows, columns.weights)
        if fitted:
            moments = self.moments_.merge(moments)
        shrinkage = self._shrinkage(moments.weight, len(columns.schema))
        normal = fit_normal(moments, self.covariance_type, shrinkage)
        _warn_of_raised(normal)
        novelty = _novelty_by_law(normal, float(self.false_alarm_rate))
        gaps = GapRates(np.zeros(len(columns.schema)), np.full(len(columns.schema), moments.weight))
        self._take(columns.schema, normal, moments, 1, gaps, novelty)
        return self

    def _take(
        self,
        schema: Schema,
        normal: Normal,
        moments: Moments,
        n_iter: int,
        gaps: GapRates,
        novelty: dict[str, Any],
    ) -> None:
        self._set_fitted(
            schema,
            normal_=normal,
            moments_=moments,
            n_iter_=n_iter,
            gaps_=gaps,
            # The parameter may be set anew after the fit.
            _fitted_type=self.covariance_type,
            **novelty,
        )

    def _fit_normal(
        self, rows: NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> tuple[Normal, Moments, int]:
        n_rows = float(len(rows)) if weights is None else float(weights.sum())
        if np.isnan(rows).any():
            tol, max_iter = float(self.tol), int(self.max_iter)
            shrinkage = self._shrinkage(n_rows, rows.shape[1])
            return fit_normal_by_em(rows, weights, self.covariance_type, shrinkage, tol, max_iter)
        moments = Moments.of_rows(rows, weights)
        shrinkage = self._shrinkage(n_rows, rows.shape[1])
        return fit_normal(moments, self.covariance_type, shrinkage), moments, 1

    def _shrinkage(self, n_rows: float, n_columns: int) -> float | str | None:
        """Return the amount that is asked for; on wide tables "auto" instead of none."""
        if self.shrinkage is not None or self.covariance_type != "full" or n_columns == 1:
            return self.shrinkage
        if n_rows > n_columns or n_rows <= 1:  # one row has no correlations
            return None
        warnings.warn(
            f"{n_rows:g} rows do not tell a covariance of {n_columns} columns: correlations are shrunk by "
            'the oracle-approximating amount, as with shrinkage="auto". shrinkage=0 keeps them.',
            stacklevel=4,
        )
        return "auto"

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

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        if self.gaps_ is None:
            return 0.0
        before = self.gaps_.log_presence()
        self.gaps_ = self.gaps_.shared(rates)
        return self.gaps_.log_presence() - before

    def _make_proposal(self) -> Proposal:
        from boxwood.query.weighed import NormalProposal

        rates = np.zeros(len(self.schema_)) if self.gaps_ is None else self.gaps_.rates
        return NormalProposal(self.schema_, self.normal_, rates, with_missing(self, "event")._sample)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        return self._with_gaps(_log_density(self.normal_, number_matrix(columns)), self.gaps_, columns)

    def _score_of(self, columns: Columns, kept: Sequence[int]) -> NDArray[np.float64]:
        rows = np.array(number_matrix(columns))
        rows[:, [j for j in range(len(columns)) if j not in set(kept)]] = np.nan
        scores = _log_density(self.normal_, rows)
        if self.gaps_ is None or self.missing == "ignore":
            return scores
        return scores + self.gaps_.log_probabilities(columns)[:, list(kept)].sum(axis=1)

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        rows = self.normal_.sample(n_samples, rng)
        if self.gaps_ is not None and self.gaps_.gaps.any():
            rows[self.gaps_.draw(n_samples, rng)] = np.nan
        return columns_of_numbers(self.schema_, rows)

    def _get_state(self) -> dict[str, Any]:
        return {
            "mean": self.moments_.mean,
            "covariance": self.moments_.covariance,
            "weight": self.moments_.weight,
            "covariance_type": self._fitted_type,
            "shrinkage": self.normal_.shrinkage,
            "n_iter": self.n_iter_,
            **({} if self.gaps_ is None else {"gaps": self.gaps_.gaps, "n_rows": float(self.gaps_.total[0])}),
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema)
        moments = _moments_of_state(state, len(schema))
        covariance_type = state.text("covariance_type", _COVARIANCE_TYPES)
        # The amount, not the parameter: "auto" need not be worked out again.
        shrinkage = state.number("shrinkage", low=0.0, high=1.0)
        return {
            "normal_": fit_normal(moments, covariance_type, shrinkage),
            "moments_": moments,
            "n_iter_": state.integer("n_iter", low=1),
            "gaps_": _gaps_of_state(state, len(schema)),
            "_fitted_type": covariance_type,
            **self._novelty_of_state(state),
        }


def _gaps_of_state(state: State, d: int) -> GapRates | None:
    """Read the gaps; files of before they were counted have none, and such models sum gaps out."""
    if "gaps" not in state:
        return None
    n_rows = state.number("n_rows", low=math.ulp(0.0), high=sys.float_info.max)
    return GapRates(state.array("gaps", np.float64, (d,), low=0.0, high=n_rows), np.full(d, n_rows))


def _moments_of_state(state: State, d: int) -> Moments:
    largest = LARGEST_SQUARABLE
    mean = state.array("mean", np.float64, (d,), low=-largest, high=largest)
    covariance = state.array(
        "covariance", np.float64, (d, d), low=-((2.0 * largest) ** 2), high=(2.0 * largest) ** 2
    )
    wrong = why_no_covariance(covariance)
    if wrong:
        raise state.error("covariance", wrong)
    return Moments(state.number("weight", low=math.ulp(0.0), high=sys.float_info.max), mean, covariance)


def _log_density(normal: Normal, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return log_density_of_observed(normal, rows) if np.isnan(rows).any() else normal.log_density(rows)


def _warn_of_raised(normal: Normal) -> None:
    if normal.n_raised:
        warnings.warn(
            f"{normal.n_raised} directions of the table have no spread (constant or linearly dependent "
            "columns); they were given a tiny one.",
            stacklevel=3,
        )


def _novelty_by_law(normal: Normal, false_alarm_rate: float) -> dict[str, Any]:
    """Threshold and p-values where the rows are gone: squared distances are chi-squared."""
    levels = np.append((np.arange(1000) + 0.5) / 1000.0, false_alarm_rate)
    scores = log_density_of_squares(chdtri(len(normal.mean), levels), normal.log_det, len(normal.mean))
    return {"offset_": float(scores[-1]), "calibration_scores_": scores[:-1]}


def _training_matrix(columns: Columns) -> NDArray[np.float64]:
    check_number_kinds(columns.schema)
    refuse_large_numbers(columns)
    return number_matrix(columns)
