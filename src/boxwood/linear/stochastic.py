"""Stochastic gradient descent: shuffled passes over small batches, a decreasing rate, averaged parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.linear.logistic_loss import LogisticLoss

__all__ = ["StochasticDescent"]

_BATCH = 32
"""Rows a step: with fewer Python's own time counts."""


@dataclass(eq=False)
class StochasticDescent:
    """The state of a descent, which any number of passes over tables carries on.

    Attributes
    ----------
    theta : ndarray
        Parameters.
    mean : ndarray
        Their mean over the steps of the last passes, which is what counts.
    curvature : ndarray
        Bounds of the second derivatives, that make one rate fit all parameters.
    n_steps : int
    """

    theta: NDArray[np.float64]
    mean: NDArray[np.float64]
    curvature: NDArray[np.float64]
    n_steps: int = 0

    def descend(self, loss: LogisticLoss, rng: np.random.Generator) -> None:
        """Pass once over all rows, in random order."""
        n = loss.X.shape[0]
        order = rng.permutation(n)
        n_batches = -(-n // _BATCH)
        first = 1.0 / self.theta.shape[1]
        total = np.zeros_like(self.theta)
        for i in range(n_batches):
            rows = order[i * _BATCH : (i + 1) * _BATCH]
            part = loss.sample(rows)
            # A batch counts by its weight.
            fraction = part.total / loss.total * n / len(rows)
            _, gradient = part.value_and_gradient(self.theta)
            rate = first / (1.0 + self.n_steps / (4.0 * n_batches))
            self.theta = self.theta - rate * fraction * gradient / self.curvature
            total += self.theta
            self.n_steps += 1
        self.mean = total / n_batches
