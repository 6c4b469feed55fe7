"""Pairs of columns under evidence: covariance, mutual information, a matrix of dependence."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.margins import CategoryMargin
from boxwood.query.column_law import ColumnLaw
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.cube_set import CubeSet
from boxwood.query.event import Event
from boxwood.query.evidence_law import Groups, groups_of
from boxwood.query.interval import Interval
from boxwood.query.moments import value_integrals, values_at
from boxwood.threads import ONE_THREAD

if TYPE_CHECKING:
    from boxwood.query.query import Query

__all__ = ["covariance_of", "dependence_of", "mutual_information_of"]

Numbers = NDArray[np.float64]

MOST_CELLS = 128
"""Cells of a column for mutual information: more bins are merged, which loses information but adds none."""

FEW_CELLS = 32
LEAVES_AT_ONCE = 4096


def covariance_of(query: Query, a: int, b: int) -> float:
    """Return the covariance of two columns where both are there."""
    if a == b:
        return query.variance(a)
    scale = 1.0
    for j in (a, b):
        scale /= 1e6 if query._law(j).field.kind == "datetime" else 1.0
    if {a, b} & query._tied:
        return scale * _covariance_by_cells(query, a, b)
    parts = [_function_sums(query, j) for j in (a, b)]
    (x_a, one_a, groups_a), (x_b, one_b, groups_b) = parts

    def moment(f: Numbers, g: Numbers) -> float:
        return query._conditioned.cross_moment(a, f, groups_a.of_box, b, g, groups_b.of_box)

    both = moment(one_a, one_b)
    if both <= 0.0:
        raise ValueError("the two columns are never both there under this evidence.")
    mean_a, mean_b = moment(x_a, one_b) / both, moment(one_a, x_b) / both
    return scale * (moment(x_a, x_b) / both - mean_a * mean_b)


def _function_sums(query: Query, j: int) -> tuple[Numbers, Numbers, Groups]:
    """Return, by group of boxes, sums below bins of ∫ (x − center) and of ∫ 1 over what is there."""
    law = query._law(j)
    groups = groups_of(query._boxes, j)
    bins = query._engine.edges[j]
    center = 0.0 if isinstance(law.margin, CategoryMargin) else law.moments[0]
    sums = [_sums_in(law, bins, cube, center) for cube in groups.cubes]
    return np.stack([x for x, _ in sums]), np.stack([one for _, one in sums]), groups


def _sums_in(law: ColumnLaw, bins: Numbers, cube: CubeSet, center: float) -> tuple[Numbers, Numbers]:
    end = float(law.edges[-1]) if law.margin.missing_mass else 1.0
    if cube.points:
        u = np.empty(1)
        law.margin.encode(np.array(cube.points), u)
        at = np.clip(np.searchsorted(bins, u[0], side="right") - 1, 0, len(bins) - 2)
        one = (np.arange(len(bins)) > at).astype(np.float64)
        return one * (cube.points[0] - center), one
    edges = np.unique(np.concatenate([bins, cube.low, cube.high, [end]]))
    middle = 0.5 * (edges[1:] + edges[:-1])
    inside = cube.inside(middle) & (middle < end)
    if isinstance(law.margin, CategoryMargin):
        x = np.diff(edges) * (values_at(law.margin, middle) - center)
    else:
        x = value_integrals(law.margin, edges, center)[0]
    at = np.searchsorted(edges, bins)
    found = []
    for part in (x, np.diff(edges)):
        below = np.concatenate([[0.0], np.cumsum(np.where(inside, part, 0.0))])
        found.append(below[at])
    return found[0], found[1]


def mutual_information_of(query: Query, a: int, b: int, most_cells: int = MOST_CELLS) -> float:
    """Return the mutual information of two columns' cells, in nats."""
    if a == b:
        raise ValueError("the mutual information of a column with itself is its entropy: ask for `entropy`.")
    return _information(_pair_masses(query, a, b, most_cells))


def _information(masses: Numbers) -> float:
    masses = masses / masses.sum()
    product = masses.sum(axis=1, keepdims=True) * masses.sum(axis=0)
    used = masses > 0.0
    return max(float((masses[used] * np.log(masses[used] / product[used])).sum()), 0.0)


def dependence_of(query: Query) -> Numbers:
    """Return √(1 − exp(−2·information)) of all pairs."""
    n = len(query._engine.schema)
    information = np.full((n, n), np.inf)
    free = [j for j in range(n) if j not in query._tied]
    for (a, b), masses in _all_pair_masses(query, free, FEW_CELLS):
        information[a, b] = information[b, a] = _information(masses)
    for a, b in combinations(range(n), 2):
        if {a, b} & query._tied:
            information[a, b] = information[b, a] = mutual_information_of(query, a, b, FEW_CELLS)
    return np.asarray(np.sqrt(-np.expm1(-2.0 * information)))


def _all_pair_masses(
    query: Query, columns: list[int], most_cells: int
) -> Iterator[tuple[tuple[int, int], Numbers]]:
    """Yield the masses of cells of all pairs of columns, none of them under rules.

    They are one product of matrices for all leaves: with 50 columns and a million leaves pair by pair took
    more than ten times as long.
    """
    cells = [_merged_bins(query, j, most_cells) for j in columns]
    ends = np.cumsum([len(of_column) - 1 for of_column in cells])
    with ONE_THREAD:  # sums of several threads are rounded in another order
        products = _products(query, columns, cells)
    parts = [slice(end - len(of_column) + 1, end) for end, of_column in zip(ends, cells, strict=True)]
    for a, b in combinations(range(len(columns)), 2):
        yield (columns[a], columns[b]), products[parts[a], parts[b]]


def _products(query: Query, columns: list[int], cells: list[NDArray[np.uint32]]) -> Numbers:
    """Return the sums over leaves of products of all cells' masses."""
    n_cells = sum(len(of_column) - 1 for of_column in cells)
    products = np.zeros((n_cells, n_cells))
    n_leaves = query._conditioned.n_weights
    for first in range(0, n_leaves, LEAVES_AT_ONCE):
        n = min(LEAVES_AT_ONCE, n_leaves - first)
        masses = query._conditioned.cell_masses(columns, cells, first, n)
        products += masses.T @ masses
    return products


def _pair_masses(query: Query, a: int, b: int, most_cells: int) -> Numbers:
    if {a, b} & query._tied:
        return _masses_by_cells(query, a, b, most_cells)
    cells = [_merged_bins(query, j, most_cells) for j in (a, b)]
    return query._conditioned.pair_masses(a, cells[0], b, cells[1])


def _merged_bins(query: Query, j: int, most_cells: int) -> NDArray[np.uint32]:
    """Return where cells of a column begin: every bin, or bins merged into about equal masses."""
    bins = query._engine.edges[j]
    n = len(bins) - 1
    if n <= most_cells:
        return np.arange(n + 1, dtype=np.uint32)
    law = query._law(j)
    below = np.interp(bins, law.edges, law.below)
    level = np.minimum((below * most_cells).astype(np.int64), most_cells - 1)
    start = np.flatnonzero(np.diff(level[:-1], prepend=-1) > 0)
    if query._engine.margins.columns[j].missing_mass:  # the last bin is that of gaps
        start = np.append(start, n - 1)
    return np.unique(np.concatenate([[0], start, [n]])).astype(np.uint32)


def _cell_sets(query: Query, j: int, most_cells: int) -> list[ColumnSet]:
    """Return sets of a column's values that take the place of cells where rules are about it."""
    field = query._engine.schema.fields[j]
    if not field.kind.is_number:
        n, boolean = len(field.categories), field.kind == "boolean"
        sets: list[Any] = [
            CategorySet(frozenset([code]), n_categories=n, boolean=boolean) for code in range(n)
        ]
        rest = CategorySet(frozenset(), True, True, n, boolean)
        return [*sets, CategorySet(frozenset(), False, True, n, boolean), rest & ~_missing(rest)]
    law, whole = query._law(j), field.kind == "integer"
    ends = np.unique(law.quantile(np.linspace(0.0, 1.0, most_cells + 1)[1:-1]))
    cuts = [-np.inf, *ends.tolist(), np.inf]
    found: list[Any] = [
        NumberSet((Interval(low, high, False, high < np.inf),), whole=whole) for low, high in pairwise(cuts)
    ]
    return [*found, NumberSet((), missing=True, whole=whole)]


def _missing(values: CategorySet) -> CategorySet:
    return CategorySet(frozenset(), False, True, values.n_categories, values.boolean)


def _masses_by_cells(query: Query, a: int, b: int, most_cells: int) -> Numbers:
    rows, columns = (_cell_sets(query, j, min(most_cells, FEW_CELLS)) for j in (a, b))
    events = [Event.of_column(a, x) & Event.of_column(b, y) for x in rows for y in columns]
    return query.probabilities(events).reshape(len(rows), len(columns))


def _covariance_by_cells(query: Query, a: int, b: int) -> float:
    """Return the covariance by the means of one column given values of the other, which follow from rules."""
    if a not in query._tied:
        a, b = b, a
    total, products, mean_a, mean_b = 0.0, 0.0, 0.0, 0.0
    center = query._law(a).moments[0], query._law(b).moments[0]
    present = ~NumberSet((), missing=True, whole=query._engine.schema.fields[b].kind == "integer")
    for values in _cell_sets(query, a, MOST_CELLS)[:-1]:
        event = Event.of_column(a, values)
        if query._engine.schema.fields[b].kind.is_number:
            event &= Event.of_column(
                b, NumberSet((Interval(-np.inf, np.inf, False, False),), whole=present.whole)
            )
        p = query.probability(event)
        if p <= 0.0:
            continue
        part = query.given(event)
        x, y = part._law(a).moments[0] - center[0], part._law(b).moments[0] - center[1]
        total, products = total + p, products + p * x * y
        mean_a, mean_b = mean_a + p * x, mean_b + p * y
    return products / total - mean_a * mean_b / total**2
