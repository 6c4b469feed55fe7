"""Densities: one normalised model of a table's rows."""

from boxwood.density.boosted import BoostedDensity
from boxwood.density.forest import DensityForest
from boxwood.density.gaussian import GaussianDensity
from boxwood.density.grid import GridHistogram
from boxwood.density.histogram import Histogram
from boxwood.density.neighbor import NeighborDensity
from boxwood.density.product import ProductDensity
from boxwood.density.tree import DensityTree

__all__ = [
    "BoostedDensity",
    "DensityForest",
    "DensityTree",
    "GaussianDensity",
    "GridHistogram",
    "Histogram",
    "NeighborDensity",
    "ProductDensity",
]
