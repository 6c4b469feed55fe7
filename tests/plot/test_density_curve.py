"""One column of a density: every density and kind of column is drawn, and the numbers are the model's."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

plt = pytest.importorskip("matplotlib.pyplot")
plt.switch_backend("Agg")

draw = bw.DensityDisplay.from_estimator

DENSITIES = [
    bw.BoostedDensity(preset="quick", n_estimators=10, random_state=0),
    bw.DensityForest(5, random_state=0),
    bw.DensityTree(random_state=0),
    bw.GaussianDensity(),
    bw.GridHistogram(),
    bw.Histogram(),
    bw.NeighborDensity(20),
    bw.ProductDensity(),
]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def table(n=300):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size in mm": rng.normal(size=n) + 3.0 * rng.integers(0, 2, n),
            "place": np.array(["a very long name of a city", "another long name", "Ulm"])[
                rng.integers(0, 3, n)
            ],
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.gamma(2.0, 90.0, n), unit="D"),
            "count": rng.poisson(4, n).astype(float),
            "rain": np.where(rng.random(n) < 0.4, 0.0, rng.gamma(2.0, 1.5, n)),
            "price": np.round(rng.lognormal(1.0, 0.5, n), 2),
        }
    )
    for name in ("place", "rain", "count"):
        frame.loc[rng.random(n) < 0.1, name] = np.nan
    frame["count"] = frame["count"].astype("Int64")
    return frame


COLUMNS = list(table(1))


def column(model, name):
    """Return one column as the model takes it."""
    frame = table()[[name]]
    return frame if model._allow_missing else frame.dropna()


def rows_at(display, name):
    """Return the rows at which a curve is evaluated, in the table's own types."""
    axis, values = display.x, display.x.values
    if not axis.field.kind.is_number:
        values = np.array(axis.field.categories, dtype=object)[values]
    elif axis.field.kind == "datetime":
        values = values.astype("datetime64[us]")
    elif name == "count":
        values = pd.array(values.astype(np.int64), dtype="Int64")
    return pd.DataFrame({name: values})


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("model", DENSITIES, ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_density_of_one_column_is_shown_as_it_scores(model, name):
    X = column(model, name)
    if name == "place" and isinstance(model, bw.GaussianDensity | bw.NeighborDensity):
        pytest.skip("a density of numbers")
    model = model.fit(X)
    for given in (X, None):
        display = draw(model, given)
        expected = model.score_samples(rows_at(display, name)) + display.x.log_scale
        np.testing.assert_allclose(display.log_density, expected, rtol=1e-9, atol=1e-9)
        assert display.y is None
        assert display.ax_.get_xlabel() == name
        assert (display.points is None) == (given is None)
    is_plain = isinstance(model, bw.NeighborDensity)
    assert display.is_normalized == (not is_plain)
    assert ("not normalized" in display.ax_.get_ylabel()) == (is_plain and name != "count")
    assert not (is_plain and display.contours_)


def mass(display):
    """Return the probability of all that a picture shows: bins, single values and missing ones."""
    inside = (np.exp(display.log_density) * display.x.sizes).sum()
    return inside + display.curve.atom_probabilities.sum() + display.curve.missing


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("model", [bw.Histogram(), bw.GridHistogram(), bw.ProductDensity(), bw.DensityTree()])
def test_steps_hold_the_whole_probability(model, name):
    display = draw(model.fit(table()[[name]]), table()[[name]])
    assert mass(display) == pytest.approx(1.0, abs=0.02)
    assert display.curve.is_constant == (name in ("size in mm", "day", "rain"))


def test_bands_are_the_standard_errors_of_histograms_and_trees():
    X = np.random.default_rng(0).normal(size=(400, 1))
    histogram = bw.Histogram(bins=12).fit(X)
    grid = bw.GridHistogram(bins=12).fit(X)
    for model in (histogram, grid, bw.ProductDensity(marginal=bw.Histogram(bins=12)).fit(X)):
        found = draw(model, X).curve.standard_errors
        np.testing.assert_allclose(found, histogram.standard_errors_[0], atol=1e-12)
    tree = bw.DensityTree().fit(X)
    display = draw(tree, X)
    frame = tree.leaves_frame().sort_values("x0_lower")
    np.testing.assert_allclose(display.x.edges[:-1], frame["x0_lower"])
    # The probability that no row has a gap, 401 in 402, is part of the score.
    np.testing.assert_allclose(display.curve.standard_errors, frame["standard_error"], rtol=0.005)
    np.testing.assert_allclose(display.curve.cuts, frame["x0_lower"][1:])
    for model in (bw.GaussianDensity(), bw.DensityForest(3, random_state=0), bw.NeighborDensity()):
        assert draw(model.fit(X), X).curve.standard_errors is None


def test_atoms_gaps_and_levels_are_said():
    rain = table()[["rain"]]
    display = draw(bw.Histogram().fit(rain), rain)
    assert display.curve.atoms.tolist() == [0.0]
    assert display.curve.atom_probabilities == pytest.approx([(rain["rain"] == 0.0).mean()], abs=0.01)
    assert display.curve.missing == pytest.approx(rain["rain"].isna().mean(), abs=0.01)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert {"rows", "density", "single values"} <= set(legend)
    assert any(text.startswith("missing: 0.") for text in legend)
    assert any(text.get_text().startswith("P(0) = ") for text in display.ax_.texts)
    levels = np.exp([line.get_ydata()[0] for line in draw(bw.GaussianDensity().fit(rain.dropna())).contours_])
    assert len(levels) == 3
    assert (np.diff(levels) < 0.0).all()
    places = table()[["place"]]
    names = [label.get_text() for label in draw(bw.Histogram().fit(places)).ax_.get_xticklabels()]
    assert names == ["Ulm", "a very long nam…", "another long na…", "missing"]


def test_levels_hold_their_fractions():
    X = np.random.default_rng(0).normal(size=(5000, 1))
    model = bw.GaussianDensity().fit(X)
    lines = draw(model, X, regions=(0.5, 0.9)).contours_
    density = np.exp(model.score_samples(X))
    for line, fraction in zip(lines, (0.5, 0.9), strict=True):
        assert (density >= line.get_ydata()[0]).mean() == pytest.approx(fraction, abs=0.02)


def test_one_column_of_several_is_summed_out_or_given():
    X = np.random.default_rng(0).multivariate_normal([0.0, 1.0], [[1.0, 0.7], [0.7, 1.0]], 500)
    gaussian = bw.GaussianDensity().fit(X)
    deviation = np.sqrt(gaussian.covariance_[1, 1])
    display = draw(gaussian, X, columns=1)
    z = (display.x.values - gaussian.mean_[1]) / deviation
    np.testing.assert_allclose(display.log_density, -0.5 * z**2 - np.log(deviation * np.sqrt(2 * np.pi)))
    forest = bw.DensityForest(5, missing="ignore", random_state=0).fit(X)
    for show in (draw, bw.DensityTreeDisplay.from_estimator):
        display = show(forest, X, columns="x1")
        rows = np.column_stack([np.full(len(display.x.values), np.nan), display.x.values])
        np.testing.assert_allclose(display.log_density, forest.score_samples(rows), rtol=1e-9, atol=1e-9)
        given = show(forest, X, columns=["x1"], at={"x0": 1.0})
        assert given.given == {"x0": 1.0}
        rows = np.column_stack([np.ones(len(given.x.values)), given.x.values])
        joint = forest.score_samples(rows) - forest.score_samples([[1.0, np.nan]])
        np.testing.assert_allclose(given.log_density, joint, rtol=1e-9, atol=1e-9)


def test_few_rows_are_a_rug_and_a_tree_shows_its_cuts():
    X = np.random.default_rng(0).normal(size=(60, 1))
    display = bw.DensityTreeDisplay.from_estimator(bw.DensityTree(prune=None).fit(X), X)
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert {"rows", "cuts", "density", "± standard error"} <= set(names)
    rugs = [c for c in display.ax_.collections if len(c.get_paths()) == 60]
    assert len(rugs) == 1
    assert len(display.plot_tree().artist_) == display.tree.nodes.leaves.size


def test_detectors_show_their_score_and_threshold():
    X = np.random.default_rng(0).normal(size=(200, 2))
    detector = bw.AnomalyDetector(random_state=0).fit(X[:, :1])
    display = draw(detector, X[:, :1], resolution=50)
    np.testing.assert_allclose(display.log_density, detector.score_samples(display.x.values[:, None]))
    assert display.threshold == detector.offset_
    assert display.ax_.get_ylabel() == "score"
    assert "threshold" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    of_two = draw(bw.AnomalyDetector(random_state=0).fit(X), X, resolution=12)
    assert of_two.contours_.levels.tolist() == [of_two.threshold]
    with pytest.raises(ValueError, match="does not simulate rows; pass X"):
        draw(detector)


def test_columns_that_are_not_there():
    X = np.random.default_rng(0).normal(size=(50, 1))
    model = bw.Histogram().fit(X)
    with pytest.raises(ValueError, match="there is no column 1; the table has 1"):
        draw(model, X, columns=(0, 1))
    with pytest.raises(ValueError, match="expected one column or two different columns"):
        draw(model, X, columns=())
