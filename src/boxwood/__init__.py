"""boxwood: density trees, forests and boosted densities for tables.

Names are imported when they are first used, so that ``import boxwood`` itself is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxwood.anomaly import AnomalyDetector
    from boxwood.bayes_error import (
        BayesErrorBounds,
        LocalErrors,
        bayes_error_bounds,
        local_errors,
        nn_error_bounds,
    )
    from boxwood.classify import (
        BayesClassifier,
        DecisionTreeClassifier,
        GaussianNB,
        HistogramNB,
        KNeighborsClassifier,
        LinearDiscriminantAnalysis,
        LogisticRegression,
        PriorClassifier,
        QuadraticDiscriminantAnalysis,
        RandomForestClassifier,
    )
    from boxwood.columns import Columns, read_columns
    from boxwood.density import (
        BoostedDensity,
        DensityForest,
        DensityTree,
        GaussianDensity,
        GridHistogram,
        Histogram,
        NeighborDensity,
        ProductDensity,
    )
    from boxwood.model_file import ModelFileError, load
    from boxwood.neighbors import NeighborIndex
    from boxwood.plot import (
        BayesErrorDisplay,
        ComparisonDisplay,
        ConditionalDisplay,
        DecisionRegionDisplay,
        DensityDisplay,
        DensityTreeDisplay,
        DependenceDisplay,
        ExplanationDisplay,
        HistogramDisplay,
        PairDisplay,
    )
    from boxwood.prototypes import (
        CondensedNearestNeighbour,
        EditedNearestNeighbours,
        GabrielEditing,
        PrototypeReduction,
        RepeatedEditedNearestNeighbours,
        VoronoiEditing,
    )
    from boxwood.query import Event, EventTooLargeError, ExpressionError, QueryError
    from boxwood.regress import (
        DecisionTreeRegressor,
        KNeighborsRegressor,
        LinearRegression,
        RandomForestRegressor,
    )
    from boxwood.report import write_report
    from boxwood.select import (
        ClassifierValidation,
        Comparison,
        CrossValidation,
        GridSearch,
        LogLikelihoodScorer,
        NoveltyDetector,
        RegressorValidation,
        compare,
        cross_val_error,
        cross_val_log_likelihood,
        grid_search,
        log_likelihood_scorer,
        query_most_uncertain,
    )
    from boxwood.stream import TableSource, open_table
    from boxwood.synthetic import SyntheticReport, synthetic_report
    from boxwood.table import ConditionalClassifier, ConditionalRegressor, DensityImputer, TableModel
    from boxwood.table.summary import TableSummary, summarize

__version__ = "0.1.0"

_HOMES = {
    "AnomalyDetector": "boxwood.anomaly",
    "BayesClassifier": "boxwood.classify",
    "BayesErrorBounds": "boxwood.bayes_error",
    "BayesErrorDisplay": "boxwood.plot",
    "BoostedDensity": "boxwood.density",
    "ClassifierValidation": "boxwood.select",
    "Columns": "boxwood.columns",
    "Comparison": "boxwood.select",
    "ComparisonDisplay": "boxwood.plot",
    "CondensedNearestNeighbour": "boxwood.prototypes",
    "ConditionalClassifier": "boxwood.table",
    "ConditionalDisplay": "boxwood.plot",
    "ConditionalRegressor": "boxwood.table",
    "CrossValidation": "boxwood.select",
    "DecisionRegionDisplay": "boxwood.plot",
    "DecisionTreeClassifier": "boxwood.classify",
    "DecisionTreeRegressor": "boxwood.regress",
    "DensityDisplay": "boxwood.plot",
    "DensityForest": "boxwood.density",
    "DensityImputer": "boxwood.table",
    "DensityTree": "boxwood.density",
    "DensityTreeDisplay": "boxwood.plot",
    "DependenceDisplay": "boxwood.plot",
    "EditedNearestNeighbours": "boxwood.prototypes",
    "Event": "boxwood.query",
    "EventTooLargeError": "boxwood.query",
    "ExplanationDisplay": "boxwood.plot",
    "ExpressionError": "boxwood.query",
    "GabrielEditing": "boxwood.prototypes",
    "GaussianDensity": "boxwood.density",
    "GaussianNB": "boxwood.classify",
    "GridHistogram": "boxwood.density",
    "GridSearch": "boxwood.select",
    "Histogram": "boxwood.density",
    "HistogramDisplay": "boxwood.plot",
    "HistogramNB": "boxwood.classify",
    "KNeighborsClassifier": "boxwood.classify",
    "KNeighborsRegressor": "boxwood.regress",
    "LinearDiscriminantAnalysis": "boxwood.classify",
    "LinearRegression": "boxwood.regress",
    "LocalErrors": "boxwood.bayes_error",
    "LogLikelihoodScorer": "boxwood.select",
    "LogisticRegression": "boxwood.classify",
    "ModelFileError": "boxwood.model_file",
    "NeighborDensity": "boxwood.density",
    "NeighborIndex": "boxwood.neighbors",
    "NoveltyDetector": "boxwood.select",
    "PairDisplay": "boxwood.plot",
    "PriorClassifier": "boxwood.classify",
    "ProductDensity": "boxwood.density",
    "PrototypeReduction": "boxwood.prototypes",
    "QuadraticDiscriminantAnalysis": "boxwood.classify",
    "QueryError": "boxwood.query",
    "RandomForestClassifier": "boxwood.classify",
    "RandomForestRegressor": "boxwood.regress",
    "RegressorValidation": "boxwood.select",
    "RepeatedEditedNearestNeighbours": "boxwood.prototypes",
    "SyntheticReport": "boxwood.synthetic",
    "TableModel": "boxwood.table",
    "TableSource": "boxwood.stream",
    "TableSummary": "boxwood.table.summary",
    "VoronoiEditing": "boxwood.prototypes",
    "bayes_error_bounds": "boxwood.bayes_error",
    "compare": "boxwood.select",
    "cross_val_error": "boxwood.select",
    "cross_val_log_likelihood": "boxwood.select",
    "grid_search": "boxwood.select",
    "load": "boxwood.model_file",
    "local_errors": "boxwood.bayes_error",
    "log_likelihood_scorer": "boxwood.select",
    "nn_error_bounds": "boxwood.bayes_error",
    "open_table": "boxwood.stream",
    "query_most_uncertain": "boxwood.select",
    "read_columns": "boxwood.columns",
    "summarize": "boxwood.table.summary",
    "synthetic_report": "boxwood.synthetic",
    "write_report": "boxwood.report",
}

__all__ = [
    "AnomalyDetector",
    "BayesClassifier",
    "BayesErrorBounds",
    "BayesErrorDisplay",
    "BoostedDensity",
    "ClassifierValidation",
    "Columns",
    "Comparison",
    "ComparisonDisplay",
    "CondensedNearestNeighbour",
    "ConditionalClassifier",
    "ConditionalDisplay",
    "ConditionalRegressor",
    "CrossValidation",
    "DecisionRegionDisplay",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "DensityDisplay",
    "DensityForest",
    "DensityImputer",
    "DensityTree",
    "DensityTreeDisplay",
    "DependenceDisplay",
    "EditedNearestNeighbours",
    "Event",
    "EventTooLargeError",
    "ExplanationDisplay",
    "ExpressionError",
    "GabrielEditing",
    "GaussianDensity",
    "GaussianNB",
    "GridHistogram",
    "GridSearch",
    "Histogram",
    "HistogramDisplay",
    "HistogramNB",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LocalErrors",
    "LogLikelihoodScorer",
    "LogisticRegression",
    "ModelFileError",
    "NeighborDensity",
    "NeighborIndex",
    "NoveltyDetector",
    "PairDisplay",
    "PriorClassifier",
    "ProductDensity",
    "PrototypeReduction",
    "QuadraticDiscriminantAnalysis",
    "QueryError",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RegressorValidation",
    "RepeatedEditedNearestNeighbours",
    "SyntheticReport",
    "TableModel",
    "TableSource",
    "TableSummary",
    "VoronoiEditing",
    "bayes_error_bounds",
    "compare",
    "cross_val_error",
    "cross_val_log_likelihood",
    "grid_search",
    "load",
    "local_errors",
    "log_likelihood_scorer",
    "nn_error_bounds",
    "open_table",
    "query_most_uncertain",
    "read_columns",
    "summarize",
    "synthetic_report",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'boxwood' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
