"""Mixtures: the one fitted form of which everything is asked."""

from boxwood.mixture.knots import choose_knots, find_cells
from boxwood.mixture.mixture import Mixture

__all__ = ["Mixture", "choose_knots", "find_cells"]
