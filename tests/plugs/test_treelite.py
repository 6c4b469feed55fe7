"""Trees and forests in treelite's form, run by its reference implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from mixed_tables import fitted, kinds, mixed_table, new_rows, predicted, seeds

import boxwood as bw
from boxwood.datasets import load_cars
from properties import examples

treelite = pytest.importorskip("treelite", reason="treelite is not installed: `make test-plugs` installs it")


def run(model, rows) -> np.ndarray:
    numbers = np.ascontiguousarray(bw.read_columns(rows).matched(model.schema_).matrix())
    return treelite.gtil.predict(model.to_treelite(), numbers).reshape(len(numbers), -1)


@examples(30)
@given(kinds, seeds)
def test_treelite_predicts_the_same(kind, seed):
    table = mixed_table(seed, n=80, n_categories=9)
    model, _ = fitted(kind, table, seed)
    for rows in (table, new_rows(table, seed)):
        np.testing.assert_allclose(run(model, rows), predicted(model, rows), atol=1e-12, rtol=1e-12)


def test_several_targets():
    X, y = load_cars(return_X_y=True)
    model = bw.RandomForestRegressor(5, random_state=0).fit(X, np.column_stack([y, -y, y**2]))
    np.testing.assert_allclose(run(model, X), model.predict(X), rtol=1e-12)


def test_oblique_splits():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = bw.DecisionTreeClassifier(oblique=2, random_state=0).fit(X, X.sum(axis=1) > 0)
    with pytest.raises(ValueError, match="oblique=0"):
        model.to_treelite()
