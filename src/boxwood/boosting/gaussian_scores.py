"""A mixture of Gaussians of the columns' scores: a part of a boosted density for small tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood import _core
from boxwood.boosting.normal_scores import LOG_ROOT_2PI, log_derivative, normal_scores, points_of_scores
from boxwood.boosting.standard_scores import StandardScores
from boxwood.columns import Columns
from boxwood.margins import Margins
from boxwood.model_file import State

__all__ = ["GaussianScores", "begin_gaussians", "independent_normals"]

N_STEPS, LEAST_GAIN = 40, 1e-3
"""Of expectation–maximisation at most, and the nats a row that one must gain for another."""

PRIOR_ROWS = 1.0
"""Rows a column that the mean covariance of the components counts beside the own rows of each."""

LEAST_VARIANCE = 1e-6
"""Of a column's own, which is added to the mean covariance."""

MEAN_ROWS = 1.0
"""Rows that the mean of all counts beside a component's own."""

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GaussianScores:
    """A mixture of Gaussians of scores.

    Attributes
    ----------
    fractions : ndarray of shape (k,)
    means : ndarray of shape (k, n_columns)
    factors : ndarray of shape (k, n_columns, n_columns)
        Lower triangular Cholesky factors of the covariances.
    standard : StandardScores or None
        The scale of the columns, where scores are standard scores of their values and know no margins; None
        where they are normal scores of points of the cube.
    prior_rows : float
        Of every component a column, while it is fitted.
    """

    fractions: NDArray[np.float64]
    means: NDArray[np.float64]
    factors: NDArray[np.float64]
    standard: StandardScores | None = None
    prior_rows: float = PRIOR_ROWS

    def log_density(self, u: Points, columns: Columns) -> NDArray[np.float64]:
        """Return the log-density of rows; gaps are summed out.

        That of their values where scores are standard scores, of their points of the cube where they are
        normal scores.
        """
        if self.standard is not None:
            scores = self.standard.scores(columns)
            return self.log_density_of_scores(scores) + self.standard.log_derivative(scores)
        scores = normal_scores(u)
        return self.log_density_of_scores(scores) + log_derivative(scores)

    def log_density_of_scores(self, scores: Points) -> NDArray[np.float64]:
        """Return the log-density of scores; those that are NaN are summed out."""
        gaps = np.isnan(scores)
        if not gaps.any():
            return np.asarray(logsumexp(self._log_joint(scores), axis=1))
        found = np.zeros(len(scores))
        patterns, of_row = np.unique(gaps, axis=0, return_inverse=True)
        for k, gap in enumerate(patterns):
            rows = np.flatnonzero(of_row.ravel() == k)
            if not gap.all():
                known = scores[np.ix_(rows, np.flatnonzero(~gap))]
                found[rows] = logsumexp(self._of_columns(~gap)._log_joint(known), axis=1)
        return found

    @cached_property
    def is_independent(self) -> bool:
        """Whether all columns are standard normal by themselves: scores then take d steps instead of d²."""
        d = self.means.shape[1]
        return (
            len(self.fractions) == 1 and not self.means.any() and np.array_equal(self.factors[0], np.eye(d))
        )

    def _of_columns(self, kept: NDArray[np.bool_]) -> Self:
        """Return the distribution of some of the columns."""
        if self.is_independent:
            return replace(self, means=self.means[:, kept], factors=np.eye(int(kept.sum()))[None])
        of_kept = self.factors[:, kept, :]
        factors = np.asarray(np.linalg.cholesky(of_kept @ of_kept.transpose(0, 2, 1)), dtype=np.float64)
        return replace(self, means=self.means[:, kept], factors=factors)

    def _log_joint(self, scores: Points) -> NDArray[np.float64]:
        """Return the log-density of each row together with each component: (n_rows, k)."""
        if self.is_independent:
            squares = np.zeros(len(scores))
            for column in scores.T:  # column by column: the same to the bit for any number of rows
                squares += column * column
            return (-0.5 * squares - scores.shape[1] * LOG_ROOT_2PI)[:, None]
        # In the core: products of matrices by BLAS round as the number of rows and threads has it.
        whitening = np.ascontiguousarray(np.linalg.inv(self.factors))
        exponents = _core.gaussian_exponents(
            np.ascontiguousarray(scores), np.ascontiguousarray(self.means), whitening
        )
        log_volumes = np.log(np.diagonal(self.factors, axis1=1, axis2=2)).sum(axis=1)
        return exponents + (np.log(self.fractions) - log_volumes - scores.shape[1] * LOG_ROOT_2PI)

    def sample(self, n_rows: int, rng: np.random.Generator, margins: Margins) -> Columns:
        """Draw rows of a table with these margins."""
        which = np.repeat(np.arange(len(self.fractions)), rng.multinomial(n_rows, self.fractions))
        normals = rng.standard_normal((n_rows, self.means.shape[1]))
        if self.is_independent:
            scores = normals
        else:
            scores = self.means[which] + np.einsum("nij,nj->ni", self.factors[which], normals)
        if self.standard is not None:
            return self.standard.columns(scores, margins.schema)
        return margins.decode(points_of_scores(scores))

    def importance_of_columns(self) -> NDArray[np.float64]:
        """Return what each column's being known by the others is worth in nats, under one Gaussian."""
        if self.is_independent:
            return np.zeros(self.means.shape[1])
        covariance = self._covariance()
        precision = np.linalg.inv(covariance)
        return np.maximum(0.5 * np.log(np.diagonal(covariance) * np.diagonal(precision)), 0.0)

    def _covariance(self) -> NDArray[np.float64]:
        centred = self.means - self.fractions @ self.means
        within = np.einsum("k,kij,klj->il", self.fractions, self.factors, self.factors)
        return np.asarray(within + np.einsum("k,ki,kj->ij", self.fractions, centred, centred))

    def fitted(self, scores: Points, weights: NDArray[np.float64], n_steps: int = N_STEPS) -> Self:
        """Return the mixture after steps of expectation–maximisation on these rows."""
        least = LEAST_VARIANCE * _variances(scores, weights)
        mixture, last = self, -np.inf
        for _ in range(n_steps):
            logs = mixture._log_joint(scores)
            of_rows = np.asarray(logsumexp(logs, axis=1))
            value = float(np.average(of_rows, weights=weights))
            if value < last + LEAST_GAIN:
                break
            last = value
            mixture = mixture._maximised(scores, weights[:, None] * np.exp(logs - of_rows[:, None]), least)
        return mixture

    def _maximised(self, scores: Points, joint: NDArray[np.float64], least: NDArray[np.float64]) -> Self:
        sizes = joint.sum(axis=0)
        mean = np.einsum("nk,nd->d", joint, scores) / sizes.sum()
        means = (np.einsum("nk,nd->kd", joint, scores) + MEAN_ROWS * mean) / (sizes[:, None] + MEAN_ROWS)
        rows = np.ascontiguousarray(scores), means, np.ascontiguousarray(joint)
        scatters = _core.gaussian_scatters(*rows).reshape(self.factors.shape)
        prior = scatters.sum(axis=0) / sizes.sum() + np.diag(least)
        n_rows = self.prior_rows * len(mean)
        covariances = (scatters + n_rows * prior) / (sizes + n_rows)[:, None, None]
        fractions = (sizes + 1.0) / (sizes.sum() + len(sizes))
        return replace(self, fractions=fractions, means=means, factors=np.linalg.cholesky(covariances))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state = {"fractions": self.fractions, "means": self.means.ravel(), "factors": self.factors.ravel()}
        return state if self.standard is None else {**state, "standard": self.standard.to_state()}

    @classmethod
    def from_state(cls, state: State, d: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        fractions = state.array("fractions", np.float64, (None,), low=0.0, high=1.0)
        k = len(fractions)
        if not k or abs(float(fractions.sum()) - 1.0) > 1e-9 or not fractions.all():
            raise state.error("fractions", "are not positive with the sum 1")
        means = state.array("means", np.float64, (k * d,)).reshape(k, d)
        factors = state.array("factors", np.float64, (k * d * d,)).reshape(k, d, d)
        if np.triu(factors, 1).any() or not (np.diagonal(factors, axis1=1, axis2=2) > 0.0).all():
            raise state.error("factors", "are no Cholesky factors")
        standard = StandardScores.from_state(state.child("standard"), d) if "standard" in state else None
        return cls(fractions, means, factors, standard)


def _variances(scores: Points, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    mean = np.average(scores, axis=0, weights=weights)
    return np.asarray(np.average((scores - mean) ** 2, axis=0, weights=weights))


def independent_normals(standard: StandardScores) -> GaussianScores:
    """Return one Gaussian of independent columns: its scores are standard normal each."""
    d = len(standard.means)
    return GaussianScores(np.ones(1), np.zeros((1, d)), np.eye(d)[None], standard)


def begin_gaussians(
    scores: Points,
    weights: NDArray[np.float64],
    k: int,
    rng: np.random.Generator,
    prior_rows: float = PRIOR_ROWS,
) -> GaussianScores:
    """Return components around rows that lie far from each other (k-means++), all of one covariance."""
    d = scores.shape[1]
    mean = np.average(scores, axis=0, weights=weights)
    centred = scores - mean
    scatter = np.einsum("ni,nj->ij", centred * weights[:, None], centred) / weights.sum()
    scatter += np.diag(LEAST_VARIANCE * np.diagonal(scatter))
    factor = np.linalg.cholesky(k ** (-2.0 / d) * scatter)  # of the volume of one of k parts
    whitened = np.einsum("ij,nj->in", np.linalg.inv(factor), scores)
    squares = np.full(len(scores), np.inf)
    centres: list[int] = []
    for _ in range(k):
        chances = np.cumsum(weights * (squares if centres else 1.0))
        centres.append(int(np.searchsorted(chances, rng.random() * chances[-1], side="right")))
        apart = whitened - whitened[:, centres[-1], None]
        squares = np.minimum(squares, np.einsum("ij,ij->j", apart, apart))
    means = scores[centres] if k > 1 else mean[None]
    factors = np.repeat(factor[None], k, axis=0)
    return GaussianScores(np.full(k, 1.0 / k), means.copy(), factors, None, prior_rows)
