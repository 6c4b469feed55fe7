"""Folds of a density's rows by what they are worth, and the tables of these."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.columns import Columns
from boxwood.evidence import Evidence, Fold, in_groups, shuffled_folds, validation_fold, weigh_rows
from boxwood.randomness import seed_of
from boxwood.select.folds import checked_fraction

__all__ = [
    "evidence_for",
    "folds_by_units",
    "for_parts",
    "is_number_of_folds",
    "rows_of",
    "taken_of",
]

EVIDENCE_NAMES = ("duplicates", "weight_kind")
"""Parameters of a density that say what rows are worth; other estimators have none."""


def evidence_for(estimator: Any, columns: Columns, groups: Any = None) -> Evidence:
    """Return what rows are worth to an estimator, by its own parameters where it has them."""
    evidence = weigh_rows(
        columns,
        **{name: value for name, value in estimator.get_params().items() if name in EVIDENCE_NAMES},
    )
    return evidence if groups is None else in_groups(evidence, groups)


def for_parts(estimator: Any, evidence: Evidence) -> Any:
    """Return a clone that reads the weights of parts of a table as those of the whole were read."""
    model = clone(estimator)
    if getattr(model, "weight_kind", None) != "auto":
        return model
    given = evidence.given_weights
    whole = np.array_equal(given, np.rint(given))
    return model.set_params(weight_kind="frequency" if whole else "survey")


def is_number_of_folds(cv: Any) -> bool:
    """Return whether folds are made here: by their number, or as a part of the rows."""
    return isinstance(cv, int | float | np.integer | np.floating) and not isinstance(cv, bool)


def folds_by_units(evidence: Evidence, cv: float, random_state: Any) -> list[Fold]:
    """Return folds in which a continuous row is with all its copies, and a discrete one unit by unit."""
    if isinstance(cv, int | np.integer):
        return shuffled_folds(evidence, int(cv), seed_of(random_state))
    return validation_fold(evidence, checked_fraction(cv), seed_of(random_state))


def rows_of(evidence: Evidence, weights: NDArray[np.float64]) -> tuple[Columns, NDArray[np.intp]]:
    """Return the table of some of the rows' units, and which distinct row each of its rows is.

    Rows that were given without weights come as often as they have units, others with as much of their
    weight: a model reads the part as it would read the whole.
    """
    return taken_of(evidence, weights / evidence.weights)


def taken_of(evidence: Evidence, fraction: NDArray[np.float64]) -> tuple[Columns, NDArray[np.intp]]:
    """Return the table of fractions of the rows, and which distinct row each of its rows is."""
    given = evidence.merged_weights
    taken = given * fraction
    bare = evidence.columns.without_weights()
    if np.array_equal(given, np.rint(given)):
        taken = np.rint(taken)
    if (evidence.given_weights == 1.0).all():
        rows = np.repeat(np.arange(evidence.n_rows), taken.astype(np.int64))
        return bare.take(rows), rows
    rows = np.flatnonzero(taken > 0.0)
    return bare.with_weights(taken), rows
