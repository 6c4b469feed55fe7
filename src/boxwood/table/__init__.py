"""A data frame and its density: questions by name, answers in the frame's own values."""

from boxwood.table.conditional_classifier import ConditionalClassifier
from boxwood.table.conditional_regressor import ConditionalRegressor
from boxwood.table.density_imputer import DensityImputer
from boxwood.table.questions import GivenTable
from boxwood.table.table_model import TableModel

__all__ = ["ConditionalClassifier", "ConditionalRegressor", "DensityImputer", "GivenTable", "TableModel"]
