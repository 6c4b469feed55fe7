"""The distribution of a number given the columns, by forests that are grown for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from boxwood.boosting.ridge import evenly
from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.evidence import weigh_rows
from boxwood.model_file import State
from boxwood.regress import RandomForestRegressor
from boxwood.table.target.bin_laws import BinLaws
from boxwood.table.target.calibration import Calibration
from boxwood.table.target.leaf_forest import LeafForest, grow
from boxwood.table.target.location import Location
from boxwood.table.target.mixing import mixture_weights
from boxwood.table.target.settings import THOROUGH, TargetSettings
from boxwood.table.target.target_bins import TargetBins

__all__ = ["NumberTarget"]

BANDWIDTHS = (0.0, 0.1, 0.2, 0.3, 0.45)
"""Of the kernel, in standard deviations of what it smooths; the out-of-bag likelihood chooses."""
ROWS_AT_ONCE = 4096
SIZE_WEIGHT = 1.5
"""Of how large a residual is, beside which one it is, where trees look for splits."""
LEAST_WEIGHT = 1e-4
"""Of a part of the mixture: a value that no leaf has seen stays possible."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NumberTarget:
    """A mixture of distributions of a number, with weights by the out-of-bag likelihood.

    - The values of the training rows that share leaves with a row (Meinshausen's quantile regression
      forest), smoothed by a kernel; one forest of small leaves, one of large ones.
    - The same of residuals, around a `Location`: a forest that is grown on their normal scores and on how
      large these are weighs them.
    - The number's margin.

    What the mixture has below the values of rows out of bag is then made uniform (see `Calibration`).

    Attributes
    ----------
    bins, residual_bins : TargetBins
    values : list of LeafForest
    residuals : LeafForest
    location : Location
    value_codes, residual_codes : ndarray of shape (n_training_rows,)
    bandwidths : ndarray of shape (n_value_forests + 1,)
    weights : ndarray of shape (n_value_forests + 2,)
    calibration : Calibration
    """

    bins: TargetBins
    residual_bins: TargetBins
    values: list[LeafForest]
    residuals: LeafForest
    location: Location
    value_codes: NDArray[np.uint32]
    residual_codes: NDArray[np.uint32]
    bandwidths: Numbers
    weights: Numbers
    calibration: Calibration

    @classmethod
    def fit(cls, joint: Columns, seed: int, settings: TargetSettings = THOROUGH) -> Self:
        """Fit the distribution of the last column of a table given the others."""
        evidence = weigh_rows(joint)
        columns, target = split_target(evidence.columns)
        numbers = target.numbers()
        bins = TargetBins.of_values(_alone(evidence.columns), settings.most_bins)
        scores = _normal_scores(bins.places(numbers))
        values = [
            grow(forest, columns, scores, 0, (seed + 200 + k) % 2**64)
            for k, forest in enumerate(_value_forests(settings))
        ]
        location, residual = Location.fit(columns, numbers, seed, settings)
        residual_column = _residual_column(residual, columns.weights)
        residual_bins = TargetBins.of_values(residual_column, settings.most_bins)
        odd = _normal_scores(residual_bins.places(residual))
        size = np.abs(odd) - np.average(np.abs(odd), weights=columns.weights)
        shape = np.stack([odd, SIZE_WEIGHT * size], axis=1)
        residuals = grow(_residual_forest(settings), columns, shape, 0, (seed + 101) % 2**64)
        fitted = cls(
            bins,
            residual_bins,
            [LeafForest.of_grown(one, columns) for one in values],
            LeafForest.of_grown(residuals, columns),
            location,
            bins.codes(numbers),
            residual_bins.codes(residual),
            np.zeros(len(values) + 1),
            np.full(len(values) + 2, 1.0 / (len(values) + 2)),
            Calibration.none(),
        )
        drawn = [one.drawn for one in (*values, residuals)]
        return fitted._chosen(columns, numbers - residual, drawn, settings.rows_to_choose)

    def _chosen(
        self, columns: Columns, center: Numbers, drawn: list[NDArray[np.float32]], n_rows: int
    ) -> Self:
        """Return the distribution with bandwidths, weights and calibration that suit rows out of bag."""
        rows = evenly(columns.n_rows, n_rows)
        masses = self._leaf_masses(columns.take(rows), [one[:, rows] for one in drawn])
        known = np.logical_and.reduce([part.sum(axis=1) > 0.0 for part in masses])
        if not known.any():
            return self
        rows, masses = rows[known], [part[known] for part in masses]
        weights = None if columns.weights is None else columns.weights[rows]
        at = np.arange(len(rows)), self.value_codes[rows]
        widths = self.bins.widths[at[1]]
        parts, bandwidths = [], []
        for k in range(len(masses)):
            tried = [self._smoothed(masses, center[rows], k, b) for b in BANDWIDTHS]
            best = _best([part[at] / widths for part in tried], weights)
            parts.append(tried[best])
            bandwidths.append(BANDWIDTHS[best])
        densities = np.stack([*(part[at] / widths for part in parts), np.ones(len(rows))], axis=1)
        mixed = np.maximum(mixture_weights(densities, weights), LEAST_WEIGHT)
        mixed /= mixed.sum()
        chosen = replace(self, bandwidths=np.array(bandwidths), weights=mixed)
        return replace(chosen, calibration=Calibration.of_masses(chosen._mixed(parts), at[1], weights))

    def laws(self, columns: Columns) -> BinLaws:
        """Return the distribution of the number given each row."""
        parts = [
            self._masses(columns.take(np.arange(begin, min(begin + ROWS_AT_ONCE, columns.n_rows))))
            for begin in range(0, columns.n_rows, ROWS_AT_ONCE)
        ]
        return BinLaws(self.bins, np.concatenate([np.empty((0, self.bins.n_bins)), *parts]))

    def _masses(self, columns: Columns) -> Numbers:
        masses = self._leaf_masses(columns)
        center = self.location.predict(columns)
        parts = [self._smoothed(masses, center, k, float(b)) for k, b in enumerate(self.bandwidths)]
        return self.calibration.of(self._mixed(parts))

    def _leaf_masses(self, columns: Columns, drawn: Any = None) -> list[Numbers]:
        """Return the distributions in the leaves of every forest: bins of values, and last of residuals."""
        asked = [(forest, self.value_codes, self.bins) for forest in self.values]
        asked.append((self.residuals, self.residual_codes, self.residual_bins))
        return [
            forest.histograms(columns, codes, bins.n_bins, None if drawn is None else drawn[k])
            for k, (forest, codes, bins) in enumerate(asked)
        ]

    def _smoothed(self, masses: list[Numbers], center: Numbers, part: int, bandwidth: float) -> Numbers:
        if part < len(self.values):
            return self.bins.smoothed(masses[part], bandwidth)
        return self._shifted(masses[part], center, bandwidth)

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

    def _mixed(self, parts: list[Numbers]) -> Numbers:
        mixed = self.weights[-1] * self.bins.widths
        for weight, part in zip(self.weights[:-1], parts, strict=True):
            mixed = mixed + weight * part
        return np.asarray(mixed / mixed.sum(axis=1, keepdims=True))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "bins": self.bins.to_state(),
            "residual_bins": self.residual_bins.to_state(),
            "values": [forest.to_state() for forest in self.values],
            "residuals": self.residuals.to_state(),
            "location": self.location.to_state(),
            "value_codes": self.value_codes,
            "residual_codes": self.residual_codes,
            "bandwidths": self.bandwidths,
            "weights": self.weights,
            "calibration": self.calibration.masses,
        }

    @classmethod
    def from_state(cls, state: State, schema: Schema, field: Field) -> Self:
        """Read the distribution of a model file; the schema is that of the columns."""
        bins = TargetBins.from_state(state.child("bins"), field)
        residual_bins = TargetBins.from_state(state.child("residual_bins"), _RESIDUAL)
        value_codes = _codes(state, "value_codes", bins.n_bins, (None,))
        residual_codes = _codes(state, "residual_codes", residual_bins.n_bins, value_codes.shape)
        n = len(value_codes)
        values = [
            LeafForest.from_state(child, RandomForestRegressor(), schema, n)
            for child in state.children("values")
        ]
        weights = state.array("weights", np.float64, (len(values) + 2,), low=0.0)
        if abs(weights.sum() - 1.0) > 1e-6 or not weights[-1] > 0.0:
            raise state.error("weights", "must sum to 1, with something of the margin")
        return cls(
            bins,
            residual_bins,
            values,
            LeafForest.from_state(state.child("residuals"), RandomForestRegressor(), schema, n),
            Location.from_state(state.child("location"), schema),
            value_codes,
            residual_codes,
            state.array("bandwidths", np.float64, (len(values) + 1,), low=0.0, high=1.0),
            weights,
            Calibration.from_state(state, "calibration"),
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


def _value_forests(settings: TargetSettings) -> list[Any]:
    return [
        RandomForestRegressor(
            settings.n_trees, min_samples_leaf=size, max_features=fraction, n_jobs=settings.n_jobs
        )
        for size, fraction in settings.value_leaves
    ]


def _residual_forest(settings: TargetSettings) -> Any:
    return RandomForestRegressor(
        settings.n_trees, min_samples_leaf=20, max_features=0.5, n_jobs=settings.n_jobs
    )


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
