"""The whole distribution of a number given the columns."""

from __future__ import annotations

from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import check_array, column_or_1d

from boxwood.columns import Columns, Field, Kind, Schema
from boxwood.columns.targets import check_numbers, check_values_finite
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, check_count, declare, random_state, shown
from boxwood.randomness import seed_of
from boxwood.table.conditional import ConditionalModel, target_name, with_target
from boxwood.table.density_laws import DensityLaws
from boxwood.table.fitted_density import TARGET_MODEL
from boxwood.table.target import NumberTarget

__all__ = ["ConditionalRegressor"]

_FRACTIONS = (np.arange(128) + 0.5) / 128
"""The continuous ranked probability score is twice the mean pinball loss of quantiles at these."""


class ConditionalRegressor(RegressorMixin, ConditionalModel):
    """Regressor that tells the target's whole distribution.

    Without a `model`, by forests that are grown for the target. Two distributions are mixed, with weights by
    the out-of-bag likelihood: the values of the training rows in a row's leaves (Meinshausen's quantile
    regression forest), smoothed; and residuals around a mean that a linear regression and forests of what it
    leaves tell (Breiman's iterated bagging). Lattices and atoms of the target are kept. Gaps go with one side
    of a split.

    With a `model`, by its density of the columns and the target together; gaps are summed out.

    Attributes
    ----------
    target_ : NumberTarget
        The forests; only without a model.
    density_ : estimator
        The fitted density, its last column the target; only with a model.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(0.0, 4.0, 1000)
    >>> model = bw.ConditionalRegressor(random_state=0).fit(x[:, None], x + x * rng.normal(size=1000))
    >>> narrow, wide = np.diff(model.predict_interval([[0.5], [3.5]], 0.8)).ravel()
    >>> bool(2.0 * narrow < wide)
    True
    """

    _parameters = declare(
        TARGET_MODEL,
        Parameter("point", Choice("mean", "median"), "What of the distribution `predict` returns."),
        Parameter(
            "scoring",
            Choice("r2", "crps", "log_likelihood"),
            "What `score` returns; the continuous ranked probability score with its sign turned, so that "
            "larger is better.",
        ),
        random_state("Of the forests that are fitted where no model is given."),
    )

    def __init__(
        self, model: Any = None, *, point: str = "mean", scoring: str = "r2", random_state: Any = None
    ) -> None:
        self.model = model
        self.point = point
        self.scoring = scoring
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the distribution of the target given the columns.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            What they are the model's `weight_kind` says; without a model, whole numbers are frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, values = self._read_weighted(X, self._read_values(y), sample_weight)
        joint = self._joint(columns, _field(columns.schema), values)
        if self.model is not None:
            self._set_fitted(columns.schema, density_=self._new_density().fit(joint))
        else:
            self._set_fitted(columns.schema, target_=NumberTarget.fit(joint, seed_of(self.random_state)))
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the target given each row, or its median.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        laws = self._laws(self._read(X))
        return np.asarray(laws.means() if self.point == "mean" else laws.medians())

    def predict_quantiles(self, X: Any, quantiles: Any = (0.05, 0.5, 0.95)) -> NDArray[np.float64]:
        """Return quantiles of the target given each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        quantiles : float or array-like of shape (n_quantiles,), default=(0.05, 0.5, 0.95)
            Probabilities below the quantiles.

        Returns
        -------
        ndarray of shape (n_samples, n_quantiles)
        """
        fractions = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
        if fractions.ndim > 1 or not ((fractions >= 0.0) & (fractions <= 1.0)).all():
            raise ValueError(f"quantiles must lie in [0, 1]; got {shown(quantiles)}.")
        return np.asarray(self._laws(self._read(X)).quantiles(fractions))

    def predict_interval(self, X: Any, level: float = 0.9) -> NDArray[np.float64]:
        """Return the ends of central intervals of the target given each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        level : float, default=0.9
            Probability of the interval.

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie between 0 and 1; got {shown(level)}.")
        return self.predict_quantiles(X, [0.5 - 0.5 * level, 0.5 + 0.5 * level])

    def cdf(self, X: Any, values: Any) -> NDArray[np.float64]:
        """Return the probability that the target is at most a value, given each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        values : float or array-like of shape (n_values,)
            Thresholds: the probability of a target up to each of them is returned.

        Returns
        -------
        ndarray of shape (n_samples, n_values)
        """
        limits = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if limits.ndim > 1 or np.isnan(limits).any():
            raise ValueError(f"values must be numbers, in one dimension; got {shown(values)}.")
        return np.asarray(self._laws(self._read(X)).cdf(limits))

    def sample(self, X: Any, n: int = 1, random_state: Any = None) -> NDArray[np.float64]:
        """Draw targets of each row.

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
        return np.asarray(self._laws(self._read(X)).draws(n, random_state))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return how well targets are told, by what `scoring` names; larger is better.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
            By ``"log_likelihood"`` and with a model a gap in a row is a value like others, not summed out.
        """
        if self.scoring == "r2":
            return float(super().score(X, y, sample_weight))
        columns, values = self._read_weighted(X, self._read_values(y), sample_weight, fitted=True)
        if self.scoring == "log_likelihood":
            return float(np.average(self._laws(columns).log_density(values), weights=columns.weights))
        above = values[:, None] - self._laws(columns).quantiles(_FRACTIONS)
        losses = 2.0 * np.maximum(_FRACTIONS * above, (_FRACTIONS - 1.0) * above).mean(axis=1)
        return float(-np.average(losses, weights=columns.weights))

    def _read_values(self, y: Any) -> NDArray[np.float64]:
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None.")
        check_numbers(y)
        values = check_array(
            column_or_1d(y, warn=True), ensure_2d=False, dtype=np.float64, ensure_all_finite=False
        )
        check_values_finite(values)
        return np.asarray(values)

    def _laws(self, columns: Columns) -> Any:
        """Return the distributions of the target given rows."""
        if "target_" in self.__dict__:
            return self.target_.laws(columns)
        return DensityLaws(partial(self._conditionals, columns, _field(self.schema_)), self.n_features_in_)

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        field = _field(schema)
        if "density" in state:  # with a model, and of files of the time when every target was a density's
            return {"density_": self._density_of_state(with_target(schema, field), state)}
        return {"target_": NumberTarget.from_state(state.child("target"), schema, field)}


def _field(schema: Schema) -> Field:
    return Field(target_name(schema), Kind.NUMERIC)
