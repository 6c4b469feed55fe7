"""Charts: Display classes that keep their numbers, drawn with matplotlib (the extra ``plot``)."""

from boxwood.plot.density_tree import DensityTreeDisplay
from boxwood.plot.histogram_display import HistogramDisplay

__all__ = ["DensityTreeDisplay", "HistogramDisplay"]
