"""Evidence: which rows are copies, what a table is worth in rows, and which rows are left out."""

from boxwood.evidence.discrete import ColumnMeasure, find_measures
from boxwood.evidence.folds import Fold, bootstrap, shuffled_folds, subsample, validation_fold
from boxwood.evidence.lattice import Lattice, find_lattice
from boxwood.evidence.weights import Evidence, weigh_rows

__all__ = [
    "ColumnMeasure",
    "Evidence",
    "Fold",
    "Lattice",
    "bootstrap",
    "find_lattice",
    "find_measures",
    "shuffled_folds",
    "subsample",
    "validation_fold",
    "weigh_rows",
]
