"""Regressors."""

from boxwood.regress.forest import RandomForestRegressor
from boxwood.regress.k_neighbors import KNeighborsRegressor
from boxwood.regress.linear import LinearRegression
from boxwood.regress.tree import DecisionTreeRegressor

__all__ = ["DecisionTreeRegressor", "KNeighborsRegressor", "LinearRegression", "RandomForestRegressor"]
