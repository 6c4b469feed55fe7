"""Margins fitted column by column in plain numpy: the reference implementation of the native fit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import INTEGERS, MISSING_CODE, OPEN, Column, ColumnMeasure, Columns, Kind, Lattice
from boxwood.evidence.weights import integer_weights, largest_weight, measures_of, weight_unit
from boxwood.margins import CategoryMargin, NumberMargin

ROWS_A_VALUE = 10.0
MOST_ATOMS = 500
SMALLEST_SPIKE = 0.01
SPIKE_OVER_NEIGHBOURS = 5.0
VIRTUAL_ROWS = 0.5
MOST_KNOTS = 1023
FEWEST_CONTINUOUS = 5.0


@dataclass(frozen=True, eq=False)
class Cells:
    """A column's sorted cells."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.float64]

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Cells:
        return Cells(self.low[chosen], self.high[chosen], self.count[chosen])

    def __len__(self) -> int:
        return len(self.count)

    @property
    def total(self) -> float:
        return float(self.count.sum())


def find_atoms(cells: Cells) -> NDArray[np.bool_]:
    tied = cells.low == cells.high
    if len(cells) == 1:
        return tied & (cells.count > 1.0)
    if len(cells) <= MOST_ATOMS and cells.total >= ROWS_A_VALUE * len(cells):
        return tied
    heavy = tied & (cells.count >= max(SMALLEST_SPIKE * cells.total, ROWS_A_VALUE))
    for k in np.flatnonzero(heavy):
        neighbours = np.r_[cells.count[max(0, k - 4) : k], cells.count[k + 1 : k + 5]]
        heavy[k] = cells.count[k] >= SPIKE_OVER_NEIGHBOURS * neighbours.mean()
    return heavy


def with_atoms(cells: Cells, atoms: NDArray[np.float64]) -> tuple[Cells, NDArray[np.bool_]]:
    absent = atoms[~np.isin(atoms, cells.low[cells.low == cells.high])]
    low, high = np.append(cells.low, absent), np.append(cells.high, absent)
    count = np.append(cells.count, np.full(len(absent), VIRTUAL_ROWS))
    order = np.argsort(low, kind="stable")
    joined = Cells(low[order], high[order], count[order])
    return joined, (joined.low == joined.high) & np.isin(joined.low, atoms)


def on_lattice(cells: Cells, lattice: Lattice) -> Cells:
    """Return the cells in numbers of lattice points; those of one point are joined."""
    joined: list[list[float]] = []
    for low, high, count in zip(
        lattice.places(cells.low), lattice.places(cells.high), cells.count, strict=True
    ):
        if joined and low <= joined[-1][1]:
            joined[-1][1] = high
            joined[-1][2] += count
        else:
            joined.append([low, high, count])
    return Cells(*np.array(joined).reshape(-1, 3).T.copy())


def off_lattice(lattice: Lattice | None, integer: bool, rows: float) -> tuple[float, float]:
    """Return the mass of values beside the points, and how much of them there is around each point."""
    size = 0.0 if lattice is None else lattice.step - (1.0 if integer else 0.0)
    return (1.0 / (rows + 2.0), size) if size > 0.0 else (0.0, 0.0)


def fit_number_margin(
    cells: Cells, missing: float, kind: str, integer: bool, measure: ColumnMeasure | None
) -> NumberMargin:
    lattice = measure.lattice if measure is not None else None
    if integer and lattice is None:
        lattice = INTEGERS
    bounds, span = (OPEN, OPEN) if measure is None else (measure.bounds, measure.span)
    if lattice is not None:
        bounds, span = bounds_of_places(bounds, lattice), tuple(lattice.places(np.array(span)).tolist())
        cells = on_lattice(cells, lattice)
        is_atom = find_points(cells, kind, bounds)
    elif measure is None:
        is_atom = find_atoms(cells)
    else:
        cells, is_atom = with_atoms(cells, measure.atoms)
    counted = lattice is not None
    total = cells.total + missing
    rest = (
        None if lattice is None else (lattice.origin, lattice.step),
        *off_lattice(lattice, integer, cells.total),
    )
    if not len(cells):
        # Nothing is known of the values: they keep a mass of half a row.
        nothing = Cells(*np.clip(np.zeros((2, 1)), *bounds), np.ones(1))
        present = 0.5 / (total + 0.5)
        is_atom = np.zeros(1, dtype=bool)
        return NumberMargin.of_parts(
            fit_cdf(nothing, is_atom, present, kind, counted, bounds, span), total / (total + 0.5), *rest
        )
    cdf = fit_cdf(cells, is_atom, cells.total / total, kind, counted, bounds, span)
    return NumberMargin.of_parts(cdf, missing / total, *rest)


def is_once(weight: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(weight < 1.5)


def unseen_mass(weights: NDArray[np.float64]) -> float:
    """Return the Good–Turing mass of values that were never seen."""
    once = sum(weights[is_once(weights)].tolist())
    return float((once + 1.0) / (sum(weights.tolist()) + 2.0))


def bounds_of_places(bounds: tuple[float, float], lattice: Lattice) -> tuple[float, float]:
    """Return the edges of the first and the last point between bounds."""
    first, last = ((np.array(bounds) - lattice.origin) / lattice.step).tolist()
    low = _core.integer_edge(math.ceil(first - 1e-6)) if math.isfinite(first) else first
    return low, _core.upper_edge(math.floor(last + 1e-6)) if math.isfinite(last) else last


def find_points(cells: Cells, kind: str, bounds: tuple[float, float]) -> NDArray[np.bool_]:
    """Return the atoms of a column on a lattice: all its points where rows come again."""
    is_atom = find_atoms(cells)
    few = 1 < len(cells) <= MOST_ATOMS and bool((cells.low == cells.high).all())
    if not few or kind == "linear" or is_atom.all():
        return is_atom
    smooth = fit_cdf(cells, is_atom, 1.0, kind, True, bounds).log_mass_of_integers(cells.low)
    unseen, once = unseen_mass(cells.count), is_once(cells.count)
    if cells.count[once].sum() >= 0.5 * cells.total:
        return is_atom
    between = max(1.0 - np.exp(smooth).sum(), unseen)
    with np.errstate(divide="ignore", invalid="ignore"):
        again = np.log((1.0 - unseen) * (cells.count - 1.0) / (cells.total - 1.0)) - smooth
    gain = np.where(once, np.log(unseen / between), again)
    return np.ones(len(cells), dtype=bool) if (cells.count * gain).sum() > 0.0 else is_atom


def fit_cdf(
    cells: Cells,
    is_atom: NDArray[np.bool_],
    present: float,
    kind: str,
    counted: bool,
    bounds: tuple[float, float] = OPEN,
    span: tuple[float, float] = OPEN,
) -> _core.PiecewiseCdf:
    others = cells[~is_atom]
    # Half a row is reserved for values that are no atom, so that none has density zero; where every point of
    # a lattice that was seen is one, the mass of those that were not.
    reserved = 0.5 if is_atom.any() else 0.0
    if counted and is_atom.all():
        unseen = unseen_mass(cells.count)
        reserved = unseen / (1.0 - unseen) * cells.total
    rows = cells.total + reserved  # may be denormal: divided by, never inverted
    mass = present * ((others.total + reserved) / rows)
    low = high = cells.low[is_atom]
    if counted:
        low, high = (np.array([edge(k) for k in low]) for edge in (_core.integer_edge, _core.upper_edge))
    atoms = low, high, present * (cells.count[is_atom] / rows)
    if kind == "linear":
        return _core.fit_linear_cdf(*linear_box(cells, counted, span), mass, *atoms, *bounds)
    shape_from = others
    if is_atom.any() and others.total < FEWEST_CONTINUOUS:
        shape_from = Cells(cells.low, cells.high, np.ones(len(cells))) if counted else cells
    room = MOST_KNOTS - 2 * len(low)
    return _core.fit_smooth_cdf(
        shape_from.low, shape_from.high, shape_from.count, mass, *atoms, room, *bounds
    )


def linear_box(cells: Cells, integer: bool, span: tuple[float, float]) -> tuple[float, float]:
    low, high = float(cells.low[0]), float(cells.high[-1])
    low = min(low, span[0]) if abs(span[0]) < 1e300 else low
    high = max(high, span[1]) if abs(span[1]) < 1e300 else high
    half = 0.5 * max(abs(low), 1.0) if low == high else 0.0  # one value tells no scale
    if integer:
        first, last = math.floor(low - half), float(math.floor(high + half))
        after = max(last + 1.0, math.nextafter(last, math.inf))
        return _core.integer_edge(first), _core.integer_edge(after)
    if low == high:
        return low - half, high + half
    gap = (high - low) / max(cells.total - 1.0, 1.0)
    below = min(low - 0.5 * gap, math.nextafter(low, -math.inf))
    return below, max(high + 0.5 * gap, math.nextafter(high, math.inf))


def fit_category_margin(counts: NDArray[np.float64], closed: bool) -> CategoryMargin:
    known = counts[:-1]
    seen, total = float(sum(known.tolist())), float(sum(counts.tolist()))
    # Where every value is missing, what is not keeps a mass of half a row.
    present = seen / total if seen else VIRTUAL_ROWS / (total + VIRTUAL_ROWS)
    if closed:
        masses = (known + VIRTUAL_ROWS) / sum((known + VIRTUAL_ROWS).tolist())
        return CategoryMargin(masses * present, 0.0, 1.0 - present)
    absent = int((known == 0.0).sum())
    n_seen = len(known) - absent
    unseen = unseen_mass(known) if n_seen else 1.0
    each = unseen / (absent + 1.0)
    if n_seen:
        each = min(each, VIRTUAL_ROWS / (seen + 2.0))
    fraction = (known + VIRTUAL_ROWS) / max(seen + VIRTUAL_ROWS * n_seen, VIRTUAL_ROWS)
    masses = np.where(known > 0.0, (1.0 - unseen) * fraction, each)
    return CategoryMargin(masses * present, (unseen - absent * each) * present, 1.0 - present)


def fit_column(
    column: Column,
    weights: NDArray[np.int64] | None,
    unit: float,
    kind: str,
    measure: ColumnMeasure | None,
) -> NumberMargin | CategoryMargin:
    if column.kind.is_number:
        (low, high, count), missing = _core.cells_of_column(column.values, weights)
        cells = Cells(low, high, count.astype(np.float64) * unit)
        return fit_number_margin(cells, missing * unit, kind, column.kind is Kind.INTEGER, measure)
    n = len(column.field.categories)
    counts = np.zeros(n + 1, dtype=np.int64)
    codes = np.where(column.values == MISSING_CODE, n, column.values)
    np.add.at(counts, codes, 1 if weights is None else weights)
    return fit_category_margin(counts.astype(np.float64) * unit, column.kind is Kind.BOOLEAN)


def fit_columns(
    columns: Columns, kind: str, measures: list[ColumnMeasure] | None = None
) -> list[NumberMargin | CategoryMargin]:
    """Fit a margin to each column, one after another."""
    unit = weight_unit(largest_weight([columns]))
    weights = integer_weights(columns, unit)
    found = measures_of(columns) if measures is None else measures
    return [
        fit_column(column, weights, unit, kind, measure)
        for column, measure in zip(columns, found, strict=True)
    ]


def encode_columns(margins: list[NumberMargin | CategoryMargin], columns: Columns) -> NDArray[np.float64]:
    """Encode each column, one after another."""
    u = np.empty((columns.n_rows, len(margins)))
    for j, (margin, column) in enumerate(zip(margins, columns, strict=True)):
        margin.encode(column.values, u[:, j])
    return u
