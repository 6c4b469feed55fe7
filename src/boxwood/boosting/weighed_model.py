"""Weights of a boosted density's parts: those that make rows likeliest, without parts of no use."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.boosting.model import BoostedModel
from boxwood.boosting.networks.coordinates import NetworkCoordinates
from boxwood.boosting.weights import best_weights, cross_fitted_weights, evened, mixed, worth_keeping
from boxwood.columns import Columns

__all__ = ["WeighedModel", "weigh_parts"]

LEAST_GAIN_OF_MIXTURES = 0.02
"""Nats a row over Gaussians of the values alone. Rows that show no more are Gaussian: 300 to 3,000 normal
ones of 1 to 20 columns gained 0.000 to 0.017 by other parts, new rows of the same tables −0.02 to 0.01."""


class WeighedModel(NamedTuple):
    """A model whose weights were chosen, and the log-densities of the rows that chose them.

    `cross_fitted` are those with weights that other rows chose.
    """

    model: BoostedModel
    log_density: NDArray[np.float64]
    cross_fitted: NDArray[np.float64]

    def dependence(self, rows: Columns, missing: str) -> float:
        """Return what the parts know of the rows beyond the margins, in nats a row."""
        beyond = self.log_density - self.model.margins.log_derivative(rows, missing)
        return float(np.average(beyond, weights=rows.weights))


def weigh_parts(
    model: BoostedModel,
    rows: Columns,
    logs: NDArray[np.float64],
    groups: NDArray[np.intp] | None = None,
) -> WeighedModel:
    """Return the model with the weights that make rows likeliest, without components of no use.

    Parameters
    ----------
    model : BoostedModel
    rows : Columns
    logs : ndarray of shape (n_rows, n_parts)
        Their log-densities under each part.
    groups : ndarray of shape (n_rows,), optional
        Numbers of the rows' groups.
    """
    weights = best_weights(logs, rows.weights)
    kept = worth_keeping(logs, weights, rows.weights)
    networks = _are_networks(model)
    weights = evened(weights[kept] / weights[kept].sum(), networks[kept])
    if _are_gaussians_enough(model, mixed(logs[:, kept], weights), logs, rows.weights):
        kept, weights = np.arange(model.n_parts) == len(model.chains), np.ones(1)
    others = np.log(evened(cross_fitted_weights(logs[:, kept], rows.weights, groups), networks[kept]))
    cross_fitted = np.asarray(logsumexp(logs[:, kept] + others, axis=1), dtype=np.float64)
    return WeighedModel(model.of_parts(kept, weights), mixed(logs[:, kept], weights), cross_fitted)


def _are_networks(model: BoostedModel) -> NDArray[np.bool_]:
    """Return which parts are chains on networks."""
    found = [isinstance(chain.coordinates, NetworkCoordinates) for chain in model.chains]
    return np.array(found + [False] * (model.n_parts - len(found)))


def _are_gaussians_enough(
    model: BoostedModel,
    whole: NDArray[np.float64],
    logs: NDArray[np.float64],
    of_rows: NDArray[np.float64] | None,
) -> bool:
    """Return whether the mixture gains next to nothing over Gaussians of the values themselves."""
    if model.gaussians is None or model.gaussians.standard is None:
        return False
    return bool(np.average(whole - logs[:, len(model.chains)], weights=of_rows) < LEAST_GAIN_OF_MIXTURES)
