"""Decision and regression trees and forests: what classify and regress share."""

from boxwood.decision.base import TargetEstimator
from boxwood.decision.trees import TargetTrees

__all__ = ["TargetEstimator", "TargetTrees"]
