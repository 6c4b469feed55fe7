"""Regressors."""

from boxwood.regress.forest import RandomForestRegressor
from boxwood.regress.tree import DecisionTreeRegressor

__all__ = ["DecisionTreeRegressor", "RandomForestRegressor"]
