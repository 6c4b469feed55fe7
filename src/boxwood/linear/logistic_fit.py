"""Fits of logistic losses: the way to the minimum, by the size of the problem."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.linear.logistic_loss import LogisticLoss
from boxwood.linear.minimize import (
    Minimum,
    Step,
    factorised,
    minimize_by_newton,
    minimize_by_quasi_newton,
)
from boxwood.linear.sparse_penalty import minimize_with_l1
from boxwood.linear.stochastic import StochasticDescent

__all__ = ["LogisticFit", "fit_logistic", "mean_of_rows"]

_MOST_PARAMETERS = 2000
"""A Hessian of more is neither formed nor solved."""

_MOST_TOGETHER = 400
"""Parameters of many classes whose Hessian is formed whole as a guess."""

_SAMPLE_TOL = 1e-3
"""The sample's own minimum is no nearer to the whole's."""

_ROWS_A_PARAMETER = 200
"""Of the sample: the Hessian of n rows and d parameters is off by about √(d/n)."""

_SMALLEST_SAMPLE = 4096
_SMALLEST_GAIN = 4
"""A sample is drawn where the table is this many times as large."""


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """Parameters, the number of steps over all rows, whether they converged, the state of a descent."""

    x: NDArray[np.float64]
    n_iter: int
    converged: bool
    descent: StochasticDescent | None = None


def mean_of_rows(X: Any) -> NDArray[np.float64]:
    """Return the mean of rows spread over the table: any point in the middle serves as a centre."""
    some = X[:: max(1, X.shape[0] // _SMALLEST_SAMPLE)]
    mean = np.asarray(some.mean(axis=0), dtype=np.float64).ravel()
    if not isinstance(some, np.ndarray):
        return mean
    # The rounding of a mean would give a constant column a spread.
    return np.where(some.max(axis=0) == some.min(axis=0), some[0], mean)


def fit_logistic(
    loss: LogisticLoss,
    *,
    method: str,
    lasso: float,
    start: NDArray[np.float64] | None,
    max_iter: int,
    tol: float,
    rng: np.random.Generator | None,
) -> LogisticFit:
    """Minimise a loss by "quasi-newton", "newton" or "sgd"; with a penalty `lasso` by bounds."""
    begin = np.zeros(loss.shape) if start is None else start
    if rng is not None:
        return _descend(loss, begin, max_iter, tol, rng)
    if lasso > 0.0:
        penalties = np.full(loss.shape, lasso)
        if loss.centre is not None:
            penalties[:, -1] = 0.0
        units = 1.0 / np.sqrt(np.maximum(loss.diagonal(), np.finfo(float).tiny))
        found = minimize_with_l1(loss.value_and_gradient, penalties, units, begin, max_iter, tol)
    elif method == "newton" and begin.size <= _MOST_PARAMETERS:
        found = minimize_by_newton(loss.value_and_gradient, loss.hessian, begin, max_iter, tol)
    else:
        found = _quasi_newton(loss, begin, start is None, max_iter, tol)
    return LogisticFit(found.x, found.n_iter, found.converged)


def _quasi_newton(
    loss: LogisticLoss, begin: NDArray[np.float64], fresh: bool, max_iter: int, tol: float
) -> Minimum:
    """Start at the minimum of a sample, with its curvature as the guess of the whole's."""
    if loss.shape[1] > _MOST_PARAMETERS or max_iter == 0:
        by_diagonal = _by_diagonal(loss.diagonal())
        return minimize_by_quasi_newton(loss.value_and_gradient, lambda _: by_diagonal, begin, max_iter, tol)
    sample = _sampled(loss)
    curvature = partial(_by_hessian, sample)
    if sample is not loss and fresh:
        begin = minimize_by_quasi_newton(sample.value_and_gradient, curvature, begin, 30, _SAMPLE_TOL).x
    return minimize_by_quasi_newton(loss.value_and_gradient, curvature, begin, max_iter, tol)


def _sampled(loss: LogisticLoss) -> LogisticLoss:
    n = loss.X.shape[0]
    size = max(_SMALLEST_SAMPLE, _ROWS_A_PARAMETER * loss.shape[1])
    if n < _SMALLEST_GAIN * size:
        return loss
    # The same rows each time: where it starts does not change where it ends.
    rows = np.random.Generator(np.random.Philox(0)).choice(n, size, replace=False, shuffle=False)
    rows.sort()
    return loss.sample(rows)


def _by_hessian(loss: LogisticLoss, theta: NDArray[np.float64]) -> Step:
    """Solve by the Hessian; with many parameters by those of each row of them alone."""
    if theta.size <= _MOST_TOGETHER:
        solve = factorised(loss.hessian(theta))
        return lambda g: solve(g.ravel()).reshape(g.shape)
    solvers = [factorised(block) for block in loss.block_hessians(theta)]
    return lambda g: np.array([one(row) for one, row in zip(solvers, g, strict=True)])


def _by_diagonal(bounds: NDArray[np.float64]) -> Step:
    positive = np.maximum(bounds, np.finfo(float).tiny)
    return lambda g: g / positive


def _descend(
    loss: LogisticLoss, begin: NDArray[np.float64], max_iter: int, tol: float, rng: np.random.Generator
) -> LogisticFit:
    """Pass over the rows until a step by the gradient would lower the loss by less than a fraction of it.

    Each pass has two candidates: the mean of its steps, and a mean over passes with weights 1, 2, 3, …,
    which is behind while there is far to go and without the noise of the steps afterwards. That a pass
    lowers the loss by little would tell nothing: one in two raises it where steps are noise.
    """
    curvature = np.maximum(loss.diagonal(), np.finfo(float).tiny)
    descent = StochasticDescent(begin, begin, curvature)
    averaged, best = np.zeros_like(begin), begin
    for n_iter in range(1, max_iter + 1):
        descent.descend(loss, rng)
        averaged = averaged + 2.0 / (n_iter + 1.0) * (descent.mean - averaged)
        candidates = [(*loss.value_and_gradient(x), x) for x in (descent.mean, averaged)]
        value, gradient, best = min(candidates, key=lambda candidate: candidate[0])
        if 0.5 * float((gradient**2 / curvature).sum()) <= tol * abs(value):
            return LogisticFit(best, n_iter, True, descent)
    return LogisticFit(best, max_iter, False, descent)
