"""What rows are worth: the one place with the rules about weights, copies and observations.

Equal rows are merged. A merged row has a weight w and a number o of observations: 1 where a value of it is
continuous, since under a density two rows never coincide there and a repetition is a copy; as many as it
came where all its values are discrete. The table is worth n = (Σw)²/Σ(w²/o) rows, and weights are scaled by
n/Σw before anything that depends on how many rows there are.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import BaseMeasure, ColumnMeasure, Columns, Kind
from boxwood.evidence.discrete import Discrete, continuous_measure, discrete_by, find_measures
from boxwood.evidence.rough_model import rough_log_probability

__all__ = [
    "DUPLICATES",
    "UNIT",
    "WEIGHT_KINDS",
    "Evidence",
    "integer_weights",
    "largest_weight",
    "measures_of",
    "scaled_units",
    "weigh_continuous",
    "weigh_rows",
    "weight_unit",
]

WEIGHT_KINDS = ("auto", "frequency", "survey")
DUPLICATES = ("auto", "copies", "evidence")

UNIT = 2.0**-20
"""Scaled weights are whole multiples of this: sums of integers do not depend on their order."""

EXPECTED_TIMES = 10.0
"""A row has at most one observation more than this many times those that the rough model expects."""

MANY_TIMES = 10.0
"""Whole weights that make a table worth this many times its rows are probably no frequencies."""

MOST_OBSERVATIONS = 2**30
"""Of one row; products of two such numbers fit into 64 bits."""

_WEIGHT_BITS = 30
_TIE = 1.0 + 2.0**-40


@dataclass(frozen=True, eq=False)
class Evidence:
    """The distinct rows of a table and what they are worth.

    Attributes
    ----------
    columns : Columns
        The distinct rows, in the order of a hash of their content, with the weights `weights`.
    number : ndarray of shape (n_given_rows,)
        Which distinct row each given row is.
    keys : ndarray of uint64
        Hashes of the distinct rows' content, ascending.
    observations : ndarray of int64
        How many observations each distinct row is, at least 1.
    units : ndarray of int64
        Scaled weights as multiples of `UNIT`, at least 1.
    n : float
        How many rows the table is worth.
    discrete : Discrete
        The measure of each column, and which cells are discrete.
    given_weights : ndarray of shape (n_given_rows,)
    groups : ndarray of uint64 or None
        The key of each row's group, where rows are left out by groups (see `in_groups`).
    """

    columns: Columns
    number: NDArray[np.uint32]
    keys: NDArray[np.uint64]
    observations: NDArray[np.int64]
    units: NDArray[np.int64]
    n: float
    discrete: Discrete
    given_weights: NDArray[np.float64]
    groups: NDArray[np.uint64] | None = None

    @property
    def n_rows(self) -> int:
        """How many distinct rows there are."""
        return len(self.keys)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The scaled weights of the distinct rows; they sum to `n` up to rounding."""
        return self.units.astype(np.float64) * UNIT

    @property
    def merged_weights(self) -> NDArray[np.float64]:
        """The given weights of the distinct rows, those of equal rows added up."""
        merged = np.bincount(self.number, self.given_weights, minlength=self.n_rows)
        return merged.astype(np.float64, copy=False)

    @property
    def removed_weights(self) -> NDArray[np.float64]:
        """The scaled weight that leaves with one observation of each distinct row."""
        return self.weights / self.observations

    def part(self, weights: NDArray[np.float64]) -> Evidence:
        """Return the rows with other scaled weights, as many observations less; rows of none are left out."""
        kept = np.flatnonzero(weights > 0.0)
        units = np.rint(weights[kept] / UNIT).astype(np.int64)
        left = self.observations[kept] * (units / self.units[kept])
        return Evidence(
            self.columns.without_weights().take(kept).with_weights(_scaled_weights(units)),
            np.arange(len(kept), dtype=np.uint32),
            self.keys[kept],
            np.maximum(np.rint(left), 1.0).astype(np.int64),
            units,
            float(units.sum() * UNIT),
            Discrete(self.discrete.measures, self.discrete.cells[kept]),
            units.astype(np.float64) * UNIT,
            None if self.groups is None else self.groups[kept],
        )

    def of_given_rows(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return for each given row the value of the distinct row that it is."""
        return values[self.number]

    @cached_property
    def continuous(self) -> NDArray[np.bool_]:
        """Which distinct rows have a continuous value."""
        return ~self.discrete.rows


def weigh_rows(columns: Columns, *, weight_kind: str = "auto", duplicates: str = "auto") -> Evidence:
    """Merge equal rows, and find what each of them is worth.

    Parameters
    ----------
    columns : Columns
        With the weights that were given, if any. Where it has a measure, that is kept.
    weight_kind : {"auto", "frequency", "survey"}, default="auto"
        Frequencies are whole: weight 3 is the row three times. Survey weights say how much of the
        population a row stands for; their scale has no meaning. "auto" takes whole weights as frequencies.
    duplicates : {"auto", "copies", "evidence"}, default="auto"
        Whether a row that comes again is the same observation or another one. "auto" decides by row:
        copies where a value is continuous, and where a rough model of the table makes the repetition all
        but impossible.

    Returns
    -------
    Evidence

    Examples
    --------
    >>> import boxwood as bw
    >>> die = bw.read_columns({"face": [1, 2, 3, 4, 5, 6] * 20})
    >>> weigh_rows(die).n, weigh_rows(die).n_rows
    (120.0, 6)
    >>> normal = np.random.default_rng(0).normal(size=(50, 2))
    >>> weigh_rows(bw.read_columns(np.repeat(normal, 7, axis=0))).n
    50.0
    """
    _check_choice("weight_kind", weight_kind, WEIGHT_KINDS)
    _check_choice("duplicates", duplicates, DUPLICATES)
    frequencies = _are_frequencies(columns.weights, weight_kind)
    first, number, keys, weight, kish = _merge_rows(columns)
    distinct = columns.take(first).without_weights()
    del first
    came = weight if frequencies else kish
    known = columns.measure
    discrete = find_measures(distinct, came) if known is None else discrete_by(distinct, known.columns)
    observations = np.minimum(_observations(distinct, discrete, weight, came, duplicates), MOST_OBSERVATIONS)
    n = _worth(weight, observations)
    if weight_kind == "auto" and columns.weights is not None and frequencies:
        _warn_where_many(n, columns.n_rows)
    units = scaled_units(weight, n)
    measured = distinct.with_measure(BaseMeasure.found(discrete.measures) if known is None else known)
    return Evidence(
        measured.with_weights(_scaled_weights(units)),
        number,
        keys,
        observations,
        units,
        n,
        discrete,
        columns.row_weights,
    )


def weigh_continuous(columns: Columns) -> tuple[Evidence, list[NDArray[np.float64]]] | None:
    """Return what `weigh_rows` finds, in the order of the rows, if a glance shows that no two rows are equal.

    This is a sixth of the work for a table of floats that are all different. Nothing that depends on the
    order of the rows by their content, such as folds, must be made of the result.

    Returns
    -------
    tuple of Evidence and list of ndarray, or None
        The evidence, and each column in ascending order. None if a column is not of floats, has weights,
        missing or equal values, or lies on a lattice.

    Examples
    --------
    >>> import boxwood as bw
    >>> values = np.random.default_rng(0).normal(size=(50, 2))
    >>> evidence, ordered = weigh_continuous(bw.read_columns(values))
    >>> evidence.n, bool((np.diff(ordered[1]) > 0.0).all())
    (50.0, True)
    >>> weigh_continuous(bw.read_columns(values.round(1))) is None
    True
    """
    plain = columns.weights is None and columns.measure is None and not columns.is_sparse
    if not plain or any(column.kind is not Kind.NUMERIC or column.n_missing for column in columns):
        return None
    ordered, measures = [], []
    for column in columns:
        ordered.append(np.sort(column.values))
        measures.append(continuous_measure(ordered[-1]))
        if measures[-1] is None:
            return None
    n = columns.n_rows
    evidence = Evidence(
        columns.with_measure(BaseMeasure.found(measures)),
        np.arange(n, dtype=np.uint32),
        np.zeros(n, dtype=np.uint64),
        np.ones(n, dtype=np.int64),
        np.full(n, round(1.0 / UNIT), dtype=np.int64),
        float(n),
        Discrete(measures, np.zeros((n, len(columns)), dtype=np.bool_)),
        np.ones(n),
    )
    return evidence, ordered


def measures_of(columns: Columns) -> list[ColumnMeasure]:
    """Return the measure of each column, that of the table or found on its distinct rows.

    Examples
    --------
    >>> import boxwood as bw
    >>> masses = bw.read_columns({"mass": [2700, 2850, 2900, 2925, 3000, 3050]})
    >>> measures_of(masses)[0].lattice
    Lattice(origin=0.0, step=25.0)
    """
    if columns.measure is not None:
        return columns.measure.columns
    first, _, _, weight, kish = _merge_rows(columns)
    came = weight if _are_frequencies(columns.weights, "auto") else kish
    return find_measures(columns.take(first).without_weights(), came).measures


def _merge_rows(columns: Columns) -> tuple[NDArray[Any], ...]:
    weights = None if columns.weights is None else np.ascontiguousarray(columns.weights)
    # A sparse matrix lends no columns, and a table without any has no arrays that tell its rows.
    as_matrix = columns.is_sparse or len(columns) == 0
    return _core.merge_rows(columns.matrix() if as_matrix else columns.arrays(), weights)


def _observations(
    columns: Columns,
    discrete: Discrete,
    weight: NDArray[np.float64],
    came: NDArray[np.float64],
    duplicates: str,
) -> NDArray[np.int64]:
    """Return how many observations each distinct row is."""
    if duplicates == "copies":
        return np.ones(len(weight), dtype=np.int64)
    if duplicates == "evidence":
        return _rounded(came)
    continuous = ~discrete.rows
    if continuous.any():
        typical = _mean_weight(weight[continuous])
        observations = np.where(continuous, 1, _rounded(weight / typical))
    else:
        observations = _rounded(came)
    if not (observations > 1).any():
        return observations
    total = float(observations.sum())
    log_p = rough_log_probability(columns, discrete.cells, scaled_units(weight, total), total)
    most = EXPECTED_TIMES * total * np.exp(log_p)
    return np.where(continuous, 1, np.minimum(observations, _rounded(1.0 + most)))


def _mean_weight(weight: NDArray[np.float64]) -> float:
    """Return Σw²/Σw: the weight beside which a row of this weight counts once."""
    if (weight == weight[0]).all():
        return float(weight[0])
    scale = _power_of_two(weight)
    scaled = weight / scale
    return scale * (math.fsum(scaled * scaled) / math.fsum(scaled))


def _worth(weight: NDArray[np.float64], observations: NDArray[np.int64]) -> float:
    """Return (Σw)²/Σ(w²/o), by sums that do not depend on the order."""
    if len(weight) == 0:
        return 0.0
    if (weight == weight[0]).all() and (observations == 1).all():
        return float(len(weight))
    scaled = weight / _power_of_two(weight)
    return math.fsum(scaled) ** 2 / math.fsum(scaled * (scaled / observations))


def scaled_units(weight: NDArray[np.float64], n: float) -> NDArray[np.int64]:
    """Return weights that sum to `n` as whole multiples of `UNIT`, at least one each.

    The same to the bit for weights of any scale: what rounding of the given weights may tip over, an exact
    half, is tipped over by more than that.

    Examples
    --------
    >>> scaled_units(np.array([1.0, 3.0]), 4.0) * UNIT
    array([1., 3.])
    """
    if len(weight) == 0:
        return np.zeros(0, dtype=np.int64)
    if n == len(weight) and (weight == weight[0]).all():
        return np.full(len(weight), round(1.0 / UNIT), dtype=np.int64)
    scaled = weight / _power_of_two(weight)
    return _rounded(scaled * (n / math.fsum(scaled) / UNIT))


def _scaled_weights(units: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Return units as weights; None where every row counts 1, which the core reads faster."""
    weights = units.astype(np.float64) * UNIT
    return None if (weights == 1.0).all() else weights


def _rounded(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return whole numbers of at least 1; halves, and what falls short of them by rounding, go up."""
    return np.clip(np.floor(values * _TIE + 0.5), 1.0, 2.0**62).astype(np.int64)


def _power_of_two(weight: NDArray[np.float64]) -> float:
    return 2.0 ** max(-1000, math.frexp(float(weight.max()))[1])


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}.")


def _are_frequencies(weights: NDArray[np.float64] | None, weight_kind: str) -> bool:
    if weights is None:
        return True
    fractional = weights != np.rint(weights)
    if weight_kind == "frequency" and fractional.any():
        row = int(np.argmax(fractional))
        raise ValueError(
            f"sample_weight, row {row}: {weights[row]} is no frequency; weight_kind='frequency' needs whole "
            "weights. Choose weight_kind='survey' for weights of any other kind."
        )
    return weight_kind == "frequency" or (weight_kind == "auto" and not bool(fractional.any()))


def _warn_where_many(n: float, n_rows: int) -> None:
    if n > MANY_TIMES * n_rows:
        warnings.warn(
            f"sample_weight: read as frequencies, whole weights make {n_rows} rows worth {n:.4g}. Choose "
            "weight_kind='survey' if a weight says how much of the population a row stands for, or "
            "weight_kind='frequency' if it counts equal rows.",
            stacklevel=3,
        )


# ---- weights as whole numbers, for margins and bins --------------------------------------------------


def largest_weight(parts: Iterable[Columns]) -> float | None:
    """Return the largest weight of any row; None where no part has weights."""
    parts = list(parts)
    if all(part.weights is None for part in parts):
        return None
    return max(1.0 if part.weights is None else float(part.weights.max(initial=0.0)) for part in parts)


def weight_unit(largest: float | None) -> float:
    """Return the power of two in which weights are counted.

    Sums of floats depend on their order, sums of integers do not. Weights keep 30 bits below the
    largest one, so that whole weights up to 2**30 are exact and 2**32 rows do not overflow.
    """
    if not largest:
        return 1.0
    return max(2.0 ** (math.frexp(largest)[1] - _WEIGHT_BITS), math.ulp(0.0))


def integer_weights(columns: Columns, unit: float) -> NDArray[np.int64] | None:
    """Return a table's weights as whole multiples of the unit; None where every row counts one unit."""
    if columns.weights is None:
        return None if unit == 1.0 else np.full(columns.n_rows, round(1.0 / unit), dtype=np.int64)
    # At least one unit: a row beside one of 2**31 times its weight still has been seen.
    return np.maximum(np.rint(columns.weights / unit), 1.0).astype(np.int64)
