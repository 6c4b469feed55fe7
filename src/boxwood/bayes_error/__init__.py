"""The error that no classifier can beat: theory, and its bracket from a table."""

from boxwood.bayes_error.bounds import BayesErrorBounds, bayes_error_bounds
from boxwood.bayes_error.theory import LocalErrors, local_errors, nn_error_bounds

__all__ = ["BayesErrorBounds", "LocalErrors", "bayes_error_bounds", "local_errors", "nn_error_bounds"]
