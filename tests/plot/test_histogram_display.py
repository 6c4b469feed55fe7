"""HistogramDisplay: numbers kept, panels drawn, errors said."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def mixed():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "size": rng.normal(size=400),
            "count": rng.poisson(3, 400),
            "city": rng.choice(["Bonn", "Ulm", "Kiel"], 400),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.random(400) * 100, unit="D"),
            "empty": np.full(400, np.nan),
        }
    )


def test_numbers_are_kept():
    model = bw.Histogram(bins=8).fit(mixed())
    display = bw.HistogramDisplay.from_estimator(model)
    assert len(display.panels) == len(display.axes_) == 5
    series = display.panels[0][0]
    np.testing.assert_array_equal(series.edges, model.edges_[0])
    np.testing.assert_array_equal(series.density, model.density_[0])
    np.testing.assert_array_equal(series.standard_errors, model.standard_errors_[0])
    # Dates: a day is matplotlib's unit; the density still integrates to 1.
    dates = display.panels[3][0]
    assert (dates.density @ np.diff(dates.edges)) == pytest.approx(1.0)
    assert display.axes_[2].get_xticklabels()[1].get_text() == "Kiel"
    assert [axes.get_ylabel() for axes in display.axes_[1:3]] == ["probability per number", "probability"]


def test_columns_and_axes_may_be_given():
    model = bw.Histogram().fit(mixed())
    _, axes = plt.subplots(1, 2)
    display = bw.HistogramDisplay.from_estimator(model, columns=["count", 0], ax=axes, error_bars=False)
    assert display.axes_ == list(axes)
    assert [panel[0].field.name for panel in display.panels] == ["count", "size"]
    with pytest.raises(ValueError, match="2 axes are needed"):
        display.plot(ax=axes[0])
    with pytest.raises(KeyError, match="no column 'other'"):
        bw.HistogramDisplay.from_estimator(model, columns=["other"])


def test_columns_that_are_left_out_are_named():
    wide = bw.Histogram(bins=3).fit(np.random.default_rng(0).normal(size=(50, 12)))
    display = bw.HistogramDisplay.from_estimator(wide)
    assert display.left_out == ["x9", "x10", "x11"]
    assert display.figure_.get_supxlabel() == "9 of 12 columns; `columns` chooses others"
    chosen = bw.HistogramDisplay.from_estimator(wide, columns=[11])
    assert chosen.left_out == []
    assert chosen.figure_.get_supxlabel() == ""


def test_rules_are_compared():
    X = mixed()[["size"]]
    model = bw.Histogram().fit(X)
    display = bw.HistogramDisplay.from_estimator(model, X, rules=["scott", "loo", 5])
    assert len(display.panels[0]) == 3
    assert display.panels[0][2].label == "5: 5 bins"
    assert len(display.axes_[0].get_legend().get_texts()) == 3
    with pytest.raises(ValueError, match="X is needed"):
        bw.HistogramDisplay.from_estimator(model, rules=["scott"])
    assert model.bins == "loo"


def test_only_fitted_histograms_are_drawn():
    with pytest.raises(ValueError, match="not fitted"):
        bw.HistogramDisplay.from_estimator(bw.Histogram())
    with pytest.raises(TypeError, match="not a GaussianDensity"):
        bw.HistogramDisplay.from_estimator(bw.GaussianDensity().fit([[0.0], [1.0]]))


def test_the_import_alone_does_not_need_matplotlib():
    code = "import sys; import boxwood.plot; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
