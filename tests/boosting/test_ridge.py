"""Ridge regression beside its reference implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.boosting.ridge import Ridge
from properties import examples


def reference_ridge(X, y, weights, penalty):
    """Coefficients and constant by the normal equations."""
    means = np.average(X, axis=0, weights=weights)
    centred = X - means
    products = (centred * weights[:, None]).T @ centred + penalty * np.eye(X.shape[1])
    coefficients = np.linalg.solve(products, centred.T @ (weights * y))
    return coefficients, np.average(y, weights=weights) - means @ coefficients


@examples(100)
@given(st.integers(8, 25), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_ridge_equals_its_reference_implementation(n, d, weighted, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    weights = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    ridge = Ridge.of(X[:, :1], weights if weighted else None).with_more(X[:, 1:])
    coefficients, constant = ridge.solve(y, 0.7)
    reference_coefficients, reference_constant = reference_ridge(X, y, weights, 0.7)
    np.testing.assert_allclose(coefficients, reference_coefficients, atol=1e-9)
    assert constant == pytest.approx(reference_constant, abs=1e-9)
    found = ridge.left_out(y, 0.7)
    for i in range(n):
        others = np.arange(n) != i
        coefficients, constant = reference_ridge(X[others], y[others], weights[others], 0.7)
        assert found[i] == pytest.approx(X[i] @ coefficients + constant, abs=1e-9)


def test_a_penalty_is_chosen_by_rows_left_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    fractions = 10.0 ** np.arange(-6.0, 3.0)
    noise_penalty, left = Ridge.of(X, None).best_penalty(rng.normal(size=300), fractions)
    assert left > 0.9
    signal_penalty, left = Ridge.of(X, None).best_penalty(X @ rng.normal(size=20), fractions)
    assert left < 1e-3
    assert signal_penalty < noise_penalty
