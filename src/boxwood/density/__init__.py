"""Densities: one normalised model of a table's rows.

Names are imported when they are first used: a forest's question needs no networks.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
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

__getattr__ = at_first_use(
    __name__,
    {
        "BoostedDensity": "boxwood.density.boosted",
        "DensityForest": "boxwood.density.forest",
        "DensityTree": "boxwood.density.tree",
        "GaussianDensity": "boxwood.density.gaussian",
        "GridHistogram": "boxwood.density.grid",
        "Histogram": "boxwood.density.histogram",
        "NeighborDensity": "boxwood.density.neighbor",
        "ProductDensity": "boxwood.density.product",
    },
)
