"""Minimisers of smooth convex functions: Newton's steps, and quasi-Newton steps from a good first guess."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

__all__ = ["Minimum", "factorised", "minimize_by_newton", "minimize_by_quasi_newton"]

Function = Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]]
Step = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_MEMORY = 10
"""Pairs of steps that quasi-Newton remembers."""

_LASTING = 5
"""Steps for which a guess of the Hessian serves."""

_SHORTEST = 2.0**-30
"""Of a step: below it the function does not fall any more, but for rounding."""


@dataclass(frozen=True, eq=False)
class Minimum:
    """Where a minimiser stopped, after how many steps, and whether it had converged."""

    x: NDArray[np.float64]
    n_iter: int
    converged: bool


def minimize_by_newton(
    function: Function,
    hessian: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    start: NDArray[np.float64],
    max_iter: int,
    tol: float,
) -> Minimum:
    """Take Newton's steps, each shortened until the function falls."""
    x = start
    value, gradient = function(x)
    for n_iter in range(max_iter):
        direction = -factorised(hessian(x))(gradient.ravel()).reshape(x.shape)
        if _is_small(value, gradient, direction, tol):
            return Minimum(x, n_iter, True)
        moved = _line_search(function, x, value, gradient, direction)
        if moved is None:
            return Minimum(x, n_iter, True)
        x, value, gradient = moved
    direction = -factorised(hessian(x))(gradient.ravel()).reshape(x.shape) if max_iter else -gradient
    return Minimum(x, max_iter, _is_small(value, gradient, direction, tol))


def minimize_by_quasi_newton(
    function: Function,
    precondition_at: Callable[[NDArray[np.float64]], Step],
    start: NDArray[np.float64],
    max_iter: int,
    tol: float,
) -> Minimum:
    """Take steps of L-BFGS whose first guess of the inverse Hessian is `precondition_at` a point.

    The guess is made anew after every few steps.
    """
    x = start
    value, gradient = function(x)
    precondition = precondition_at(x)
    pairs: deque[tuple[NDArray[np.float64], NDArray[np.float64], float]] = deque(maxlen=_MEMORY)
    for n_iter in range(max_iter):
        if n_iter and n_iter % _LASTING == 0:
            precondition = precondition_at(x)
        direction = -_two_loops(gradient, pairs, precondition)
        if _is_small(value, gradient, direction, tol):
            return Minimum(x, n_iter, True)
        moved = _line_search(function, x, value, gradient, direction)
        if moved is None:
            return Minimum(x, n_iter, True)
        step, change = moved[0] - x, moved[2] - gradient
        curvature = float(np.vdot(step, change))
        if curvature > 0.0:
            pairs.append((step, change, curvature))
        x, value, gradient = moved
    return Minimum(x, max_iter, _is_small(value, gradient, _two_loops(gradient, pairs, precondition), tol))


def factorised(matrix: NDArray[np.float64]) -> Step:
    """Return the solver of a matrix that is positive, or nearly so; directions without curvature stay put."""
    diagonal = matrix.diagonal()
    # An infinite scale leaves a parameter alone that nothing depends on, whatever the rounding of its slope.
    scale = np.where(diagonal > 0.0, np.sqrt(np.maximum(diagonal, 0.0)), np.inf)
    scaled = matrix / scale[:, None] / scale
    try:
        factor = linalg.cho_factor(scaled, lower=True)
        if np.abs(factor[0].diagonal()).min() > 1e-7:
            return lambda v: linalg.cho_solve(factor, v / scale) / scale
    except linalg.LinAlgError:
        pass
    values, vectors = np.linalg.eigh(scaled)
    kept = values > 1e-12 * max(values[-1], np.finfo(float).tiny)
    inverse = vectors[:, kept] / values[kept]
    return lambda v: (inverse @ (vectors[:, kept].T @ (v / scale))) / scale


def _is_small(
    value: float, gradient: NDArray[np.float64], direction: NDArray[np.float64], tol: float
) -> bool:
    """Return whether a Newton step would gain next to nothing, which hangs on no parameter's unit."""
    gain = 0.5 * abs(float(np.vdot(gradient, direction)))
    return gain <= max(0.1 * tol**2, float(np.finfo(float).eps) * abs(value))


def _line_search(
    function: Function,
    x: NDArray[np.float64],
    value: float,
    gradient: NDArray[np.float64],
    direction: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float, NDArray[np.float64]] | None:
    """Halve the step until it falls by a fraction of what its slope promises; None if it never does."""
    slope = float(np.vdot(gradient, direction))
    if slope >= 0.0:
        return None
    size = 1.0
    rounding = 4.0 * np.finfo(float).eps * abs(value)
    while size >= _SHORTEST:
        there = x + size * direction
        new_value, new_gradient = function(there)
        # Where values differ by rounding alone the gradient decides.
        flat = abs(new_value - value) <= rounding and np.abs(new_gradient).max() < np.abs(gradient).max()
        if new_value <= value + 1e-4 * size * slope or flat:
            return there, new_value, new_gradient
        size *= 0.5
    return None


def _two_loops(
    gradient: NDArray[np.float64],
    pairs: deque[tuple[NDArray[np.float64], NDArray[np.float64], float]],
    precondition: Step,
) -> NDArray[np.float64]:
    """Return the gradient times the guess of the inverse Hessian."""
    q = gradient.copy()
    fractions = []
    for step, change, curvature in reversed(pairs):
        fraction = float(np.vdot(step, q)) / curvature
        q -= fraction * change
        fractions.append(fraction)
    q = precondition(q)
    for (step, change, curvature), fraction in zip(pairs, reversed(fractions), strict=True):
        q += (fraction - float(np.vdot(change, q)) / curvature) * step
    return q
