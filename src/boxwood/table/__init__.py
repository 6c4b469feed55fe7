"""A data frame and its density: questions by name, answers in the frame's own values.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
    from boxwood.table.conditional_classifier import ConditionalClassifier
    from boxwood.table.conditional_regressor import ConditionalRegressor
    from boxwood.table.density_imputer import DensityImputer
    from boxwood.table.questions import GivenTable
    from boxwood.table.table_model import TableModel

__all__ = ["ConditionalClassifier", "ConditionalRegressor", "DensityImputer", "GivenTable", "TableModel"]

__getattr__ = at_first_use(
    __name__,
    {
        "ConditionalClassifier": "boxwood.table.conditional_classifier",
        "ConditionalRegressor": "boxwood.table.conditional_regressor",
        "DensityImputer": "boxwood.table.density_imputer",
        "GivenTable": "boxwood.table.questions",
        "TableModel": "boxwood.table.table_model",
    },
)
