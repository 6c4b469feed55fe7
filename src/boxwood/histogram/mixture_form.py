"""Histograms as margins: a product of histograms is a mixture of one component."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import INTEGERS as ALL_INTEGERS
from boxwood.columns import Kind, Schema
from boxwood.histogram.bin_measure import INTEGERS
from boxwood.histogram.column import ColumnHistogram
from boxwood.margins import CategoryMargin, Margins, NumberMargin
from boxwood.mixture import NoMixtureError, TableMixture, product_mixture

__all__ = ["mixture_of_histograms"]

Numbers = NDArray[np.float64]

_NEXT_TO_NOTHING = 1e-300
_ALL_BUT_ONE = 1.0 - 2.0**-52

MOST_POINTS = 250_000
"""Points of a lattice, each of which takes some 100 bytes as a piece of a margin."""


def mixture_of_histograms(schema: Schema, histograms: Sequence[ColumnHistogram]) -> TableMixture:
    """Return the product of histograms, one a column, in the form of trees and forests."""
    if any(histogram.unseen for histogram in histograms):
        raise NoMixtureError(
            'the tail of values that were not seen has no place in this form; fit with unseen="zero".'
        )
    pairs = zip(histograms, schema.fields, strict=True)
    return product_mixture(
        Margins(schema, [_margin(histogram, field.kind is Kind.INTEGER) for histogram, field in pairs])
    )


def _margin(histogram: ColumnHistogram, integer: bool) -> NumberMargin | CategoryMargin:
    everything = histogram.total + histogram.outside + histogram.missing
    missing = histogram.missing / everything if everything > 0.0 else 0.0
    if histogram.total > 0.0:
        missing = min(missing, _ALL_BUT_ONE)  # next to very many gaps values keep some mass
    if histogram.edges is None:
        return CategoryMargin(histogram.mass * (1.0 - missing), 0.0, missing)
    if len(histogram.counts) == 0:  # nothing was seen: the values keep next to no mass
        x, mass, missing = np.array([0.0, 1.0]), np.array([_NEXT_TO_NOTHING]), 1.0
    else:
        x, mass = _pieces(histogram, integer)
        mass = mass * (1.0 - missing)
    even = np.ones(len(mass))
    lattice = ALL_INTEGERS if integer else None
    return NumberMargin(x, mass, even, even, (0.0, 0.0, 0.0, 0.0), missing, lattice)


def _pieces(histogram: ColumnHistogram, integer: bool) -> tuple[Numbers, Numbers]:
    """Return knots and the mass between them; a knot that stands twice is an atom."""
    edges, mass, measure = histogram.edges, histogram.mass, histogram.measure
    assert edges is not None
    if measure.lattice is None or measure.equals(INTEGERS):
        upper = np.where(measure.is_atom(edges), edges[:-1], edges[1:])
        return np.append(edges[:1], upper), mass
    values, of_values = _points(histogram)
    # Integers have intervals of length 1 around them, other points none.
    ends = np.stack([values - 0.5, values + 0.5] if integer else [values, values], axis=1)
    x = ends.ravel()
    between = np.zeros(len(x) - 1)
    between[::2] = of_values
    return x, between


def _points(histogram: ColumnHistogram) -> tuple[Numbers, Numbers]:
    """Return the points of a lattice in bins with mass, atoms among them, and their probabilities."""
    edges, measure, mass = histogram.edges, histogram.measure, histogram.mass
    assert edges is not None
    atom = measure.is_atom(edges)
    held = np.flatnonzero(mass > 0.0)
    if float(measure.sizes(edges)[held].sum()) > MOST_POINTS:
        raise ValueError(
            f"a histogram of more than {MOST_POINTS:,} values of a lattice has no closed form here; fit a "
            "DensityForest, or a histogram of a coarser column."
        )
    listed = [edges[m : m + 1] if atom[m] else measure.points(edges[m], edges[m + 1]) for m in held]
    lengths = np.array([len(points) for points in listed])
    values = np.concatenate(listed)
    of_values = np.repeat((mass / measure.sizes(edges))[held], lengths)
    return values, of_values * np.exp(measure.log_weights(values))
