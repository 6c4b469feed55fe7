"""Minimisation with a penalty on absolute values: exact zeros by bounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood.linear.minimize import Minimum

__all__ = ["minimize_with_l1"]


def minimize_with_l1(
    function: Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]],
    penalties: NDArray[np.float64],
    scale: NDArray[np.float64],
    start: NDArray[np.float64],
    max_iter: int,
    tol: float,
) -> Minimum:
    """Minimise function(x) + Σ penalties·|x|.

    Where there is a penalty, x is the difference of two numbers that are not negative: the sum is then smooth
    within bounds, which L-BFGS-B (scipy) keeps. `scale` gives units in which the curvatures are alike.
    """
    shape = start.shape
    penalised = np.flatnonzero(penalties.ravel() > 0.0)
    n = start.size
    units = scale.ravel()
    weights = (penalties.ravel() * units)[penalised]

    def joined(v: NDArray[np.float64]) -> NDArray[np.float64]:
        x = v[:n].copy()
        x[penalised] -= v[n:]
        return (x * units).reshape(shape)

    def split(v: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        value, gradient = function(joined(v))
        slope = gradient.ravel() * units
        full = np.concatenate([slope, -slope[penalised]])
        full[penalised] += weights
        full[n:] += weights
        return value + float(weights @ (v[penalised] + v[n:])), full

    first = start.ravel() / units
    begin = np.concatenate([first, np.maximum(-first[penalised], 0.0)])
    begin[penalised] = np.maximum(first[penalised], 0.0)
    low = np.full(len(begin), -np.inf)
    low[penalised] = low[n:] = 0.0
    if max_iter == 0:
        return Minimum(start, 0, False)
    from scipy.optimize import minimize  # slow to import

    found = minimize(
        split,
        begin,
        method="L-BFGS-B",
        jac=True,
        bounds=np.column_stack([low, np.full(len(begin), np.inf)]),
        options={"maxiter": max_iter, "maxfun": 20 * max_iter, "gtol": tol * 0.1, "ftol": 1e-15},
    )
    return Minimum(joined(found.x), int(found.nit), bool(found.status == 0))
