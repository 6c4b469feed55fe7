"""Margins of lattices: counting measure on the points, a little mass for what lies beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_strategies import fitted, table_of
from numpy.typing import NDArray

import boxwood as bw
from boxwood.columns import INTEGERS, BaseMeasure, ColumnMeasure, Lattice
from boxwood.margins import NumberMargin, fit_margins, margins_of_summary, summarize
from properties import examples

KINDS = st.sampled_from(["smooth", "linear"])


def on(
    lattice: Lattice, values: NDArray[np.float64], kind: str = "smooth", integer: bool = False
) -> NumberMargin:
    """Fit the margin of a column whose lattice is given."""
    measure = BaseMeasure.found([ColumnMeasure(True, lattice, np.zeros(0))])
    margin = fit_margins(table_of(values, integer=integer).with_measure(measure), kind).columns[0]
    assert isinstance(margin, NumberMargin)
    return margin


def u_of(margin: NumberMargin, values: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.empty(len(values))
    margin.encode(values, out)
    return out


@pytest.mark.parametrize(
    ("values", "lattice"),
    [
        (np.round(np.random.default_rng(0).normal(size=500), 1), Lattice(0.0, 0.1)),
        (np.round(np.random.default_rng(0).normal(size=500), 1).astype(np.float32), Lattice(0.0, 0.1)),
        (
            100.0 + np.round(np.random.default_rng(0).normal(size=500), 1).astype(np.float32),
            Lattice(0.0, 0.1),
        ),
        (25 * np.random.default_rng(0).integers(100, 200, 300) + 3.0, Lattice(3.0, 25.0)),
        (np.random.default_rng(0).integers(0, 90, 300) / 3.0, Lattice(0.0, 1.0 / 3.0)),
    ],
)
def test_a_column_has_the_lattice_of_its_values(values: NDArray[np.float64], lattice: Lattice) -> None:
    margin = fitted(values.astype(np.float64))
    assert margin.lattice is not None
    assert (margin.lattice.origin, margin.lattice.step) == pytest.approx((lattice.origin, lattice.step))
    logs = margin.log_derivative(values.astype(np.float64))
    counts = np.array([(values == value).mean() for value in values])
    assert (logs <= 0.0).all()
    assert logs.mean() == pytest.approx(np.log(counts).mean(), abs=0.35)


@pytest.mark.parametrize("kind", ["smooth", "linear"])
@pytest.mark.parametrize("lattice", [INTEGERS, Lattice(0.0, 2.0), Lattice(3.0, 25.0), Lattice(1.0, 6.0)])
def test_integers_on_and_between_the_points_have_mass_one(lattice: Lattice, kind: str) -> None:
    values = lattice.points(np.random.default_rng(0).poisson(8, 60).astype(np.float64))
    margin = on(lattice, values, kind, integer=True)
    around = np.arange(-400.0 * lattice.step, 400.0 * lattice.step)
    logs = margin.log_derivative(around)
    assert np.exp(logs).sum() == pytest.approx(1.0, abs=1e-5)
    off = ~lattice.holds(around)
    if lattice.step == 1.0:
        assert margin.off_mass == 0.0
    else:
        assert np.exp(logs[off]).sum() == pytest.approx(1.0 / 62.0, rel=1e-4)


@pytest.mark.parametrize("lattice", [INTEGERS, Lattice(0.0, 0.1), Lattice(0.02, 0.25)])
def test_floats_beside_the_points_have_a_density(lattice: Lattice) -> None:
    places = np.random.default_rng(1).poisson(8, 60).astype(np.float64)
    margin = on(lattice, lattice.points(places))
    around = np.arange(-300.0, 300.0)
    points = np.exp(margin.log_derivative(lattice.points(around))).sum()
    between = lattice.step * np.exp(margin.log_derivative(lattice.points(around) + 0.3 * lattice.step)).sum()
    assert points == pytest.approx(1.0 - 1.0 / 62.0, abs=1e-5)
    assert between == pytest.approx(1.0 / 62.0, abs=1e-5)
    beside = lattice.points(around) - 0.4 * lattice.step
    assert u_of(margin, beside).tolist() == u_of(margin, lattice.points(around)).tolist()


@examples(150)
@given(
    origin=st.integers(0, 99),
    step=st.integers(1, 300),
    digits=st.integers(0, 4),
    places=st.lists(st.integers(-500, 500), min_size=1, max_size=60),
    kind=KINDS,
)
def test_points_come_back_to_the_last_bit(
    origin: int, step: int, digits: int, places: list[int], kind: str
) -> None:
    power = 10.0**digits
    lattice = Lattice((origin % step) / power, step / power)
    values = (origin % step + np.array(places) * step) / power  # as a reader of decimals has them
    margin = on(lattice, values, kind)
    wide = np.exp(margin.log_derivative(values)) > 1e-12
    assert margin.decode(u_of(margin, values))[wide].tolist() == values[wide].tolist()
    assert lattice.holds(margin.decode(np.linspace(0.0, 1.0, 101))).all()


@examples(60)
@given(places=st.lists(st.integers(0, 40), min_size=2, max_size=60), kind=KINDS, data=st.data())
def test_the_lattice_is_the_integers_of_its_places(places: list[int], kind: str, data: st.DataObject) -> None:
    lattice = Lattice(data.draw(st.sampled_from([0.0, 0.5])), data.draw(st.sampled_from([0.5, 7.0])))
    numbers = np.array(places, dtype=np.float64)
    plain, stretched = on(INTEGERS, numbers, kind, integer=True), on(lattice, lattice.points(numbers), kind)
    at = np.arange(-5.0, 50.0)
    assert u_of(stretched, lattice.points(at)).tolist() == u_of(plain, at).tolist()
    np.testing.assert_allclose(
        stretched.log_derivative(lattice.points(at)),
        plain.log_derivative(at) + np.log1p(-1.0 / (len(places) + 2.0)),
        rtol=1e-12,
    )


@examples(60)
@given(places=st.lists(st.integers(0, 40), min_size=1, max_size=60), cut=st.integers(0, 60), kind=KINDS)
def test_weight_two_is_the_row_twice_and_parts_merge(places: list[int], cut: int, kind: str) -> None:
    values = 0.1 * np.array(places)
    measure = BaseMeasure.found([ColumnMeasure(True, Lattice(0.0, 0.1), np.zeros(0))])
    table = table_of(values).with_measure(measure)
    twice = fit_margins(table.take(np.repeat(np.arange(len(values)), 2)), kind).to_state()
    weighted = fit_margins(table.with_weights(np.full(len(values), 2.0)), kind).to_state()
    parts = [table.take(rows) for rows in np.split(np.arange(len(values)), [min(cut, len(values))])]
    merged = margins_of_summary(
        summarize([part.take(np.repeat(np.arange(part.n_rows), 2)) for part in parts if part.n_rows]),
        kind,
        measure=measure,
    ).to_state()
    for other in (weighted, merged):
        for name, value in twice[0].items():
            np.testing.assert_array_equal(other[0][name], value)


def test_below_a_value_are_the_points_below_it() -> None:
    values = np.round(np.random.default_rng(0).normal(size=400), 1)
    margin = fitted(values)
    points = np.round(np.arange(-900, 901) / 10, 1)
    mass = np.exp(margin.log_derivative(points)) / (1.0 - margin.off_mass)
    for at in (-1.0, 0.3, 0.31, 0.39, 2.0):
        assert margin.below(at) == pytest.approx(mass[points < at].sum(), abs=1e-4)
    plain = fitted(np.random.default_rng(0).normal(size=400))
    assert plain.below(0.3) == plain.cdf.below(0.3)


def test_new_values_at_a_finer_precision_have_a_density() -> None:
    values = np.round(np.random.default_rng(0).normal(size=400), 1)
    model = bw.DensityTree(margins="smooth").fit(values[:, None])
    scores = model.score_samples(np.array([[0.1], [0.12345], [57.03], [-1e250]]))
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1] > scores[2]


def test_samples_lie_on_the_lattice() -> None:
    values = np.round(np.random.default_rng(0).normal(size=400), 1)
    drawn = bw.DensityForest(5, random_state=0).fit(values[:, None]).sample(300, random_state=0)
    assert (np.round(drawn, 1) == drawn).all()


def test_dates_of_days_are_drawn_as_days() -> None:
    days = np.random.default_rng(0).integers(0, 300, 400)
    frame = pd.DataFrame({"day": np.datetime64("2024-01-01", "us") + days * np.timedelta64(1, "D")})
    model = bw.DensityTree().fit(frame)
    margin = model.margins_.columns[0]
    assert margin.lattice == Lattice(0.0, 86_400e6)
    drawn = model.sample(100, random_state=0)["day"]
    assert (drawn.dt.normalize() == drawn).all()
    assert "≥ 2024-" in " ".join(model.rules(leaf) for leaf in range(model.n_leaves_)) or model.n_leaves_ == 1


def test_rules_name_points_of_the_lattice() -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 600)
    table = {"mass": 25 * rng.integers(100, 120, 600) + 1000 * group, "group": np.array(["a", "b"])[group]}
    model = bw.DensityTree().fit(table)
    frame = model.leaves_frame()
    assert (frame["mass_lower"][np.isfinite(frame["mass_lower"])] % 25 == 0).all()
    assert (frame["mass_upper"][np.isfinite(frame["mass_upper"])] % 25 == 0).all()
