"""How useful synthetic rows are: models trained on them, tested on real rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.synthetic.encoded import features_of, sampled, without_empty

__all__ = ["Usefulness", "measure_usefulness"]

MOST_ROWS = 20_000
MOST_TARGETS = 8
"""Columns that are predicted in turn where no target is named."""


@dataclass(frozen=True)
class Usefulness:
    """What models of one column learn from real and from synthetic rows.

    Attributes
    ----------
    target : str
    measure : {"accuracy", "R²"}
    real, synthetic : float
        Of a model trained on real rows, and of one trained on synthetic rows; both tested on the same real
        rows.
    """

    target: str
    measure: str
    real: float
    synthetic: float

    @property
    def loss(self) -> float:
        """By how much training on synthetic rows is worse."""
        return self.real - self.synthetic


def measure_usefulness(
    real: Columns, synthetic: Columns, test: Columns, target: str | None, seed: int
) -> list[Usefulness]:
    """Train on real and on synthetic rows, test on other real rows; a line a target."""
    rng = np.random.default_rng(seed)
    tables = [features_of(sampled(table, MOST_ROWS, rng)) for table in (real, synthetic, test)]
    names = real.schema.names
    targets = [names.index(target)] if target is not None else range(min(len(names), MOST_TARGETS))
    found = [_of_target(j, real, [table[0] for table in tables], tables[0][1], seed) for j in targets]
    return [each for each in found if each is not None]


def _of_target(
    j: int, real: Columns, tables: list[NDArray[np.float64]], categorical: list[bool], seed: int
) -> Usefulness | None:
    is_number = real[j].kind.is_number
    others = [i for i in range(len(categorical)) if i != j]
    if not others:
        return None
    kept = [table[~np.isnan(table[:, j])] for table in tables]
    if min(map(len, kept)) < 10 or any(len(np.unique(table[:, j])) < 2 for table in kept):
        return None
    test = kept[2]
    scores = []
    for train in kept[:2]:
        model = _model(is_number, [categorical[i] for i in others], seed)
        both = without_empty(np.concatenate([train, test]), np.arange(len(train)))[:, others]
        model.fit(both[: len(train)], train[:, j])
        scores.append(float(model.score(both[len(train) :], test[:, j])))
    return Usefulness(real.schema.names[j], "R²" if is_number else "accuracy", *scores)


def _model(is_number: bool, categorical: list[bool], seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingRegressor if is_number else HistGradientBoostingClassifier
    return kind(categorical_features=categorical, max_iter=60, random_state=seed)
