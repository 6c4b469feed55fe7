"""Fit and ask estimators on a Dask cluster: one function a verb, the ordinary estimators."""

from boxwood.dask.fit import fit

__all__ = ["fit"]
