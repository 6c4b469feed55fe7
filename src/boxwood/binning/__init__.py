"""Binning: the edges at which trees may split a column, and the codes of rows between them."""

from boxwood.binning.bin_edges import choose_knots, find_cells, is_continuous, knots_fit

__all__ = ["choose_knots", "find_cells", "is_continuous", "knots_fit"]
