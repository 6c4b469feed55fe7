"""Evidence: which rows are copies, what a table is worth in rows, and which rows are left out."""

from boxwood.evidence.discrete import find_measures
from boxwood.evidence.folds import Fold, shuffled_folds, validation_fold
from boxwood.evidence.groups import in_groups, kept_labels
from boxwood.evidence.lattice import find_lattice
from boxwood.evidence.shared_measure import SharedTable, share_measure, shared_table
from boxwood.evidence.singles import without_single_categories
from boxwood.evidence.weights import Evidence, weigh_continuous, weigh_rows

__all__ = [
    "Evidence",
    "Fold",
    "SharedTable",
    "find_lattice",
    "find_measures",
    "in_groups",
    "kept_labels",
    "share_measure",
    "shared_table",
    "shuffled_folds",
    "validation_fold",
    "weigh_continuous",
    "weigh_rows",
    "without_single_categories",
]
