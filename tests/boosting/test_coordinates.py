"""Rotated coordinates of chains: inverse, Jacobian, and files of old versions."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw
from boxwood.boosting.coordinates import coordinates_from_state
from boxwood.boosting.normal_scores import normal_scores
from boxwood.boosting.rotated import RotatedCoordinates
from boxwood.boosting.smooth_margins import number_columns
from boxwood.linear.rotation import fit_rotation
from boxwood.margins import fit_margins, margins_of_summary, summarize
from boxwood.model_file import State


def cube(X):
    columns = bw.read_columns(X)
    return fit_margins(columns).encode(columns)


def rotated(u, columns):
    """Coordinates as an older version fitted them, from what its files hold."""
    scores = normal_scores(u[:, columns])
    rotation = fit_rotation(scores, None, "pca", 0)
    margins = margins_of_summary(summarize([number_columns(rotation.apply(scores))]))
    state = RotatedCoordinates(np.array(columns), rotation, margins).to_state()
    return coordinates_from_state(State(state, "model"), u.shape[1])


def test_rotated_coordinates_of_old_files_have_an_inverse_and_a_jacobian():
    rng = np.random.default_rng(0)
    u = cube(rng.normal(size=(600, 3)) @ rng.normal(size=(3, 3)))
    coordinates = rotated(u, [0, 2])
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
