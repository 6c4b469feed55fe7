"""Boosted densities: chains of trees that map a table onto uniform points."""
