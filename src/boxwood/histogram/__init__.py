"""Histograms: rules for the bins of a column, estimates of their masses, product grids."""
