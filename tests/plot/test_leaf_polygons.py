"""Leaves over two columns: they tile the chart, and each lies where the tree sends its rows."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.plot.slices.leaf_polygons import leaf_polygons
from boxwood.plot.slices.predictor_slice import PredictorSlice


def table(n=400):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n),
            "y": rng.normal(size=n),
            "city": rng.choice(["Bonn", "Kiel", "Trier", "Ulm"], n),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.random(n) * 100, unit="D"),
        }
    )
    known = frame["x"] + frame["y"] + 2.0 * frame["city"].isin(["Bonn", "Trier"]) + frame["day"].dt.day / 20
    frame.loc[rng.random(n) < 0.1, ["city", "y"]] = np.nan
    return frame, (known > known.median()).astype(int)


def area(polygon):
    x, y = polygon.T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def inside(polygon, points):
    """Return which points lie in a convex polygon."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    offsets = points[:, None] - polygon
    cross = edges[:, 0] * offsets[..., 1] - edges[:, 1] * offsets[..., 0]
    return (cross > 1e-9).all(axis=1) | (cross < -1e-9).all(axis=1)


@pytest.mark.parametrize("oblique", [0, 3])
@pytest.mark.parametrize(
    ("columns", "at"),
    [
        (("x", "y"), {"city": "Ulm"}),
        (("x", "y"), {"city": None}),
        (("city", "x"), {"y": None}),
        (("day", "city"), {"x": 0.5}),
        (("day", "y"), {"x": -0.5, "city": "Bonn"}),
    ],
)
def test_each_leaf_lies_where_the_tree_sends_its_rows(columns, at, oblique):
    X, y = table()
    tree = bw.DecisionTreeClassifier(max_leaf_nodes=15, oblique=oblique, random_state=0).fit(X, y)
    source = PredictorSlice.of(tree, X, columns, at, (100, 23))
    found = leaf_polygons(tree.trees_, source.shown, source.axes, source.fixed)
    width, height = (np.ptp(axis.edges) for axis in source.axes)
    assert sum(area(polygon) for _, polygon in found) == pytest.approx(width * height)
    cells = np.stack(np.meshgrid(*(axis.places for axis in source.axes)), axis=-1).reshape(-1, 2)
    leaves = source.predict(tree.apply).ravel()
    checked = 0
    for node, polygon in found:
        here = inside(polygon, cells)
        assert (leaves[here] == node).all()
        checked += here.sum()
    assert checked > 0.95 * len(cells)


def test_displays_keep_the_leaves():
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    tree = bw.DecisionTreeClassifier(max_leaf_nodes=5).fit(X, X[:, 0] > X[:, 1])
    assert len(bw.DecisionRegionDisplay.from_estimator(tree, X, resolution=5).boxes) == 5
    forest = bw.RandomForestClassifier(3, random_state=0).fit(X, X[:, 0] > X[:, 1])
    assert bw.DecisionRegionDisplay.from_estimator(forest, X, resolution=5).boxes is None
    regressor = bw.DecisionTreeRegressor(max_leaf_nodes=6).fit(X, X[:, 0])
    assert len(bw.PredictionDisplay.from_estimator(regressor, X, resolution=5).boxes) == 6
    plt.close("all")
