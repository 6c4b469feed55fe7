"""DensityDisplay: every density can be drawn, its numbers are scores, colours and regions are in place."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm

import boxwood as bw
from boxwood.columns import read_columns
from boxwood.plot.density_map import colour_range, region_levels
from boxwood.plot.slices.table_slice import axis_of_values, rows_near

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

draw = bw.DensityDisplay.from_estimator

ROWS = np.random.default_rng(0).multivariate_normal(
    [1.0, -2.0, 0.5], [[1.0, 0.6, 0.3], [0.6, 2.0, -0.2], [0.3, -0.2, 1.0]], 400
)
TWO = [
    bw.BoostedDensity(preset="quick", n_estimators=20, random_state=0),
    bw.DensityForest(5, random_state=0),
    bw.DensityTree(random_state=0),
    bw.GaussianDensity(),
    bw.GridHistogram(bins=6),
    bw.Histogram(),
    bw.NeighborDensity(20, normalize=True),
    bw.ProductDensity(),
    bw.ProductDensity(marginal="gaussian"),
]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def grid_of(display):
    across, up = np.meshgrid(display.x.values, display.y.values)
    return np.column_stack([across.ravel(), up.ravel()])


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("model", TWO, ids=repr)
def test_every_density_of_two_columns_is_shown_as_it_scores(model, given):
    model = model.fit(ROWS[:, :2])
    display = draw(model, ROWS[:, :2] if given else None, resolution=15)
    values_alone = (
        model.set_params(missing="ignore") if isinstance(model, (bw.DensityTree, bw.DensityForest)) else model
    )
    expected = values_alone.score_samples(grid_of(display))
    np.testing.assert_allclose(display.log_density.ravel(), expected, rtol=1e-9, atol=1e-9)
    assert display.given == {}
    assert (display.points is None) != given
    assert display.ax_.get_xlabel() == "x0"
    assert display.plot(colorbar=False) is display


def test_a_gaussian_sums_columns_out_or_is_given_them():
    model = bw.GaussianDensity().fit(ROWS)
    mean, covariance = model.mean_, model.covariance_
    display = draw(model, columns=(2, 0), resolution=15)
    margin = multivariate_normal(mean[[2, 0]], covariance[np.ix_([2, 0], [2, 0])])
    np.testing.assert_allclose(display.log_density.ravel(), margin.logpdf(grid_of(display)), rtol=1e-9)
    display = draw(model, ROWS, at={"x2": 1.5}, resolution=15)
    rows = np.column_stack([grid_of(display), np.full(225, 1.5)])
    given = norm(mean[2], np.sqrt(covariance[2, 2])).logpdf(1.5)
    np.testing.assert_allclose(display.log_density.ravel(), model.score_samples(rows) - given, rtol=1e-9)
    assert display.given == {"x2": 1.5}
    assert display.ax_.get_title(loc="left") == "at x2 = 1.5"


def test_others_are_shown_along_a_slice():
    model = bw.BoostedDensity(preset="quick", n_estimators=10, random_state=0).fit(ROWS)
    display = draw(model, ROWS, resolution=9)
    middle = float(np.sort(ROWS[:, 2])[(len(ROWS) - 1) // 2])
    rows = np.column_stack([grid_of(display), np.full(81, middle)])
    np.testing.assert_allclose(display.log_density.ravel(), model.score_samples(rows))
    assert display.given == {"x2": middle}
    near = np.argsort(np.abs(ROWS[:, 2] - middle))[: len(display.points)]
    assert 0.25 * 400 <= len(display.points) < 0.3 * 400
    assert len(set(map(tuple, display.points)) & set(map(tuple, ROWS[near, :2]))) > 0.9 * len(near)
    assert draw(model, ROWS, at={2: -1.0}, resolution=9).given == {"x2": -1.0}


def mixed(n=300):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, n)
    return pd.DataFrame(
        {
            "size": rng.normal(size=n) + 2.0 * group,
            "place": np.array(["a very long name of a city indeed", "another long name", "Ulm"])[group],
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.random(n) * 900, unit="D"),
            "code": [f"code number {i:03d}" for i in rng.integers(0, 70, n)],
            "count": rng.poisson(5, n),
        }
    )


@pytest.mark.parametrize("columns", [("place", "day"), ("day", "place"), ("code", "size"), ("size", "code")])
@pytest.mark.parametrize("size", [(4.0, 3.0), (6.0, 4.5)])
def test_labels_do_not_overlap(columns, size):
    table = mixed()
    figure, ax = plt.subplots(figsize=size, layout="constrained")
    draw(bw.DensityForest(3, random_state=0).fit(table), table, columns=columns, ax=ax)
    figure.canvas.draw()
    for labels, up in ((ax.get_xticklabels(), False), (ax.get_yticklabels(), True)):
        boxes = [label.get_window_extent() for label in labels if label.get_text()]
        assert len(boxes) >= 3
        rotated = labels[0].get_rotation() not in (0.0, 90.0)
        for one, other in pairwise(boxes):
            if up:
                assert one.y1 <= other.y0 + 1.0 or other.y1 <= one.y0 + 1.0
            elif rotated:  # parallel lines of text: their distance is at least a line
                height = labels[0].get_fontsize() * figure.dpi / 72.0
                assert abs(other.x1 - one.x1) * np.sin(np.radians(labels[0].get_rotation())) >= 0.9 * height
            else:
                assert one.x1 <= other.x0 + 1.0


@pytest.mark.parametrize("seconds", [10.0, 600.0, 1e4, 2e5, 6e6, 2.5e7, 8e7, 9e7, 3e8, 3e9])
def test_dates_of_any_range_have_labels(seconds):
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2021-03-04") + pd.to_timedelta(seconds * rng.random(60), unit="s")
    table = pd.DataFrame({"day": days, "x": rng.normal(size=60)})
    display = draw(bw.DensityTree().fit(table), table, regions=())
    display.figure_.canvas.draw()
    inside = display.ax_.get_xlim()
    shown = [tick for tick in display.ax_.get_xticks() if inside[0] <= tick <= inside[1]]
    assert 2 <= len(shown) <= 8


def test_colours_end_at_the_last_hundredth_of_the_rows():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(5000, 2))
    model = bw.GaussianDensity().fit(rows)
    display = draw(model, rows, resolution=200)
    low, high = display.artist_.get_clim()
    assert low == pytest.approx(np.quantile(model.score_samples(rows), 0.01), abs=0.1)
    assert high == display.log_density.max()
    assert low > display.log_density.min() + 2.0
    alone = draw(model, resolution=200)  # by the mass: the same for rows of the model
    assert alone.artist_.get_clim()[0] == pytest.approx(low, abs=0.4)
    axes = display.x, display.y
    flat = np.zeros_like(display.log_density)
    assert colour_range(flat, axes, None) == (-1.0, 0.0)
    assert colour_range(np.full_like(flat, -np.inf), axes, None) == (None, None)


def test_regions_hold_their_fractions():
    model = bw.GaussianDensity().fit(np.random.default_rng(0).normal(size=(2000, 2)))
    axes = tuple(axis_of_values(read_columns({"x": [-8.0, 8.0]})[0], 400) for _ in range(2))
    places = np.stack(np.meshgrid(axes[0].values, axes[1].values), axis=-1).reshape(-1, 2)
    log_density = model.score_samples(places).reshape(400, 400)
    peak = log_density.max()
    for fraction, level in zip(
        (0.5, 0.9, 0.99), region_levels(log_density, axes, (0.5, 0.9, 0.99)), strict=True
    ):
        # Of a Gaussian in the plane: 1 − exp(−r²/2) lies within r deviations.
        assert peak - level == pytest.approx(-np.log1p(-fraction), rel=0.02)
        inside = np.exp(log_density[log_density >= level]).sum() / np.exp(log_density).sum()
        assert fraction <= inside < fraction + 0.01
    display = draw(model, resolution=60)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["50%", "90%", "99%"]
    assert len(display.contours_.levels) == 3
    assert display.plot(regions=()).contours_ is None
    with pytest.raises(ValueError, match="regions must be fractions"):
        display.plot(regions=(50,))
    table = mixed()
    counts = draw(bw.DensityForest(3, random_state=0).fit(table), columns=("size", "count"))
    assert counts.contours_ is None


def test_rows_near_a_slice():
    rng = np.random.default_rng(0)
    values, words = rng.permutation(1000).astype(float), rng.choice(["a", "b"], 1000)
    values[:10] = np.nan
    table = read_columns({"x": values, "c": words, "y": rng.normal(size=1000)})
    at = read_columns({"x": [500.0], "c": ["b"], "y": [0.0]})
    near = rows_near(table, {0: at[0]}, {})
    assert not near[:10].any()
    distance = np.abs(values - 500.0)
    assert near.sum() == pytest.approx(250, abs=3)  # the nearest quarter
    assert np.nanmax(distance[near]) < np.nanmin(distance[~near])
    same = table.schema.match(at[1], 1)
    assert (rows_near(table, {1: same}, {1: same}) == (words == "b")).all()
    assert rows_near(table, {}, {}).all()


def test_what_cannot_be_drawn_is_said():
    table = mixed()
    forest = bw.DensityForest(3, random_state=0).fit(table)
    for display in (bw.DensityDisplay, bw.DensityTreeDisplay):
        with pytest.raises(
            ValueError, match="column 'place' has no category 'Emu'; it has 'Ulm', 'a very long"
        ):
            display.from_estimator(forest, columns=("size", "count"), at={"place": "Emu"})
        with pytest.raises(
            ValueError, match=r"has no category 'Emu'; it has 'code number 000', .* and [0-9]+ more"
        ):
            display.from_estimator(forest, columns=("size", "count"), at={"code": "Emu"})
        with pytest.raises(ValueError, match="two different columns"):
            display.from_estimator(forest, columns=(0, 0))
    with pytest.raises(ValueError, match="not fitted"):
        draw(bw.GaussianDensity())
    with pytest.raises(TypeError, match="got a GaussianNB"):
        draw(bw.GaussianNB().fit([[0.0], [1.0], [2.0]], [0, 1, 1]))
