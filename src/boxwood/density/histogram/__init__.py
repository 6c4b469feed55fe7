"""Histograms: one column at a time, with every rule for the bins and every estimate of their masses."""

from boxwood.density.histogram.histogram import Histogram

__all__ = ["Histogram"]
