"""Rotated coordinates of chains: inverse, Jacobian, and files of old versions."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw
from boxwood.boosting.coordinates import coordinates_from_state, fit_coordinates
from boxwood.boosting.cube_points import CubePoints
from boxwood.margins import fit_margins
from boxwood.model_file import State


def cube(X):
    columns = bw.read_columns(X)
    return fit_margins(columns).encode(columns)


@pytest.mark.parametrize("kind", ["pca", "ica"])
def test_coordinates_have_an_inverse_and_a_jacobian(kind):
    rng = np.random.default_rng(0)
    u = cube(rng.normal(size=(600, 3)) @ rng.normal(size=(3, 3)))
    points = CubePoints(u, None, np.arange(600), np.array([0, 2]))
    coordinates, _ = fit_coordinates(kind, points, 0)
    v, log_jacobian = coordinates.apply(u)
    np.testing.assert_allclose(coordinates.invert(v), u, atol=1e-7)
    np.testing.assert_array_equal(v[:, 1], u[:, 1])
    for row in (10, 200):
        point, step = u[row], 1e-7
        moved = [coordinates.apply((point + step * axis)[None])[0][0] for axis in np.eye(3)]
        numeric = np.linalg.slogdet((np.array(moved) - v[row]) / step)[1]
        assert numeric == pytest.approx(log_jacobian[row], abs=1e-3)


def test_residuals_of_old_versions_ask_for_another_fit():
    with pytest.raises(bw.ModelFileError, match="fit the model again"):
        coordinates_from_state(State({"kind": "residual"}, "model"), 3)
