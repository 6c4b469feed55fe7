"""Warnings of histograms: rows of density 0, and bins that a few far values make too wide."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column
from boxwood.histogram.bin_measure import BinMeasure
from boxwood.histogram.column import ColumnHistogram
from boxwood.histogram.sorted_sample import SortedSample

__all__ = ["warn_of_far_values", "warn_of_zeros"]

MOST_IN_ONE = 0.9
"""One bin that holds more of the rows than this shows nothing of their density."""

FEWEST_ROWS = 64
"""In a shorter table single rows make a tenth, and bins show little in any case."""

FAR = 5.0
"""Values are far if the range is this many times as long as that of the middle 90% of the rows.

It is 1.1 for uniform draws, 2.4 for 10⁴ normal and 3.5 for 10⁴ exponential ones.
"""


def warn_of_zeros(histograms: Sequence[ColumnHistogram], columns: Sequence[Column]) -> None:
    """Warn, by column, of values that lie in no bin with rows; missing values are warned of elsewhere."""
    found = []
    for histogram, column in zip(histograms, columns, strict=True):
        scores = np.zeros(len(column.values))
        histogram.add_log_density(column, scores)
        zero = np.isneginf(scores)
        if zero.any():
            rows = "row" if zero.sum() == 1 else "rows"
            found.append(f"{column.name!r} in {zero.sum()} {rows}, the first one row {int(np.argmax(zero))}")
    if found:
        warnings.warn(
            "density 0: values that lie in no bin with rows of the fitted table, of column "
            f"{'; '.join(found)}. "
            'unseen="smooth" gives such values a probability.',
            stacklevel=4,
        )


def warn_of_far_values(
    name: str, asked: object, sample: SortedSample, edges: NDArray[np.float64], measure: BinMeasure
) -> None:
    """Warn if one bin holds nearly all rows because a few values lie far from the others.

    A bin of one value, such as an atom or a point of a lattice, may hold as many as it likes.

    Parameters
    ----------
    name : str
        The column.
    asked : object
        Its parameter `bins`.
    sample : SortedSample
    edges : ndarray
    measure : BinMeasure
    """
    if len(edges) < 3 or len(sample) < FEWEST_ROWS:
        return
    ranks = np.searchsorted(sample.values, edges)
    ranks[-1] = len(sample)
    upto = ranks.astype(np.float64) if sample.cumulative is None else sample.cumulative[ranks]
    held = np.diff(upto) / sample.total
    fullest = int(np.argmax(held))
    single = measure.is_atom(edges) | (measure.is_counting & (measure.sizes(edges) < 1.5))
    if held[fullest] <= MOST_IN_ONE or single[fullest]:
        return
    middle = sample.quantile(0.95) - sample.quantile(0.05)
    if middle > 0.0 and sample.high - sample.low > FAR * middle:
        warnings.warn(
            f"bins={asked!r} puts {held[fullest]:.1%} of the rows into one of {len(held)} bins of column "
            f"{name!r}, because a few values lie far from the others. Leave them out with range=, or put the "
            "column on a log scale (numpy.log, or numpy.arcsinh for values of both signs).",
            stacklevel=4,
        )
