"""Mixtures: the one fitted form of which everything is asked."""

from boxwood.mixture.knots import choose_knots, find_cells, is_continuous, knots_fit
from boxwood.mixture.mixture import Mixture
from boxwood.mixture.table_mixture import TableMixture, observed_points, product_mixture

__all__ = [
    "Mixture",
    "TableMixture",
    "choose_knots",
    "find_cells",
    "is_continuous",
    "knots_fit",
    "observed_points",
    "product_mixture",
]
