"""Histograms for other libraries: the plottable protocol of UHI, and boost-histogram objects both ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind
from boxwood.histogram.column import ColumnHistogram

__all__ = ["PlottableAxis", "PlottableColumn", "histogram_of_uhi", "to_boost"]


@dataclass(frozen=True)
class AxisTraits:
    """What kind of axis it is, as UHI asks."""

    circular: bool = False
    discrete: bool = False


@dataclass(frozen=True, eq=False)
class PlottableAxis:
    """An axis by UHI's protocol: intervals, or categories."""

    name: str
    bins: list[Any]
    traits: AxisTraits

    @property
    def label(self) -> str:
        """The column's name."""
        return self.name

    def __len__(self) -> int:
        return len(self.bins)

    def __getitem__(self, index: int) -> Any:
        return self.bins[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.bins)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlottableAxis) and self.bins == other.bins

    __hash__ = None  # type: ignore[assignment]

    @property
    def edges(self) -> NDArray[np.float64]:
        """The edges; of categories 0, 1, 2, …"""
        if self.traits.discrete:
            return np.arange(len(self.bins) + 1.0)
        return np.array([low for low, _ in self.bins] + [self.bins[-1][1]] if self.bins else [])


@dataclass(frozen=True, eq=False)
class PlottableColumn:
    """A column's histogram by UHI's protocol, which ``mplhep`` and ``hist`` draw."""

    field: Field
    histogram: ColumnHistogram

    @property
    def kind(self) -> str:
        """Counts, not means."""
        return "COUNT"

    @property
    def axes(self) -> tuple[PlottableAxis]:
        """The one axis."""
        edges = self.histogram.edges
        if edges is None:
            labels = [str(label) for label in self.field.categories]
            return (PlottableAxis(self.field.name, labels, AxisTraits(discrete=True)),)
        pairs = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        return (PlottableAxis(self.field.name, pairs, AxisTraits()),)

    def _to_boost_histogram_(self) -> Any:
        return to_boost(self.field, self.histogram)  # boost-histogram's own protocol, which hist follows

    def values(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts."""
        return self.histogram.shown.counts

    def variances(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts' binomial variances N·P·(1 − P)."""
        counts = self.histogram.shown.counts
        total = max(float(counts.sum()), 1e-300)
        return counts * (1.0 - counts / total)

    def counts(self, flow: bool = False) -> NDArray[np.float64]:
        """Return the counts."""
        return self.histogram.shown.counts


def to_boost(field: Field, histogram: ColumnHistogram) -> Any:
    """Make a boost-histogram of a column; what lies outside its bins is left out."""
    import boost_histogram as bh

    axis: Any
    if histogram.edges is None:
        axis = bh.axis.StrCategory([str(label) for label in field.categories], metadata=field.name)
    elif len(histogram.counts) == 0:
        raise ValueError(f"column {field.name!r} has no bins: all its values were missing.")
    else:
        axis = bh.axis.Variable(histogram.edges, metadata=field.name)
    made = bh.Histogram(axis, storage=bh.storage.Double())
    made.view(flow=False)[...] = histogram.shown.counts
    return made


def histogram_of_uhi(
    other: Any, default_name: str
) -> tuple[Field, NDArray[np.float64] | None, NDArray[np.float64], float]:
    """Read a histogram of one axis: field, edges (None: categories), counts and what lies outside."""
    axes = tuple(other.axes)
    if len(axes) != 1:
        raise ValueError(f"a histogram of one axis is needed; this one has {len(axes)}.")
    axis = axes[0]
    counts = _plain(other.values())
    name = str(getattr(axis, "name", None) or getattr(axis, "metadata", None) or default_name)
    bins = list(axis)
    if bool(getattr(getattr(axis, "traits", None), "discrete", False)):
        return Field(name, Kind.CATEGORICAL, tuple(str(label) for label in bins)), None, counts, 0.0
    edges = np.asarray(axis.edges, dtype=np.float64)
    return Field(name, Kind.NUMERIC), edges, counts, _flow(other, counts)


def _plain(values: Any) -> NDArray[np.float64]:
    counts = np.asarray(values, dtype=np.float64)
    if counts.ndim != 1 or not np.all(np.isfinite(counts)) or np.any(counts < 0.0):
        raise ValueError("the histogram's values are no counts: they must be finite and not negative.")
    return counts


def _flow(other: Any, counts: NDArray[np.float64]) -> float:
    try:
        everything = np.asarray(other.values(flow=True), dtype=np.float64)
    except TypeError:  # the protocol asks for values() only
        return 0.0
    outside = float(everything.sum() - counts.sum())
    return outside if np.isfinite(outside) and outside > 0.0 else 0.0
