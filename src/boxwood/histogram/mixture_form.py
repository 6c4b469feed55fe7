"""Histograms as margins: a product of histograms is a mixture of one component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxwood.columns import INTEGERS, Schema
from boxwood.histogram.column import ColumnHistogram
from boxwood.margins import CategoryMargin, Margins, NumberMargin
from boxwood.mixture import TableMixture, product_mixture

__all__ = ["mixture_of_histograms"]

_NEXT_TO_NOTHING = 1e-300


def mixture_of_histograms(schema: Schema, histograms: Sequence[ColumnHistogram]) -> TableMixture:
    """Return the product of histograms, one a column, in the form of trees and forests."""
    return product_mixture(Margins(schema, [_margin(histogram) for histogram in histograms]))


def _margin(histogram: ColumnHistogram) -> NumberMargin | CategoryMargin:
    everything = histogram.total + histogram.outside + histogram.missing
    missing = histogram.missing / everything if everything > 0.0 else 0.0
    if histogram.edges is None:
        return CategoryMargin(histogram.mass * (1.0 - missing), 0.0, missing)
    edges, mass = histogram.edges, histogram.mass * (1.0 - missing)
    if len(histogram.counts) == 0:  # nothing was seen: the values keep next to no mass
        edges, mass, missing = np.array([0.0, 1.0]), np.array([_NEXT_TO_NOTHING]), 1.0
    even = np.ones(len(mass))
    lattice = INTEGERS if histogram.integer else None
    return NumberMargin(edges, mass, even, even, (0.0, 0.0, 0.0, 0.0), missing, lattice)
