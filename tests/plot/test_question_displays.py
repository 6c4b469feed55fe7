"""Charts of a table's density: what is drawn is what the model answers."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


@cache
def table(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    return pd.DataFrame(
        {
            "x": x,
            "y with a name that is much too long for an axis": np.where(
                rng.random(n) < 0.15, np.nan, x + 0.5 * rng.normal(size=n)
            ),
            "k": rng.poisson(3, n),
            "spike": np.where(rng.random(n) < 0.8, 0.0, rng.exponential(size=n)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 200, n), unit="D"),
            "group": np.array(list("abc"))[np.digitize(x, [-0.5, 0.5])],
            "town": np.array([f"town {i}" for i in range(30)])[rng.integers(0, 30, n) // (1 + (x > 0))],
        }
    )


@cache
def model() -> bw.TableModel:
    return bw.TableModel(bw.DensityForest(4, random_state=0)).fit(table())


LONG = "y with a name that is much too long for an axis"


def test_a_column_before_and_after_evidence():
    display = bw.ConditionalDisplay.from_model(model(), "x", "group == 'c'")
    assert display.before.sum() == pytest.approx(0.996, abs=0.005)
    under = model().given("group == 'c'")
    low, high = display.axis.edges[[10, 30]].tolist()
    expected = under.prob(f"x >= {low!r} and x < {high!r}")
    assert display.after[10:30].sum() == pytest.approx(expected, abs=1e-9)
    before, after = display.axes_[0].patches
    np.testing.assert_allclose(before.get_data().values, display.before / np.diff(display.axis.edges))
    np.testing.assert_allclose(after.get_data().values, display.after / np.diff(display.axis.edges))
    assert display.axes_[0].get_ylabel() == "density"
    assert len(display.axes_) == 1


def test_gaps_have_a_panel():
    display = bw.ConditionalDisplay.from_model(model(), LONG, group="a")
    assert len(display.axes_) == 2
    heights = [bar.get_height() for bar in display.axes_[1].patches]
    missing = (
        model().query.missing_probability(LONG),
        model().given(group="a").query.missing_probability(LONG),
    )
    np.testing.assert_allclose(heights, missing)
    assert display.axes_[0].get_xlabel().endswith("…")
    with pytest.raises(ValueError, match="2 axes are needed"):
        display.plot(display.axes_[0])


def test_categories_are_bars_the_rare_ones_one():
    display = bw.ConditionalDisplay.from_model(model(), "town", "x > 0.5")
    assert len(display.before) == 10
    assert display.axis.labels[-1] == "other"
    assert display.before.sum() == pytest.approx(1.0, abs=0.01)
    few = bw.ConditionalDisplay.from_model(model(), "group", "x > 0.5")
    assert few.axis.labels == ["a", "b", "c"]
    np.testing.assert_allclose(few.after, list(model().given("x > 0.5").probabilities("group").values()))


def test_integers_have_a_bin_each_and_dates_are_days():
    counts = bw.ConditionalDisplay.from_model(model(), "k", "x > 0")
    assert counts.axis.counted
    assert counts.before[counts.axis.middles == 3.0] == pytest.approx(model().prob("k == 3"))
    days = bw.ConditionalDisplay.from_model(model(), "day", "x > 0")
    assert 19_723 - 3 <= days.axis.edges[0] < days.axis.edges[-1] <= 19_923 + 30
    days.figure_.canvas.draw()


def test_a_towering_atom_is_cut():
    display = bw.ConditionalDisplay.from_model(model(), "spike", "x > 0")
    assert display.axes_[0].get_ylim()[1] < (display.before / display.axis.sizes).max()
    (text,) = display.axes_[0].texts
    assert f"{display.before.max():.1%} before" in text.get_text()


@pytest.mark.parametrize(
    ("x", "y"), [("x", LONG), ("x", "group"), ("town", "group"), ("day", "k"), ("spike", "town")]
)
def test_pairs_of_every_kind(x, y):
    display = bw.PairDisplay.from_model(model(), x, y, given="x > -1")
    assert display.probabilities.shape == (len(display.y.sets), len(display.x.sets))
    assert 0.9 < display.probabilities.sum() + display.missing <= 1.0 + 1e-9
    shown = np.asarray(display.artist_.get_array()).reshape(display.probabilities.shape)
    np.testing.assert_allclose(shown * np.outer(display.y.sizes, display.x.sizes), display.probabilities)
    display.figure_.canvas.draw()


def test_a_pair_sums_to_its_columns():
    display = bw.PairDisplay.from_model(model(), "group", "k")
    across = display.probabilities.sum(axis=0)
    np.testing.assert_allclose(across, list(model().probabilities("group").values()), atol=0.01)
    with pytest.raises(ValueError, match="two different columns"):
        bw.PairDisplay.from_model(model(), "k", "k")


def test_small_tables_of_categories_have_numbers():
    frame = table().assign(other=np.where(table().x > 0.3, "u", "v"))[["group", "other", "k"]]
    fitted = bw.TableModel(bw.DensityForest(2, random_state=0)).fit(frame)
    display = bw.PairDisplay.from_model(fitted, "group", "other")
    assert len(display.ax_.texts) == 6
    assert display.ax_.texts[0].get_text() == f"{display.probabilities[0, 0]:.1%}"


def test_dependence_is_a_matrix_of_clusters():
    display = bw.DependenceDisplay.from_model(model())
    matrix = model().query.dependence()
    order = display.order_
    assert sorted(order.tolist()) == list(range(7))
    shown = np.asarray(display.artist_.get_array().filled(np.nan))
    off = ~np.eye(7, dtype=bool)
    np.testing.assert_allclose(shown[off], matrix[np.ix_(order, order)][off])
    places = {name: i for i, name in enumerate(np.array(display.names)[order])}
    assert abs(places["x"] - places["group"]) == 1
    some = bw.DependenceDisplay.from_model(model(), columns=["group", "x"])
    assert some.dependence[0, 1] == matrix[5, 0]
    with pytest.raises(ValueError, match="there is no column 'z'"):
        bw.DependenceDisplay.from_model(model(), columns=["z"])


def test_an_odd_row_is_explained_cell_by_cell():
    row = table().iloc[[0]].assign(x=6.0, town="nowhere", group=None)
    display = bw.ExplanationDisplay.from_model(model(), row)
    explained = model().explain(row)
    np.testing.assert_allclose(display.surprise, [explained[name].iloc[0] for name in display.names])
    assert display.names[display.order_[0]] in ("x", "town", "group")
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert "x = 6" in labels
    assert "group = missing" in labels
    assert "town = unseen" in labels
    assert {f"expected {value}" for value in display.expected} >= {
        text.get_text() for text in display.ax_.texts
    }
    fewer = display.plot(n_cells=3)
    assert len(fewer.order_) == 3
    with pytest.raises(ValueError, match="there is no row 5"):
        bw.ExplanationDisplay.from_model(model(), row, 5)
