"""How far a row is from the nearest of a few rows, for many samples of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.anomaly.encoding import Coordinates
from boxwood.anomaly.samples import draw_samples
from boxwood.evidence import Evidence
from boxwood.model_file import State

__all__ = ["NearestRows", "fit_nearest"]

BLOCK = 2048
SMALLEST = 1e-6
"""Added to distances, so that a copy of a row has a logarithm too; columns have deviations of 1."""

COINCIDE = 1e-14
"""Squared distances up to this fraction of the rows' squares are rounding."""


@dataclass(frozen=True, eq=False)
class NearestRows:
    """Samples of rows, as coordinates."""

    samples: list[NDArray[np.float64]]

    def score(self, rows: Coordinates) -> NDArray[np.float64]:
        """Return the mean of log distances to the nearest row of each sample; large for what is odd."""
        total = np.zeros(len(rows.points))
        for sample in self.samples:
            squares = np.einsum("ij,ij->i", sample, sample)
            for begin in range(0, len(total), BLOCK):
                part = slice(begin, begin + BLOCK)
                square = _nearest(rows.points[part], sample, squares) + rows.unseen[part]
                total[part] += np.log(np.sqrt(square) + SMALLEST)
        return total / len(self.samples)

    def donors(self, rows: NDArray[np.float64], left_out: slice) -> NDArray[np.float64]:
        """Return the coordinates of the row that is nearest in all columns but one."""
        kept = np.ones(rows.shape[1], dtype=np.bool_)
        kept[left_out] = False
        known = np.vstack(self.samples)
        other = known[:, kept]
        squares = np.einsum("ij,ij->i", other, other)
        nearest = [
            np.argmin(squares - 2.0 * (rows[begin : begin + BLOCK, kept] @ other.T), axis=1)
            for begin in range(0, len(rows), BLOCK)
        ]
        return known[np.concatenate(nearest)] if nearest else rows

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"samples": [{"rows": sample} for sample in self.samples]}

    @classmethod
    def of_state(cls, width: int, state: State) -> NearestRows:
        """Return what a model file holds, after checking it."""
        samples = [
            child.array("rows", np.float64, (None, width), low=-1e150, high=1e150)
            for child in state.children("samples")
        ]
        if not samples or any(len(sample) == 0 for sample in samples):
            raise state.error("samples", "has no rows")
        return cls(samples)


def fit_nearest(
    evidence: Evidence, points: NDArray[np.float64], n: float, size: int, n_samples: int, seed: int
) -> NearestRows:
    """Draw the samples: about `size` rows each, at most half of n."""
    drawn = draw_samples(evidence, size, n, n_samples, seed)
    return NearestRows([points[weights > 0.0] for weights in drawn])


def _nearest(
    rows: NDArray[np.float64], sample: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the squared distance of each row to the nearest of a sample that does not coincide with it.

    A row that coincides with one of the sample is taken for that row, so that training rows are scored by
    the others. Products find the nearest; its distance is computed from differences, which keep digits.
    """
    products = rows @ sample.T
    own = np.einsum("ij,ij->i", rows, rows)
    products *= -2.0
    products += squares
    products += own[:, None]
    products[products <= COINCIDE * (own[:, None] + squares)] = np.inf
    nearest = np.argmin(products, axis=1)
    difference = rows - sample[nearest]
    return np.asarray(np.einsum("ij,ij->i", difference, difference), dtype=np.float64)
