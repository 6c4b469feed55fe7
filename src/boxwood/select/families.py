"""The classifier families of the library, ready to be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from boxwood.classify import (
    BayesClassifier,
    DecisionTreeClassifier,
    HistogramNB,
    PriorClassifier,
    RandomForestClassifier,
)
from boxwood.density import DensityForest, DensityTree
from boxwood.parameters import shown
from boxwood.select.numbers import NumbersFirst

__all__ = ["FAMILIES", "Family", "makers_of"]


@dataclass(frozen=True)
class Family:
    """A kind of classifier: how to make one, from a seed, and what it is given."""

    make: Callable[[int], Any]
    needs_numbers: bool = False
    """Whether it reads a table's numbers (scaled, categories as indicators, missing values as means) instead
    of the table itself."""


FAMILIES: dict[str, Family] = {
    "prior": Family(lambda seed: PriorClassifier()),
    "naive Bayes, histograms": Family(lambda seed: HistogramNB()),
    "decision tree": Family(lambda seed: DecisionTreeClassifier(ccp_alpha="cv", random_state=seed)),
    "Bayes, density trees": Family(
        lambda seed: BayesClassifier(DensityTree(margins="smooth", leaf="histogram", random_state=seed))
    ),
    "random forest": Family(lambda seed: RandomForestClassifier(random_state=seed)),
    "Bayes, density forests": Family(lambda seed: BayesClassifier(DensityForest(random_state=seed))),
}
"""By name, the quick ones first: a time budget leaves out what is slow."""


def makers_of(models: Any, seed: int) -> dict[str, Callable[[], Any]]:
    """Give, by name, what makes a new model of each that a parameter ``models`` asks for.

    Parameters
    ----------
    models : None, sequence or mapping
        None for all families; else names of families and classifiers, by name where it is a mapping.
    seed : int
    """
    if models is None:
        return {name: _of_family(family, seed) for name, family in FAMILIES.items()}
    if isinstance(models, Mapping):
        named = dict(models)
    elif isinstance(models, Sequence) and not isinstance(models, str | bytes):
        named = _named(models)
    else:
        raise TypeError(f"models must be a list or a dictionary of classifiers; got {shown(models)}.")
    if not named:
        raise ValueError("models is empty: nothing to compare.")
    return {str(name): _maker(model, seed) for name, model in named.items()}


def _named(models: Sequence[Any]) -> dict[str, Any]:
    """Name classifiers by their classes; the second of a class is told apart by a number."""
    named: dict[str, Any] = {}
    for model in models:
        name = base = model if isinstance(model, str) else type(model).__name__
        count = 1
        while name in named:
            count += 1
            name = f"{base} {count}"
        named[name] = model
    return named


def _maker(model: Any, seed: int) -> Callable[[], Any]:
    if isinstance(model, str):
        if model not in FAMILIES:
            raise ValueError(f"there is no family {model!r}; the families are {', '.join(FAMILIES)}.")
        return _of_family(FAMILIES[model], seed)
    if not hasattr(model, "fit") or not hasattr(model, "predict_proba"):
        raise TypeError(
            f"a classifier with fit and predict_proba is needed, or the name of a family; got {shown(model)}."
        )
    return lambda: clone(model)


def _of_family(family: Family, seed: int) -> Callable[[], Any]:
    if family.needs_numbers:
        return lambda: NumbersFirst(family.make(seed))
    return lambda: family.make(seed)
