"""What a fitted tree looks like: boxes, rules in words, text, paths of rows."""

from boxwood.mixture.inspect.boxes import TreeBoxes, boxes_of_tree, boxes_of_trees
from boxwood.mixture.inspect.frame import leaves_frame
from boxwood.mixture.inspect.nodes import TreeNodes, checked_tree, nodes_of_tree
from boxwood.mixture.inspect.path import decision_paths
from boxwood.mixture.inspect.rules import rule_of_leaf
from boxwood.mixture.inspect.text import tree_as_text

__all__ = [
    "TreeBoxes",
    "TreeNodes",
    "boxes_of_tree",
    "boxes_of_trees",
    "checked_tree",
    "decision_paths",
    "leaves_frame",
    "nodes_of_tree",
    "rule_of_leaf",
    "tree_as_text",
]
