"""The chart of the Bayes error: it draws the numbers it keeps."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import boxwood as bw

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_what_is_drawn_is_what_is_kept():
    X, y = load_iris(return_X_y=True)
    display = bw.BayesErrorDisplay.from_data(X, y, random_state=0)
    sizes, neighbors = display.axes_
    np.testing.assert_array_equal(sizes.lines[0].get_ydata(), display.bounds.curve_errors)
    np.testing.assert_array_equal(neighbors.lines[-1].get_ydata(), display.bounds.neighbor_errors)
    assert sizes.get_xlabel() == "training rows"
    figure, axes = plt.subplots(1, 2)
    again = bw.BayesErrorDisplay(display.bounds).plot(axes)
    assert again.figure_ is figure
    with pytest.raises(ValueError, match="2 axes are needed"):
        again.plot(axes[0])
