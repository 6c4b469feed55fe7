"""Densities: one normalised model of a table's rows."""

from boxwood.density.gaussian import GaussianDensity
from boxwood.density.grid import GridHistogram
from boxwood.density.histogram import Histogram

__all__ = ["GaussianDensity", "GridHistogram", "Histogram"]
