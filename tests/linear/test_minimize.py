"""Minimisers on functions whose minimum is known."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.linear.minimize import factorised, minimize_by_newton, minimize_by_quasi_newton
from boxwood.linear.sparse_penalty import minimize_with_l1


def quadratic(seed=0, d=6):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d))
    matrix, target = root @ root.T + 0.1 * np.eye(d), rng.normal(size=d)

    def function(x):
        delta = x[0] - target
        return 0.5 * float(delta @ matrix @ delta), (matrix @ delta)[None]

    return function, matrix, target


def test_newton_takes_one_step_on_a_quadratic():
    function, matrix, target = quadratic()
    found = minimize_by_newton(function, lambda x: matrix, np.zeros((1, 6)), 5, 1e-10)
    np.testing.assert_allclose(found.x[0], target, rtol=1e-8)
    assert found.converged
    assert found.n_iter == 1


@pytest.mark.parametrize("precondition", [lambda g: g, lambda g: 0.01 * g, lambda g: 100.0 * g])
def test_quasi_newton_needs_no_good_guess(precondition):
    function, _, target = quadratic()
    found = minimize_by_quasi_newton(function, lambda x: precondition, np.zeros((1, 6)), 300, 1e-9)
    assert found.converged
    np.testing.assert_allclose(found.x[0], target, atol=1e-6)


def test_a_good_guess_is_one_step():
    function, matrix, target = quadratic()
    found = minimize_by_quasi_newton(
        function, lambda x: lambda g: np.linalg.solve(matrix, g[0])[None], np.zeros((1, 6)), 9, 1e-8
    )
    assert found.n_iter == 1
    np.testing.assert_allclose(found.x[0], target, rtol=1e-8)


def test_the_number_of_steps_is_kept():
    function, _, _ = quadratic()
    found = minimize_by_quasi_newton(function, lambda x: lambda g: 1e-3 * g, np.zeros((1, 6)), 3, 1e-15)
    assert found.n_iter == 3
    assert not found.converged


def test_directions_without_curvature_stay_put():
    solve = factorised(np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]))
    np.testing.assert_allclose(solve(np.array([2.0, 1.0, 1.0])), [1.0, 0.5, 0.5])
    np.testing.assert_allclose(factorised(np.zeros((2, 2)))(np.array([0.0, 0.0])), [0.0, 0.0])


def test_absolute_values_make_exact_zeros():
    targets = np.array([[3.0, -2.0, 0.1, -0.1, 5.0]])

    def function(x):
        return 0.5 * float(np.sum((x - targets) ** 2)), x - targets

    penalties = np.array([[0.5, 0.5, 0.5, 0.5, 0.0]])
    found = minimize_with_l1(function, penalties, np.full((1, 5), 2.0), np.zeros((1, 5)), 100, 1e-9)
    np.testing.assert_allclose(found.x, [[2.5, -1.5, 0.0, 0.0, 5.0]], atol=1e-7)
    assert (found.x[0, 2:4] == 0.0).all()
