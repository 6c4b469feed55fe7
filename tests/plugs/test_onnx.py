"""Trees and forests in ONNX's form, run by onnxruntime."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_tables import MODELS, fitted, kinds, mixed_table, new_rows, predicted, seeds
from sklearn.datasets import load_iris

import boxwood as bw
from boxwood.datasets import load_cars, load_census, load_penguins
from properties import examples

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'boxwood[onnx]'")
ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")


def feed(table: pd.DataFrame) -> dict[str, np.ndarray]:
    """Return the columns of a frame as the inputs of a model."""
    given = {}
    for name, column in table.items():
        if pd.api.types.is_numeric_dtype(column) or column.dtype == bool:
            given[name] = column.to_numpy(dtype=float, na_value=np.nan)[:, None]
        else:
            text = [["" if pd.isna(value) else str(value)] for value in column]
            given[name] = np.array(text, dtype=object)
    return given


def run(model, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
    written = model.to_onnx().SerializeToString()
    session = ort.InferenceSession(written, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def check(model, rows) -> None:
    *label, answers = run(model, feed(rows))
    np.testing.assert_allclose(answers, predicted(model, rows), atol=1e-6, rtol=1e-6)
    if label:
        best = np.sort(predicted(model, rows), axis=1)
        clear = best[:, -1] - best[:, -2] > 1e-9  # ties may fall either way by rounding
        np.testing.assert_array_equal(label[0][clear], model.predict(rows)[clear])


@examples(40)
@given(kinds, seeds, st.sampled_from([2, 5, 31, 33, 70]))
def test_onnxruntime_predicts_the_same(kind, seed, n_categories):
    table = mixed_table(seed, n=80, n_categories=n_categories)
    model, _ = fitted(kind, table, seed)
    check(model, table)
    check(model, new_rows(table, seed))


@pytest.mark.parametrize(
    ("load", "model"),
    [
        (load_penguins, bw.DecisionTreeClassifier()),
        (load_census, bw.RandomForestClassifier(10, random_state=0)),
        (load_cars, bw.RandomForestRegressor(10, random_state=0)),
    ],
)
def test_real_tables(load, model):
    X, y = load(return_X_y=True)
    check(model.fit(X, np.asarray(y)), X)


def test_an_array_is_one_input():
    X, y = load_iris(return_X_y=True)
    model = bw.RandomForestClassifier(5, random_state=0).fit(X, y)
    label, answers = run(model, {"X": X})
    np.testing.assert_allclose(answers, model.predict_proba(X), atol=1e-12)
    assert label.dtype == np.int64


def test_several_targets():
    X, y = load_cars(return_X_y=True)
    model = bw.RandomForestRegressor(5, random_state=0).fit(X, np.column_stack([y, -y, y**2]))
    (answers,) = run(model, feed(X))
    np.testing.assert_allclose(answers, model.predict(X), rtol=1e-12)


@pytest.mark.parametrize("classes", [[True, False], [2.0, 1.0], [3, 1], ["no", "yes"]])
def test_classes_keep_their_type(classes):
    model = bw.DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [*classes, *classes])
    label, _ = run(model, {"X": np.array([[0.0], [1.0]])})
    assert label.tolist() == classes


def test_missing_and_empty_strings():
    table = {"hue": ["", "red", "red", ""]}
    model = bw.DecisionTreeClassifier().fit(table, [0, 1, 1, 0])
    label, _ = run(model, {"hue": np.array([[""], ["red"]], dtype=object)})
    assert label.tolist() == [0, 1]


def test_columns_called_like_outputs():
    table = pd.DataFrame({"label": [0.0, 1.0], "probabilities": ["a", "b"], "label_": [1.0, 1.0]})
    model = bw.DecisionTreeClassifier().fit(table, ["no", "yes"])
    assert [output.name for output in model.to_onnx().graph.output] == ["label__", "probabilities_"]
    check(model, table)


@pytest.mark.parametrize(
    ("table", "y", "options", "message"),
    [
        (
            {"hue": pd.Categorical(["red", 1, "red", 1])},
            [0, 1, 0, 1],
            {},
            "'hue' are strings and numbers",
        ),
        ({"": [0.0, 1.0], "b": [1.0, 1.0]}, [0, 1], {}, "a column's name is empty"),
        (np.random.default_rng(0).normal(size=(50, 2)), [0, 1] * 25, {"oblique": 2}, "oblique splits"),
    ],
)
def test_what_it_cannot(table, y, options, message):
    table = pd.DataFrame(table)
    model = bw.DecisionTreeClassifier(random_state=0, **options).fit(table, y)
    with pytest.raises(ValueError, match=message):
        model.to_onnx()


def test_every_kind_of_model_has_sets_of_categories():
    table = mixed_table(0)
    for kind in set(MODELS) - {"a single leaf"}:
        model, _ = fitted(kind, table, 0)
        assert model.trees_.coded.any(), kind
