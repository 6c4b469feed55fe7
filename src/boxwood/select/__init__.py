"""Judging models on rows that they have not seen, and choosing among them."""

from boxwood.select.classifier_validation import ClassifierValidation, cross_val_error
from boxwood.select.comparison import Comparison, compare
from boxwood.select.cross_validation import CrossValidation
from boxwood.select.log_likelihood import (
    LogLikelihoodScorer,
    cross_val_log_likelihood,
    log_likelihood_scorer,
)

__all__ = [
    "ClassifierValidation",
    "Comparison",
    "CrossValidation",
    "LogLikelihoodScorer",
    "compare",
    "cross_val_error",
    "cross_val_log_likelihood",
    "log_likelihood_scorer",
]
