"""Coordinates that a chain of trees is grown in: maps of the cube onto itself with known Jacobians."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from sklearn.exceptions import ConvergenceWarning

from boxwood.columns import read_columns
from boxwood.density.rotation import Rotation, fit_rotation
from boxwood.margins import Margins, NumberMargin, fit_margins
from boxwood.model_file import State

__all__ = [
    "Coordinates",
    "MarginCoordinates",
    "RotatedCoordinates",
    "coordinates_from_state",
    "fit_coordinates",
]

NEAREST_TO_EDGE = 1e-15
"""Normal scores are taken no closer to 0 and 1 than this: ±7.9 deviations."""

LOG_ROOT_2PI = 0.5 * np.log(2.0 * np.pi)
ROWS_FOR_ICA = 10_000
"""Independent components are sought on no more rows: their directions need no more, and it takes passes."""

Points = NDArray[np.float64]


class MarginCoordinates:
    """The cube as the margins make it."""

    def apply(self, u: Points) -> tuple[Points, NDArray[np.float64]]:
        """Give the points and the logarithm of the Jacobian there."""
        return u.copy(), np.zeros(len(u))

    def invert(self, v: Points) -> Points:
        """Give the points that have these coordinates."""
        return v

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share the gains of coordinates out to the columns."""
        return gains

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
        return {"kind": "margins"}


@dataclass(frozen=True, eq=False)
class RotatedCoordinates:
    """Components of the normal scores of some columns, each under a margin of its own; the others stay.

    Attributes
    ----------
    columns : ndarray of int
        The columns that are turned.
    rotation : Rotation
    margins : Margins
        Of the components.
    """

    columns: NDArray[np.int64]
    rotation: Rotation
    margins: Margins

    def apply(self, u: Points) -> tuple[Points, NDArray[np.float64]]:
        """Give the points and the logarithm of the Jacobian there."""
        scores = _normal_scores(u[:, self.columns])
        components = read_columns(self.rotation.apply(scores))
        log_jacobian = self.margins.log_derivative(components) + self.rotation.log_determinant
        log_jacobian += (0.5 * scores**2 + LOG_ROOT_2PI).sum(axis=1)
        v = u.copy()
        v[:, self.columns] = self.margins.encode(components)
        return v, log_jacobian

    def invert(self, v: Points) -> Points:
        """Give the points that have these coordinates."""
        components = self.margins.decode(np.ascontiguousarray(v[:, self.columns])).matrix()
        u = v.copy()
        u[:, self.columns] = ndtr(self.rotation.invert(components))
        return u

    def importance_of_columns(self, gains: NDArray[np.float64]) -> NDArray[np.float64]:
        """Share the gains of components out to the columns, by the squares of their coefficients."""
        squares = self.rotation.matrix**2
        shared = gains.copy()
        shared[self.columns] = gains[self.columns] @ (squares / squares.sum(axis=1, keepdims=True))
        return shared

    def to_state(self) -> dict[str, Any]:
        """Give what a model file keeps."""
        return {
            "kind": "rotated",
            "columns": self.columns,
            "rotation": self.rotation.to_state(),
            "margins": self.margins.to_state(),
        }


Coordinates = MarginCoordinates | RotatedCoordinates


def fit_coordinates(
    kind: str,
    u: Points,
    weights: NDArray[np.float64] | None,
    seed: int,
    columns: NDArray[np.int64],
) -> Coordinates | None:
    """Fit coordinates to points of the cube.

    Parameters
    ----------
    kind : {"margins", "pca", "ica"}
    u : ndarray of shape (n_rows, n_columns)
    weights : ndarray of shape (n_rows,), optional
    seed : int
        Where the search for independent components begins.
    columns : ndarray of int
        Those that may be turned: the density of intervals that are turned is too ragged to be averaged.

    Returns
    -------
    coordinates
        None where there are none of the kind: fewer than two columns, or columns that depend on each other.
    """
    if kind == "margins":
        return MarginCoordinates()
    if len(columns) < 2 or len(u) <= len(columns):
        return None
    scores = _normal_scores(u[:, columns])
    rotation = _fit_rotation(scores, weights, kind, seed)
    if rotation is None or not np.isfinite(rotation.log_determinant):
        return None
    margins = fit_margins(read_columns(rotation.apply(scores), sample_weight=weights))
    return RotatedCoordinates(columns, rotation, margins) if _is_smooth(margins) else None


def coordinates_from_state(state: State, d: int) -> Coordinates:
    """Read what `to_state` gave, after checking it."""
    if state.text("kind", ["margins", "rotated"]) == "margins":
        return MarginCoordinates()
    columns = state.array("columns", np.int64, (None,), low=0, high=d - 1)
    if len(columns) < 2 or (np.diff(columns) <= 0).any():
        raise state.error("columns", "are not at least two in ascending order")
    margins = Margins.from_state(state, "margins", read_columns(np.zeros((1, len(columns)))).schema)
    if not _is_smooth(margins):
        raise state.error("margins", "of components hold an atom")
    return RotatedCoordinates(columns, Rotation.from_state(state.child("rotation"), len(columns)), margins)


def _is_smooth(margins: Margins) -> bool:
    """Tell whether no component has a value that many rows share: there it would have no density."""
    return not any(isinstance(margin, NumberMargin) and len(margin.atoms) for margin in margins.columns)


def _normal_scores(u: Points) -> Points:
    return np.asarray(ndtri(np.clip(u, NEAREST_TO_EDGE, 1.0 - NEAREST_TO_EDGE)), dtype=np.float64)


def _fit_rotation(
    scores: Points, weights: NDArray[np.float64] | None, kind: str, seed: int
) -> Rotation | None:
    if kind == "ica" and len(scores) > ROWS_FOR_ICA:
        few = np.random.default_rng(seed).permutation(len(scores))[:ROWS_FOR_ICA]
        scores, weights = scores[few], None if weights is None else weights[few]
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)  # any rotation will do; its use is seen later
        try:
            return fit_rotation(scores, weights, kind, seed)
        except (ValueError, UserWarning):  # constant or dependent columns: there are no such components
            return None
