"""The logistic loss against its formula and against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.special import logsumexp

from boxwood.linear.logistic_loss import LogisticLoss


def problem(n_classes, *, container=np.asarray, weighted=True, centred=True, n=40, d=3):
    rng = np.random.default_rng(n_classes)
    X = np.where(rng.random((n, d)) < 0.7, rng.normal(size=(n, d)), 0.0)
    codes = rng.integers(0, n_classes, n).astype(np.uint32)
    weights = rng.random(n) + 0.2 if weighted else None
    loss = LogisticLoss(container(X), codes, n_classes, weights, rng.normal(size=d) if centred else None, 0.3)
    return loss, X, rng.normal(size=loss.shape)


def reference_value(loss, X, theta):
    coef, level = (theta, 0.0) if loss.centre is None else (theta[:, :-1], theta[:, -1])
    centre = 0.0 if loss.centre is None else loss.centre
    scores = (X - centre) @ coef.T + level
    if loss.n_classes == 2:
        scores = np.column_stack([np.zeros(len(X)), scores])
    weights = np.ones(len(X)) if loss.weights is None else loss.weights
    losses = logsumexp(scores, axis=1) - scores[np.arange(len(X)), loss.codes]
    return weights @ losses / weights.sum() + 0.5 * loss.ridge * np.sum(coef**2)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("centred", [True, False])
def test_value_gradient_and_hessian(n_classes, container, weighted, centred):
    loss, X, theta = problem(n_classes, container=container, weighted=weighted, centred=centred)
    value, gradient = loss.value_and_gradient(theta)
    assert value == pytest.approx(reference_value(loss, X, theta))
    hessian = loss.hessian(theta)
    step = 1e-6
    for i in range(theta.size):
        moved = [theta.copy(), theta.copy()]
        for sign, other in zip((1.0, -1.0), moved, strict=True):
            other.ravel()[i] += sign * step
        up, down = (loss.value_and_gradient(other) for other in moved)
        assert gradient.ravel()[i] == pytest.approx((up[0] - down[0]) / (2 * step), abs=1e-7)
        np.testing.assert_allclose(hessian[i], (up[1] - down[1]).ravel() / (2 * step), atol=1e-6)
    k, width = loss.shape
    blocks = loss.block_hessians(theta)
    for a in range(k):
        part = slice(a * width, (a + 1) * width)
        np.testing.assert_allclose(blocks[a], hessian[part, part], atol=1e-12)
    assert (loss.diagonal().ravel() >= hessian.diagonal() - 1e-12).all()


def test_blocks_are_the_whole():
    loss, X, theta = problem(3, n=10_000)
    assert loss.value_and_gradient(theta)[0] == pytest.approx(reference_value(loss, X, theta), rel=1e-12)


def test_scores_of_any_size_are_finite():
    loss, _, theta = problem(2)
    for size in (1e3, 1e8, 1e150):
        value, gradient = loss.value_and_gradient(size * theta)
        assert np.isfinite(value) or size == 1e150
        assert np.isfinite(gradient).all()
