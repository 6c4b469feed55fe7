"""Shared bin edges: where trees may cut a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import CategoryMargin, Margins, NumberMargin
from boxwood.threads import n_threads

__all__ = ["BinnedRows", "ColumnBinEdges", "bin_rows", "check_bin_edges"]

_NARROWEST = 1e-12
"""The core joins bin edges that are nearer to each other than this,"""

_TOLERANCE = 1e-9
"""and takes those of a file that lie so near to where they should."""

ColumnBinEdges = tuple[NDArray[np.float64], bool]
"""Bin edges from 0 to 1, and whether the bins between them are categories."""


@dataclass(frozen=True, eq=False)
class BinnedRows:
    """The rows of a table on the unit cube.

    Attributes
    ----------
    points : ndarray of shape (n_rows, n_columns)
    bin_edges : list of (ndarray, bool)
        Of each column, and whether its bins are categories.
    bins : ndarray of shape (n_rows, n_columns)
    exact : bool
        Whether columns of numbers are cut between any two points; each of them has one bin then.
    """

    points: NDArray[np.float64]
    bin_edges: list[ColumnBinEdges]
    bins: NDArray[np.uint16]
    exact: bool


def bin_rows(
    margins: Margins,
    columns: Columns,
    weights: NDArray[np.float64] | None,
    kind: str,
    exact: bool = False,
    n_jobs: int | None = None,
) -> BinnedRows:
    """Put the rows on the cube, choose the bin edges of every column and find the rows' bins.

    Under smooth margins rows are uniform, and so are the bin edges; under linear ones they lie at equal
    fractions of the rows, between neighbouring values. Categories, atoms, integers and missing values
    are never cut: the density of one is that of its whole interval.

    Parameters
    ----------
    margins : Margins
    columns : Columns
    weights : ndarray or None
    kind : {"linear", "smooth"}
    exact : bool, default=False
        Cut columns of numbers between any two points. A cut inside the interval of an atom, of an integer
        or of missing values would part a value from itself, and its density would no longer be that of its
        interval: where a column has any, all are cut at bin edges all the same.
    n_jobs : int, optional
        Threads; the result is the same to the bit.
    """
    margin_kind = getattr(_core.MarginKind, kind)
    found = _core.bin_rows(margins.native, columns.arrays(), weights, margin_kind, exact, n_threads(n_jobs))
    return BinnedRows(*found)


def check_bin_edges(margins: Margins, bin_edges: Sequence[ColumnBinEdges]) -> str | None:
    """Return the first column whose bin edges are of another kind or cut an interval; None where all fit.

    Nor may missing values share a bin with others.
    """
    unfit = _core.first_unfit(margins.native, list(bin_edges))
    if unfit >= 0:
        return margins.schema.fields[unfit].name
    pairs = zip(margins.schema.fields, margins.columns, bin_edges, strict=True)
    return next((field.name for field, margin, (u, _) in pairs if not _parts_gaps(margin, u)), None)


def _parts_gaps(margin: NumberMargin | CategoryMargin, u: NDArray[np.float64]) -> bool:
    """Return whether missing values have the last bin to themselves, where they are no narrower than one."""
    if margin.missing_mass <= _NARROWEST:
        return True
    begin = margin.cdf.total if isinstance(margin, NumberMargin) else 1.0 - margin.missing_mass
    return bool(abs(u[-2] - begin) <= min(_TOLERANCE, 0.5 * margin.missing_mass))
