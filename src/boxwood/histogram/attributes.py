"""What a fitted histogram shows of itself, and how other libraries see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import MISSING_CODE, Column, Columns, Field, Schema, to_native
from boxwood.columns.names import default_names
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.novelty import left_out_logs, scores_of_rows
from boxwood.histogram.uhi import PlottableAxis, PlottableColumn, histogram_of_uhi, to_boost
from boxwood.parameters import shown

__all__ = ["HistogramAttributes"]


class HistogramAttributes:
    """Views of the columns' histograms."""

    columns_: tuple[ColumnHistogram, ...]
    schema_: Schema
    estimate: str
    missing: str
    _read: Any
    _plans: Any

    @property
    def edges_(self) -> list[NDArray[Any]]:
        """Edges of each column; of a coded column its categories."""
        shown = []
        for histogram, field in zip(self.columns_, self.schema_.fields, strict=True):
            edges: NDArray[Any] | None = histogram.edges
            if edges is None:
                edges = np.empty(len(field.categories), dtype=object)
                edges[:] = field.categories
            shown.append(edges)
        return shown

    @property
    def counts_(self) -> list[NDArray[np.float64]]:
        """Weight of the rows in each bin of each column."""
        return [histogram.shown.counts for histogram in self.columns_]

    @property
    def density_(self) -> list[NDArray[np.float64]]:
        """Density in each bin of each column."""
        return [histogram.density for histogram in self.columns_]

    @property
    def standard_errors_(self) -> list[NDArray[np.float64]]:
        """Standard error of the density in each bin of each column."""
        return [histogram.standard_errors for histogram in self.columns_]

    @property
    def missing_(self) -> NDArray[np.float64]:
        """Weight of the rows without a value, of each column."""
        return np.array([histogram.shown.missing for histogram in self.columns_])

    @property
    def outside_(self) -> NDArray[np.float64]:
        """Weight of the rows with a value in no bin, of each column."""
        return np.array([histogram.shown.outside for histogram in self.columns_])

    @property
    def mean_(self) -> NDArray[np.float64]:
        """Mean of each column's density."""
        return np.array([histogram.moments()[0] for histogram in self.columns_])

    @property
    def variance_(self) -> NDArray[np.float64]:
        """Variance of each column's density."""
        return np.array([histogram.moments()[1] for histogram in self.columns_])

    def cdf(self, X: Any) -> NDArray[np.float64]:
        """Return P(X_j ≤ x_j) for each value of a table, column by column.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            Categories count in their order; NaN for missing and for unknown categories.
        """
        columns = self._read(X)
        values = np.empty((columns.n_rows, len(columns)))
        for j, (histogram, column) in enumerate(zip(self.columns_, columns, strict=True)):
            values[:, j] = histogram.cdf(column)
        return values

    def quantile(self, q: Any) -> Any:
        """Return quantiles of each column.

        Parameters
        ----------
        q : float in [0, 1] or array-like of these
            Probabilities below the quantiles.

        Returns
        -------
        array or frame
            One row a level, in the container of the fitted table.
        """
        check_is_fitted(self)
        levels = np.atleast_1d(np.asarray(q, dtype=np.float64))
        if levels.ndim != 1 or not np.all((levels >= 0.0) & (levels <= 1.0)):
            raise ValueError(f"q must hold levels from 0 to 1; got {shown(q)}.")
        parts = [histogram.quantile(levels) for histogram in self.columns_]
        return to_native(self._as_columns(parts, len(levels)))

    def held_out_log_density(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density that rows of the fitted table have under the fit without one copy of them.

        The bins are held fixed. For rows that were not in the fitted table it means nothing.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._left_out(self._read(X))

    def _left_out(self, columns: Columns, chosen_by_rows: bool = False) -> NDArray[np.float64]:
        """Return scores of fitted rows without one copy; did these rows choose the bins?"""
        plans = self._plans(self.schema_)
        logs = [
            left_out_logs(histogram, self.estimate, plan.prior(histogram), as_new=plan.is_by_loo)
            for plan, histogram in zip(plans, self.columns_, strict=True)
        ]
        by_rows = [chosen_by_rows and plan.is_open for plan in plans]
        return scores_of_rows(self.columns_, logs, columns, self.missing == "event", by_rows)

    def _as_columns(self, parts: Sequence[NDArray[Any]], n_rows: int) -> Columns:
        columns = [_column(field, part) for field, part in zip(self.schema_.fields, parts, strict=True)]
        return Columns(self.schema_, n_rows, columns=columns)

    def plottable(self, column: int | str = 0) -> PlottableColumn:
        """Return a column's histogram by UHI's protocol, for ``mplhep.histplot`` and ``hist.Hist``.

        Parameters
        ----------
        column : int or str, default=0
            The column by name or position.

        Returns
        -------
        PlottableColumn
            With ``axes``, ``values()``, ``variances()``, ``counts()`` and ``kind``.
        """
        check_is_fitted(self)
        j = self._position(column)
        return PlottableColumn(self.schema_.fields[j], self.columns_[j])

    @property
    def axes(self) -> tuple[PlottableAxis]:
        """The axis of a table of one column, by UHI's protocol."""
        return self._only().axes

    @property
    def kind(self) -> str:
        """What values() are, by UHI's protocol: counts."""
        return self._only().kind

    def values(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts of a table of one column, by UHI's protocol.

        Parameters
        ----------
        flow : bool, default=False
            Of the protocol; changes nothing, as there are no bins of what lies outside (see `outside_`).
        """
        return self._only().values()

    def variances(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts' variances in a table of one column, by UHI's protocol.

        Parameters
        ----------
        flow : bool, default=False
            Of the protocol; changes nothing, as there are no bins of what lies outside (see `outside_`).
        """
        return self._only().variances()

    def counts(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts of a table of one column, by UHI's protocol.

        Parameters
        ----------
        flow : bool, default=False
            Of the protocol; changes nothing, as there are no bins of what lies outside (see `outside_`).
        """
        return self._only().counts()

    def _to_boost_histogram_(self) -> Any:
        return self._only()._to_boost_histogram_()

    def to_boost_histogram(self, column: int | str = 0) -> Any:
        """Make a ``boost_histogram.Histogram`` of a column.

        Parameters
        ----------
        column : int or str, default=0
            The column by name or position.

        Returns
        -------
        boost_histogram.Histogram
            Its storage holds the weight of the rows; rows outside the bins are left out.
        """
        check_is_fitted(self)
        j = self._position(column)
        return to_boost(self.schema_.fields[j], self.columns_[j])

    @classmethod
    def from_boost_histogram(cls, *histograms: Any, **parameters: Any) -> Self:
        """Make a fitted histogram of one-axis histograms, one a column.

        Parameters
        ----------
        *histograms : boost_histogram.Histogram or any object of UHI's protocol
            One for each column.
        **parameters
            Of the new estimator, such as ``estimate``.

        Returns
        -------
        Histogram
        """
        return _of_histograms(cls, histograms, parameters)

    def _position(self, column: int | str) -> int:
        if isinstance(column, str):
            return self.schema_.index(column)
        return range(len(self.columns_))[column]

    def _only(self) -> PlottableColumn:
        if len(self.columns_) != 1:
            # An AttributeError, so that a table of several columns does not look like one histogram.
            raise AttributeError(f"the model has {len(self.columns_)} columns: use plottable(column)")
        return PlottableColumn(self.schema_.fields[0], self.columns_[0])


def _of_histograms(cls: Any, histograms: tuple[Any, ...], parameters: dict[str, Any]) -> Any:
    read = [histogram_of_uhi(other, f"x{j}") for j, other in enumerate(histograms)]
    if not read:
        raise ValueError("at least one histogram is needed.")
    names = [field.name for field, _, _, _ in read]
    if len(set(names)) != len(names):
        raise ValueError(f"the axes share a name: {names}.")
    schema = Schema(tuple(field for field, _, _, _ in read), named=names != default_names(len(read)))
    counted = [
        ColumnHistogram(edges, counts, np.zeros(len(counts)), 0.0, outside)
        for _, edges, counts, outside in read
    ]
    bins = {name: edges for name, (_, edges, _, _) in zip(names, read, strict=True) if edges is not None}
    model = cls(bins=bins, **parameters)
    model._check_parameters()
    model._finish(schema, model._plans(schema), counted, [None] * len(read))
    return model


def _column(field: Field, part: NDArray[Any]) -> Column:
    missing = np.isnan(part) if field.kind.is_number else part == MISSING_CODE
    return Column(field, part, int(np.count_nonzero(missing)))
