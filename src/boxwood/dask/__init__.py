"""Fit and ask estimators on a Dask cluster: one function a verb, the ordinary estimators."""

from boxwood.dask.fit import fit
from boxwood.dask.rows import impute, predict, predict_proba, sample, score_samples

__all__ = ["fit", "impute", "predict", "predict_proba", "sample", "score_samples"]
