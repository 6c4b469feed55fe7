"""Charts: Display classes that keep their numbers, drawn with matplotlib (the extra ``plot``)."""

from boxwood.plot.bayes_error import BayesErrorDisplay
from boxwood.plot.comparison import ComparisonDisplay
from boxwood.plot.conditional_display import ConditionalDisplay
from boxwood.plot.decision_region import DecisionRegionDisplay
from boxwood.plot.density_display import DensityDisplay
from boxwood.plot.density_tree import DensityTreeDisplay
from boxwood.plot.dependence_display import DependenceDisplay
from boxwood.plot.explanation_display import ExplanationDisplay
from boxwood.plot.histogram_display import HistogramDisplay
from boxwood.plot.pair_display import PairDisplay
from boxwood.plot.prediction_display import PredictionDisplay
from boxwood.plot.prototype_display import PrototypeDisplay
from boxwood.plot.tree_display import TreeDisplay

__all__ = [
    "BayesErrorDisplay",
    "ComparisonDisplay",
    "ConditionalDisplay",
    "DecisionRegionDisplay",
    "DensityDisplay",
    "DensityTreeDisplay",
    "DependenceDisplay",
    "ExplanationDisplay",
    "HistogramDisplay",
    "PairDisplay",
    "PredictionDisplay",
    "PrototypeDisplay",
    "TreeDisplay",
]
