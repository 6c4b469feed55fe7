"""The probabilities of classes given the columns, by a forest that is grown for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.binning.thresholds import rows_of
from boxwood.classify import RandomForestClassifier
from boxwood.columns import Columns, Schema
from boxwood.evidence import weigh_rows
from boxwood.model_file import State
from boxwood.table.target.leaf_forest import GrownForest, grow
from boxwood.table.target.mixing import mixture_weights
from boxwood.table.target.number_target import split_target
from boxwood.table.target.settings import THOROUGH, TargetSettings

__all__ = ["ClassTarget"]

LEAST_WEIGHT = 1e-4
"""Of the classes' own frequencies: a class that no leaf of a row has seen stays possible."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassTarget:
    """A mixture of forests of small and large leaves and the classes' frequencies.

    The weights are those of the largest out-of-bag likelihood.

    Attributes
    ----------
    forests : list of RandomForestClassifier
    frequencies : ndarray of shape (n_classes,)
    weights : ndarray of shape (n_forests + 1,)
    """

    forests: list[Any]
    frequencies: Numbers
    weights: Numbers

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
        return cls([one.forest for one in grown], frequencies, weights / weights.sum())

    def probabilities(self, columns: Columns) -> Numbers:
        """Return the probability of each class given each row: (n_rows, n_classes)."""
        rows = rows_of(columns)
        found = np.tile(self.weights[-1] * self.frequencies, (columns.n_rows, 1))
        for weight, forest in zip(self.weights[:-1], self.forests, strict=True):
            found += weight * forest.trees_.native.predict(rows, 1)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "forests": [forest._get_state() for forest in self.forests],
            "frequencies": self.frequencies,
            "weights": self.weights,
        }

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
        return cls(forests, frequencies, weights)


def _new_forest(settings: TargetSettings, size: int) -> Any:
    return RandomForestClassifier(
        settings.n_trees, criterion="entropy", min_samples_leaf=size, n_jobs=settings.n_jobs
    )


def _predicted(grown: list[GrownForest], codes: NDArray[np.uint32], frequencies: Numbers) -> Numbers:
    """Return the out-of-bag probability of each row's class by each part."""
    rows = np.arange(len(codes))
    parts = [one.left_out[rows, codes] for one in grown]
    return np.stack([*parts, frequencies[codes]], axis=1)
