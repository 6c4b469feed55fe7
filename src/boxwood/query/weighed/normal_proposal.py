"""A Gaussian asked: points in closed form, ranges column by column (Geweke, Hajivassiliou and Keane)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import ColumnMeasure, Columns, Kind, Schema
from boxwood.columns.as_numbers import columns_of_numbers
from boxwood.columns.columns import concatenated
from boxwood.columns.precision import rounded_to_source
from boxwood.gaussian.normal import Normal
from boxwood.query.box import Box
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event
from boxwood.query.weighed.draws import Draws
from boxwood.query.weighed.measures import lengths
from boxwood.query.weighed.normal_box import (
    ConditionedNormal,
    Part,
    condition_normal,
    parts_of,
    truncated_draws,
)
from boxwood.query.weighed.normal_law import NormalLaw
from boxwood.query.weighed.normal_rows import NormalRows

__all__ = ["NormalProposal"]

Numbers = NDArray[np.float64]

N_PILOT = 64
"""Draws of each box that tell how often it is drawn from."""


@dataclass(frozen=True, eq=False)
class _PreparedBox:
    """A box, the distribution given its points, and the columns in the order of drawing."""

    box: Box
    parts: list[Part]
    given: ConditionedNormal
    root: Numbers
    order: NDArray[np.intp]
    log_factor: float


@dataclass(frozen=True, eq=False)
class PreparedNormal:
    """Boxes of one rank, and how often each is drawn from."""

    boxes: list[_PreparedBox]
    fractions: Numbers
    rank: int


class NormalProposal:
    """Draws of a normal distribution under events; every column is missing by itself.

    Columns whose values are integers, ranks or booleans are the rounded normal variable. One column after
    the other is drawn from its conditional distribution inside the event, and weighs what the event has of
    that: weights are equal where one column alone is restricted.

    Parameters
    ----------
    schema : Schema
    normal : Normal
    gap_rates : ndarray
        The probability of a gap in each column.
    simulate : callable
    """

    normalised = True

    def __init__(
        self,
        schema: Schema,
        normal: Normal,
        gap_rates: Numbers,
        simulate: Callable[[int, np.random.Generator], Columns],
    ) -> None:
        self.schema, self.normal, self.gap_rates = schema, normal, gap_rates
        self.simulate = simulate

    def read(self, event: Any, columns: Mapping[str, Any]) -> Event:
        """Read an event."""
        return read_event(self.schema, event, **columns)

    def prepare(self, event: Event, rank: int | None) -> PreparedNormal | None:
        """Return the boxes of an event that are possible; None where there are none."""
        boxes: dict[int, list[_PreparedBox]] = {}
        for box in event.boxes:
            for parts in _alternatives(self.schema, box):
                prepared = self._prepare(box, parts)
                if prepared is not None:
                    boxes.setdefault(sum(part.point is not None for part in parts), []).append(prepared)
        for one in sorted(boxes) if rank is None else [rank]:
            kept = boxes.get(one, [])
            sizes = np.array([self._size(box) for box in kept])
            if sizes.sum() > 0.0:
                kept = [box for box, size in zip(kept, sizes, strict=True) if size > 0.0]
                sizes = sizes[sizes > 0.0]
                # A tenth of the draws is shared equally, since the sizes are guesses.
                fractions = 0.9 * sizes / sizes.sum() + 0.1 / len(sizes)
                return PreparedNormal(kept, fractions / fractions.sum(), one)
        return None

    def draw(self, prepared: PreparedNormal, n: int, seed: int, shared_seed: int) -> Draws:
        """Draw rows under an event and weigh them."""
        rng = np.random.default_rng(seed)
        counts = rng.multinomial(n, prepared.fractions)
        tables, logs = [], []
        for box, fraction, count in zip(prepared.boxes, prepared.fractions, counts.tolist(), strict=True):
            if count:
                rows, log = self._draw(box, count, rng)
                tables.append(columns_of_numbers(self.schema, rows))
                logs.append(log - np.log(fraction))
        order = rng.permutation(n)
        return Draws(concatenated(tables).take(order), np.concatenate(logs)[order])

    def rounded(self, prepared: PreparedNormal, columns: Columns, rng: np.random.Generator) -> Columns:
        """Return draws with the decimals of the table, where all of them then lie inside the event."""
        rounded = rounded_to_source(columns)
        inside = np.zeros(columns.n_rows, dtype=np.bool_)
        for one in prepared.boxes:
            inside |= one.box.contains(rounded)
        return rounded if inside.all() else columns

    def conditionals(self, columns: Columns) -> NormalRows:
        """Return the distributions of each row's columns given the rest of the row."""
        return NormalRows(self.normal, self.gap_rates, columns)

    def measure(self, column: int) -> ColumnMeasure:
        """Return where a column has probabilities of single values."""
        return lengths(self.schema)[column]

    def closed_law(self, event: Event, column: int) -> NormalLaw | None:
        """Return the law of a continuous column where the evidence has nothing but points and gaps."""
        field = self.schema.fields[column]
        if field.kind not in (Kind.NUMERIC, Kind.DATETIME) or len(event.boxes) != 1:
            return None
        parts = parts_of(self.schema.fields, event.boxes[0])
        if any(part.point is None and part.spans and part.is_restricted for part in parts):
            return None
        if parts[column].point is not None or not parts[column].spans:
            return None
        given = condition_normal(self.normal, _points(parts))
        at = int(np.flatnonzero(given.columns == column)[0])
        missing = float(self.gap_rates[column]) if parts[column].missing else 0.0
        return NormalLaw(field, float(given.mean[at]), float(np.sqrt(given.covariance[at, at])), missing)

    def closed_covariance(self, event: Event, a: int, b: int) -> float | None:
        """Return the covariance of two columns whose laws have a closed form, else None."""
        if self.closed_law(event, a) is None or self.closed_law(event, b) is None:
            return None
        given = condition_normal(self.normal, _points(parts_of(self.schema.fields, event.boxes[0])))
        at = [int(np.flatnonzero(given.columns == j)[0]) for j in (a, b)]
        return float(given.covariance[at[0], at[1]])

    def closed_information(self, event: Event, a: int, b: int) -> float | None:
        """Return the mutual information of two columns whose laws have a closed form, else None."""
        covariance = self.closed_covariance(event, a, b)
        laws = [self.closed_law(event, j) for j in (a, b)]
        if covariance is None or laws[0] is None or laws[1] is None:
            return None
        correlation = covariance / (laws[0].deviation * laws[1].deviation)
        both_there = (1.0 - laws[0].gap_rate) * (1.0 - laws[1].gap_rate)
        return float(-0.5 * both_there * np.log1p(-min(correlation**2, 1.0 - 1e-15)))

    def _prepare(self, box: Box, parts: list[Part]) -> _PreparedBox | None:
        """Return a box ready for drawing; None where a gap is asked for that there never is."""
        given = condition_normal(self.normal, _points(parts))
        log = given.log_density
        with np.errstate(divide="ignore"):
            for part, rate in zip(parts, self.gap_rates.tolist(), strict=True):
                if part.point is not None or not part.missing:
                    log += np.log1p(-rate)
                elif not part.spans:
                    log += np.log(rate)
        if not np.isfinite(log):
            return None
        restricted = np.array([parts[j].is_restricted and bool(parts[j].spans) for j in given.columns])
        # What is restricted first: the rest is then drawn freely.
        order = np.argsort(~restricted, kind="stable") if len(restricted) else np.zeros(0, dtype=np.intp)
        covariance = given.covariance[np.ix_(order, order)]
        return _PreparedBox(box, parts, given, _root(covariance), order, float(log))

    def _size(self, box: _PreparedBox) -> float:
        _, log = self._draw(box, N_PILOT, np.random.default_rng(0))
        return float(np.exp(np.minimum(log, 700.0)).mean())

    def _draw(self, one: _PreparedBox, n: int, rng: np.random.Generator) -> tuple[Numbers, Numbers]:
        """Draw rows of numbers in a box, with the logarithms of what they weigh."""
        d = len(self.schema)
        rows, log = np.empty((n, d)), np.full(n, one.log_factor)
        for j, part in enumerate(one.parts):
            if part.point is not None:
                rows[:, j] = part.point
        z = np.empty((n, len(one.order)))
        for k, at in enumerate(one.order):
            j = int(one.given.columns[at])
            part = one.parts[j]
            mean, deviation = one.given.mean[at] + z[:, :k] @ one.root[k, :k], float(one.root[k, k])
            gap = self._gaps(part, float(self.gap_rates[j]), n, rng)
            z[:, k] = rng.standard_normal(n)
            if part.is_restricted and part.spans:
                inside, log_inside = truncated_draws(mean, deviation, part.spans, rng)
                z[:, k] = np.where(gap, z[:, k], inside)
                log = log + np.where(gap, 0.0, log_inside)
            rows[:, j] = np.where(gap, np.nan, mean + deviation * z[:, k])
        return rows, log

    def _gaps(self, part: Part, rate: float, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        if not part.missing:
            return np.zeros(n, dtype=np.bool_)
        return rng.random(n) < rate if part.spans else np.ones(n, dtype=np.bool_)


def _points(parts: list[Part]) -> dict[int, float]:
    return {j: part.point for j, part in enumerate(parts) if part.point is not None}


def _root(covariance: Numbers) -> Numbers:
    """Return a lower triangular root; a column that follows from others has a tiny deviation of its own."""
    scale = np.sqrt(np.maximum(covariance.diagonal(), 1e-300))
    correlation = covariance / np.outer(scale, scale)
    return np.asarray(np.linalg.cholesky(correlation + 1e-12 * np.eye(len(scale))) * scale[:, None])


def _alternatives(schema: Schema, box: Box) -> list[list[Part]]:
    """Return what a box asks of the columns; one such list for each of several points in a column."""
    lists = [parts_of(schema.fields, box)]
    for j, values in box.sets.items():
        field = schema.fields[j]
        if field.kind not in (Kind.NUMERIC, Kind.DATETIME) or lists[0][j].spans or values.missing:
            continue
        points = [interval.low for interval in values.intervals]  # type: ignore[union-attr]
        lists = [[*parts[:j], Part(x, (), False), *parts[j + 1 :]] for parts in lists for x in points]
    return lists
