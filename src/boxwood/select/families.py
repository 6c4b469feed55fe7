"""Families of classifiers and regressors, ready to be compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

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
from boxwood.regress import (
    DecisionTreeRegressor,
    KNeighborsRegressor,
    LinearRegression,
    RandomForestRegressor,
)
from boxwood.select.numbers import EncodedClassifier, EncodedRegressor

__all__ = ["FAMILIES", "REGRESSION_FAMILIES", "Family", "makers_of"]


@dataclass(frozen=True)
class Family:
    """A kind of model: how to make one, from a seed, and what it is given."""

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
    "decision tree": Family(lambda seed: DecisionTreeClassifier(ccp_alpha="cv", random_state=seed)),
    "random forest": Family(lambda seed: RandomForestClassifier(random_state=seed)),
    "gradient boosting": Family(
        lambda seed: HistGradientBoostingClassifier(random_state=seed), "numbers with holes"
    ),
    "nearest neighbours": Family(lambda seed: KNeighborsClassifier("log"), "numbers"),
    "condensed neighbours": Family(lambda seed: CondensedNeighbors(seed), "numbers"),
    "Bayes, density trees": Family(lambda seed: BayesClassifier(_density_tree(seed))),
    "Bayes, density forests": Family(lambda seed: BayesClassifier(DensityForest(random_state=seed))),
    "forests of the target": Family(lambda seed: _conditional("ConditionalClassifier", seed)),
    "Bayes, boosted densities": Family(
        lambda seed: BayesClassifier(BoostedDensity(preset="quick", random_state=seed))
    ),
}
"""By name, those first that are quick with 30,000 rows: a time budget leaves out what is slow. What keeps a
family from its worst on indicators that are constant in a class is set: smoothing of variances, shrinkage of
covariances. Forests of the target are what a table's model predicts it by. Boosted densities have their quick
preset: the whole one takes twice as long with 344 rows and ten times with 30,000. Gradient boosting is
scikit-learn's, to compare with."""

REGRESSION_FAMILIES: dict[str, Family] = {
    "mean": Family(lambda seed: DummyRegressor(), "numbers"),
    "linear regression": Family(lambda seed: LinearRegression(), "numbers"),
    "nearest neighbours": Family(lambda seed: KNeighborsRegressor("log"), "numbers"),
    "decision tree": Family(lambda seed: DecisionTreeRegressor(ccp_alpha="cv", random_state=seed)),
    "gradient boosting": Family(
        lambda seed: HistGradientBoostingRegressor(random_state=seed), "numbers with holes"
    ),
    "random forest": Family(lambda seed: RandomForestRegressor(random_state=seed)),
    "forests of the target": Family(lambda seed: _conditional("ConditionalRegressor", seed)),
}
"""Families of regressors by name, the quick ones first; the mean and gradient boosting are scikit-learn's."""


def _conditional(name: str, seed: int) -> Any:
    from boxwood import table  # whose summaries compare families: not before it is there

    return getattr(table, name)(random_state=seed)


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


def makers_of(models: Any, seed: int, task: str = "classification") -> dict[str, Callable[[], Any]]:
    """Return, by name, what makes a new model of each that a parameter ``models`` asks for.

    Parameters
    ----------
    models : None, sequence or mapping
        None for all families; else names of families and models, by name where it is a mapping.
    seed : int
    task : {"classification", "regression"}
    """
    families = FAMILIES if task == "classification" else REGRESSION_FAMILIES
    if models is None:
        models = {name: name for name in families}
    if isinstance(models, Mapping):
        named = dict(models)
    elif isinstance(models, Sequence) and not isinstance(models, str | bytes):
        named = _named(models)
    else:
        raise TypeError(f"models must be a list or a dictionary of models; got {shown(models)}.")
    if not named:
        raise ValueError("models is empty: nothing to compare.")
    return {str(name): _maker(model, seed, task, families) for name, model in named.items()}


def _named(models: Sequence[Any]) -> dict[str, Any]:
    """Name models by their classes; the second of a class is told apart by a number."""
    named: dict[str, Any] = {}
    for model in models:
        name = base = model if isinstance(model, str) else type(model).__name__
        count = 1
        while name in named:
            count += 1
            name = f"{base} {count}"
        named[name] = model
    return named


def _maker(model: Any, seed: int, task: str, families: Mapping[str, Family]) -> Callable[[], Any]:
    if isinstance(model, str):
        if model not in families:
            raise ValueError(
                f"there is no family {model!r}; the families are {', '.join(families)} (of {task}, "
                "which `task` chooses)."
            )
        return partial(_made, model, seed, task)
    kind, method = ("classifier", "predict_proba") if task == "classification" else ("regressor", "predict")
    if not hasattr(model, "fit") or not hasattr(model, method):
        raise TypeError(
            f"a {kind} with fit and {method} is needed, or the name of a family; got {shown(model)}."
        )
    return partial(clone, model)


def _made(name: str, seed: int, task: str) -> Any:
    """Return a new model of a family; by name, so that another process can make it too."""
    family = (FAMILIES if task == "classification" else REGRESSION_FAMILIES)[name]
    if family.reads == "table":
        return family.make(seed)
    encoded = EncodedClassifier if task == "classification" else EncodedRegressor
    return encoded(family.make(seed), keep_missing=family.reads == "numbers with holes")
