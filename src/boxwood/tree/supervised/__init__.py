"""Decision and regression trees and forests: what classify and regress share."""

from boxwood.tree.supervised.base import SupervisedEstimator
from boxwood.tree.supervised.trees import SupervisedTrees

__all__ = ["SupervisedEstimator", "SupervisedTrees"]
