"""Points and widths for integrals of a density of one number, fine where its rows are."""

from __future__ import annotations

import numpy as np

__all__ = ["quadrature"]

NODES = 12
"""Midpoints between two neighbouring rows."""


def quadrature(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return midpoints and widths: between rows evenly, beyond them ever wider."""
    distinct = np.unique(values)
    spread = distinct[-1] - distinct[0]
    beyond = spread * np.geomspace(1e-6, 1e4, 200)
    edges = np.r_[(distinct[0] - beyond)[::-1], distinct, distinct[-1] + beyond]
    fine = np.unique((edges[:-1, None] + np.diff(edges)[:, None] * np.arange(NODES) / NODES).ravel())
    return (fine[:-1] + fine[1:]) / 2.0, np.diff(fine)
