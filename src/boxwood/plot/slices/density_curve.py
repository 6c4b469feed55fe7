"""The density of one column as numbers: a curve or steps, standard errors, atoms, gaps and cuts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE, Column, Columns
from boxwood.density.base import DensityEstimator
from boxwood.density.boxes import BoxDensity
from boxwood.density.grid import GridHistogram
from boxwood.density.histogram import Histogram
from boxwood.density.product import ProductDensity
from boxwood.mixture.inspect import boxes_of_tree
from boxwood.mixture.inspect.number_bins import NumberBins
from boxwood.novelty import score_table
from boxwood.plot.question_axis import FEWEST_GAPS
from boxwood.plot.slices.density_slice import axis_of_measure
from boxwood.plot.slices.shown_density import ShownDensity
from boxwood.plot.slices.slice_axis import SliceAxis

__all__ = ["DensityCurve", "curve_of"]

BEYOND = 0.1
"""How far a curve goes beyond the rows, as a fraction of their range."""

NONE = np.zeros(0)


@dataclass(frozen=True, eq=False)
class DensityCurve:
    """What the picture of one column shows beside its log-density.

    Attributes
    ----------
    is_constant : bool
        Whether the density is constant in each bin, so that steps show it exactly.
    standard_errors : ndarray of shape (n_bins,) or None
        Of the density in each bin.
    atoms, atom_probabilities : ndarray of shape (n_atoms,)
        Single values with a probability of their own, and this probability.
    missing : float
        Probability of a missing value; 0 if the table had none.
    cuts : ndarray of shape (n_cuts,)
        Where a tree cuts the column.
    threshold : float or None
        Of a detector: rows whose score is lower are anomalies.
    """

    is_constant: bool = False
    standard_errors: NDArray[np.float64] | None = None
    atoms: NDArray[np.float64] = field(default_factory=lambda: NONE)
    atom_probabilities: NDArray[np.float64] = field(default_factory=lambda: NONE)
    missing: float = 0.0
    cuts: NDArray[np.float64] = field(default_factory=lambda: NONE)
    threshold: float | None = None


@dataclass(frozen=True, eq=False)
class OwnBins:
    """Bins in which a density is constant, and the relative standard error in each of them."""

    edges: NDArray[np.float64] | None  # None: categories
    relative_errors: NDArray[np.float64] | None

    def errors_at(self, values: NDArray[Any]) -> NDArray[np.float64] | None:
        """Return the relative standard error of the density at values; 0 outside the bins."""
        if self.relative_errors is None or len(self.relative_errors) == 0:
            return None
        n = len(self.relative_errors)
        found = values.astype(np.int64)
        if self.edges is not None:
            found = np.searchsorted(self.edges, values, side="right") - 1
            found = np.where(values == self.edges[-1], n - 1, found)
        inside = (found >= 0) & (found < n)
        return np.where(inside, self.relative_errors[found.clip(0, n - 1)], 0.0)


def curve_of(source: ShownDensity, resolution: int) -> tuple[SliceAxis, NDArray[np.float64], DensityCurve]:
    """Return the axis, the log-density and the details of the one column that is shown.

    Parameters
    ----------
    source : ShownDensity
    resolution : int
        Bins along a column of continuous numbers, unless the density has bins of its own.
    """
    (j,) = source.shown
    alone = len(source.schema) == 1 or isinstance(source.estimator, Histogram | ProductDensity)
    own = _own_bins(source.estimator, j) if alone and not source.named else None
    axis = _axis(source, j, own, resolution)
    log_density = source.log_density((axis,))
    errors = None if own is None else own.errors_at(axis.values)
    atoms = _atoms(source, j)
    is_measured = isinstance(source.estimator, DensityEstimator)
    found = DensityCurve(
        is_constant=own is not None and own.edges is not None and not _is_discrete(axis),
        standard_errors=None if errors is None else errors * np.exp(log_density),
        missing=_missing(source, j) if is_measured else 0.0,
        cuts=_cuts(source.estimator, axis) if len(source.schema) == 1 else NONE,
        threshold=source.threshold,
    )
    if len(atoms) == 0 or axis.counted:
        return axis, log_density, found
    at_atoms = source.log_density((SliceAxis(axis.field, axis.edges, atoms, counted=True),))
    return axis, log_density, replace(found, atoms=atoms / axis.unit, atom_probabilities=np.exp(at_atoms))


def _axis(source: ShownDensity, j: int, own: OwnBins | None, resolution: int) -> SliceAxis:
    of_column = source.schema.fields[j]
    if not of_column.kind.is_number:
        return source.axes(resolution)[0]
    measure = source.measure(j)
    if own is not None and own.edges is not None and len(own.edges) > 1:
        edges = _without_atoms(own.edges)
    elif source.margin(j) is not None:
        return source.axes(resolution)[0]
    else:
        values = source.table[j].numbers()
        values = values[~np.isnan(values)]
        low, high = (values.min(), values.max()) if len(values) else (0.0, 1.0)
        pad = BEYOND * (high - low) if high > low else 0.5
        edges = np.linspace(low - pad, high + pad, resolution + 1)
    if measure is None or (measure.all_discrete and measure.lattice is None and len(measure.atoms) == 0):
        return source.axes(resolution)[0]
    return axis_of_measure(of_column, measure, edges, resolution)


def _without_atoms(edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return edges without those that only end the bin of an atom, which is one float wide."""
    kept = np.append(True, edges[1:] > np.nextafter(edges[:-1], np.inf))
    return edges[kept]


def _is_discrete(axis: SliceAxis) -> bool:
    return axis.counted or axis.step is not None or not axis.field.kind.is_number


def _own_bins(estimator: Any, j: int) -> OwnBins | None:
    """Return the bins in which a column's density is constant, or None if the model has no bins."""
    if isinstance(estimator, ProductDensity) and estimator.rotation_ is None:
        return _own_bins(estimator.marginals_[j], 0)
    if isinstance(estimator, Histogram):
        column = estimator.columns_[j]
        return OwnBins(column.edges, _ratio(column.standard_errors, column.density))
    if isinstance(estimator, GridHistogram):
        axis, bins = estimator.grid_.axes[j], estimator.cells_[:, j]
        relative, known = np.zeros(axis.n_bins), bins >= 0
        relative[bins[known]] = _ratio(estimator.standard_errors_, estimator.density_)[known]
        return OwnBins(axis.edges, relative)
    if isinstance(estimator, BoxDensity):
        return _bins_of_tree(estimator)
    return None


def _bins_of_tree(estimator: BoxDensity) -> OwnBins | None:
    """Return the leaves of a tree of one column whose density is constant in them."""
    mixture = estimator.mixture_
    is_plain = mixture.n_trees == 1 and mixture.leaf_kind == "uniform" and estimator.rotation_ is None
    if not is_plain or estimator.margins != "linear":
        return None
    boxes = boxes_of_tree(estimator.margins_, mixture)
    leaves, column = boxes.nodes.leaves, boxes.columns[0]
    relative = _ratio(boxes.standard_error, boxes.density)[leaves]
    part = boxes.parts[0][leaves]
    if not isinstance(column, NumberBins) or (column.margin.lattice and len(column.margin.mass) > 1):
        return None  # the margin has a probability of its own for each value
    low, high = column.bounds(part)
    order = np.argsort(low)[: np.count_nonzero(~np.isnan(low))]
    edges = np.append(low[order], high[order[-1:]])
    return OwnBins(edges, relative[order]) if np.isfinite(edges).all() else None


def _ratio(errors: NDArray[np.float64], density: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(errors, density, out=np.zeros(len(density)), where=density > 0.0)


def _atoms(source: ShownDensity, j: int) -> NDArray[np.float64]:
    measure = source.measure(j)
    return NONE if measure is None or measure.all_discrete else measure.atoms


def _missing(source: ShownDensity, j: int) -> float:
    """Return the probability of a missing value: of tables that had some, or of rows that have some."""
    estimator, margin = source.estimator, source.margin(j)
    is_event = estimator._allow_missing and estimator.missing == "event"
    had_some = margin is not None and margin.missing_mass > 0.0
    has_some = source.rows is not None and bool(source.rows[j].n_missing)
    if not is_event or len(source.schema) > 1 or (source.rows is not None and not had_some and not has_some):
        return 0.0
    of_column = source.schema.fields[j]
    value = np.array([np.nan]) if of_column.kind.is_number else np.array([MISSING_CODE], dtype=np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a gap that training did not show
        gap = Columns(source.schema, 1, columns=[Column(of_column, value, 1)])
        probability = float(np.exp(score_table(estimator, gap)[0]))
    return probability if has_some or probability >= FEWEST_GAPS else 0.0


def _cuts(estimator: Any, axis: SliceAxis) -> NDArray[np.float64]:
    """Return where a single tree of one column cuts it, as places on the axis."""
    if not isinstance(estimator, BoxDensity) or estimator.mixture_.n_trees > 1:
        return NONE
    boxes = boxes_of_tree(estimator.margins_, estimator.mixture_)
    column = boxes.columns[0]
    if not isinstance(column, NumberBins):
        return NONE
    places = column.starts[boxes.nodes.cut[boxes.nodes.feature >= 0]]
    half = 0.5 * axis.step if axis.step is not None else 0.0  # between two points of a lattice
    return np.unique(places[np.isfinite(places)] - half) / axis.unit
