"""Charts: Display classes that keep their numbers, drawn with matplotlib (the extra ``plot``)."""

from boxwood.plot.bayes_error import BayesErrorDisplay
from boxwood.plot.comparison import ComparisonDisplay
from boxwood.plot.decision_region import DecisionRegionDisplay
from boxwood.plot.density_display import DensityDisplay
from boxwood.plot.density_tree import DensityTreeDisplay
from boxwood.plot.histogram_display import HistogramDisplay

__all__ = [
    "BayesErrorDisplay",
    "ComparisonDisplay",
    "DecisionRegionDisplay",
    "DensityDisplay",
    "DensityTreeDisplay",
    "HistogramDisplay",
]
