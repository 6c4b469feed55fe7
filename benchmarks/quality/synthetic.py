"""Tables drawn from a known density, so that the true log-likelihood stands beside the models'."""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import logsumexp

from .table import MOST_ROWS, Table, split_rows, standardise

__all__ = ["arm", "gaussian", "moons", "tails"]


def drawn(rows: np.ndarray, log_density: np.ndarray) -> Table:
    """Split rows and their true log-densities alike."""
    train, test = split_rows(np.column_stack([rows, log_density]))
    return standardise(train[:, :-1], test[:, :-1], test[:, -1])


def moons() -> Table:
    """Two moons in the plane and four columns of noise."""
    rng = np.random.default_rng(2)
    noise = 0.1
    angle, lower = rng.uniform(0.0, np.pi, MOST_ROWS), rng.random(MOST_ROWS) < 0.5
    plane = moon_centres(angle, lower) + rng.normal(scale=noise, size=(MOST_ROWS, 2))
    # The integral over the angle, by midpoints 60 times closer than the noise is wide.
    grid = (np.arange(2000) + 0.5) / 2000 * np.pi
    centres = np.concatenate([moon_centres(grid, np.full(2000, part)) for part in (False, True)])
    log_plane = np.concatenate([log_mixture(part, centres, noise) for part in np.array_split(plane, 50)])
    others = [stats.norm(), stats.expon(), stats.uniform(), stats.logistic()]
    columns = [other.rvs(MOST_ROWS, random_state=rng) for other in others]
    logs = sum(other.logpdf(column) for other, column in zip(others, columns, strict=True))
    return drawn(np.column_stack([plane, *columns]), log_plane + logs)


def moon_centres(angle: np.ndarray, lower: np.ndarray) -> np.ndarray:
    x, y = np.cos(angle), np.sin(angle)
    return np.stack([np.where(lower, 1.0 - x, x), np.where(lower, 0.5 - y, y)], axis=1)


def log_mixture(rows: np.ndarray, centres: np.ndarray, noise: float) -> np.ndarray:
    """Return the log-density of an even mixture of round Gaussians."""
    squares = ((rows[:, None, :] - centres) ** 2).sum(axis=2)
    normaliser = np.log(2.0 * np.pi * noise**2) + np.log(len(centres))
    return logsumexp(-0.5 * squares / noise**2, axis=1) - normaliser


def arm() -> Table:
    """An arm of four joints: the hand's distance is a smooth function of the rest, and small noise."""
    rng = np.random.default_rng(3)
    angles, lengths, noise = stats.norm(scale=0.7), stats.uniform(0.5, 1.0), stats.norm(scale=0.03)
    angle = angles.rvs((MOST_ROWS, 4), random_state=rng)
    length = lengths.rvs((MOST_ROWS, 4), random_state=rng)
    error = noise.rvs(MOST_ROWS, random_state=rng)
    hand = (length * np.exp(1j * np.cumsum(angle, axis=1))).sum(axis=1)
    logs = angles.logpdf(angle).sum(axis=1) + lengths.logpdf(length).sum(axis=1) + noise.logpdf(error)
    return drawn(np.column_stack([angle, length, np.abs(hand) + error]), logs)


def gaussian() -> Table:
    """One Gaussian of 20 correlated columns."""
    rng = np.random.default_rng(4)
    root = rng.normal(size=(20, 20)) * 0.9 ** np.arange(20)
    law = stats.multivariate_normal(cov=root @ root.T + 0.05 * np.eye(20))
    rows = law.rvs(MOST_ROWS, random_state=rng)
    return drawn(rows, law.logpdf(rows))


def tails() -> Table:
    """A Student copula of 3 degrees of freedom with margins of every shape, some heavy."""
    rng = np.random.default_rng(5)
    margins = [
        stats.t(3),
        stats.t(5),
        stats.lognorm(1.0),
        stats.expon(),
        stats.gamma(3.0),
        stats.logistic(),
        stats.norm(),
        stats.pareto(4.0),
    ]
    factors = rng.normal(size=(8, 3))
    shape = factors @ factors.T + np.eye(8)
    shape /= np.sqrt(np.outer(np.diag(shape), np.diag(shape)))
    joint, one = stats.multivariate_t(shape=shape, df=3), stats.t(3)
    scores = joint.rvs(MOST_ROWS, random_state=rng)
    logs = joint.logpdf(scores) - one.logpdf(scores).sum(axis=1)
    columns = []
    for margin, score in zip(margins, scores.T, strict=True):
        # By the nearer tail: a level that rounds to 1 would give an infinite value.
        column = np.where(score < 0.0, margin.ppf(one.cdf(score)), margin.isf(one.sf(score)))
        columns.append(column)
        logs += margin.logpdf(column)
    return drawn(np.column_stack(columns), logs)
