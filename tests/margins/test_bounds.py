"""Bounds: no density beyond them, the same shape within; zero bounds what ends there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_strategies import table_of
from numpy.typing import NDArray

import boxwood as bw
from boxwood.columns import OPEN, BaseMeasure, ColumnMeasure, Lattice
from boxwood.evidence.sign import bounds_of_sign
from boxwood.evidence.weights import measures_of
from boxwood.margins import NumberMargin, fit_margins
from properties import examples

KINDS = st.sampled_from(["smooth", "linear"])


def bounded(
    values: NDArray[np.float64],
    bounds: tuple[float, float],
    kind: str = "smooth",
    lattice: Lattice | None = None,
) -> NumberMargin:
    measure = ColumnMeasure(lattice is not None, lattice, np.zeros(0), bounds)
    margin = fit_margins(table_of(values).with_measure(BaseMeasure.found([measure])), kind).columns[0]
    assert isinstance(margin, NumberMargin)
    return margin


@examples(100)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 200),
    below=st.floats(0.0, 5.0),
    above=st.none() | st.floats(0.0, 5.0),
    kind=KINDS,
)
def test_the_density_is_that_without_bounds_made_one_again(
    seed: int, n: int, below: float, above: float | None, kind: str
) -> None:
    values = np.random.default_rng(seed).normal(size=n)
    bounds = values.min() - below, np.inf if above is None else values.max() + above
    free, cut = bounded(values, OPEN, kind), bounded(values, bounds, kind)
    inside = np.exp(free.cdf.log_mass_between(*np.nextafter(bounds, (-np.inf, np.inf))))
    x = np.linspace(max(free.x[0], bounds[0]), min(free.x[-1], bounds[1]), 101)[1:-1]
    np.testing.assert_allclose(cut.log_derivative(x), free.log_derivative(x) - np.log(inside), atol=1e-6)
    assert cut.cdf.total == pytest.approx(1.0)
    outside = np.array([np.nextafter(bounds[0], -np.inf), bounds[0] - 1.0])
    assert (cut.log_derivative(outside) == -np.inf).all()
    assert np.isfinite(cut.log_derivative(values)).all()
    drawn = cut.decode(np.linspace(0.0, 1.0, 101))
    assert drawn.min() >= bounds[0]
    assert drawn.max() <= bounds[1]


@examples(60)
@given(
    places=st.lists(st.integers(0, 30), min_size=1, max_size=60),
    low=st.sampled_from([0.0, -0.3, -4.0]),
    kind=KINDS,
)
def test_points_beyond_the_bounds_have_no_mass(places: list[int], low: float, kind: str) -> None:
    lattice = Lattice(0.0, 0.5)
    margin = bounded(0.5 * np.array(places), (low, 20.0), kind, lattice)
    around = np.arange(-100.0, 200.0) * 0.5
    mass = np.exp(margin.log_derivative(around))
    outside = (around < low) | (around > 20.0)
    assert (mass[outside] == 0.0).all()
    assert mass.sum() / (1.0 - margin.off_mass) == pytest.approx(1.0, abs=1e-9)
    drawn = margin.decode(np.linspace(0.0, 1.0, 101))
    assert drawn.min() >= low
    assert drawn.max() <= 20.0


RNG = np.random.default_rng(0)
SIGNS = {
    "exponential": (RNG.exponential(size=300), (0.0, np.inf)),
    "below zero": (-RNG.exponential(size=300), (-np.inf, 0.0)),
    "lognormal": (RNG.lognormal(size=300), (0.0, np.inf)),
    "uniform": (RNG.random(300), (0.0, np.inf)),
    "rain": (np.where(RNG.random(300) < 0.3, 0.0, RNG.gamma(2.0, 1.0, 300)), (0.0, np.inf)),
    "far from zero": (RNG.normal(40.0, 1.0, 300), (0.0, np.inf)),
    "normal, by chance without a negative value": (np.abs(RNG.normal(3.0, 1.0, 300)), OPEN),
    "normal": (RNG.normal(size=300), OPEN),
    "few": (np.array([0.0, 1.0, 2.5]), OPEN),
}


@pytest.mark.parametrize("name", SIGNS)
def test_zero_bounds_columns_that_end_there(name: str) -> None:
    values, expected = SIGNS[name]
    assert measures_of(bw.read_columns(values[:, None]))[0].bounds == expected
    distinct = np.unique(values)
    assert bounds_of_sign(distinct, len(distinct)) == expected


def test_counts_have_no_mass_below_zero() -> None:
    counts = RNG.poisson(2.0, 300)
    assert measures_of(bw.read_columns({"n": counts}))[0].bounds == (0.0, np.inf)
    margin = fit_margins(bw.read_columns({"n": counts})).columns[0]
    assert margin.log_derivative(np.array([-1.0])) == [-np.inf]
    assert np.isfinite(margin.log_derivative(np.array([0.0, 60.0]))).all()


def test_a_bound_at_zero_costs_normal_columns_nothing() -> None:
    values, new = RNG.normal(40.0, 1.0, 300), RNG.normal(40.0, 1.0, 2000)
    scores = [bounded(values, bounds).log_derivative(new).mean() for bounds in (OPEN, (0.0, np.inf))]
    assert scores[1] == pytest.approx(scores[0], abs=1e-4)


MODELS = {
    "tree": bw.DensityTree(margins="smooth", random_state=0),
    "linear tree": bw.DensityTree(random_state=0),
    "forest": bw.DensityForest(5, random_state=0),
    "boosted": bw.BoostedDensity(preset="quick", n_estimators=3, random_state=0),
}
X = np.column_stack([RNG.normal(size=200), RNG.normal(10.0, 1.0, 200)])


@pytest.mark.parametrize("name", MODELS)
def test_models_stay_within_bounds(name: str, tmp_path: Path) -> None:
    model = MODELS[name].__class__(
        **{**MODELS[name].get_params(), "bounds": {0: (-4.0, None), "x1": (5, 15)}}
    )
    model.fit(X)
    drawn = model.sample(5000, random_state=0)
    assert drawn[:, 0].min() >= -4.0
    assert drawn[:, 1].min() >= 5.0
    assert drawn[:, 1].max() <= 15.0
    assert (model.score_samples([[-4.1, 10.0], [0.0, 4.9], [0.0, 15.1]]) == -np.inf).all()
    assert np.isfinite(model.score_samples(X)).all()
    model.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    assert again.bounds == model.bounds
    assert again.score_samples(X).tobytes() == model.score_samples(X).tobytes()


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"q": (0, 1)}, "bounds names the column 'q'"),
        ({2: (0, 1)}, "bounds names the column 2"),
        ({0: (1, 0)}, "low must be below high"),
        ({0: 3}, "must be a pair"),
        ({0: ("a", None)}, "must hold numbers or None"),
        ({"x1": (None, 10.0)}, r"column 'x1', row \d+: .* lies outside its bounds"),
    ],
)
def test_bounds_that_cannot_be_are_refused(bounds: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bw.DensityTree(bounds=bounds).fit(X)


def test_bounds_are_a_mapping_of_numbers_only() -> None:
    with pytest.raises(TypeError, match="must map columns"):
        bw.DensityTree(bounds=(0, 1)).fit(X)
    with pytest.raises(ValueError, match="only numbers have bounds"):
        bw.DensityTree(bounds={"c": (0, 1)}).fit({"c": ["a", "b"] * 9})


def test_given_bounds_replace_those_of_the_sign() -> None:
    values = RNG.exponential(size=(100, 1))
    assert bw.DensityTree(margins="smooth").fit(values).score_samples([[-0.001]]) == [-np.inf]
    open_ended = bw.DensityTree(margins="smooth", bounds={0: (None, None)}).fit(values)
    assert np.isfinite(open_ended.score_samples([[-0.001]])).all()


@pytest.mark.parametrize("named", [False, True])
def test_a_bound_far_away_does_not_draw_the_tail_to_it(named: bool) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "year": rng.integers(2000, 2020, 400),
            "pressure": rng.normal(1013.0, 5.0, 400),
            "kelvin": -rng.normal(273.0, 1.0, 400),
            "seconds": 1.7e9 + 1e6 * rng.random(400),
        }
    )
    bounds = {"year": (1, 1e6), "pressure": (0, 1e9), "kelvin": (-1e5, 0), "seconds": (0, None)}
    forest = bw.DensityForest(10, random_state=0, bounds=bounds if named else None).fit(table)
    drawn = forest.sample(20_000, random_state=0)
    asked = bw.TableModel.of_density(forest)
    for name, values in table.items():
        spread, mean = values.std(), values.mean()
        assert abs(asked.mean(name) - mean) < 0.2 * spread
        assert 0.9 * spread < asked.std(name) < 1.25 * spread
        assert np.abs(drawn[name] - mean).max() < 60.0 * spread
    beyond = pd.DataFrame({name: [np.round(0.5 * values.mean())] for name, values in table.items()})
    assert np.isfinite(forest.score_samples(beyond)).all()
