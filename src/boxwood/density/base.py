"""The contract of every density: score, sample, tell what is odd, save."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import ColumnMeasure, Columns, to_native
from boxwood.columns.precision import rounded_to_source
from boxwood.density.integrated import integrated
from boxwood.density.surprise import KINDS, cells_frame, chained, given_the_rest, without_columns
from boxwood.estimator import TableEstimator
from boxwood.evidence import Evidence, SharedTable, in_groups, kept_labels, weigh_rows
from boxwood.evidence.bounds import check_bounds, with_bounds
from boxwood.evidence.support import with_declared_values, with_support
from boxwood.evidence.weights import DUPLICATES, WEIGHT_KINDS
from boxwood.gaps import MISSING, GapRates
from boxwood.margins import Margins, fit_margins
from boxwood.novelty import NoveltyMixin, thinned, weighted_quantile
from boxwood.parameters import Checked, Choice, Parameter, check_count, declare, shown
from boxwood.randomness import generator

if TYPE_CHECKING:
    from boxwood.query import Query
    from boxwood.query.weighed.proposal import Proposal

__all__ = ["BOUNDS", "EVIDENCE", "MISSING_VALUES", "DensityEstimator", "thinned", "weighted_quantile"]

N_SIMULATED = 4096
"""Rows whose columns tell where to integrate a density that keeps no margins of its own."""

MISSING_VALUES = Parameter(
    "missing",
    Choice(*MISSING),
    "Whether a score has the probability of a row's gaps in it, or is that of the values alone: then it "
    "compares only with scores of rows with the same gaps.",
)

BOUNDS = Parameter(
    "bounds",
    Checked("dict of column to (low, high), or None", check_bounds),
    "What a column's values cannot be: beyond low and high (None: no end) there is no density, and samples "
    "stay between them. Columns by name or position; dates in microseconds since 1970. Without it, zero is "
    "an end of columns whose values end there.",
)

EVIDENCE = declare(
    Parameter(
        "duplicates",
        Choice(*DUPLICATES),
        "Whether a row that comes again, or a whole weight above 1, is a copy of the same observation or "
        'evidence of another one. "auto" decides by row: a copy where a value is continuous, since two such '
        "rows never coincide, and where a rough model makes the repetition all but impossible; evidence "
        "where all values are discrete.",
    ),
    Parameter(
        "weight_kind",
        Choice(*WEIGHT_KINDS),
        'What ``sample_weight`` is: "frequency", how often a row came; "survey", how much of the population '
        'it stands for, on any scale. "auto" takes whole numbers as frequencies.',
    ),
)
"""Parameters of what rows are worth."""


class DensityEstimator(NoveltyMixin, TableEstimator):
    """A normalised density of a table's rows.

    A subclass implements ``fit``, which ends with `_set_fitted` of what it learnt and of `_novelty`, and

    - ``_score(columns)``: the log-density of each row,
    - ``_sample(n_samples, rng)``: that many rows, as columns.
    """

    missing: str = "event"
    duplicates: str = "auto"
    weight_kind: str = "auto"
    bounds: Any = None
    support: Any = None

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row.

        Densities are with respect to length for continuous columns and to counting for categories,
        atoms and missing values: with ``missing="event"`` the probability of a row's gaps is part of its
        score, so that scores of all rows, and of all families, compare.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        columns = self._read(X)
        scores = self._score(columns)
        self._warn_of_zeros(columns, scores)
        return scores

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean log-density of the rows, weighted where weights are given.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        columns = self._read(X, sample_weight)
        scores = self._score(columns)
        self._warn_of_zeros(columns, scores)
        return float(np.average(scores, weights=columns.weights))

    def explain(self, X: Any, kind: str = "rest") -> Any:
        """Return how surprising each cell of each row is, in nats.

        Densities in closed form (trees, forests, histograms, products, Gaussians) answer exactly; of others
        (`BoostedDensity`, `NeighborDensity`, rotations) columns are integrated over: one by 256 places of its
        margin, which also holds its atoms and gaps, or by all its categories; several by 256 places.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        kind : {"rest", "order"}, default="rest"
            Whether a cell is compared with all other cells of its row, −log p(cell | rest of the row), or
            with those before it, −log p(cell | cells to its left): these sum to minus the row's score.

        Returns
        -------
        array or frame of shape (n_samples, n_features)
            In the container of the fitted table. A gap is a value like others where ``missing="event"``.

        Examples
        --------
        >>> import boxwood as bw
        >>> X = np.random.default_rng(0).normal(size=(500, 1)) * [1.0, 1.0]  # two equal columns
        >>> density = bw.GaussianDensity(shrinkage=0.01).fit(X)
        >>> density.explain([[0.5, 0.5], [1.0, -1.0]]).round(1)
        array([[-1. , -1. ],
               [95.8, 95.8]])
        """
        if kind not in KINDS:
            raise ValueError(f"kind must be one of {KINDS}; got {shown(kind)}.")
        columns = self._read(X)
        return cells_frame(self.schema_, self._surprise(columns, kind))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Any:
        """Simulate rows.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        array or frame
            Rows like those of the fitted table, in the same container, with its types and its decimals.
        """
        return self._simulate(n_samples, random_state, self._sample)

    def query(self) -> Query:
        """Return what answers questions about the fitted density.

        Where it has no closed forms, draws of a density forest under the evidence are weighed by the ratio
        of the densities: answers then have a ``standard_error`` and ``exact=False``. A density without a
        forest of its own fits one, at the first call, to rows that it draws.

        Returns
        -------
        Query
        """
        from boxwood.density.weighable import weighed_query

        check_is_fitted(self)
        return weighed_query(self)

    def _make_proposal(self) -> Proposal:
        """Return what draws rows under evidence and weighs them."""
        from boxwood.density.weighable import fitted_proposal

        return fitted_proposal(self)

    def _base_measure(self) -> list[ColumnMeasure]:
        """Return where the density has probabilities of single values: of a density of numbers nowhere."""
        from boxwood.query.weighed.measures import lengths

        return lengths(self.schema_)

    def _scored_as(self, missing: str) -> Any:
        """Return a copy that scores gaps as events ("event"), or sums them out ("ignore")."""
        from boxwood.density.weighable import with_missing

        return with_missing(self, missing)

    def _simulate(
        self, n_samples: int, random_state: Any, draw: Callable[[int, np.random.Generator], Columns]
    ) -> Any:
        """Check what is asked of `sample`, draw, and return rows as the fitted table had them."""
        check_is_fitted(self)
        check_count("n_samples", n_samples)
        return to_native(rounded_to_source(draw(int(n_samples), generator(random_state))))

    def _read_fit(self, X: Any, sample_weight: Any = None) -> Columns:
        return with_declared_values(super()._read_fit(X, sample_weight), self.support)

    def _weigh(self, columns: Columns, groups: Any = None, sample_weight: Any = None) -> Evidence:
        """Merge equal rows of a table and find what they are worth: what every fit begins with.

        `groups` are labels of the given rows, of which those of weight 0 are not in the table any more.
        """
        evidence = weigh_rows(columns, weight_kind=self.weight_kind, duplicates=self.duplicates)
        evidence = with_bounds(evidence, columns, self._bounds_of_columns())
        evidence = with_support(evidence, columns.schema, self.support)
        labels = kept_labels(groups, sample_weight)
        return evidence if labels is None else in_groups(evidence, labels)

    def _weigh_shared(self, shared: SharedTable) -> tuple[Evidence, list[Evidence]]:
        """Weigh the table that some rows are a part of, and each of its parts."""
        return self._weigh(shared.columns), [self._weigh(part) for part in shared.tables()]

    def _bounds_of_columns(self) -> Any:
        """Return the bounds of single columns that values cannot pass."""
        return self.bounds

    def _novelty_of(self, evidence: Evidence, held_out: NDArray[np.float64]) -> dict[str, Any]:
        """Return what novelty needs from left-out scores of the distinct rows."""
        found = self._novelty(held_out, evidence.columns.weights)
        of_rows = evidence.of_given_rows(found["_training_p_values"])
        return {**found, "_training_p_values": of_rows}

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        """Use these rates of gaps for columns that had none, and return how the scores change.

        `n` is the effective number of rows of the whole table. The result is the change in the score of a row
        without gaps. Densities that do not support missing values do nothing.
        """
        return 0.0

    def _with_gaps(
        self, scores: NDArray[np.float64], gaps: GapRates | None, columns: Columns
    ) -> NDArray[np.float64]:
        """Return scores of what rows show with the probability of their gaps, where that is asked for."""
        if gaps is None or self.missing == "ignore":
            return scores
        gaps.warn_of_impossible(columns)
        return scores + gaps.log_probability(columns)

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        params = super()._updated_params(params)
        # Files of before gaps had a probability hold models that sum them out.
        takes_gaps = "missing" in cls._get_param_names()
        return {"missing": "ignore", **params} if takes_gaps else params

    def _score_table(self, X: Any) -> NDArray[np.float64]:
        return self._score(self._read(X))

    def _surprise(self, columns: Columns, kind: str) -> NDArray[np.float64]:
        """Return the surprise of each cell, by densities of some of the columns."""
        compare = chained if kind == "order" else given_the_rest
        return compare(lambda kept: self._score_of(columns, kept), self._score(columns), len(columns))

    def _score_of(self, columns: Columns, kept: Sequence[int]) -> NDArray[np.float64]:
        """Return the log-density of some columns of each row, the others summed out or integrated over."""
        if self.missing == "ignore":
            hidden = [j for j in range(len(columns)) if j not in set(kept)]
            return self._score(without_columns(columns, hidden))
        return integrated(self._score, columns, kept, self._margins_of_columns())

    def _margins_of_columns(self) -> Margins:
        """Return distributions of the single columns that places for integrals are taken from."""
        return fit_margins(self._sample(N_SIMULATED, generator(0)))

    def _warn_of_zeros(self, columns: Columns, scores: NDArray[np.float64]) -> None:
        """Warn of rows of density 0 if a parameter could give them more."""
        remedy = self._remedy_of_zeros()
        if remedy is None:
            return
        zero = np.isneginf(scores)
        if zero.any():
            rows = f"{int(zero.sum())} of {len(scores)} rows, row {int(np.argmax(zero))} the first"
            warnings.warn(f"density 0: {rows}. {remedy}", stacklevel=4)

    def _remedy_of_zeros(self) -> str | None:
        """Return which parameter makes the density positive; None if zeros are meant."""
        return None

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        raise NotImplementedError

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        raise NotImplementedError
