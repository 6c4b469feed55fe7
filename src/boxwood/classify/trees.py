"""What tree classifiers share: reading classes, telling shares and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.classify.base import FractionClassifier
from boxwood.classify.class_weight import CLASS_WEIGHT, class_weighted
from boxwood.classify.classes import classes_of_state, read_classes, read_labels
from boxwood.columns import Schema
from boxwood.model_file import State
from boxwood.parameters import Choice, Parameter, declare
from boxwood.tree.supervised import SupervisedEstimator
from boxwood.tree.supervised.options import GAUSSIAN
from boxwood.tree.supervised.parameters import MONOTONIC_CST

__all__ = ["TreeClassifier"]


class TreeClassifier(FractionClassifier, SupervisedEstimator):
    """A tree or forest that tells classes: by the mean over trees of the fractions in the leaves."""

    _parameters = declare(
        Parameter(
            "criterion",
            Choice("gini", "entropy", "log_loss", GAUSSIAN),
            'The impurity that splits lessen. "gaussian_conditional_entropy" looks at numbers themselves, '
            "not at their order.",
        ),
        CLASS_WEIGHT,
        MONOTONIC_CST.but(
            f"{MONOTONIC_CST.sentence} Of two classes it is about the probability of the second."
        ),
    )

    classes_: NDArray[Any]
    class_weight: Any

    @property
    def n_classes_(self) -> int:
        """The number of classes."""
        return len(self.classes_)

    def _class_scores(self, X: Any) -> NDArray[np.float64]:
        return self._predicted(X)

    def _class_labels(self) -> NDArray[Any]:
        return self.classes_

    def _read_classes(self, y: Any) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        return read_classes(self, y)

    def _read_targets(self, y: Any) -> NDArray[Any]:
        return read_labels(self, y)

    def _score_of(self, predicted: NDArray[np.float64], targets: NDArray[Any], weights: Any) -> float:
        return float(np.average(self._labels(predicted) == targets, weights=weights))

    def _class_weighted(self, y: Any, codes: NDArray[np.uint32], sample_weight: Any) -> Any:
        """Return row weights times class weights."""
        return class_weighted(self.class_weight, y, len(codes), sample_weight)

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "classes": self.classes_.tolist()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        return {**self._trees_of_state(schema, state, len(classes)), "classes_": classes}
