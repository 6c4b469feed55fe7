"""Binning: the edges at which trees may split a column, and the codes of rows between them."""

from boxwood.binning.bin_edges import bin_edges_fit, choose_bin_edges, find_bins, is_continuous

__all__ = ["bin_edges_fit", "choose_bin_edges", "find_bins", "is_continuous"]
