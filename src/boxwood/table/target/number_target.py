"""The distribution of a number given the columns, by forests that are grown for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.evidence import weigh_rows
from boxwood.model_file import State
from boxwood.regress import RandomForestRegressor
from boxwood.table.target.bin_laws import BinLaws
from boxwood.table.target.leaf_forest import GrownForest, LeafForest, grow
from boxwood.table.target.location import Location
from boxwood.table.target.mixing import mixture_weights
from boxwood.table.target.target_bins import TargetBins

__all__ = ["NumberTarget"]

BANDWIDTHS = (0.0, 0.1, 0.2, 0.3, 0.45)
"""Of the kernel, in standard deviations of what it smooths; the out-of-bag likelihood chooses."""
ROWS_TO_CHOOSE = 3000
"""Which choose bandwidths and weights, at equal distances in the order of the rows' hashes."""
ROWS_AT_ONCE = 4096
LEAST_WEIGHT = 1e-4
"""Of a part of the mixture: a value that no leaf has seen stays possible."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NumberTarget:
    """A mixture of three distributions of a number, with weights by the out-of-bag likelihood.

    - The values of the training rows that share leaves with a row (Meinshausen's quantile regression
      forest), smoothed by a kernel.
    - The same of residuals, around a `Location`: a forest that is grown on their normal scores and on how
      large these are weighs them.
    - The number's margin.

    Attributes
    ----------
    bins, residual_bins : TargetBins
    values, residuals : LeafForest
    location : Location
    value_codes, residual_codes : ndarray of shape (n_training_rows,)
    bandwidths : ndarray of shape (2,)
    weights : ndarray of shape (3,)
    """

    bins: TargetBins
    residual_bins: TargetBins
    values: LeafForest
    residuals: LeafForest
    location: Location
    value_codes: NDArray[np.uint32]
    residual_codes: NDArray[np.uint32]
    bandwidths: Numbers
    weights: Numbers

    @classmethod
    def fit(cls, joint: Columns, seed: int, weight_kind: str = "auto") -> Self:
        """Fit the distribution of the last column of a table given the others."""
        evidence = weigh_rows(joint, weight_kind=weight_kind)
        columns, target = split_target(evidence.columns)
        numbers = target.numbers()
        bins = TargetBins.of_values(_alone(evidence.columns))
        scores = _normal_scores(bins.places(numbers))
        values = grow(_value_forest(), columns, scores, 0, seed)
        location, residual = Location.fit(columns, numbers, seed)
        residual_bins = TargetBins.of_values(_residual_column(residual, columns.weights))
        odd = _normal_scores(residual_bins.places(residual))
        size = np.abs(odd) - np.average(np.abs(odd), weights=columns.weights)
        residuals = grow(
            _residual_forest(), columns, np.stack([odd, 1.5 * size], axis=1), 0, (seed + 101) % 2**64
        )
        fitted = cls(
            bins,
            residual_bins,
            LeafForest.of_grown(values, columns),
            LeafForest.of_grown(residuals, columns),
            location,
            bins.codes(numbers),
            residual_bins.codes(residual),
            np.zeros(2),
            np.full(3, 1.0 / 3.0),
        )
        return fitted._chosen(columns, numbers, numbers - residual, values, residuals)

    def _chosen(
        self, columns: Columns, numbers: Numbers, center: Numbers, values: GrownForest, residuals: GrownForest
    ) -> Self:
        """Return the distribution with bandwidths and weights that suit rows out of bag."""
        rows = np.unique(
            np.linspace(0, columns.n_rows - 1, min(columns.n_rows, ROWS_TO_CHOOSE)).astype(np.intp)
        )
        some, codes = columns.take(rows), self.value_codes[rows]
        weights = None if columns.weights is None else columns.weights[rows]
        by_values = self._value_masses(some, values.drawn[:, rows])
        by_residuals = self._residual_masses(some, residuals.drawn[:, rows])
        known = (by_values.sum(axis=1) > 0.0) & (by_residuals.sum(axis=1) > 0.0)
        if not known.any():
            return self
        by_values, by_residuals, codes = by_values[known], by_residuals[known], codes[known]
        weights = None if weights is None else weights[known]
        centers = center[rows][known]

        def density(masses: Numbers) -> Numbers:
            return np.asarray(masses[np.arange(len(codes)), codes] / self.bins.widths[codes])

        smooth = [density(self.bins.smoothed(by_values, b)) for b in BANDWIDTHS]
        shifted = [density(self._shifted(by_residuals, centers, b)) for b in BANDWIDTHS]
        best = [_best(part, weights) for part in (smooth, shifted)]
        found = np.stack([smooth[best[0]], shifted[best[1]], np.ones(len(codes))], axis=1)
        chosen = np.array([BANDWIDTHS[k] for k in best])
        mixed = np.maximum(mixture_weights(found, weights), LEAST_WEIGHT)
        return self._with(chosen, mixed / mixed.sum())

    def _with(self, bandwidths: Numbers, weights: Numbers) -> Self:
        parts = {**self.__dict__, "bandwidths": bandwidths, "weights": weights}
        return type(self)(**parts)

    def laws(self, columns: Columns) -> BinLaws:
        """Return the distribution of the number given each row."""
        parts = [
            self._masses(columns.take(np.arange(begin, min(begin + ROWS_AT_ONCE, columns.n_rows))))
            for begin in range(0, columns.n_rows, ROWS_AT_ONCE)
        ]
        return BinLaws(self.bins, np.concatenate([np.empty((0, self.bins.n_bins)), *parts]))

    def _masses(self, columns: Columns) -> Numbers:
        by_values = self.bins.smoothed(self._value_masses(columns), float(self.bandwidths[0]))
        center = self.location.predict(columns)
        by_residuals = self._shifted(self._residual_masses(columns), center, float(self.bandwidths[1]))
        mixed = self.weights[0] * by_values + self.weights[1] * by_residuals
        mixed += self.weights[2] * self.bins.widths
        return np.asarray(mixed / mixed.sum(axis=1, keepdims=True))

    def _value_masses(self, columns: Columns, drawn: Any = None) -> Numbers:
        return self.values.histograms(columns, self.value_codes, self.bins.n_bins, drawn)

    def _residual_masses(self, columns: Columns, drawn: Any = None) -> Numbers:
        return self.residuals.histograms(columns, self.residual_codes, self.residual_bins.n_bins, drawn)

    def _shifted(self, masses: Numbers, center: Numbers, bandwidth: float) -> Numbers:
        """Return distributions of residuals as those of values around centers.

        A kernel widens what it smooths; the residuals are drawn together by as much.
        """
        smooth = self.residual_bins.smoothed(masses, bandwidth)
        widening = math.sqrt(1.0 + bandwidth**2)
        inner = (self.bins.ends[1:-1][None, :] - center[:, None]) * widening
        below = self.residual_bins.below(smooth, self.residual_bins.places(inner))
        ends = np.zeros((len(masses), 1)), smooth.sum(axis=1, keepdims=True)
        return np.diff(np.concatenate([ends[0], below, ends[1]], axis=1), axis=1).clip(min=0.0)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "bins": self.bins.to_state(),
            "residual_bins": self.residual_bins.to_state(),
            "values": self.values.to_state(),
            "residuals": self.residuals.to_state(),
            "location": self.location.to_state(),
            "value_codes": self.value_codes,
            "residual_codes": self.residual_codes,
            "bandwidths": self.bandwidths,
            "weights": self.weights,
        }

    @classmethod
    def from_state(cls, state: State, schema: Schema, field: Field) -> Self:
        """Read the distribution of a model file; the schema is that of the columns."""
        bins = TargetBins.from_state(state.child("bins"), field)
        residual_bins = TargetBins.from_state(state.child("residual_bins"), _RESIDUAL)
        value_codes = _codes(state, "value_codes", bins.n_bins, (None,))
        residual_codes = _codes(state, "residual_codes", residual_bins.n_bins, value_codes.shape)
        n = len(value_codes)
        bandwidths = state.array("bandwidths", np.float64, (2,), low=0.0, high=1.0)
        weights = state.array("weights", np.float64, (3,), low=0.0)
        if abs(weights.sum() - 1.0) > 1e-6 or not weights[2] > 0.0:
            raise state.error("weights", "must sum to 1, with something of the margin")
        return cls(
            bins,
            residual_bins,
            LeafForest.from_state(state.child("values"), _value_forest(), schema, n),
            LeafForest.from_state(state.child("residuals"), _residual_forest(), schema, n),
            Location.from_state(state.child("location"), schema),
            value_codes,
            residual_codes,
            bandwidths,
            weights,
        )


def split_target(joint: Columns) -> tuple[Columns, Column]:
    """Return a table without its last column, and that column."""
    *rest, target = joint
    schema = Schema(tuple(part.field for part in rest), joint.schema.container, joint.schema.named)
    return Columns(schema, joint.n_rows, columns=rest, weights=joint.weights), target


_RESIDUAL = Field("residual", Kind.NUMERIC)


def _alone(joint: Columns) -> Columns:
    """Return the last column of a table as a table with its measure."""
    target = joint[len(joint) - 1]
    schema = Schema((target.field,), joint.schema.container, named=True)
    table = Columns(schema, joint.n_rows, columns=[target], weights=joint.weights)
    return table if joint.measure is None else table.with_measure(joint.measure.of_columns([len(joint) - 1]))


def _residual_column(residual: Numbers, weights: Any) -> Columns:
    schema = Schema((_RESIDUAL,), "numpy", named=True)
    return Columns(schema, len(residual), columns=[Column(_RESIDUAL, residual, 0)], weights=weights)


def _value_forest() -> Any:
    return RandomForestRegressor(100, min_samples_leaf=5, max_features=0.5)


def _residual_forest() -> Any:
    return RandomForestRegressor(100, min_samples_leaf=20, max_features=0.5)


def _normal_scores(places: Numbers) -> Numbers:
    return np.asarray(ndtri(np.clip(places, 1e-4, 1.0 - 1e-4)))


def _best(densities: list[Numbers], weights: Any) -> int:
    """Return which densities have the largest likelihood, a hundredth of the margin's beside them."""
    return int(np.argmax([np.average(np.log(0.99 * part + 0.01), weights=weights) for part in densities]))


def _codes(state: State, name: str, n_bins: int, shape: Any) -> NDArray[np.uint32]:
    codes = state.array(name, np.uint32, shape)
    if len(codes) and int(codes.max()) >= n_bins:
        raise state.error(name, "has a bin beyond the last")
    return codes
