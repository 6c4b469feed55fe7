"""PredictionDisplay: numbers are the model's predictions, leaves are the tree's, bands are what they say."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

import boxwood as bw
from boxwood.datasets import load_penguins

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

show = bw.PredictionDisplay.from_estimator

RNG = np.random.default_rng(0)
X = RNG.uniform(0.0, 6.0, (200, 2))
Y = np.sin(X[:, 0]) + 0.3 * X[:, 1] + RNG.normal(scale=0.2, size=200)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def penguins():
    return load_penguins().frame.dropna(subset=["body_mass_g"])


@pytest.mark.parametrize(
    "model",
    [bw.LinearRegression(), bw.KNeighborsRegressor(), bw.RandomForestRegressor(5, random_state=0), Ridge()],
    ids=lambda model: type(model).__name__,
)
def test_curves_and_maps_are_the_predictions(model):
    one = show(model.fit(X[:, :1], Y), X[:, :1], Y, resolution=30)
    np.testing.assert_allclose(one.predictions[:, 0], model.predict(one.x.values[:, None]))
    np.testing.assert_array_equal(one.points[0], X[:, 0])
    np.testing.assert_array_equal(one.points[2][:, 0], Y)
    two = show(model.fit(X, Y), X, Y, resolution=8)
    across, up = np.meshgrid(two.x.values, two.y.values)
    rows = np.column_stack([across.ravel(), up.ravel()])
    np.testing.assert_allclose(two.predictions.ravel(), model.predict(rows))
    slice_ = show(model, X, Y, columns="x1", at={"x0": 2.0}, resolution=10)
    assert slice_.fixed == {"x0": 2.0}
    np.testing.assert_allclose(
        slice_.predictions[:, 0], model.predict(np.column_stack([np.full(10, 2.0), slice_.x.values]))
    )


def test_a_tree_of_one_feature_is_steps_between_its_cuts():
    tree = bw.DecisionTreeRegressor(max_leaf_nodes=6).fit(X[:, :1], Y)
    display = show(tree, X[:, :1], Y)
    thresholds = np.sort(tree.trees_.threshold[tree.trees_.feature >= 0])
    np.testing.assert_allclose(display.cuts, thresholds)
    assert len(display.predictions) == tree.get_n_leaves()
    leaves = tree.apply(display.x.values[:, None])
    rows_of = [Y[tree.apply(X[:, :1]) == leaf] for leaf in leaves]
    errors = [rows.std() / np.sqrt(len(rows)) for rows in rows_of]
    half = 0.5 * (display.band[:, 0, 1] - display.band[:, 0, 0])
    np.testing.assert_allclose(half, errors, atol=1e-9)
    assert display.band_name == "± standard error"


def test_bands_of_a_line_and_of_a_distribution():
    line = bw.LinearRegression().fit(X[:, :1], Y)
    display = show(line, X[:, :1], Y, resolution=9)
    half = 0.5 * (display.band[:, 0, 1] - display.band[:, 0, 0])
    design = np.column_stack([np.ones(200), X[:, 0]])
    at = np.column_stack([np.ones(9), display.x.values])
    residual = Y - line.predict(X[:, :1])
    variance = residual @ residual / 198 * np.linalg.inv(design.T @ design)
    np.testing.assert_allclose(half, np.sqrt(np.einsum("ij,jk,ik->i", at, variance, at)))
    model = bw.ConditionalRegressor(random_state=0).fit(X[:, :1], Y)
    display = show(model, X[:, :1], Y, resolution=7)
    np.testing.assert_allclose(display.band[:, 0], model.predict_interval(display.x.values[:, None], 0.9))
    assert display.band_name == "90% interval"
    assert show(bw.KNeighborsRegressor().fit(X[:, :1], Y), X[:, :1]).band is None


def test_categories_integers_dates_and_gaps(penguins):
    y = penguins["body_mass_g"]
    tree = bw.DecisionTreeRegressor(max_leaf_nodes=4)
    sexes = show(tree.fit(penguins[["sex"]], y), penguins[["sex"]], y)
    assert [label.get_text() for label in sexes.ax_.get_xticklabels()] == ["female", "male", "missing"]
    np.testing.assert_allclose(sexes.missing, y[penguins["sex"].isna()].mean())
    assert sexes.ax_.get_ylabel() == "body_mass_g"
    lengths = penguins[["flipper_length_mm"]]
    years = show(tree.fit(lengths, y), lengths, y)
    assert (years.x.values == np.round(years.x.values)).all()
    seen = pd.DataFrame({"seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(len(y)), unit="D")})
    days = show(tree.fit(seen, y), seen, y)
    assert len(days.predictions) == 4
    assert 18_262 - 30 < days.x.edges[0] < 18_263
    gaps = penguins[["bill_length_mm"]].copy()
    gaps.iloc[::10] = np.nan
    display = show(tree.fit(gaps, y), gaps, y)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert f"missing: {tree.predict(gaps[:1])[0]:.4g}" in legend


def test_several_outputs():
    targets = pd.DataFrame({"up": Y, "down": -Y})
    model = bw.LinearRegression().fit(X, targets)
    display = show(model, X, targets, columns=0, resolution=5)
    assert display.names == ("up", "down")
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert {"up", "down"} <= set(legend)
    down = show(model, X, targets, output=1, resolution=5)
    np.testing.assert_allclose(
        down.predictions[0, 0, 0], model.predict([[down.x.values[0], down.y.values[0]]])[0, 1]
    )
    with pytest.raises(ValueError, match="output must be below 2"):
        show(model, X, targets, output=2)
    with pytest.raises(ValueError, match="a chart of one column shows all"):
        show(model, X, targets, columns=0, output=1)


def test_what_cannot_be_drawn_is_said():
    classes = (Y > 0).astype(int)
    classifier = bw.GaussianNB().fit(X, classes)
    with pytest.raises(TypeError, match=r"GaussianNB. A classifier is drawn by DecisionRegionDisplay"):
        show(classifier, X)
    with pytest.raises(TypeError, match=r"Predictions of a regressor are drawn by PredictionDisplay"):
        bw.DecisionRegionDisplay.from_estimator(bw.LinearRegression().fit(X, Y), X)
    with pytest.raises(TypeError, match="expected a fitted classifier; got a GaussianDensity"):
        bw.DecisionRegionDisplay.from_estimator(bw.GaussianDensity().fit(X), X)
    with pytest.raises(ValueError, match=r"y must have the shape \(200, 1\)"):
        show(bw.LinearRegression().fit(X, Y), X, Y[:-1])
