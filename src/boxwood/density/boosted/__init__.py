"""Boosted densities: chains of trees that map a table onto uniform points."""

from boxwood.density.boosted.estimator import BoostedDensity

__all__ = ["BoostedDensity"]
