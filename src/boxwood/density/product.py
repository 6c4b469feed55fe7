"""The product of one density a column, or a component: independence, as naive Bayes has it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import ColumnMeasure, Columns, Field, Schema
from boxwood.density.base import EVIDENCE, MISSING_VALUES, DensityEstimator
from boxwood.density.gaussian import GaussianDensity
from boxwood.density.histogram import Histogram
from boxwood.density.product_parts import alone, column_of, fields_of, parts_of
from boxwood.density.queryable import Asked, QueryableDensity
from boxwood.evidence import Evidence, shared_table
from boxwood.evidence.discrete import discrete_by
from boxwood.evidence.support import read_support
from boxwood.gaussian.normal_held_out import held_out_log_density
from boxwood.histogram.available import available_unless
from boxwood.histogram.extend import extended_schema
from boxwood.histogram.mixture_form import mixture_of_histograms
from boxwood.histogram.parameters import SUPPORT_OF_BINS, UNSEEN_VALUES
from boxwood.histogram.plan import ChosenBins
from boxwood.histogram.zeros import warn_of_zeros
from boxwood.in_parts import OnePart
from boxwood.linear.rotation import ROTATIONS, Rotation, fit_rotation
from boxwood.linear.table_rotation import check_rotatable, check_rotatable_kinds
from boxwood.mixture import NoMixtureError, TableMixture
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Choice, Instance, Parameter, declare, only_with, random_state, set_effective
from boxwood.randomness import generator

__all__ = ["ProductDensity"]

MARGINALS = ("histogram", "gaussian")

N_SIMULATED = 10_000
"""Rows drawn from the model, whose scores calibrate p-values when the fitted rows are not kept."""


def _why_not_in_parts(estimator: ProductDensity) -> str | None:
    marginal, rotation = estimator.marginal, estimator.rotation
    if rotation is not None:
        return f"rotation={rotation!r} needs all rows at once."
    if marginal == "gaussian" or (not isinstance(marginal, str) and hasattr(marginal, "partial_fit")):
        return None
    if isinstance(marginal, str | Histogram):
        return (
            "the histograms take their edges from all rows, but partial_fit sees only some of them. Give "
            "marginal=Histogram(bins=edges) or marginal=Histogram(bins=n, range=(low, high))."
        )
    return f"this {type(marginal).__name__} has no partial_fit: it needs all rows at once."


class ProductDensity(QueryableDensity, DensityEstimator):
    """Product of one-dimensional densities, p(x) = Π p_j(x_j), of columns or of components.

    With a rotation z = W·(x − mean) the factors are those of the components, and the density is
    multiplied by the size of W's determinant, so that it still integrates to 1. What the columns (or
    components) have to do with each other beyond that, the product does not see: where they depend on
    each other it puts mass where no row is, such as clusters at every crossing of the columns' clusters.

    Attributes
    ----------
    marginals_ : list of densities
        One fitted density a column or component.
    rotation_ : Rotation or None
        With ``matrix`` (W) and ``centre``.
    offset_ : float
    calibration_scores_ : ndarray
        Held-out log-densities; where the marginals are neither histograms nor Gaussian, training ones.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 2)) @ [[1.0, 0.9], [0.0, 0.4]]
    >>> plain = bw.ProductDensity(marginal="gaussian").fit(X)
    >>> turned = bw.ProductDensity(marginal="gaussian", rotation="pca").fit(X)
    >>> bool(turned.score(X) > plain.score(X) + 0.5)
    True
    >>> whole = bw.GaussianDensity().fit(X)
    >>> bool(np.allclose(turned.score_samples(X), whole.score_samples(X)))
    True
    """

    _parameters = declare(
        MISSING_VALUES.but(
            "Whether a score has the probability of a row's gaps in it, or is that of the values alone. The "
            "factors follow it.",
            effect=only_with(rotation=None),
        ),
        *EVIDENCE,
        Parameter(
            "marginal",
            Choice(*MARGINALS) | Instance(DensityEstimator, "density"),
            'The density of each column or component. "histogram": a `Histogram` whose number of bins and '
            'prior are chosen together (``bins="loo_likelihood", estimate="bayes", alpha="loo"``). It is '
            'positive wherever the table has rows. "gaussian": a `GaussianDensity`, and a histogram for '
            "coded columns. Otherwise a copy of the density that is given.",
        ),
        Parameter(
            "rotation",
            Choice(*ROTATIONS) | None,
            "Principal or independent components of the standardised columns, for numbers without missing "
            "values; densities are then per unit of length for integers too.",
        ),
        SUPPORT_OF_BINS,
        UNSEEN_VALUES.but(
            'Of the histograms that `marginal="histogram"` makes, as in `Histogram`: what a value has that '
            "training did not show.",
            effect=only_with(marginal=MARGINALS),
        ),
        random_state('Where "ica" begins its search.'),
    )

    _releases_rows = True

    marginals_: list[DensityEstimator]
    rotation_: Rotation | None

    def __init__(
        self,
        marginal: Any = "histogram",
        *,
        rotation: str | None = None,
        support: Any = None,
        unseen: str = "zero",
        missing: str = "event",
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        random_state: Any = 0,
    ) -> None:
        self.marginal = marginal
        self.rotation = rotation
        self.support = support
        self.unseen = unseen
        self.missing = missing
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit the rotation, where there is one, and each factor.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
        groups : array-like of shape (n_samples,), optional
            Rows of a group are in the same fold where a histogram's rule is "cv".

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        evidence = self._weigh(columns, groups, sample_weight)
        columns.release()
        rotation = self._fit_rotation(evidence.columns)
        parts = parts_of(evidence.columns, rotation)
        unfitted = self._unfitted(columns.schema, rotation)
        chosen = self._bins_of_whole(evidence) if rotation is None else [None] * len(parts)
        marginals = [
            self._fit_marginal(marginal, part, evidence, bins)
            for marginal, part, bins in zip(unfitted, parts, chosen, strict=True)
        ]
        held_out = np.full(evidence.n_rows, 0.0 if rotation is None else rotation.log_determinant)
        for marginal, part in zip(marginals, parts, strict=True):
            held_out += _held_out(marginal, part, evidence.removed_weights)
        novelty = self._novelty_of(evidence, held_out)
        self._set_fitted(columns.schema, marginals_=marginals, rotation_=rotation, **novelty)
        return self

    @available_unless(_why_not_in_parts)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to each factor.

        Available if all factors have a `partial_fit`: Gaussians, and histograms with given edges. Histograms
        with given edges are then exactly those of one `fit` of all rows, and Gaussians equal theirs to
        rounding. The novelty threshold and the p-values are calibrated on rows drawn from the model.

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
        if self.__sklearn_is_fitted__():
            self._check_names(columns.schema)
            columns = columns.matched(extended_schema(self.schema_, columns.schema))
            marginals: list[Any] = deepcopy(self.marginals_)
        else:
            marginals = self._unfitted(columns.schema, None)
        for marginal, part in zip(marginals, parts_of(columns, None), strict=True):
            marginal.partial_fit(part)
        self._set_fitted(columns.schema, marginals_=marginals, rotation_=None)
        drawn = self._sample(N_SIMULATED, generator(0))
        scores = np.zeros(N_SIMULATED)
        for marginal, part in zip(marginals, parts_of(drawn, None), strict=True):
            is_histogram = isinstance(marginal, Histogram)
            scores += marginal._left_out(part) if is_histogram else marginal._score(part)
        self.__dict__.update(self._novelty(scores, None, of_rows=False))
        return self

    def _bins_of_whole(self, evidence: Evidence) -> list[ChosenBins | None]:
        """Return the bins of each column that all parts of a table share; None for a table of its own."""
        shared = shared_table(evidence.columns)
        if shared is None:
            return [None] * len(evidence.columns)

        def find() -> list[ChosenBins | None]:
            whole, classes = self._weigh_shared(shared)
            unfitted = self._unfitted(whole.columns.schema, None)
            return [self._shared_bins(marginal, whole, classes, j) for j, marginal in enumerate(unfitted)]

        return shared.once("marginals", find)

    def _shared_bins(
        self, marginal: DensityEstimator, whole: Evidence, classes: Sequence[Evidence], j: int
    ) -> ChosenBins | None:
        if not isinstance(marginal, Histogram):
            return None
        marginal._check_parameters()
        return marginal._choose_for(_of_column(whole, j), [_of_column(one, j) for one in classes])[0]

    def _fit_marginal(
        self, marginal: Any, part: Columns, evidence: Evidence, shared: ChosenBins | None
    ) -> DensityEstimator:
        """Fit the density of a column; what its rows are worth is that of the table's rows."""
        if not isinstance(marginal, Histogram | GaussianDensity):
            return set_effective(marginal, **_as_weighed(marginal)).fit(part)
        marginal._check_parameters()
        given = not isinstance(self.marginal, str)
        if given and isinstance(marginal, Histogram) and marginal._why_not_in_parts(OnePart(part)) is None:
            # With given edges a row counts what it weighs, so that partial_fit gives the same counts.
            return marginal._fit_parts(OnePart(part.with_weights(evidence.merged_weights)))
        of_part = _of_part(evidence, part)
        if isinstance(marginal, GaussianDensity):
            return marginal._fit_weighed(of_part)
        return marginal._fit_weighed(of_part, [shared] if shared else marginal._choose_for(of_part))

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        if self.rotation_ is not None:
            return 0.0
        return sum(
            marginal._take_gap_rates(rates[j : j + 1], n) for j, marginal in enumerate(self.marginals_)
        )

    def to_mixture(self) -> TableMixture:
        """Return the product in the form of trees and forests: one component under margins.

        For histograms of columns: components of a rotation and Gaussians are no products of piecewise
        polynomial densities of columns.
        """
        check_is_fitted(self)
        histograms = [marginal for marginal in self.marginals_ if isinstance(marginal, Histogram)]
        if self.rotation_ is not None or len(histograms) != len(self.marginals_):
            raise NoMixtureError(
                "only a product of histograms without a rotation has this form; fit "
                'ProductDensity(marginal="histogram", rotation=None), or a DensityForest.'
            )
        return mixture_of_histograms(self.schema_, [marginal.columns_[0] for marginal in histograms])

    def _fit_rotation(self, columns: Columns) -> Rotation | None:
        if self.rotation is None:
            return None
        check_rotatable(columns, self.rotation)
        return fit_rotation(columns.matrix(), columns.weights, self.rotation, self.random_state)

    def _unfitted(self, schema: Schema, rotation: Rotation | None) -> list[DensityEstimator]:
        """Return the density of each column, or component, before it is fitted."""
        fields = fields_of(schema, rotation)
        supports = read_support(schema, self.support) if rotation is None else [None] * len(fields)
        return [self._marginal(field, support) for field, support in zip(fields, supports, strict=True)]

    def _marginal(self, field: Field, support: NDArray[np.float64] | None) -> DensityEstimator:
        listed = None
        if support is not None:
            listed = {0: support if field.kind.is_number else list(field.categories)}
        if not isinstance(self.marginal, str):
            known = self.marginal.get_params(deep=False)
            if listed is not None and "support" not in known:
                raise TypeError(
                    f"ProductDensity: support is given, but {type(self.marginal).__name__} has no parameter "
                    "support. Use marginal='histogram'."
                )
            follows = {"missing": self.missing} if "missing" in known else {}
            return clone(self.marginal).set_params(
                **follows, **({} if listed is None else {"support": listed})
            )
        if self.marginal == "gaussian" and field.kind.is_number and listed is None:
            return GaussianDensity(missing=self.missing)
        # The rule makes no difference to categories, and without one there is a partial_fit.
        bins: Any = "loo_likelihood" if field.kind.is_number else {}
        return Histogram(
            bins=bins,
            estimate="bayes",
            alpha="loo",
            missing=self.missing,
            unseen=self.unseen,
            support=listed,
        )

    def _base_measure(self) -> list[ColumnMeasure]:
        if self.rotation_ is not None:
            return super()._base_measure()
        return [marginal._base_measure()[0] for marginal in self.marginals_]

    def _scored_as(self, missing: str) -> Any:
        made = super()._scored_as(missing)
        made.marginals_ = [marginal._scored_as(missing) for marginal in self.marginals_]
        return made

    def _asked(self) -> Asked:
        first = self.marginals_[0]
        n_rows = first.columns_[0].everything if isinstance(first, Histogram) else None
        return Asked(self.marginals_, n_rows=n_rows)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        if self.rotation_ is not None:
            check_rotatable(columns, "a rotation")
        scores = np.full(columns.n_rows, 0.0 if self.rotation_ is None else self.rotation_.log_determinant)
        for marginal, part in zip(self.marginals_, parts_of(columns, self.rotation_), strict=True):
            scores += marginal._score(part)
        return scores

    def _surprise(self, columns: Columns, kind: str) -> NDArray[np.float64]:
        if self.rotation_ is not None:
            return super()._surprise(columns, kind)
        parts = zip(self.marginals_, parts_of(columns, None), strict=True)
        return -np.stack([marginal._score(part) for marginal, part in parts], axis=1)

    def _warn_of_zeros(self, columns: Columns, scores: NDArray[np.float64]) -> None:
        if not np.isneginf(scores).any():
            return
        parts = zip(self.marginals_, parts_of(columns, self.rotation_), strict=True)
        pairs = [(m.columns_[0], part[0]) for m, part in parts if isinstance(m, Histogram)]
        warn_of_zeros([histogram for histogram, _ in pairs], [column for _, column in pairs])

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        drawn = [marginal._sample(n_samples, rng)[0] for marginal in self.marginals_]
        if self.rotation_ is not None:
            rows = self.rotation_.invert(np.column_stack([column.values for column in drawn]))
            drawn = [column_of(field, rows[:, j]) for j, field in enumerate(self.schema_.fields)]
        return Columns(self.schema_, n_samples, columns=drawn)

    def _get_state(self) -> dict[str, Any]:
        same = all(
            type(unfitted) is type(marginal)
            for unfitted, marginal in zip(
                self._unfitted(self.schema_, self.rotation_), self.marginals_, strict=True
            )
        )
        if not same or (self.rotation is None) != (self.rotation_ is None):
            raise ModelFileError(
                "ProductDensity: marginal or rotation was changed since the fit; fit it again"
            )
        state: dict[str, Any] = {
            "marginals": [marginal._get_state() for marginal in self.marginals_],
            **self._get_novelty_state(),
        }
        return state if self.rotation_ is None else {"rotation": self.rotation_.to_state(), **state}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        d = len(schema)
        rotation = Rotation.from_state(state.child("rotation"), d) if "rotation" in state else None
        if (rotation is None) != (self.rotation is None):
            raise state.error("rotation", "does not fit the parameter")
        if rotation is not None:
            check_rotatable_kinds(schema, f"rotation={self.rotation!r}")
        marginals = self._unfitted(schema, rotation)
        children = zip(fields_of(schema, rotation), state.children("marginals", d), strict=True)
        for marginal, (field, child) in zip(marginals, children, strict=True):
            marginal._restore(alone(field).to_json(), child)
        return {"marginals_": marginals, "rotation_": rotation, **self._novelty_of_state(state)}


def _of_part(evidence: Evidence, part: Columns) -> Evidence:
    assert part.measure is not None
    return replace(evidence, columns=part, discrete=discrete_by(part, part.measure.columns))


def _of_column(evidence: Evidence, j: int) -> Evidence:
    """Return the evidence of the rows in one column."""
    return _of_part(evidence, parts_of(evidence.columns, None)[j])


def _as_weighed(marginal: DensityEstimator) -> dict[str, str]:
    """Return the parameters with which a density takes rows that have been merged and weighed as they are."""
    known = {"duplicates": "evidence", "weight_kind": "survey"}
    return {name: value for name, value in known.items() if name in marginal.get_params(deep=False)}


def _held_out(marginal: DensityEstimator, part: Columns, removed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return each row's log-density under the marginal without it, where that is known."""
    if isinstance(marginal, Histogram):
        return marginal._left_out(part, chosen_by_rows=True)
    if isinstance(marginal, GaussianDensity):
        scores = held_out_log_density(
            marginal.normal_, part.matrix(), part.weights, marginal.covariance_type, removed
        )
        if marginal.gaps_ is not None and marginal.missing == "event":
            scores += marginal.gaps_.left_out_log_probability(part)
        return scores
    return marginal._score(part)
