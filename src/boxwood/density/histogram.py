"""The histogram density: one histogram a column, as if the columns were independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Columns, Kind, Schema
from boxwood.density.base import MISSING_VALUES, DensityEstimator
from boxwood.density.queryable import Asked, QueryableDensity
from boxwood.histogram.attributes import HistogramAttributes
from boxwood.histogram.available import available_unless
from boxwood.histogram.column import ColumnHistogram, count_column, gaps_of
from boxwood.histogram.extend import extended_schema, fitted_into
from boxwood.histogram.mixture_form import mixture_of_histograms
from boxwood.histogram.novelty import left_out_logs, scores_by_law, scores_of_bins, scores_of_rows
from boxwood.histogram.parameters import ALPHA, BINS, ESTIMATE, RANGE
from boxwood.histogram.plan import ColumnPlan, check_alpha, plan_columns, why_not_in_parts
from boxwood.histogram.selection import Search, Selection, check_candidates
from boxwood.histogram.state import columns_of_state, state_of_columns
from boxwood.mixture import TableMixture
from boxwood.model_file import State
from boxwood.parameters import Checked, Integer, Parameter, declare, n_jobs, random_state
from boxwood.threads import n_threads

__all__ = ["Histogram"]


class Histogram(QueryableDensity, HistogramAttributes, DensityEstimator):
    """Density by histograms, one a column; log-densities of the columns add up.

    Numbers have intervals for bins: bin m holds edges[m] ≤ x < edges[m + 1], the last one its upper edge
    too, and outside the edges the density is 0. Edges between integers lie half way, so that the
    density there is a number's probability. The bins of categorical, ordinal and boolean columns are
    their categories; a category that the fitted table did not have has probability 0. Of missing
    values scores and samples have the fitted table's fraction (see `missing`). Rows outside given edges do
    not count in that column.

    Attributes
    ----------
    edges_ : list
        Edges of each column; of a coded column its categories.
    counts_ : list of ndarray
        Weight of the rows in each bin.
    density_ : list of ndarray
    standard_errors_ : list of ndarray
        √(P(1 − P)/N)/h for each bin of probability P and width h.
    selection_ : list of Selection or None
        Candidates, scores and choice where a rule chose the bins.
    missing_, outside_ : ndarray of shape (n_features,)
        Weight of the rows without a value, and of those with a value in no bin.
    mean_, variance_ : ndarray of shape (n_features,)
        Moments of the density; NaN for categories.
    offset_ : float
    calibration_scores_ : ndarray
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    In a column where rows share values (two rows a value on average) no width below the smallest gap
    between values is tried; if the values are multiples of a step, widths are multiples of it and edges
    lie half way between values. A single value that stands out by its rows is left out of the choice.
    A column with one distinct value has one bin of width 1 around it. A column without any value has no
    bins and adds nothing.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 1))
    >>> model = bw.Histogram(bins=[-4.0, -1.0, 0.0, 1.0, 4.0]).fit(X)
    >>> model.counts_[0]
    array([167., 367., 317., 149.])
    >>> model.density_[0].round(2)
    array([0.06, 0.37, 0.32, 0.05])
    >>> len(bw.Histogram(bins="loo").fit(X).counts_[0])
    13
    """

    _parameters = declare(
        MISSING_VALUES,
        BINS,
        ESTIMATE,
        ALPHA,
        RANGE,
        Parameter(
            "candidates",
            Checked("int or array of int", check_candidates) | None,
            "How many numbers of bins (from 1 to the lesser of N and 10·√N) a rule compares, or which. "
            "Without it 200.",
        ),
        Parameter(
            "n_origins",
            Integer(1, 1000),
            "How many places of the first edge, within one width, a rule compares for each number of bins.",
        ),
        Parameter("n_folds", Integer(2), 'Of the rule "cv".'),
        random_state('Deals rows to the folds of the rule "cv".'),
        n_jobs("Threads for counting; −1 for all cores. The counts do not depend on it."),
    )

    columns_: tuple[ColumnHistogram, ...]
    selection_: list[Selection | None]

    def __init__(
        self,
        *,
        bins: Any = "loo",
        estimate: str = "ml",
        alpha: Any = 2.0,
        range: Any = None,
        candidates: Any = None,
        n_origins: int = 1,
        n_folds: int = 5,
        missing: str = "event",
        false_alarm_rate: float = 0.05,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.bins = bins
        self.estimate = estimate
        self.alpha = alpha
        self.range = range
        self.candidates = candidates
        self.n_origins = n_origins
        self.n_folds = n_folds
        self.missing = missing
        self.false_alarm_rate = false_alarm_rate
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose bins and count.

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
        return self._fit_in(columns, self._choose_bins(columns))

    @available_unless(why_not_in_parts)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was counted so far.

        Edges must be given, or a number of bins and a range: a rule needs all rows at once, and a model
        whose `bins` are one has no `partial_fit` (for categories alone ``bins={}`` will do). Counts are
        exactly those of one `fit` of all rows, and so is all that follows from them; only the novelty
        threshold of a table of several columns then follows from rows that the model itself draws.

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
        schema = columns.schema
        if self.__sklearn_is_fitted__():
            self._check_names(schema)
            schema = extended_schema(self.schema_, schema)
            columns = columns.matched(schema)
        plans = self._plans(schema)
        counted = self._count([plan.fixed_edges() for plan in plans], columns)
        if self.__sklearn_is_fitted__():
            counted = self._added(schema, counted)
        self._finish(schema, plans, counted, [None] * len(schema))
        return self

    def merge(self, other: Histogram) -> Histogram:
        """Return the histogram of the rows of both, which must have the same bins.

        Parameters
        ----------
        other : Histogram
            Fitted to the same columns; where a rule chose its bins they will rarely be the same.

        Returns
        -------
        Histogram
            A new one, with the parameters of this one.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        if not isinstance(other, Histogram):
            raise TypeError(f"only a Histogram can be merged, not a {type(other).__name__}.")
        self._check_names(other.schema_)
        schema = extended_schema(self.schema_, other.schema_)
        theirs = [
            fitted_into(*pair)
            for pair in zip(other.columns_, other.schema_.fields, schema.fields, strict=True)
        ]
        merged = clone(self)
        merged._finish(schema, self._plans(schema), self._added(schema, theirs), list(self.selection_))
        return merged

    def to_mixture(self) -> TableMixture:
        """Return the histograms in the form of trees and forests: one component under margins."""
        check_is_fitted(self)
        return mixture_of_histograms(self.schema_, self.columns_)

    def _asked(self) -> Asked:
        return Asked(self.columns_, n_threads=n_threads(self.n_jobs))

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        scores = np.zeros(columns.n_rows)
        for histogram, column in zip(self.columns_, columns, strict=True):
            histogram.add_log_density(column, scores)
        return self._with_gaps(scores, gaps_of(self.columns_), columns)

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        parts = [
            histogram.sample(n_samples, rng, field.kind in (Kind.INTEGER, Kind.DATETIME))
            for histogram, field in zip(self.columns_, self.schema_.fields, strict=True)
        ]
        return self._as_columns(parts, n_samples)

    def _plans(self, schema: Schema) -> list[ColumnPlan]:
        return plan_columns(schema, self.bins, self.range, self.estimate, self.alpha, "loo")

    def _choose_bins(self, columns: Columns) -> list[tuple[NDArray[np.float64] | None, Selection | None]]:
        """Return the edges for each column and, where a rule chose them, how."""
        plans, search = self._plans(columns.schema), self._search()
        return [
            plan.edges(column, columns.weights, search) for plan, column in zip(plans, columns, strict=True)
        ]

    def _fit_in(
        self, columns: Columns, chosen: Sequence[tuple[NDArray[np.float64] | None, Selection | None]]
    ) -> Self:
        """Count rows in bins that were chosen, from these rows or from more."""
        counted = self._count([edges for edges, _ in chosen], columns)
        plans = self._plans(columns.schema)
        self._finish(columns.schema, plans, counted, [selection for _, selection in chosen], columns)
        return self

    def _search(self) -> Search:
        candidates = self.candidates
        if candidates is not None and not isinstance(candidates, int):
            candidates = np.asarray(candidates, dtype=np.int64)
        return Search(candidates, int(self.n_origins), int(self.n_folds), self.random_state)

    def _count(self, edges: Sequence[NDArray[np.float64] | None], columns: Columns) -> list[ColumnHistogram]:
        threads = n_threads(self.n_jobs)
        return [
            count_column(ends, column, columns.weights, threads)
            for ends, column in zip(edges, columns, strict=True)
        ]

    def _added(self, schema: Schema, counted: Sequence[ColumnHistogram]) -> list[ColumnHistogram]:
        added = []
        for mine, field, new, more in zip(
            self.columns_, self.schema_.fields, schema.fields, counted, strict=True
        ):
            if not _same_edges(mine.edges, more.edges):
                raise ValueError(f"column {field.name!r}: the bins differ, so that counts cannot be added.")
            added.append(fitted_into(mine, field, new).merged(more))
        return added

    def _finish(
        self,
        schema: Schema,
        plans: Sequence[ColumnPlan],
        counted: Sequence[ColumnHistogram],
        selection: list[Selection | None],
        columns: Columns | None = None,
    ) -> None:
        alphas = [plan.alpha_of(len(c.counts)) for plan, c in zip(plans, counted, strict=True)]
        histograms = tuple(
            c.estimated(self.estimate, alpha) for c, alpha in zip(counted, alphas, strict=True)
        )
        left_out = [
            left_out_logs(histogram, self.estimate, alpha)
            for histogram, alpha in zip(histograms, alphas, strict=True)
        ]
        event = self.missing == "event"
        if len(histograms) == 1:
            scores = scores_of_bins(histograms[0], left_out[0], event)
        elif columns is not None:
            scores = scores_of_rows(histograms, left_out, columns, event)
        else:
            scores = scores_by_law(histograms, left_out, event)
        novelty = self._novelty(*scores, of_rows=len(histograms) > 1 and columns is not None)
        self._set_fitted(schema, columns_=histograms, selection_=selection, **novelty)

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if not isinstance(self.alpha, dict):
            check_alpha(self.alpha, self.estimate)

    def _get_state(self) -> dict[str, Any]:
        return {**state_of_columns(self.columns_, self.selection_), **self._get_novelty_state()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        histograms, selection = columns_of_state(schema, state)
        return {"columns_": histograms, "selection_": selection, **self._novelty_of_state(state)}


def _same_edges(a: NDArray[np.float64] | None, b: NDArray[np.float64] | None) -> bool:
    return a is b or (a is not None and b is not None and np.array_equal(a, b))
