"""Binning: the edges at which trees may split a column, and the codes of rows between them."""

from boxwood.binning.bin_edges import BinnedRows, bin_rows, check_bin_edges

__all__ = ["BinnedRows", "bin_rows", "check_bin_edges"]
