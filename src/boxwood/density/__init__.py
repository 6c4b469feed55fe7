"""Densities: one normalised model of a table's rows."""

from boxwood.density.gaussian import GaussianDensity

__all__ = ["GaussianDensity"]
