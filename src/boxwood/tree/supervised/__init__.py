"""Decision and regression trees and forests: what classify and regress share."""

from boxwood.tree.supervised.base import TargetEstimator
from boxwood.tree.supervised.trees import TargetTrees

__all__ = ["TargetEstimator", "TargetTrees"]
