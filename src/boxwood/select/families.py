"""The classifier families of the library, ready to be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.classify import (
    BayesClassifier,
    DecisionTreeClassifier,
    GaussianNB,
    HistogramNB,
    KNeighborsClassifier,
    LinearDiscriminantAnalysis,
    LogisticRegression,
    PriorClassifier,
    QuadraticDiscriminantAnalysis,
    RandomForestClassifier,
)
from boxwood.density import BoostedDensity, DensityForest, DensityTree
from boxwood.parameters import shown
from boxwood.prototypes import CondensedNearestNeighbour
from boxwood.select.numbers import EncodedClassifier

__all__ = ["FAMILIES", "Family", "makers_of"]


@dataclass(frozen=True)
class Family:
    """A kind of classifier: how to make one, from a seed, and what it is given."""

    make: Callable[[int], Any]
    reads: str = "table"
    """What it is given: the "table" as it is; "numbers", scaled, with categories as indicators and means in
    place of missing values; or "numbers with holes"."""


FAMILIES: dict[str, Family] = {
    "prior": Family(lambda seed: PriorClassifier()),
    "naive Bayes, Gaussian": Family(lambda seed: GaussianNB(var_smoothing=0.01), "numbers with holes"),
    "naive Bayes, histograms": Family(lambda seed: HistogramNB()),
    "linear discriminant": Family(lambda seed: LinearDiscriminantAnalysis(), "numbers"),
    "quadratic discriminant": Family(lambda seed: QuadraticDiscriminantAnalysis(shrinkage="auto"), "numbers"),
    "logistic regression": Family(lambda seed: LogisticRegression(), "numbers"),
    "nearest neighbours": Family(lambda seed: KNeighborsClassifier("log"), "numbers"),
    "condensed neighbours": Family(lambda seed: CondensedNeighbors(seed), "numbers"),
    "decision tree": Family(lambda seed: DecisionTreeClassifier(ccp_alpha="cv", random_state=seed)),
    "Bayes, density trees": Family(lambda seed: BayesClassifier(_density_tree(seed))),
    "random forest": Family(lambda seed: RandomForestClassifier(random_state=seed)),
    "Bayes, density forests": Family(lambda seed: BayesClassifier(DensityForest(random_state=seed))),
    "Bayes, boosted densities": Family(lambda seed: BayesClassifier(BoostedDensity(random_state=seed))),
}
"""By name, the quick ones first: a time budget leaves out what is slow. What keeps a family from its worst
on indicators that are constant in a class is set: smoothing of variances, shrinkage of covariances."""


def _density_tree(seed: int) -> DensityTree:
    # Measured on four small tables: these leaves halve the log-loss of the defaults.
    return DensityTree(margins="smooth", leaf="histogram", criterion="product_likelihood", random_state=seed)


class CondensedNeighbors:
    """The nearest neighbour among Hart's condensed rows."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def fit(self, X: NDArray[np.float64], y: NDArray[Any], sample_weight: Any = None) -> Self:
        """Condense the rows; how often each of them stands there makes no difference."""
        few, labels = CondensedNearestNeighbour(random_state=self.seed).fit_resample(X, y)
        self.neighbor_ = KNeighborsClassifier(1).fit(few, labels)
        self.classes_ = self.neighbor_.classes_
        return self

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return 1 for the class of the nearest condensed row."""
        return self.neighbor_.predict_proba(X)


def makers_of(models: Any, seed: int) -> dict[str, Callable[[], Any]]:
    """Return, by name, what makes a new model of each that a parameter ``models`` asks for.

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
    if family.reads == "table":
        return lambda: family.make(seed)
    return lambda: EncodedClassifier(family.make(seed), keep_missing=family.reads == "numbers with holes")
