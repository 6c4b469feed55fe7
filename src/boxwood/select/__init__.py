"""Judging models on rows that they have not seen, and choosing among them."""

from boxwood.select.classifier_validation import ClassifierValidation, cross_val_error
from boxwood.select.comparison import Comparison, compare
from boxwood.select.cross_validation import CrossValidation
from boxwood.select.log_likelihood import (
    LogLikelihoodScorer,
    cross_val_log_likelihood,
    log_likelihood_scorer,
)
from boxwood.select.novelty_detector import NoveltyDetector
from boxwood.select.regressor_validation import RegressorValidation
from boxwood.select.search import GridSearch, grid_search
from boxwood.select.uncertain import query_most_uncertain

__all__ = [
    "ClassifierValidation",
    "Comparison",
    "CrossValidation",
    "GridSearch",
    "LogLikelihoodScorer",
    "NoveltyDetector",
    "RegressorValidation",
    "compare",
    "cross_val_error",
    "cross_val_log_likelihood",
    "grid_search",
    "log_likelihood_scorer",
    "query_most_uncertain",
]
