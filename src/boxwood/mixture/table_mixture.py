"""A mixture under margins: the density of a table, whatever it was fitted as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns
from boxwood.margins import CategoryMargin, Margins, decoded_columns
from boxwood.mixture.mixture import Mixture

__all__ = ["NoMixtureError", "TableMixture", "hide_missing", "observed_points", "product_mixture"]


class NoMixtureError(ValueError):
    """Raised where a density is no mixture of products of columns: it has no closed forms."""


@dataclass(frozen=True, eq=False)
class TableMixture:
    """The maps of a table's columns onto [0, 1] and the mixture on the cube.

    Trees, forests, histograms and products all have this form; their ``to_mixture`` gives it.

    Attributes
    ----------
    margins : Margins
    mixture : Mixture
    missing : {"marginal", "event"}
        Whether missing values are summed out, or events with a probability in columns that had some when
        fitted.
    """

    margins: Margins
    mixture: Mixture
    missing: str = "marginal"

    def log_density(self, columns: Columns, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the log-density of each row."""
        return _core.table_log_density(
            self.margins.native,
            self.mixture.native,
            columns.arrays(),
            getattr(_core.MissingValues, self.missing),
            n_threads,
        )

    def sample(self, n_rows: int, seed: int, n_threads: int = 1) -> Columns:
        """Draw rows; what a row gets depends on the seed and its number alone."""
        drawn = _core.sample_table(self.margins.native, self.mixture.native, n_rows, seed, n_threads)
        return decoded_columns(self.margins.schema, n_rows, drawn)


def observed_points(margins: Margins, columns: Columns, n_jobs: int | None = None) -> NDArray[np.float64]:
    """Return the rows on the cube with NaN for missing values, which are summed out when scored."""
    return hide_missing(margins.encode(columns, n_jobs), columns)


def hide_missing(points: NDArray[np.float64], columns: Columns) -> NDArray[np.float64]:
    """Return encoded rows with NaN in place of missing values' intervals; the same where none is missing."""
    if not columns.n_missing:
        return points
    points = points.copy()
    for j, column in enumerate(columns):
        if column.n_missing:
            points[column.missing(), j] = np.nan
    return points


def product_mixture(margins: Margins) -> TableMixture:
    """Return the product of the margins: one leaf, the whole cube, of constant density."""
    flat = {
        "node_start": np.array([0, 1], dtype=np.int64),
        "set_start": np.array([0, 0], dtype=np.int64),
        "feature": np.array([-1], dtype=np.int32),
        "left": np.zeros(1, dtype=np.uint32),
        "cut": np.zeros(1, dtype=np.uint32),
        "mass": np.ones(1),
        "count": np.zeros(1),
        "sets": np.empty(0, dtype=np.uint64),
        "levels": np.empty(0, dtype=np.uint8),
        "mean": np.empty(0, dtype=np.float32),
        "deviation": np.empty(0, dtype=np.float32),
        "words_per_set": 0,
        "leaf_kind": "uniform",
        "n_bins": 0,
    }
    bin_edges = [(_distinct(margin.knots), isinstance(margin, CategoryMargin)) for margin in margins.columns]
    return TableMixture(margins, Mixture(bin_edges, flat, np.ones(1)))


def _distinct(bin_edges: NDArray[np.float64]) -> NDArray[np.float64]:
    inner = np.unique(bin_edges[(bin_edges > 0.0) & (bin_edges < 1.0)])
    return np.concatenate([[0.0], inner, [1.0]])
