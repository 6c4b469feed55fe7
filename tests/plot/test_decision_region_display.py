"""DecisionRegionDisplay: the numbers are what the model tells, other columns where they should be."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.tree import DecisionTreeClassifier

import boxwood as bw

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
X, y = load_iris(return_X_y=True)
show = bw.DecisionRegionDisplay.from_estimator


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def penguins():
    table = pd.read_csv(PENGUINS)
    table["seen"] = pd.date_range("2020-01-01", periods=len(table), freq="D")
    return table.drop(columns="species"), table["species"]


@pytest.mark.parametrize("model", [bw.HistogramNB(), DecisionTreeClassifier(random_state=0)])
def test_the_numbers_are_what_the_model_tells(model):
    model.fit(X, y)
    display = show(model, X, y, columns=(2, 3), resolution=20)
    across, up = np.meshgrid(display.x.values, display.y.values)
    rows = np.tile(np.median(X, axis=0), (400, 1))
    rows[:, 2], rows[:, 3] = across.ravel(), up.ravel()
    np.testing.assert_allclose(display.probabilities.reshape(400, 3), model.predict_proba(rows))
    assert display.fixed == {"x0": np.median(X[:, 0]), "x1": np.median(X[:, 1])}
    assert display.artist_.get_array().shape == (20, 20, 3)
    assert display.ax_.get_xlabel() == "x2"
    assert display.ax_.get_title(loc="left") == "at x0 = 5.8, x1 = 3"
    assert 0.25 * 150 <= len(display.points[2]) < 150  # the rows near the slice


def test_only_rows_near_the_slice_are_shown(penguins):
    table, species = penguins
    model = bw.HistogramNB().fit(table[["bill_length_mm", "bill_depth_mm"]], species)
    whole = show(model, table[["bill_length_mm", "bill_depth_mm"]], species, resolution=8)
    assert len(whole.points[2]) == len(table)
    three = table[["bill_length_mm", "bill_depth_mm", "island"]]
    display = show(bw.HistogramNB().fit(three, species), three, species, at={"island": "Dream"}, resolution=8)
    assert len(display.points[0]) == (table["island"] == "Dream").sum()
    mass = table[["bill_length_mm", "bill_depth_mm", "body_mass_g"]].dropna()
    model = bw.HistogramNB().fit(mass, species[mass.index])
    display = show(model, mass, species[mass.index], at={"body_mass_g": 6300}, resolution=8)
    heaviest = mass.nlargest(len(display.points[0]), "body_mass_g")
    assert sorted(display.points[0]) == sorted(heaviest["bill_length_mm"])
    assert 0.25 * len(mass) <= len(heaviest) < 0.3 * len(mass)


def test_other_columns_are_fixed_at_what_is_typical_or_asked(penguins):
    table, species = penguins
    model = bw.HistogramNB().fit(table, species)
    display = show(model, table, species, columns=("bill_length_mm", "bill_depth_mm"), resolution=10)
    assert display.fixed["island"] == table["island"].mode()[0] == "Biscoe"
    assert display.fixed["year"] == 2008
    assert display.fixed["seen"] == np.datetime64("2020-06-20T00:00:00")
    assert display.ax_.get_title(loc="left").endswith(" and 3 more")
    other = show(model, table, columns=(1, 2), at={"island": "Dream", "sex": None}, resolution=10)
    assert other.fixed["island"] == "Dream"
    assert other.fixed["sex"] is None
    row = table[:1].assign(
        bill_length_mm=other.x.values[0],
        bill_depth_mm=other.y.values[0],
        island="Dream",
        sex=None,
        flipper_length_mm=other.fixed["flipper_length_mm"],
        body_mass_g=other.fixed["body_mass_g"],
        year=2008,
        seen=other.fixed["seen"],
    )
    np.testing.assert_allclose(other.probabilities[0, 0], model.predict_proba(row)[0])
    assert (other.points[2] == -1).all()
    with pytest.raises(ValueError, match="column 'bill_length_mm' is shown"):
        show(model, table, columns=(1, 2), at={"bill_length_mm": 40.0})


def test_categories_whole_numbers_and_dates_are_axes_too(penguins):
    table, species = penguins
    model = bw.HistogramNB().fit(table, species)
    display = show(model, table, species, columns=("island", "year"))
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["Biscoe", "Dream", "Torgersen"]
    assert display.probabilities.shape == (len(display.y.values), 3, 3)
    assert (display.y.values == np.round(display.y.values)).all()
    dates = show(model, table, species, columns=("seen", "sex"), resolution=15)
    assert dates.probabilities.shape == (2, 15, 3)
    assert 18_262 - 30 < dates.x.edges[0] < 18_263  # days since 1970 at the beginning of 2020


def test_a_classifier_without_probabilities_and_many_classes():
    display = show(RidgeClassifier().fit(X[:, :2], y), X[:, :2], y, resolution=8)
    assert set(np.unique(display.probabilities)) == {0.0, 1.0}
    many = np.arange(len(X)) % 14
    display = show(bw.HistogramNB().fit(X, many), X, many, resolution=8)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == [str(label) for label in range(14)]  # every class has a name
    one = show(bw.PriorClassifier().fit(X, np.zeros(150)), X, resolution=8)
    assert (one.probabilities == 1.0).all()


def test_colours_axes_and_errors():
    model = bw.HistogramNB().fit(X, y)
    figure, axes = plt.subplots()
    display = show(model, X, y, resolution=8, ax=axes, colors=["red", "green", "blue"])
    assert display.figure_ is figure
    with pytest.raises(ValueError, match="3 colours are needed"):
        display.plot(colors=["red"])
    with pytest.raises(ValueError, match="one column or two different columns"):
        show(model, X, columns=(1, 1))
    with pytest.raises(ValueError, match="y must have one label a row"):
        show(model, X, y[:-1])


def test_one_feature_has_a_curve_for_each_class(penguins):
    table, species = penguins
    lengths = table[["bill_length_mm"]]
    tree = bw.DecisionTreeClassifier(max_leaf_nodes=5).fit(lengths, species)
    display = show(tree, lengths, species)
    assert display.y is None
    rows = pd.DataFrame({"bill_length_mm": display.x.values})
    np.testing.assert_allclose(display.probabilities, tree.predict_proba(rows))
    thresholds = np.sort(tree.trees_.threshold[tree.trees_.feature >= 0])
    np.testing.assert_allclose(display.cuts, thresholds)
    assert len(display.artist_) == 3
    missing = tree.predict_proba(pd.DataFrame({"bill_length_mm": [np.nan]}))[0]
    np.testing.assert_allclose(display.missing, missing)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == [*tree.classes_, f"missing: {tree.classes_[missing.argmax()]}, {missing.max():.0%}"]
    assert display.ax_.get_ylim()[0] < -0.1  # three lanes of rows


def test_one_category_has_bars_and_one_lattice_its_own_values(penguins):
    table, species = penguins
    model = bw.HistogramNB().fit(table[["sex"]], species)
    display = show(model, table[["sex"]], species)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["female", "male", "missing"]
    tops = [container.patches[2].get_y() + container.patches[2].get_height() for container in display.artist_]
    np.testing.assert_allclose(tops, np.cumsum(model.predict_proba(pd.DataFrame({"sex": [None]}))[0]))
    masses = table[["body_mass_g"]].dropna()
    model = bw.HistogramNB().fit(masses, species[masses.index])
    display = show(model, masses, species[masses.index])
    assert (display.x.values % 25 == 0).all()  # no row has another mass
    days = table[["seen"]]
    model = bw.DecisionTreeClassifier(max_leaf_nodes=4).fit(days, species)
    assert 18_262 - 30 < show(model, days, species).x.edges[0] < 18_263
    ridge = RidgeClassifier().fit(X[:, :1], y)
    assert set(np.unique(show(ridge, X[:, :1], y, resolution=8).probabilities)) == {0.0, 1.0}
