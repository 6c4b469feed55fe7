"""Rows of density 0: which columns say so."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from boxwood.columns import Column
from boxwood.histogram.column import ColumnHistogram

__all__ = ["warn_of_zeros"]


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
