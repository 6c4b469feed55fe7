"""Judging models on rows that they have not seen, and choosing among them."""

from boxwood.select.cross_validation import CrossValidation
from boxwood.select.log_likelihood import (
    LogLikelihoodScorer,
    cross_val_log_likelihood,
    log_likelihood_scorer,
)

__all__ = ["CrossValidation", "LogLikelihoodScorer", "cross_val_log_likelihood", "log_likelihood_scorer"]
