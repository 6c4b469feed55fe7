"""The histogram density: one histogram a column, as if the columns were independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import ColumnMeasure, Columns, Schema
from boxwood.density.base import EVIDENCE, MISSING_VALUES, DensityEstimator
from boxwood.density.queryable import Asked, QueryableDensity
from boxwood.density.weighable import measures_of_bins
from boxwood.evidence import Evidence, shared_table
from boxwood.evidence.support import read_support
from boxwood.histogram.attributes import HistogramAttributes
from boxwood.histogram.available import available_unless
from boxwood.histogram.column import ColumnHistogram, gaps_of
from boxwood.histogram.extend import extended_schema, fitted_into
from boxwood.histogram.mixture_form import mixture_of_histograms
from boxwood.histogram.novelty import (
    left_out_logs,
    lone_ends,
    scores_by_law,
    scores_of_bins,
    scores_of_part,
)
from boxwood.histogram.parameters import BINNING, SEARCH
from boxwood.histogram.plan import (
    ChosenBins,
    ColumnPlan,
    check_alpha,
    count_part,
    plan_columns,
    why_not_in_parts,
)
from boxwood.histogram.prior.joint_bins import among_classes, choose_jointly, is_joint
from boxwood.histogram.selection import Search, Selection
from boxwood.histogram.state import columns_of_state, state_of_columns
from boxwood.histogram.zeros import warn_of_zeros
from boxwood.in_parts import FitInParts, OnePart, TableInParts
from boxwood.mixture import TableMixture
from boxwood.model_file import State
from boxwood.parameters import declare, n_jobs, random_state
from boxwood.threads import n_threads

__all__ = ["Histogram"]


class Histogram(FitInParts, QueryableDensity, HistogramAttributes, DensityEstimator):
    """Density by histograms, one a column; log-densities of the columns add up.

    Numbers have intervals for bins: bin m holds edges[m] ≤ x < edges[m + 1], the last one its upper edge
    too, and outside the edges the density is 0. Where a rule chooses the bins they follow the column's
    measure: integers, rounded numbers and dates lie on a lattice, bins hold whole numbers of its steps and
    the density is the probability of a value; an atom, a single value with many rows, has a bin of its own,
    from it to the next float, and its density is its probability. The bins of categorical, ordinal and
    boolean columns are their categories; a category that the fitted table did not have has probability 0,
    or a part of `unseen`. Of missing values scores and samples have the fitted table's fraction (see
    `missing`). Rows outside given edges do not count in that column.

    Attributes
    ----------
    edges_ : list
        Edges of each column; of a coded column its categories.
    counts_ : list of ndarray
        Weight of the rows in each bin, as it was given.
    density_ : list of ndarray
    standard_errors_ : list of ndarray
        √(P(1 − P)/N)/h for each bin of probability P and width h (on a lattice the number of its points),
        N what the rows are worth.
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
    Where points of a lattice are favoured all along it (heaping: masses to 25 g, most of them to 50 g),
    widths are multiples of their period, and the points of a period have their own fractions, the same in
    all bins, unless single points tell more. A single point with many rows has its own bin. A value beside
    the points of a lattice counts as the nearest one.

    Edges and numbers of bins that are given are taken as they are: numbers then have a density with respect
    to length, integers a probability. A column with one distinct value has one bin of width 1 around it, or
    is an atom where it came again. A column without any value has no bins and adds nothing.

    What depends on how many rows there are (the choice of bins, priors, standard errors, p-values) goes by
    what rows are worth (`duplicates`, `weight_kind`). Where all edges are given a row counts what it weighs,
    so that `partial_fit`, which sees parts of the rows and cannot compare them for copies, and `merge` give
    exactly the fit of all rows.

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
        *EVIDENCE,
        *BINNING,
        *SEARCH,
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
        alpha: Any = None,
        range: Any = None,
        support: Any = None,
        candidates: Any = None,
        n_origins: int = 1,
        n_folds: int | None = None,
        unseen: str = "zero",
        missing: str = "event",
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.bins = bins
        self.estimate = estimate
        self.alpha = alpha
        self.range = range
        self.support = support
        self.candidates = candidates
        self.n_origins = n_origins
        self.n_folds = n_folds
        self.unseen = unseen
        self.missing = missing
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Choose bins and count.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
        groups : array-like of shape (n_samples,), optional
            Rows of a group are in the same fold of the rule "cv".

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        if self._why_not_in_parts(OnePart(columns)) is None:
            return self._fit_parts(OnePart(columns))
        evidence = self._weigh(columns, groups, sample_weight)
        return self._fit_weighed(evidence, self._choose_bins(evidence))

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        reason = why_not_in_parts(self)
        if self.support is not None and not isinstance(table, OnePart):
            return "support= declares values, against which all rows are checked."
        if reason is not None or all(plan.is_fixed for plan in self._plans(table.schema)):
            return reason
        return f"bins={self.bins!r} does not say the edges of every column, which then follow from all rows."

    def _fit_parts(self, table: TableInParts) -> Self:
        return self._fit_table(table, [plan.fixed_bins() for plan in self._plans(table.schema)])

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
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        y : ignored
            The target of each row.
        sample_weight : array-like of shape (n_samples,), optional
            What each row counts; all count the same where it is not given.

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
        counted = self._count([plan.fixed_bins() for plan in plans], columns)
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

    def _base_measure(self) -> list[ColumnMeasure]:
        return measures_of_bins([None if one.edges is None else one.measure for one in self.columns_])

    def _asked(self) -> Asked:
        return Asked(self.columns_, n_threads=n_threads(self.n_jobs), n_rows=self.columns_[0].everything)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        scores = np.zeros(columns.n_rows)
        for histogram, column in zip(self.columns_, columns, strict=True):
            histogram.add_log_density(column, scores)
        return self._with_gaps(scores, gaps_of(self.columns_), columns)

    def _take_gap_rates(self, rates: NDArray[np.float64], n: float) -> float:
        before = gaps_of(self.columns_).log_presence()
        self.columns_ = tuple(
            histogram.with_gap_rate(float(rate)) for histogram, rate in zip(self.columns_, rates, strict=True)
        )
        return gaps_of(self.columns_).log_presence() - before

    def _surprise(self, columns: Columns, kind: str) -> NDArray[np.float64]:
        """Return the surprise of each cell, which hangs on no other one."""
        logs = np.zeros((len(columns), columns.n_rows))
        for histogram, column, scores in zip(self.columns_, columns, logs, strict=True):
            histogram.add_log_density(column, scores)
        gaps = gaps_of(self.columns_)
        with_gaps = (
            logs.T if gaps is None or self.missing == "ignore" else logs.T + gaps.log_probabilities(columns)
        )
        return -with_gaps

    def _warn_of_zeros(self, columns: Columns, scores: NDArray[np.float64]) -> None:
        if np.isneginf(scores).any():
            warn_of_zeros(self.columns_, list(columns))

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        parts = [
            histogram.sample(n_samples, rng, field.kind)
            for histogram, field in zip(self.columns_, self.schema_.fields, strict=True)
        ]
        return self._as_columns(parts, n_samples)

    def _plans(self, schema: Schema) -> list[ColumnPlan]:
        support = read_support(schema, self.support)
        return plan_columns(schema, self.bins, self.range, self.estimate, self.alpha, "loo", support)

    def _choose_bins(self, evidence: Evidence) -> list[ChosenBins]:
        """Return the bins for each column; those of the whole table for a part of one."""
        shared = shared_table(evidence.columns)
        if shared is None:
            return self._choose_for(evidence)
        return shared.once("bins", lambda: self._choose_for(*self._weigh_shared(shared)))

    def _choose_for(self, evidence: Evidence, classes: Sequence[Evidence] = ()) -> list[ChosenBins]:
        """Return the bins for each column, chosen on weighted rows and on those of each class, if given."""
        columns, measures = evidence.columns, evidence.discrete.measures
        plans, search = self._plans(columns.schema), self._search(evidence)
        parts = [one.columns for one in classes or [evidence]]
        held_out = [self._search(one).held_out for one in classes]
        chosen = []
        for j, (plan, column, measure) in enumerate(zip(plans, columns, measures, strict=True)):
            if is_joint(plan):
                of_classes = [(part[j], part.weights) for part in parts]
                chosen.append(choose_jointly(plan, column, columns.weights, search, measure, of_classes))
            else:
                among = among_classes(plan, search, j, parts, held_out) if classes else search
                chosen.append(plan.choose_bins(column, columns.weights, among, measure))
        return chosen

    def _take_counted(
        self, schema: Schema, histograms: Sequence[ColumnHistogram], held_out: NDArray[np.float64]
    ) -> None:
        """Keep histograms of counted columns, and the scores of their rows."""
        novelty = self._novelty(held_out, None, of_rows=False)
        self._set_fitted(schema, columns_=tuple(histograms), selection_=[None] * len(schema), **novelty)

    def _fit_in(self, columns: Columns, chosen: Sequence[ChosenBins]) -> Self:
        """Count rows in bins that were chosen, from these rows or from more; a row counts what it weighs."""
        return self._fit_table(OnePart(columns), chosen)

    def _fit_table(
        self, table: TableInParts, chosen: Sequence[ChosenBins], chosen_by_rows: bool = False
    ) -> Self:
        """Count the rows of a table in parts, then score them; did these rows choose the bins?"""
        counted = table.fold(count_part, chosen, n_threads(self.n_jobs)).columns
        plans = self._plans(table.schema)
        selection = [bins.selection for bins in chosen]
        self._finish(table.schema, plans, counted, selection, table, chosen_by_rows)
        return self

    def _fit_weighed(self, evidence: Evidence, chosen: Sequence[ChosenBins]) -> Self:
        """Count distinct rows in bins that were chosen; a row counts what it is worth."""
        columns, given = evidence.columns, evidence.merged_weights
        self._fit_table(OnePart(columns), chosen, chosen_by_rows=True)
        if not np.array_equal(given, columns.row_weights):
            # What a row is worth depends on all others; the counts that are shown are those of the table.
            shown = [histogram.shown for histogram in self._count(chosen, columns.with_weights(given))]
            self.columns_ = tuple(
                replace(histogram, given=counts)
                for histogram, counts in zip(self.columns_, shown, strict=True)
            )
        if len(self.columns_) > 1:
            self._training_p_values = evidence.of_given_rows(self._training_p_values)
        return self

    def _search(self, evidence: Evidence) -> Search:
        candidates = self.candidates
        if candidates is not None and not isinstance(candidates, int):
            candidates = np.asarray(candidates, dtype=np.int64)
        found = {"candidates": candidates, "n_origins": int(self.n_origins)}
        return Search.by_folds(
            evidence, 5 if self.n_folds is None else int(self.n_folds), self.random_state, **found
        )

    def _count(self, chosen: Sequence[ChosenBins], columns: Columns) -> list[ColumnHistogram]:
        return count_part(columns, None, chosen, n_threads(self.n_jobs)).columns

    def _added(self, schema: Schema, counted: Sequence[ColumnHistogram]) -> list[ColumnHistogram]:
        added = []
        for mine, field, new, more in zip(
            self.columns_, self.schema_.fields, schema.fields, counted, strict=True
        ):
            if not _same_edges(mine.edges, more.edges) or not mine.measure.equals(more.measure):
                raise ValueError(f"column {field.name!r}: the bins differ, so that counts cannot be added.")
            added.append(fitted_into(mine, field, new).merged(more))
        return added

    def _finish(
        self,
        schema: Schema,
        plans: Sequence[ColumnPlan],
        counted: Sequence[ColumnHistogram],
        selection: list[Selection | None],
        table: TableInParts | None = None,
        chosen_by_rows: bool = False,
    ) -> None:
        alphas = [plan.prior(c) for plan, c in zip(plans, counted, strict=True)]
        histograms = tuple(
            c.estimated(self.estimate, alpha) for c, alpha in zip(counted, alphas, strict=True)
        )
        shared = isinstance(table, OnePart) and shared_table(table.columns) is not None
        if shared and chosen_by_rows and self.estimate != "bayes":
            histograms = tuple(histogram.filled() for histogram in histograms)
        if self.unseen == "smooth":
            histograms = tuple(
                h.with_all_of_support() if plan.is_closed else h.with_unseen(plan.field.kind)
                for h, plan in zip(histograms, plans, strict=True)
            )
        left_out = [
            left_out_logs(histogram, self.estimate, alpha, as_new=plan.is_by_loo)
            for histogram, alpha, plan in zip(histograms, alphas, plans, strict=True)
        ]
        event = self.missing == "event"
        by_rows = [chosen_by_rows and not shared and plan.is_open for plan in plans]
        if len(histograms) == 1 and histograms[0].measure.profile is None:
            ends = None
            if by_rows[0] and isinstance(table, OnePart):
                ends = lone_ends(histograms[0], table.columns[0], table.columns.row_weights)
            scores = scores_of_bins(histograms[0], left_out[0], event, ends)
        elif table is not None:
            found = table.fold(scores_of_part, histograms, left_out, event, by_rows)
            scores = found.scores, found.weights
        else:
            scores = scores_by_law(histograms, left_out, event)
        novelty = self._novelty(*scores, of_rows=len(histograms) > 1 and isinstance(table, OnePart))
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
