"""Evidence: which rows are copies, what a table is worth in rows, and which rows are left out."""

from boxwood.evidence.discrete import find_measures
from boxwood.evidence.folds import Fold, bootstrap, shuffled_folds, subsample, validation_fold
from boxwood.evidence.groups import in_groups
from boxwood.evidence.lattice import find_lattice
from boxwood.evidence.shared_measure import share_measure
from boxwood.evidence.singles import without_single_categories
from boxwood.evidence.weights import Evidence, weigh_rows

__all__ = [
    "Evidence",
    "Fold",
    "bootstrap",
    "find_lattice",
    "find_measures",
    "in_groups",
    "share_measure",
    "shuffled_folds",
    "subsample",
    "validation_fold",
    "weigh_rows",
    "without_single_categories",
]
