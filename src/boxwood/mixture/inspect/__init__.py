"""What a fitted tree looks like: boxes, rules in words, text, paths of rows.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
    from boxwood.mixture.inspect.boxes import TreeBoxes, boxes_of_tree, boxes_of_trees
    from boxwood.mixture.inspect.frame import leaves_frame
    from boxwood.mixture.inspect.nodes import TreeNodes, checked_tree, nodes_of_tree
    from boxwood.mixture.inspect.path import decision_paths
    from boxwood.mixture.inspect.rules import rule_of_leaf
    from boxwood.mixture.inspect.text import renamed_boxes, tree_as_text

__all__ = [
    "TreeBoxes",
    "TreeNodes",
    "boxes_of_tree",
    "boxes_of_trees",
    "checked_tree",
    "decision_paths",
    "leaves_frame",
    "nodes_of_tree",
    "renamed_boxes",
    "rule_of_leaf",
    "tree_as_text",
]

__getattr__ = at_first_use(
    __name__,
    {
        "TreeBoxes": "boxwood.mixture.inspect.boxes",
        "TreeNodes": "boxwood.mixture.inspect.nodes",
        "boxes_of_tree": "boxwood.mixture.inspect.boxes",
        "boxes_of_trees": "boxwood.mixture.inspect.boxes",
        "checked_tree": "boxwood.mixture.inspect.nodes",
        "decision_paths": "boxwood.mixture.inspect.path",
        "leaves_frame": "boxwood.mixture.inspect.frame",
        "nodes_of_tree": "boxwood.mixture.inspect.nodes",
        "renamed_boxes": "boxwood.mixture.inspect.text",
        "rule_of_leaf": "boxwood.mixture.inspect.rules",
        "tree_as_text": "boxwood.mixture.inspect.text",
    },
)
