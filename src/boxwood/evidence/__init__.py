"""Evidence: which rows are copies, what a table is worth in rows, and which rows are left out."""

from boxwood.evidence.discrete import find_measures
from boxwood.evidence.folds import Fold, shuffled_folds, validation_fold
from boxwood.evidence.groups import in_groups, kept_labels
from boxwood.evidence.lattice import find_lattice
from boxwood.evidence.shared_measure import share_measure
from boxwood.evidence.singles import without_single_categories
from boxwood.evidence.weights import Evidence, weigh_continuous, weigh_rows

__all__ = [
    "Evidence",
    "Fold",
    "find_lattice",
    "find_measures",
    "in_groups",
    "kept_labels",
    "share_measure",
    "shuffled_folds",
    "validation_fold",
    "weigh_continuous",
    "weigh_rows",
    "without_single_categories",
]
