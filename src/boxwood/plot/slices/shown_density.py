"""A fitted density along one or two of its columns: axes for them, and log-densities on these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, ColumnMeasure, Columns, Schema, read_columns
from boxwood.density.base import DensityEstimator
from boxwood.density.gaussian import GaussianDensity
from boxwood.density.neighbor import NeighborDensity
from boxwood.margins import NumberMargin
from boxwood.novelty import NoveltyMixin, score_table
from boxwood.plot.slices.density_slice import axis_of_column, log_density_of_slice
from boxwood.plot.slices.slice_axis import Axes, SliceAxis
from boxwood.plot.slices.table_slice import axis_of_values, grid_table, typical_value

__all__ = ["ShownDensity", "density_of"]

SAMPLE = 2000
"""Rows that are simulated if none are given. They decide how far the axes go."""


def density_of(estimator: Any) -> Any:
    """Return the density of an estimator that answers by one, or the estimator itself.

    Raises
    ------
    TypeError
        If the estimator scores no rows.
    """
    # A TableModel and a DensityImputer keep the density that they fitted.
    found = getattr(estimator, "density_", getattr(estimator, "model_", estimator))
    if isinstance(found, DensityEstimator):
        return found
    if isinstance(estimator, NoveltyMixin) and hasattr(estimator, "score_samples"):
        return estimator
    raise TypeError(
        "expected a density of boxwood, a model that has one, or a detector of anomalies; "
        f"got a {type(estimator).__name__}."
    )


@dataclass(frozen=True, eq=False)
class ShownDensity:
    """A density along some of its columns.

    Attributes
    ----------
    estimator : DensityEstimator or detector
    rows : Columns or None
        Rows that the user gave.
    shown : tuple of int
        The one or two columns that are shown.
    named : mapping of int to Column
        Columns that the user fixed.
    """

    estimator: Any
    rows: Columns | None
    shown: tuple[int, ...]
    named: Mapping[int, Column]

    @property
    def schema(self) -> Schema:
        """The schema of the fitted table."""
        return self.estimator.schema_

    @property
    def is_normalized(self) -> bool:
        """Whether densities integrate to one, so that regions of 90% of the mass exist."""
        if isinstance(self.estimator, NeighborDensity):
            return bool(self.estimator.normalize)
        return isinstance(self.estimator, DensityEstimator)

    @property
    def threshold(self) -> float | None:
        """The score below which a detector calls a row an anomaly; None of a density."""
        return None if isinstance(self.estimator, DensityEstimator) else float(self.estimator.offset_)

    @cached_property
    def form(self) -> Any:
        """The density as a mixture of boxes; None if it has no such form, or no other column to sum out."""
        if not hasattr(self.estimator, "to_mixture") or len(self.schema) == 1:
            return None
        try:
            return self.estimator.to_mixture()
        except ValueError:  # a product of other marginals, or in a rotation
            return None

    @cached_property
    def trees(self) -> list[Any]:
        """The boxes of the trees of `form`."""
        from boxwood.mixture.inspect import boxes_of_trees

        return boxes_of_trees(self.form.margins, self.form.mixture)

    @cached_property
    def table(self) -> Columns:
        """The rows that were given, or simulated ones."""
        if self.rows is not None:
            return self.rows
        if not hasattr(self.estimator, "sample"):
            raise ValueError(
                f"a {type(self.estimator).__name__} does not simulate rows; pass X, whose values say how far "
                "the axes go."
            )
        drawn = read_columns(self.estimator.sample(SAMPLE, random_state=0))
        return self.estimator._read(drawn)

    @cached_property
    def fixed(self) -> dict[int, Column]:
        """What other columns are fixed at: all of them, unless they can be summed out."""
        if self.form is not None or isinstance(self.estimator, GaussianDensity):
            return dict(self.named)
        others = {j: typical_value(c) for j, c in enumerate(self.table) if j not in self.shown}
        return {**others, **self.named}

    def margin(self, j: int) -> Any:
        """Return the margin of a column, or None if the density has none."""
        if self.form is not None:
            return self.form.margins.columns[j]
        rotated = getattr(self.estimator, "rotation_", None) is not None
        margins = None if rotated else getattr(self.estimator, "margins_", None)
        return None if margins is None else margins.columns[j]

    def measure(self, j: int) -> ColumnMeasure | None:
        """Return which values of a column have a probability; None of a detector's scores."""
        margin = self.margin(j)
        if isinstance(margin, NumberMargin):
            return ColumnMeasure(False, margin.lattice, margin.atoms)
        if not isinstance(self.estimator, DensityEstimator):
            return None
        return self.estimator._base_measure()[j]

    def axes(self, resolution: int) -> Axes:
        """Choose the bins of the columns that are shown."""
        return tuple(self._axis(j, resolution) for j in self.shown)

    def _axis(self, j: int, resolution: int) -> SliceAxis:
        margin = self.margin(j)
        if margin is not None:
            return axis_of_column(self.schema.fields[j], margin, j, resolution, None)
        return axis_of_values(self.table[j], resolution)

    def log_density(self, axes: Axes) -> NDArray[np.float64]:
        """Return the log-density on a grid, per unit of the axes; shape (n_x,) or (n_y, n_x)."""
        if self.form is not None:
            return log_density_of_slice(self.form, self.trees, self.shown, axes, self.fixed)
        if isinstance(self.estimator, GaussianDensity) and len(self.schema) > 1:
            return _gaussian_slice(self.estimator, self.shown, axes, self.fixed)
        table = grid_table(self.schema, self.shown, axes, self.fixed)
        scores = score_table(self.estimator, table).reshape([len(axis.values) for axis in axes][::-1])
        if not isinstance(self.estimator, DensityEstimator):
            return scores
        return np.asarray(scores + sum(axis.log_scale for axis in axes))


def _gaussian_slice(
    estimator: GaussianDensity,
    shown: tuple[int, ...],
    axes: Axes,
    fixed: Mapping[int, Column],
) -> NDArray[np.float64]:
    """Return the log-density of one or two columns of a Gaussian, given those that are fixed."""
    mean, covariance = estimator.mean_[list(shown)], estimator.covariance_[np.ix_(shown, shown)]
    if fixed:
        given = list(fixed)
        values = np.array([float(column.numbers()[0]) for column in fixed.values()])
        across = estimator.covariance_[np.ix_(shown, given)]
        regression = np.linalg.solve(estimator.covariance_[np.ix_(given, given)], across.T).T
        mean = mean + regression @ (values - estimator.mean_[given])
        covariance = covariance - regression @ across.T
    places = np.stack(np.meshgrid(*(axis.values for axis in axes)), axis=-1) - mean
    root = np.linalg.cholesky(covariance)
    scores = np.linalg.solve(root, places.reshape(-1, len(shown)).T)
    constant = 0.5 * len(shown) * np.log(2.0 * np.pi) + np.log(np.diag(root)).sum()
    log_density = -0.5 * (scores**2).sum(axis=0) - constant
    return np.asarray(log_density.reshape(places.shape[:-1]) + sum(axis.log_scale for axis in axes))
