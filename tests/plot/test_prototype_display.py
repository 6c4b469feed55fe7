"""PrototypeDisplay: what stays is what the sampler says, over one column and over two."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

import boxwood as bw

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

show = bw.PrototypeDisplay.from_estimator
X, Y = load_iris(return_X_y=True, as_frame=True)
X = X.iloc[:, 2:]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_rows_that_stay():
    sampler = bw.CondensedNearestNeighbour(random_state=0).fit(X, Y)
    display = show(sampler, X, Y)
    assert np.flatnonzero(display.kept).tolist() == sampler.sample_indices_.tolist()
    np.testing.assert_array_equal(display.points, X)
    dropped, kept = (c.get_offsets() for c in display.ax_.collections[:2])
    assert (len(kept), len(dropped)) == (len(sampler.sample_indices_), 150 - len(sampler.sample_indices_))
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["0", "1", "2", f"{len(kept)} of 150 rows stay"]
    one = show(sampler, X, Y, columns="petal width (cm)", colors=["red", "green", "blue"])
    assert one.y is None
    assert [label.get_text() for label in one.ax_.get_yticklabels()] == ["0", "1", "2"]
    np.testing.assert_array_equal(np.round(one.ax_.collections[1].get_offsets()[:, 1]), Y[display.kept])


def test_prototypes_are_stars():
    sampler = bw.PrototypeReduction(2, random_state=0).fit(X, Y)
    display = show(sampler, X, Y)
    np.testing.assert_allclose(display.prototypes, sampler.prototypes_)
    assert not display.kept.any()
    np.testing.assert_allclose(display.ax_.collections[2].get_offsets(), sampler.prototypes_)


def test_errors():
    sampler = bw.CondensedNearestNeighbour(random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="y must have one label per row: 150"):
        show(sampler, X, Y[:-1])
    with pytest.raises(TypeError, match="expected a sampler"):
        show(bw.GaussianNB().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        show(bw.GabrielEditing(), X, Y)
