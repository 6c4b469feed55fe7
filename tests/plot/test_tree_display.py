"""TreeDisplay: trees of every kind are drawn whole, and their texts do not overlap."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.datasets import load_penguins

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def penguins():
    return load_penguins().frame


def cases(penguins):
    features = penguins.drop(columns="species")
    known = penguins.dropna(subset=["body_mass_g"])
    numbers = penguins[["bill_length_mm", "bill_depth_mm"]].dropna()
    return {
        "density": bw.DensityTree(max_leaf_nodes=8, prune=None).fit(penguins),
        "classes": bw.DecisionTreeClassifier(max_leaf_nodes=8).fit(features, penguins["species"]),
        "values": bw.DecisionTreeRegressor(max_leaf_nodes=8).fit(
            known.drop(columns="body_mass_g"), known["body_mass_g"]
        ),
        "oblique": bw.DecisionTreeClassifier(max_leaf_nodes=8, oblique=4, random_state=0).fit(
            numbers, penguins["species"][numbers.index]
        ),
        "rotated": bw.DensityTree(max_leaf_nodes=8, prune=None, rotation="pca").fit(
            np.random.default_rng(0).normal(size=(300, 2)) @ [[1.0, 0.8], [0.0, 0.3]]
        ),
    }


@pytest.mark.parametrize("size", [None, (6.0, 4.0)])
def test_a_tree_of_eight_leaves_is_shown_whole_and_nothing_overlaps(penguins, size):
    for name, tree in cases(penguins).items():
        ax = None if size is None else plt.subplots(figsize=size)[1]
        display = tree.plot_tree(ax=ax)
        n_leaves = tree.export_text().count("--- leaf ")
        assert 6 <= n_leaves <= 8, name
        assert len(display.artists_) == n_leaves
        assert not any("…" in text or "leaves" in text for text in display.layout_.text)
        display.figure_.canvas.draw()
        edge = display.figure_.bbox
        boxes = [text.get_window_extent() for text in display.ax_.texts if text.get_text().strip() != ""]
        assert len(boxes) == 2 * n_leaves - 1 + 2, name  # questions, leaves, and the words yes and no
        for box in boxes:
            assert edge.x0 - 1 <= box.x0 < box.x1 <= edge.x1 + 1, name
            assert edge.y0 - 1 <= box.y0 < box.y1 <= edge.y1 + 1, name
        for one, other in combinations(boxes, 2):
            apart = (
                min(one.x1, other.x1) <= max(one.x0, other.x0) + 1.0
                or min(one.y1, other.y1) <= max(one.y0, other.y0) + 1.0
            )
            assert apart, name


def test_large_trees_end_where_a_chart_ends():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 3, 400)
    tree = bw.DecisionTreeClassifier(random_state=0).fit(X, y)
    assert tree.get_n_leaves() > 60
    display = tree.plot_tree()
    assert 8 <= len(display.artists_) <= 32
    assert any("leaves" in text for text in display.layout_.text)
    assert len(tree.plot_tree(max_depth=1).artists_) == 2
    assert len(tree.plot_tree(max_depth=0).artists_) == 1
    whole = display.plot(max_depth=100)
    assert len(whole.artists_) == tree.get_n_leaves()
    one = bw.DecisionTreeClassifier().fit(X, np.zeros(400))
    assert len(one.plot_tree().artists_) == 1


def test_questions_and_leaves_say_what_the_tree_does(penguins):
    features = penguins.drop(columns="species")
    tree = bw.DecisionTreeClassifier(max_depth=1).fit(features, penguins["species"])
    display = tree.plot_tree(class_names=["one", "two", "three"])
    question, left, _ = display.layout_.text
    assert question.replace("\n", " ") == "flipper_length_mm missing or < 207"
    row = features[:1].assign(flipper_length_mm=None)
    assert display.tree.classes == ("one", "two", "three")
    assert left.startswith(("one", "two")[tree.predict(row)[0] == "Chinstrap"])
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["one", "two", "three"]
    heights = [box.get_height() for box in display.artists_]
    assert (heights[0] > heights[1]) == (display.layout_.mass[1] > display.layout_.mass[2])
    plain = tree.plot_tree(filled=False)
    assert len({box.get_facecolor() for box in plain.artists_}) == 1
    named = tree.plot_tree(feature_names=[f"column {k}" for k in range(features.shape[1])])
    assert "column" in named.layout_.text[0]


def test_long_names_and_sets_are_broken_and_shortened():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 40, 600)
    table = pd.DataFrame({"the place where it was seen first": [f"a city of the name {k}" for k in codes]})
    display = bw.DecisionTreeRegressor(max_leaf_nodes=2).fit(table, codes % 2).plot_tree()
    lines = display.layout_.text[0].split("\n")
    assert max(map(len, lines)) <= 22
    assert lines[-1] == "…"


def test_trees_of_forests_and_errors(penguins):
    numbers = penguins[["bill_length_mm", "bill_depth_mm"]].dropna()
    species = penguins["species"][numbers.index]
    forest = bw.RandomForestClassifier(3, max_leaf_nodes=4, random_state=0).fit(numbers, species)
    assert len(forest.plot_tree(tree=2).artists_) == 4
    density = bw.DensityForest(2, random_state=0).fit(numbers)
    assert len(density.plot_tree(tree=1, max_depth=2).artists_) <= 4
    with pytest.raises(ValueError, match="tree must be an integer from 0 to 2; got 3"):
        forest.plot_tree(tree=3)
    with pytest.raises(ValueError, match="class_names must be a sequence of 3 names; got 1"):
        forest.plot_tree(class_names=["one"])
    with pytest.raises(ValueError, match="feature_names must be a sequence of 2 names; got a string"):
        density.plot_tree(feature_names="ab")
    with pytest.raises(ValueError, match="class_names: a density tree has no classes"):
        bw.TreeDisplay.from_estimator(density, class_names=["a"])
    with pytest.raises(TypeError, match="expected a tree or forest of boxwood; got a GaussianDensity"):
        bw.TreeDisplay.from_estimator(bw.GaussianDensity().fit(numbers))
    with pytest.raises(ValueError, match="max_depth must be at least 0"):
        forest.plot_tree(max_depth=-1)
