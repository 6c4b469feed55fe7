"""DensityTreeDisplay: numbers against what the model scores, partitions and trees drawn, errors said."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

MODELS = [
    bw.DensityTree(random_state=0),
    bw.DensityTree(leaf="histogram", margins="smooth", prune=None, splitter="binned"),
    bw.DensityTree(leaf="gaussian", prune=None, splitter="exact"),
    bw.DensityForest(5, random_state=0),
    bw.DensityForest(3, leaf="gaussian", random_state=0),
    bw.DensityForest(3, leaf="uniform", margins="linear", splitter="exact", random_state=0),
]
"""Every kind of leaf, margin and splitter."""


@pytest.fixture(autouse=True)
def _close():
    yield
    matplotlib.pyplot.close("all")


def mixed(n=300):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, n)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n) + 2.0 * group,
            "count": rng.poisson(3 + 9 * group),
            "city": np.array(["Bonn", "Kiel", "Ulm"])[group],
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.random(n) * 100, unit="D"),
            "rain": np.where(rng.random(n) < 0.4, 0.0, rng.gamma(2.0, 1.0, n)),
        }
    )
    table.loc[rng.random(n) < 0.1, "size"] = np.nan
    return table


def table_at(display, columns, at):
    """Return the table whose scores a display shows: everything else missing."""
    n = display.log_density.size
    table = pd.DataFrame({name: [value] * n for name, value in at.items()}, index=range(n))
    x, y = np.meshgrid(display.x.values, display.y.values)
    for name, axis, values in zip(columns, (display.x, display.y), (x.ravel(), y.ravel()), strict=True):
        if not axis.field.kind.is_number:
            values = [axis.field.categories[code] for code in values]
        elif axis.field.kind == "datetime":
            values = values.astype("datetime64[us]")
        table[name] = values
    template = mixed(2).iloc[:0]
    return table.reindex(columns=template.columns)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize(
    ("columns", "at"),
    [
        (("size", "count"), {}),
        (("size", "city"), {"count": 7, "rain": 1.5}),
        (("rain", "size"), {"city": "Ulm"}),
    ],
)
def test_what_is_shown_is_the_marginal_or_conditional_log_density(model, columns, at):
    model = model.fit(mixed())
    display = bw.DensityTreeDisplay.from_estimator(model, columns=columns, at=at or None, resolution=9)
    table = table_at(display, columns, at)
    model.set_params(missing="ignore")  # what is shown is the density of values, gaps being summed out
    expected = model.score_samples(table)
    if at:
        expected = expected - model.score_samples(table.assign(**dict.fromkeys(columns, None))[:1])
    shown = display.log_density.ravel().clip(min=-500.0)  # exp(−745) is no double
    np.testing.assert_allclose(shown, expected.clip(min=-500.0), rtol=1e-9, atol=1e-9)


def test_dates_are_shown_a_day():
    model = bw.DensityTree().fit(mixed()[["day", "rain"]].query("rain > 0"))
    display = bw.DensityTreeDisplay.from_estimator(model)
    areas = np.outer(np.diff(display.y.edges), np.diff(display.x.edges))
    assert (np.exp(display.log_density) * areas).sum() == pytest.approx(1.0)
    assert display.x.edges[0] == pytest.approx(
        matplotlib.dates.date2num(np.datetime64("2024-01-01")), abs=1.0
    )


def test_a_tree_of_two_columns_is_shown_box_by_box():
    X = np.random.default_rng(0).normal(size=(400, 2))
    tree = bw.DensityTree().fit(X)
    display = bw.DensityTreeDisplay.from_estimator(tree, X)
    frame = tree.leaves_frame()
    assert display.boxes.shape == (tree.n_leaves_, 4)
    names = ["x0_lower", "x0_upper", "x1_lower", "x1_upper"]
    np.testing.assert_allclose(display.boxes, frame[names].to_numpy())
    areas = np.outer(np.diff(display.y.edges), np.diff(display.x.edges))
    assert (np.exp(display.log_density) * areas).sum() == pytest.approx(1.0)
    np.testing.assert_array_equal(display.points, X)
    assert display.ax_.get_xlabel() == "x0"
    again = display.plot(colorbar=False)
    assert again is display


def test_a_slice_shows_the_boxes_that_it_meets():
    table = mixed()[["size", "count", "city"]]
    tree = bw.DensityTree().fit(table)
    display = bw.DensityTreeDisplay.from_estimator(tree, table, columns=("size", "count"), at={"city": "Ulm"})
    frame = tree.leaves_frame()
    met = sum("Ulm" in cities for cities in frame["city_in"][~frame["size_lower"].isna()])
    assert len(display.boxes) == met
    assert len(display.points) == ((table["city"] == "Ulm") & table["size"].notna()).sum()
    assert bw.DensityTreeDisplay.from_estimator(tree, columns=("size", "count")).boxes is None
    city = bw.DensityTreeDisplay.from_estimator(tree, columns=("city", "size"), at={"count": 4})
    assert [label.get_text() for label in city.ax_.get_xticklabels()] == ["Bonn", "Kiel", "Ulm"]


def test_the_tree_itself():
    tree = bw.DensityTree().fit(mixed())
    display = bw.DensityTreeDisplay.from_estimator(tree).plot_tree(max_depth=50)
    assert len(display.artist_) == tree.n_leaves_
    top = display.plot_tree(max_depth=2)
    assert len(top.artist_) <= 4
    _, ax = matplotlib.pyplot.subplots()
    assert display.plot_tree(ax=ax, colorbar=False).ax_ is ax
    stump = bw.DensityTree(min_samples_split=1e9).fit(mixed())
    assert len(bw.DensityTreeDisplay.from_estimator(stump).plot_tree().artist_) == 1


def test_a_forest_shows_one_of_its_trees():
    forest = bw.DensityForest(3, random_state=0).fit(mixed())
    display = bw.DensityTreeDisplay.from_estimator(forest, tree=2)
    assert display.boxes is None
    assert len(display.tree.nodes.leaves) == len(forest.leaves_frame(2))
    display.plot_tree()


def test_what_cannot_be_drawn_is_said():
    tree = bw.DensityTree().fit(mixed())
    draw = bw.DensityTreeDisplay.from_estimator
    with pytest.raises(ValueError, match="not fitted"):
        draw(bw.DensityTree())
    with pytest.raises(TypeError, match="not a GaussianDensity"):
        draw(bw.GaussianDensity().fit([[0.0], [1.0]]))
    with pytest.raises(ValueError, match="two different columns"):
        draw(tree, columns=(0, 0))
    with pytest.raises(KeyError, match="no column 'other'"):
        draw(tree, columns=("size", "other"))
    with pytest.raises(ValueError, match="'size' is shown"):
        draw(tree, at={"size": 1.0})
    with pytest.raises(ValueError, match="summed out"):
        draw(tree, columns=("city", "count"), at={"size": None})
    with pytest.raises(ValueError, match="density of what `at` says is 0"):
        draw(tree, columns=("city", "count"), at={"size": 1e6})
    with pytest.raises(ValueError, match="tree must be an integer"):
        draw(tree, tree=1)
