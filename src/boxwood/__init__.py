"""boxwood: density trees, forests and boosted densities for tables.

Names are imported when they are first used, so that ``import boxwood`` itself is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxwood.classify import (
        BayesClassifier,
        DecisionTreeClassifier,
        GaussianNB,
        HistogramNB,
        LinearDiscriminantAnalysis,
        PriorClassifier,
        QuadraticDiscriminantAnalysis,
        RandomForestClassifier,
    )
    from boxwood.columns import Columns, read_columns
    from boxwood.density import (
        DensityForest,
        DensityTree,
        GaussianDensity,
        GridHistogram,
        Histogram,
        ProductDensity,
    )
    from boxwood.model_file import ModelFileError, load
    from boxwood.plot import DensityTreeDisplay, HistogramDisplay
    from boxwood.regress import DecisionTreeRegressor, RandomForestRegressor
    from boxwood.select import (
        CrossValidation,
        LogLikelihoodScorer,
        cross_val_log_likelihood,
        log_likelihood_scorer,
    )

__version__ = "0.1.0"

_HOMES = {
    "BayesClassifier": "boxwood.classify",
    "Columns": "boxwood.columns",
    "CrossValidation": "boxwood.select",
    "DecisionTreeClassifier": "boxwood.classify",
    "DecisionTreeRegressor": "boxwood.regress",
    "DensityForest": "boxwood.density",
    "DensityTree": "boxwood.density",
    "DensityTreeDisplay": "boxwood.plot",
    "GaussianDensity": "boxwood.density",
    "GaussianNB": "boxwood.classify",
    "GridHistogram": "boxwood.density",
    "Histogram": "boxwood.density",
    "HistogramDisplay": "boxwood.plot",
    "HistogramNB": "boxwood.classify",
    "LinearDiscriminantAnalysis": "boxwood.classify",
    "LogLikelihoodScorer": "boxwood.select",
    "ModelFileError": "boxwood.model_file",
    "PriorClassifier": "boxwood.classify",
    "ProductDensity": "boxwood.density",
    "QuadraticDiscriminantAnalysis": "boxwood.classify",
    "RandomForestClassifier": "boxwood.classify",
    "RandomForestRegressor": "boxwood.regress",
    "cross_val_log_likelihood": "boxwood.select",
    "load": "boxwood.model_file",
    "log_likelihood_scorer": "boxwood.select",
    "read_columns": "boxwood.columns",
}

__all__ = [
    "BayesClassifier",
    "Columns",
    "CrossValidation",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "DensityForest",
    "DensityTree",
    "DensityTreeDisplay",
    "GaussianDensity",
    "GaussianNB",
    "GridHistogram",
    "Histogram",
    "HistogramDisplay",
    "HistogramNB",
    "LinearDiscriminantAnalysis",
    "LogLikelihoodScorer",
    "ModelFileError",
    "PriorClassifier",
    "ProductDensity",
    "QuadraticDiscriminantAnalysis",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "cross_val_log_likelihood",
    "load",
    "log_likelihood_scorer",
    "read_columns",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxwood' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
