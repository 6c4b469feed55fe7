"""Naive Bayes with one histogram a column and class."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.class_counts import fit_at_once
from boxwood.classify.classes import coded_labels, codes_in, labels_of_part
from boxwood.classify.generative import GenerativeClassifier
from boxwood.columns import Column, Columns, Schema
from boxwood.density.histogram import Histogram
from boxwood.evidence import share_measure
from boxwood.evidence.support import check_equal_steps, read_support, with_declared_values
from boxwood.histogram.available import available_unless
from boxwood.histogram.extend import extended_schema, fitted_into
from boxwood.histogram.parameters import ALPHA, BINS, BY_BINS, RANGE, SUPPORT_OF_BINS
from boxwood.histogram.plan import check_alpha, why_not_in_parts
from boxwood.in_parts import FitInParts, OnePart, TableInParts, of_class
from boxwood.parameters import declare

__all__ = ["HistogramNB"]


class HistogramNB(FitInParts, GenerativeClassifier):
    """Naive Bayes: columns are independent within a class, and each is a histogram there.

    Numbers, dates and categories may be mixed. The bins of a column are the same for all classes and span the
    range of the whole table. Their probabilities are the Bayes estimate (N_m + α)/(N + Σα): a bin that a
    class never had makes no row impossible. The leave-one-out likelihood chooses the number of bins together
    with the prior's total. A missing value leaves its factor out, and so does a category that the fitted
    table did not have. A number beyond the outermost edge counts as in the outermost bin.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Weight of each class's rows.
    priors_ : ndarray of shape (n_classes,)
    densities_ : list of Histogram
        One a class; None for a class of which `partial_fit` has seen no row.
    edges_ : list
        Edges of each column; of a coded column its categories.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    See Also
    --------
    BayesClassifier : any density a class; with `ProductDensity` naive Bayes with other factors.

    Examples
    --------
    >>> import boxwood as bw
    >>> table = {"size": [1.0, 1.5, None, 4.0, 4.5, 5.0], "colour": ["r", "r", "r", "r", "b", "b"]}
    >>> y = ["cherry", "cherry", "cherry", "plum", "plum", "plum"]
    >>> model = bw.HistogramNB(bins=2).fit(table, y)
    >>> model.predict_proba({"size": [None, 9.0], "colour": ["r", "green"]}).round(3)
    array([[0.637, 0.363],
           [0.036, 0.964]])
    """

    _parameters = declare(
        BINS.but("As in `Histogram`.", effect=BY_BINS),
        ALPHA.but(
            "Parameter of the Dirichlet prior. A number gives each bin of each class as many rows more: "
            "(N_m + α)/(N + Σα). With 0 a bin without rows of a class has probability 0 there: a row with "
            "such a value is impossible in this class, and a row that is impossible in all classes gets the "
            'priors. With "loo" the leave-one-out likelihood chooses the total of the prior for each class '
            "and column. The bins share it by a Student's t distribution with the mean and the variance of "
            "the class, and categories share it alike. Simulated rows then have the means and standard "
            "deviations of their class."
        ),
        RANGE,
        SUPPORT_OF_BINS,
    )

    densities_: list[Any]

    def __init__(
        self,
        *,
        bins: Any = "loo_likelihood",
        alpha: Any = "loo",
        range: Any = None,
        support: Any = None,
        priors: Any = None,
    ) -> None:
        self.bins = bins
        self.alpha = alpha
        self.range = range
        self.support = support
        self.priors = priors

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose the bins of each column and count every class in them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            What they are `weight_kind` says.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, labels = self._read_rows(X, y, sample_weight)
        if self._why_not_in_parts(OnePart(columns)) is None:
            return self._fit_parts(OnePart(columns, labels))
        classes, codes = coded_labels(labels)
        counts = self._counts(columns, codes, len(classes))
        at_once = fit_at_once(self, columns, codes, len(classes))
        if at_once is not None:
            self._set_classes(columns.schema, classes, counts, at_once)
            return self
        parts = [np.flatnonzero(codes == k) for k, _ in enumerate(classes)]
        shared = share_measure(columns, parts)
        densities = [self._new_density().fit(shared.take(part)) for part in parts]
        self._set_classes(columns.schema, classes, counts, densities)
        return self

    def _read_fit(self, X: Any, sample_weight: Any = None) -> Columns:
        columns = with_declared_values(super()._read_fit(X, sample_weight), self.support)
        check_equal_steps(columns.schema, read_support(columns.schema, self.support))
        return columns

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        return self._new_density()._why_not_in_parts(table)

    def _fit_parts(self, table: TableInParts) -> Self:
        labels = table.fold(labels_of_part, self)
        densities = [self._new_density()._fit_parts(of_class(table, label)) for label in labels.classes]
        self._set_classes(table.schema, labels.classes, labels.weight, densities)
        return self

    @available_unless(why_not_in_parts)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was counted so far; with given edges, or a number of bins and a range.

        The posterior is exactly that of one `fit` of all rows; categories may come with any part.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        y : array-like of shape (n_samples,)
            The target of each row.
        classes : array-like of shape (n_classes,), optional
            All classes that may come; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            What each row counts; all count the same where it is not given.

        Returns
        -------
        self
        """
        self._check_parameters()
        known = self._part_classes(classes)
        columns, labels = self._read_rows(X, y, sample_weight)
        codes, counts = codes_in(known, labels), np.zeros(len(known))
        before: list[Histogram | None] = [None] * len(known)
        if self.__sklearn_is_fitted__():
            self._check_names(columns.schema)
            columns = columns.matched(extended_schema(self.schema_, columns.schema))
            before, counts = self.densities_, self.class_count_
        densities = [self._added(density, columns.take(codes == k)) for k, density in enumerate(before)]
        self._set_classes(columns.schema, known, counts + self._counts(columns, codes, len(known)), densities)
        return self

    def merge(self, other: HistogramNB) -> HistogramNB:
        """Return the model of the rows of both, which must have the same bins.

        Parameters
        ----------
        other : HistogramNB
            Fitted to the same columns; classes and categories may differ.

        Returns
        -------
        HistogramNB
            A new one, with the parameters of this one.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        if not isinstance(other, HistogramNB):
            raise TypeError(f"only a HistogramNB can be merged, not a {type(other).__name__}.")
        self._check_names(other.schema_)
        schema = extended_schema(self.schema_, other.schema_)
        classes = np.union1d(self.classes_, other.classes_)
        counts = np.zeros(len(classes))
        densities: list[Any] = [None] * len(classes)
        for model in (self, other):
            places = codes_in(classes, model.classes_)
            counts[places] += model.class_count_
            for k, density in zip(places, model.densities_, strict=True):
                if density is not None:
                    density = _extended(density, schema)
                    densities[k] = density if densities[k] is None else densities[k].merge(density)
        merged = clone(self)
        merged._set_classes(schema, classes, counts, densities)
        return merged

    @property
    def edges_(self) -> list[NDArray[Any]]:
        """Edges of each column; of a coded column its categories."""
        return self._any_density().edges_

    def _added(self, density: Histogram | None, part: Columns) -> Histogram | None:
        """Return a class's histogram with more rows, in the categories of their schema."""
        if density is None and part.n_rows == 0:
            return None
        added = self._new_density()
        plans = added._plans(part.schema)
        counted = added._count([plan.fixed_bins() for plan in plans], part)
        if density is not None:
            counted = density._added(part.schema, counted)
        added._finish(part.schema, plans, counted, [None] * len(part))
        return added

    def _joint(self, columns: Columns) -> NDArray[np.float64]:
        joint = self._by_class(columns.n_rows, lambda density: np.zeros(columns.n_rows))
        for j, column in enumerate(columns):
            known = _within(column, self._any_density().columns_[j].edges)
            for k, density in enumerate(self.densities_):
                if density is not None:
                    histogram = density.columns_[j]
                    logs = np.append(histogram.log_density[:-1], 0.0)  # last, of what is in no bin
                    histogram.add_log_density(known, joint[:, k], logs)
        return joint + self._log_priors()

    def _any_density(self) -> Histogram:
        """Return the histogram of some class that has rows: all have the same bins."""
        return next(density for density in self.densities_ if density is not None)

    def _new_density(self) -> Histogram:
        # Scores compare classes: a gap that one of them never had must not rule it out.
        return Histogram(
            bins=self.bins,
            estimate="bayes",
            alpha=self.alpha,
            range=self.range,
            support=self.support,
            missing="ignore",
        )

    def _check_combinations(self) -> None:
        super()._check_combinations()
        for alpha in self.alpha.values() if isinstance(self.alpha, dict) else [self.alpha]:
            check_alpha(alpha, "bayes", named=type(self).__name__)


def _extended(density: Histogram, schema: Schema) -> Histogram:
    """Return a histogram with the categories of an extended schema."""
    counted = [
        fitted_into(*pair)
        for pair in zip(density.columns_, density.schema_.fields, schema.fields, strict=True)
    ]
    extended: Histogram = clone(density)
    extended._finish(schema, extended._plans(schema), counted, list(density.selection_))
    return extended


def _within(column: Column, edges: NDArray[np.float64] | None) -> Column:
    """Return a column of numbers with those beyond the edges moved into the outermost bins."""
    if edges is None or len(edges) == 0:
        return column
    values = np.clip(column.values, edges[0], np.nextafter(edges[-1], edges[0]))
    return replace(column, values=values)
