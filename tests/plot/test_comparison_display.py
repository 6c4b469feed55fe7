"""ComparisonDisplay: what is drawn is what was found."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import boxwood as bw

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

X, y = load_iris(return_X_y=True)
MODELS = [
    "prior",
    "naive Bayes, histograms",
    bw.DecisionTreeClassifier(),
    bw.BayesClassifier(bw.GaussianDensity()),
]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_a_line_a_model_the_best_on_top():
    found = bw.compare(X, y, MODELS, cv=3)
    display = bw.ComparisonDisplay(found).plot()
    errors, losses = display.axes_
    labels = [label.get_text() for label in errors.get_yticklabels()]
    assert labels == list(found.validations)
    assert errors.get_yticks()[0] == max(errors.get_yticks())
    markers = next(line for line in errors.get_lines() if line.get_markerfacecolor() == "white")
    np.testing.assert_allclose(markers.get_xdata(), found.frame["train_error"])
    assert errors.get_xlabel() == "error"
    assert "log-loss" in losses.get_xlabel()


def test_a_model_far_behind_is_shown_by_a_number():
    display = bw.ComparisonDisplay.from_data(X, y, MODELS, cv=3)
    prior = display.comparison.validations["prior"].error
    assert [text.get_text() for text in display.axes_[0].texts] == [f"{prior:.2f}"]
    assert display.axes_[0].get_xlim()[1] < 0.5


def test_bars_do_not_cross_zero():
    easy = np.concatenate([X[:50], X[50:100] + 5.0])
    labels = np.append(y[:100], 1)
    table = np.concatenate([easy, easy[:1]])  # one row in a hundred is wrong: the spread exceeds the mean
    display = bw.ComparisonDisplay.from_data(table, labels, [bw.DecisionTreeClassifier(), "prior"])
    found = display.comparison.validations["DecisionTreeClassifier"]
    assert found.std > found.error > 0.0
    for axes in display.axes_:
        bars = [path.vertices for container in axes.containers for path in container[2][0].get_paths()]
        assert min(vertices[:, 0].min() for vertices in bars) >= 0.0
        assert axes.get_xlim()[0] > -0.1 * axes.get_xlim()[1]


def test_regressors_are_drawn_by_their_errors_and_what_they_explain():
    display = bw.ComparisonDisplay.from_data(X[:, :3], X[:, 3], ["mean", "linear regression"], cv=3)
    assert display.axes_[0].get_xlabel() == "root mean squared error"
    assert display.axes_[1].get_xlabel() == "R² of held-out rows"
    (dots,) = (line for line in display.axes_[1].get_lines() if line.get_marker() == "o")
    np.testing.assert_allclose(dots.get_xdata(), display.comparison.frame["r2"])


def test_one_part_and_given_axes():
    figure, axes = plt.subplots(1, 2)
    display = bw.ComparisonDisplay.from_data(X, y, ["prior"], cv=0.3, ax=axes)
    assert display.figure_ is figure
    with pytest.raises(ValueError, match="2 axes are needed"):
        display.plot(axes[0])
