"""Draws that keep to rules, and exceptions from them as often as the density has them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.columns import concatenated
from boxwood.dependencies.agreement import Agreement, log_margin
from boxwood.dependencies.cells import replaced
from boxwood.dependencies.component import NOTHING, PRESENT, VALUE
from boxwood.dependencies.dependencies import Dependencies
from boxwood.dependencies.rule import same_values
from boxwood.dependencies.ruled_rows import Asked, RuledRows
from boxwood.margins import Margins

__all__ = ["agreement_of_draws", "draw_by_rules", "keep_draws", "with_exceptions"]

SHRINKAGE = 4.0
"""Draws of all entries that count beside those of one entry: of rare ones there are few."""

POOL = 4
"""Times as many further rows are drawn, to take the place of those that break a rule."""

LEAST_POOL = 4096

MOST_REDRAWS = 100


def keep_draws(
    columns: Columns, dependencies: Dependencies, margins: Margins, rng: np.random.Generator
) -> Columns:
    """Return drawn rows with the values that rules ask for; by a column's margin where any value would do."""
    rows = dependencies.rows(columns, gaps=True)
    kept, found = rows.kept(), {}
    for one in (one for asked in rows.asked for one in asked):
        gap = np.flatnonzero(one.off & (one.kind == PRESENT))
        if len(gap):
            numbers = kept[one.column].numbers().copy()
            numbers[gap] = _margin_draws(margins, one.column, len(gap), rng, present=True)
            found[one.column] = numbers
    return replaced(kept, found)


def draw_by_rules(
    draw: Callable[[int], Columns],
    n_rows: int,
    dependencies: Dependencies,
    margins: Margins,
    rng: np.random.Generator,
) -> Columns:
    """Draw rows of a model that cannot draw under rules: what breaks one is replaced by draws that do not.

    Of the same root value, so that this is p(root)·p(others | root, what follows from it); where there is
    none among the further draws, the values that break a rule are replaced alone.
    """
    if n_rows == 0:
        return draw(0)
    columns = draw(n_rows)
    pool = draw(max(POOL * n_rows, LEAST_POOL))
    components = dependencies.components(gaps=True)
    for c in range(len(components)):
        rows, others = dependencies.rows(columns, gaps=True), dependencies.rows(pool, gaps=True)
        off = np.flatnonzero(~rows.keep_component(c))
        places = _matched(rows.entries[c][off], others.entries[c], others.keep_component(c))
        found = places >= 0
        order = np.arange(n_rows)
        order[off[found]] = n_rows + places[found]
        columns = concatenated([columns, pool]).take(order)
    return keep_draws(columns, dependencies, margins, rng)


def _matched(
    wanted: NDArray[np.intp], entries: NDArray[np.intp], usable: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return a place with each entry that is wanted, each place once; −1 where none is left."""
    places = np.flatnonzero(usable)
    places = places[np.argsort(entries[places], kind="stable")]
    of_places = entries[places]
    order = np.argsort(wanted, kind="stable")
    ranked = wanted[order]
    turn = np.arange(len(ranked)) - np.searchsorted(ranked, ranked)  # how many wanted the same before
    at = np.searchsorted(of_places, ranked) + turn
    there = at < np.searchsorted(of_places, ranked, side="right")
    found = np.full(len(wanted), -1, dtype=np.intp)
    found[order[there]] = places[at[there]]
    return found


def with_exceptions(
    columns: Columns, dependencies: Dependencies, margins: Margins, rng: np.random.Generator
) -> Columns:
    """Break rules as often as the density lets them be broken, in rows that keep to them."""
    found = {}
    for one in (one for asked in dependencies.rows(columns, gaps=True).asked for one in asked):
        odd = np.flatnonzero((rng.random(columns.n_rows) < one.exception_rate) & (one.kind != NOTHING))
        if len(odd):
            numbers = one.numbers.copy()
            numbers[odd] = _exceptions(one, odd, margins, rng)
            found[one.column] = numbers
    return replaced(columns, found)


def _exceptions(
    one: Asked, rows: NDArray[np.intp], margins: Margins, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return values of the margin that are not those asked for."""
    asked = np.where(one.kind[rows] == VALUE, one.value[rows], 0.0)
    values = np.where(one.kind[rows] == PRESENT, np.nan, asked)
    for _ in range(MOST_REDRAWS):
        same = np.flatnonzero((one.kind[rows] == VALUE) & same_values(values, asked))
        if not len(same):
            break
        values[same] = _margin_draws(margins, one.column, len(same), rng)
    return values


def _margin_draws(
    margins: Margins, column: int, n: int, rng: np.random.Generator, present: bool = False
) -> NDArray[np.float64]:
    margin, kind = margins.columns[column], margins.schema.fields[column].kind
    u = rng.random(n) * ((1.0 - margin.missing_mass) if present else 1.0)
    values = margin.decode(u)
    if kind.is_number:
        return np.asarray(values, dtype=np.float64)
    return np.where(values < 0, np.nan, values)


def agreement_of_draws(rows: RuledRows, margins: Margins) -> Agreement:
    """Estimate how far a model agrees with rules by the rows that it draws."""
    found = Agreement([], [])
    for component, entries, asked in zip(rows.components, rows.entries, rows.asked, strict=True):
        on = np.stack([~one.off for one in asked])
        asks = np.stack([ruled.kind != NOTHING for ruled in component.ruled])
        logs = np.stack(
            [
                np.where(ruled.kind == VALUE, log_margin(margins, ruled.column, ruled.value), 0.0)
                for ruled in component.ruled
            ]
        )
        found.log_all.append(_log_fraction(on, asks, entries) - logs.sum(axis=0))
        others = [np.arange(len(on)) != k for k in range(len(on))]
        found.log_but.append(
            np.stack([_log_fraction(on[o], asks[o], entries) - logs[o].sum(axis=0) for o in others])
        )
    return found


def _log_fraction(
    on: NDArray[np.bool_], asks: NDArray[np.bool_], entries: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the logarithm of the fraction of rows that agree, by entry; 0 where nothing is asked."""
    agrees, n_entries = np.asarray(on.all(axis=0)), asks.shape[1]
    of_all = (agrees.sum() + 0.5) / (len(agrees) + 1.0)
    n = np.bincount(entries, minlength=n_entries)
    agreeing = np.bincount(entries, agrees, minlength=n_entries)
    fractions = (agreeing + SHRINKAGE * of_all) / (n + SHRINKAGE)
    return np.where(asks.any(axis=0), np.log(fractions), 0.0)
