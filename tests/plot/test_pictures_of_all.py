"""Every class that is fitted to a table has a picture: of one column, and of two."""

import inspect

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor

import boxwood as bw
from boxwood.prototypes.sampler import Sampler

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

FITTED = [
    name for name in bw.__all__ if inspect.isclass(getattr(bw, name)) and hasattr(getattr(bw, name), "fit")
]
"""A class that is exported from now on is one of these, and fails here until it has a picture."""

QUICK = {
    "BoostedDensity": {"preset": "quick", "n_estimators": 10},
    "RandomForestClassifier": {"n_estimators": 5},
    "RandomForestRegressor": {"n_estimators": 5},
    "DensityForest": {"n_estimators": 5},
}


def made(name):
    cls = getattr(bw, name)
    known = inspect.signature(cls).parameters
    required = {"model": bw.GaussianDensity()} if name == "NoveltyDetector" else {}
    required |= {"density": bw.GaussianDensity()} if name == "BayesClassifier" and "density" in known else {}
    return cls(**QUICK.get(name, {}), **required)


def picture_of(model, X, classes, values):
    """Return the picture of a model, by the Display of its kind."""
    if is_classifier(model):
        return bw.DecisionRegionDisplay.from_estimator(model.fit(X, classes), X, classes, resolution=20)
    if is_regressor(model):
        return bw.PredictionDisplay.from_estimator(model.fit(X, values), X, values, resolution=20)
    if isinstance(model, Sampler):
        return bw.PrototypeDisplay.from_estimator(model.fit(X, classes), X, classes)
    return bw.DensityDisplay.from_estimator(model.fit(X), X, resolution=20)


def test_the_list_is_not_empty():
    assert {"DensityTree", "LinearRegression", "TableModel", "GabrielEditing"} <= set(FITTED)


@pytest.mark.parametrize("n_columns", [1, 2])
@pytest.mark.parametrize("name", FITTED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_class_has_a_picture(name, n_columns):
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, 120)
    X = rng.normal(size=(120, n_columns)) + 2.0 * classes[:, None]
    values = X.sum(axis=1) + rng.normal(scale=0.1, size=120)
    display = picture_of(made(name), X, classes, values)
    display.figure_.canvas.draw()
    assert display.ax_.get_xlabel() == "x0"
    assert (display.y is not None) == (n_columns == 2)
    drawn = display.ax_.collections or display.ax_.lines or display.ax_.images or display.ax_.patches
    assert len(drawn)
    plt.close(display.figure_)


TREES = ["DensityTree", "DecisionTreeClassifier", "DecisionTreeRegressor"]


@pytest.mark.parametrize("name", TREES)
def test_every_tree_is_written_and_drawn(name):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    tree = getattr(bw, name)(max_leaf_nodes=8).fit(X, (X[:, 0] > X[:, 1]).astype(int))
    assert tree.export_text(max_depth=2).count("\n") <= 1 + 2 * (1 + 2 + 4)
    display = tree.plot_tree()
    assert len(display.artists_) == tree.export_text().count("--- leaf ")
    plt.close(display.figure_)
