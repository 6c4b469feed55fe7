"""Classifiers at the zoo: each fits or says why not, has probabilities, and survives a file."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import boxwood as bw
from zoo import continuous, copies, discrete, gaps, rounded
from zoo.table import SPECIES, find

HOUSES = (continuous, copies, discrete, gaps, rounded)

CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "forests": lambda: bw.BayesClassifier(bw.DensityForest(5, random_state=0)),
    "trees": lambda: bw.BayesClassifier(bw.DensityTree(margins="smooth")),
    "histograms": bw.HistogramNB,
    "Gaussians": bw.GaussianNB,
    "neighbours": lambda: bw.KNeighborsClassifier(n_neighbors=25),
    "decision tree": lambda: bw.DecisionTreeClassifier(random_state=0, min_samples_leaf=20),
    "decision forest": lambda: bw.RandomForestClassifier(10, random_state=0, min_samples_leaf=20),
}
REFUSALS = r"categor|missing|NaN|rows|sample|class|variance|neighbors"
"""Words of errors with which a classifier may refuse a table: no place for its values, or few rows."""


def labels_of(n: int, seed: int) -> np.ndarray:
    """Return classes that have nothing to do with the rows, both there."""
    labels = np.random.default_rng(seed).integers(0, 2, n)
    labels[: min(n, 2)] = [0, 1][: min(n, 2)]
    return np.array(["no", "yes"])[labels]


def n_rows_of(table: Any) -> int:
    return int(np.shape(table)[0])


@cache
def visit(name: str, species: str) -> Any:
    """Return a fitted classifier, or the message with which it refuses the table."""
    table = find(species)
    y = labels_of(n_rows_of(table.train), 0)
    try:
        return CLASSIFIERS[name]().fit(table.train, y, sample_weight=table.weights)
    except (ValueError, TypeError) as error:
        return str(error)


def probabilities(model: Any, rows: Any) -> Any:
    """Return probabilities, or the message about gaps in new rows where none were in training."""
    try:
        return model.predict_proba(rows)
    except ValueError as error:
        return str(error)


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("species", SPECIES)
@pytest.mark.parametrize("name", CLASSIFIERS)
class TestEveryTable:
    def test_probabilities_sum_to_one_and_survive_a_file(
        self, name: str, species: str, tmp_path: Path
    ) -> None:
        model, rows = visit(name, species), find(species).held_out
        p = model if isinstance(model, str) else probabilities(model, rows)
        if isinstance(p, str):
            assert re.search(REFUSALS, p, re.IGNORECASE), p
            return
        assert np.isfinite(p).all()
        np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-9)
        assert set(model.predict(rows)) <= set(model.classes_)
        model.save(tmp_path / "model")
        np.testing.assert_array_equal(bw.load(tmp_path / "model").predict_proba(rows), p)


def test_all_houses_are_open() -> None:
    assert len(SPECIES) > 40
    assert all(house.__name__.startswith("zoo.") for house in HOUSES)
