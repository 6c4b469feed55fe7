"""Fits that read a table in parts: each part is summarised, summaries merge, and the model follows from them.

The same functions fit a table in memory, which is one part, a stream of batches, and the partitions of a
cluster. A summary is a value that travels and has ``merge(other)``; counts of whole weights are the same to
the bit in any order, sums of floats to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, Schema

__all__ = ["FitInParts", "LabelSummary", "OnePart", "ScoreSummary", "TableInParts", "of_class"]

Summarize = Callable[..., Any]
"""From the columns of a part, its targets and further arguments to a summary."""


class TableInParts(Protocol):
    """A table of which only a part is in memory at a time."""

    @property
    def schema(self) -> Schema:
        """Of all parts."""

    @property
    def n_rows(self) -> int:
        """Of all parts together."""

    @property
    def total_weight(self) -> float:
        """Of all rows."""

    def fold(self, summarize: Summarize, *arguments: Any) -> Any:
        """Return the merged summaries ``summarize(columns, targets, *arguments)`` of all parts with rows."""


@dataclass(frozen=True, eq=False)
class OnePart:
    """A table in memory."""

    columns: Columns
    targets: NDArray[Any] | None = None

    @property
    def schema(self) -> Schema:
        """The table's."""
        return self.columns.schema

    @property
    def n_rows(self) -> int:
        """The table's."""
        return self.columns.n_rows

    @property
    def total_weight(self) -> float:
        """The table's."""
        return self.columns.total_weight

    def fold(self, summarize: Summarize, *arguments: Any) -> Any:
        """Return the summary."""
        return summarize(self.columns, self.targets, *arguments)


class FitInParts:
    """An estimator that may be fitted to a table in parts."""

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        """Return why all rows are needed at once; None where summaries of parts are enough."""
        raise NotImplementedError

    def _fit_parts(self, table: TableInParts) -> Any:
        """Fit by folds over the parts. The parameters have been checked."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class LabelSummary:
    """The classes of a target, sorted, and how many rows, of which weight, each has.

    Examples
    --------
    >>> a = LabelSummary.of_part(np.array(["b", "a"]), None)
    >>> whole = a.merge(LabelSummary.of_part(np.array(["c", "b"]), None))
    >>> print(whole.classes, whole.n_rows)
    ['a' 'b' 'c'] [1 2 1]
    """

    classes: NDArray[Any]
    n_rows: NDArray[np.int64]
    weight: NDArray[np.float64]

    @classmethod
    def of_part(cls, labels: NDArray[Any], weights: NDArray[np.float64] | None) -> LabelSummary:
        """Count the labels of a part."""
        classes, codes, n_rows = np.unique(labels, return_inverse=True, return_counts=True)
        return cls(classes, n_rows, np.bincount(codes, weights, len(classes)).astype(np.float64))

    def merge(self, other: LabelSummary) -> LabelSummary:
        """Return the classes of both parts."""
        classes, codes = np.unique(np.concatenate([self.classes, other.classes]), return_inverse=True)
        n_rows, weight = np.zeros(len(classes), dtype=np.int64), np.zeros(len(classes))
        np.add.at(n_rows, codes, np.concatenate([self.n_rows, other.n_rows]))
        np.add.at(weight, codes, np.concatenate([self.weight, other.weight]))
        return LabelSummary(classes, n_rows, weight)


@dataclass(frozen=True, eq=False)
class ScoreSummary:
    """Scores of rows and their weights (None: 1 each): of one part as they come, of several by value."""

    scores: NDArray[np.float64]
    weights: NDArray[np.float64] | None

    def merge(self, other: ScoreSummary) -> ScoreSummary:
        """Return the distinct scores of both parts, with how much weight each has."""
        weights = [_ones(part) if part.weights is None else part.weights for part in (self, other)]
        scores = np.concatenate([self.scores, other.scores])
        return ScoreSummary(*_core.runs_of(scores, np.concatenate(weights)))


def _ones(part: ScoreSummary) -> NDArray[np.float64]:
    return np.ones(len(part.scores))


@dataclass(frozen=True)
class of_class:  # noqa: N801 (a view of a table, written as a function)
    """The rows of one class of a table in parts; its targets are left behind."""

    table: TableInParts
    label: Any

    @property
    def schema(self) -> Schema:
        """The table's."""
        return self.table.schema

    @property
    def n_rows(self) -> int:
        """Of the whole table: how many of them are of the class nobody has counted."""
        return self.table.n_rows

    @property
    def total_weight(self) -> float:
        """Of the whole table."""
        return self.table.total_weight

    def fold(self, summarize: Summarize, *arguments: Any) -> Any:
        """Return the merged summaries of the class's rows."""
        return self.table.fold(_of_class, self.label, summarize, *arguments)


def _of_class(columns: Columns, targets: NDArray[Any], label: Any, summarize: Summarize, *args: Any) -> Any:
    rows = np.flatnonzero(targets == label)
    return summarize(columns.take(rows), None, *args)
