"""Explanations in SHAP's form: what they hold, and that its plots draw them."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import boxwood as bw
from boxwood.datasets import load_cars, load_penguins

mpl.use("Agg")
shap = pytest.importorskip("shap", reason="shap is not installed: `make test-plugs` installs it")
from boxwood.plugs.shap import explanation  # noqa: E402

PENGUINS = load_penguins()


def test_a_forest_of_values():
    X, y = load_cars(return_X_y=True)
    model = bw.RandomForestRegressor(5, random_state=0).fit(X, y)
    explained = explanation(model, X)
    assert explained.shape == X.shape
    assert explained.feature_names == list(X.columns)
    np.testing.assert_allclose(
        explained.values.sum(axis=1) + explained.base_values, model.predict(X), atol=1e-9
    )
    assert explained.display_data[0, -1] == "USA"


def test_a_tree_of_classes():
    model = bw.DecisionTreeClassifier().fit(PENGUINS.data, PENGUINS.target)
    explained = explanation(model, PENGUINS.data[:20])
    assert explained.shape == (20, 7, 3)
    assert explained.output_names == ["Adelie", "Chinstrap", "Gentoo"]
    total = explained.values.sum(axis=1) + explained.base_values
    np.testing.assert_allclose(total, model.predict_proba(PENGUINS.data[:20]), atol=1e-9)


@pytest.mark.parametrize("as_frame", ["pandas", "polars", "pyarrow", False])
def test_a_density(as_frame):
    table = load_penguins(as_frame=as_frame).frame
    density = bw.DensityForest(10, random_state=0).fit(table)
    explained = explanation(density, table)
    np.testing.assert_allclose(explained.values.sum(axis=1), -density.score_samples(table), atol=1e-8)
    assert explained.base_values.tolist() == [0.0] * 344
    assert not np.allclose(explained.values, explanation(density, table, kind="rest").values)


def test_a_table_model_and_a_detector():
    rows = PENGUINS.frame[:50]
    model = bw.TableModel(random_state=0).fit(PENGUINS.frame)
    explained = explanation(model, rows)
    np.testing.assert_allclose(explained.values.sum(axis=1), -model.score_samples(rows), atol=1e-8)
    detector = bw.AnomalyDetector().fit(PENGUINS.frame)
    np.testing.assert_array_equal(explanation(detector, rows).values, detector.explain(rows).to_numpy())


def test_an_array_has_names_for_its_columns():
    X = np.random.default_rng(0).normal(size=(60, 3))
    explained = explanation(bw.GaussianDensity().fit(X), X)
    assert len(explained.feature_names) == 3


def test_what_explains_nothing():
    X = PENGUINS.data[["body_mass_g"]].astype(float).fillna(0.0)
    model = bw.GaussianNB().fit(X, PENGUINS.target)
    with pytest.raises(TypeError, match="GaussianNB explains nothing"):
        explanation(model, X)


# What SHAP itself does with numpy and matplotlib is not ours to mend.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("plot", ["beeswarm", "bar", "waterfall", "scatter", "heatmap", "violin"])
def test_its_plots_draw_them(plot):
    import matplotlib.pyplot as plt

    density = bw.DensityTree(random_state=0).fit(PENGUINS.frame)
    explained = explanation(density, PENGUINS.frame)
    chosen = {"waterfall": explained[0], "scatter": explained[:, "body_mass_g"]}.get(plot, explained)
    getattr(shap.plots, plot)(chosen, show=False)
    assert plt.gcf().axes
    plt.close("all")
