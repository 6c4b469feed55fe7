"""Bins on a lattice and at atoms: probabilities of points, and everything asked of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.columns import Lattice
from boxwood.histogram.atom_bins import cut_at_atoms
from boxwood.histogram.bin_measure import INTEGERS, LENGTH, BinMeasure
from boxwood.histogram.heaping import HeapProfile, find_heap
from properties import examples

STEPS = st.sampled_from([0.1, 0.25, 1.0, 3.0, 25.0])


def points_in(edges: np.ndarray, lattice: Lattice, atoms: np.ndarray) -> list[list[float]]:
    """List the points and atoms of each bin, the obvious way."""
    first, last = np.floor((edges[[0, -1]] - lattice.origin) / lattice.step)
    points = [lattice.origin + k * lattice.step for k in np.arange(first - 1, last + 3)]
    bins = pairwise(edges)
    return [[low] if low in atoms else [x for x in points if low <= x < high] for low, high in bins]


@st.composite
def binned(draw: Any) -> tuple[np.ndarray, BinMeasure]:
    step, origin = draw(STEPS), draw(st.sampled_from([0.0, 0.5]))
    lattice = Lattice(origin * step, step)
    widths = draw(st.lists(st.integers(2, 5), min_size=1, max_size=6))
    start = draw(st.integers(-20, 20)) - 0.5
    edges = lattice.origin + step * (start + np.concatenate([[0.0], np.cumsum(widths)]))
    inside = st.floats(edges[0] - 3.0 * step, edges[-1] + 3.0 * step)
    atoms = np.unique(draw(st.lists(inside.filter(lambda x: not near_point(x, lattice)), max_size=2)))
    if len(atoms) == 2 and atoms[1] - atoms[0] < 2.5 * step:
        atoms = atoms[:1]
    return cut_at_atoms(edges, atoms), BinMeasure(lattice, atoms)


def near_point(x: float, lattice: Lattice) -> bool:
    place = (x - lattice.origin) / lattice.step
    return abs(place - round(place)) < 0.01 or abs(place % 1.0 - 0.5) < 0.01


@examples(200)
@given(binned())
def test_sizes_means_variances_and_draws_are_those_of_the_points(case: Any) -> None:
    edges, measure = case
    listed = points_in(edges, measure.lattice, measure.atoms)
    held = np.array([len(points) > 0 for points in listed])
    n_points = np.array([len(points) for points in listed])
    assert np.array_equal(measure.sizes(edges)[held], n_points[held])
    means = np.array([np.mean(points) if points else 0.0 for points in listed])
    variances = np.array([np.var(points) if points else 0.0 for points in listed])
    np.testing.assert_allclose(measure.means(edges)[held], means[held], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(measure.variances(edges)[held], variances[held], rtol=1e-9, atol=1e-9)
    for m in np.flatnonzero(held):
        n = len(listed[m])
        bins, fraction = np.full(n, m), (np.arange(n) + 0.5) / n
        drawn = measure.draw(edges, bins, fraction, False)
        np.testing.assert_allclose(drawn, listed[m], rtol=1e-9, atol=1e-9)
        upto = measure.fraction_up_to(edges, bins, np.array(listed[m]))
        np.testing.assert_allclose(upto, (np.arange(n) + 1.0) / n)
        np.testing.assert_allclose(measure.values_at(edges, bins, fraction), listed[m], rtol=1e-9, atol=1e-9)


@examples(200)
@given(
    st.integers(1, 30),
    st.floats(0.01, 10.0),
    st.lists(st.floats(-5.0, 15.0), min_size=1, max_size=3, unique=True),
)
def test_atoms_leave_no_sliver_of_a_bin(n_bins: int, width: float, atoms: list[float]) -> None:
    edges = np.arange(n_bins + 1.0) * width
    found = cut_at_atoms(edges, np.sort(atoms))
    assert np.all(np.diff(found) > 0.0)
    assert found[0] <= edges[0] or found[0] == min(atoms)
    assert found[-1] >= min(edges[-1], np.nextafter(max(atoms), np.inf))
    is_atom = np.isin(found[:-1], atoms)
    assert is_atom.sum() == len(atoms)
    beside_one = ~is_atom & ~np.isin(found[1:], atoms) | (is_atom.sum() == 1)
    wide = np.diff(found) >= 0.499 * np.diff(edges).min()
    assert wide[beside_one & ~is_atom].all()


def test_rounded_numbers_have_probabilities() -> None:
    x = np.round(np.random.default_rng(0).normal(size=(3000, 1)), 1)
    model = bw.Histogram().fit(x)
    cells = np.round(np.arange(-100, 101) * 0.1, 1)[:, None]
    probability = np.exp(model.score_samples(cells))
    assert probability.sum() == pytest.approx(1.0)
    assert probability[100] == pytest.approx(0.0399, abs=0.008)
    drawn = model.sample(1000, random_state=0)
    assert np.isin(drawn, cells).all()
    assert np.isin(model.quantile([0.0, 0.2, 0.5, 1.0]), cells).all()
    cdf = model.cdf(cells)[:, 0]
    np.testing.assert_allclose(cdf, np.cumsum(probability), atol=1e-12)
    assert model.variance_[0] == pytest.approx(x.var(), rel=0.1)


def heaped_masses(n: int = 342) -> pd.DataFrame:
    """Masses read to 25 g, and 85% of them to 50 g."""
    rng = np.random.default_rng(0)
    mass = rng.normal(4200.0, 800.0, n)
    step = np.where(rng.random(n) < 0.7, 50.0, 25.0)
    return pd.DataFrame({"mass": (step * np.round(mass / step)).astype(int)})


def test_heaped_columns_have_no_comb() -> None:
    frame = heaped_masses()
    model = bw.Histogram().fit(frame)
    width = np.diff(model.edges_[0])
    assert np.all(width == width[0])
    assert width[0] % 50 == 0
    assert 5 <= len(width) <= 25
    comb = bw.Histogram(candidates=[145], estimate="map").fit(frame)
    new = pd.DataFrame({"mass": 25 * np.arange(120, 220)})
    assert comb.score(frame.iloc[:0:-1]) < model.score(frame) + 0.5
    assert np.isfinite(model.score_samples(new)).all()


def test_a_heap_keeps_the_probabilities_of_its_points(tmp_path: Any) -> None:
    frame = heaped_masses()
    model = bw.Histogram().fit(frame)
    points = pd.DataFrame({"mass": 25 * np.arange(-100, 500)})
    p = np.exp(model.score_samples(points))
    assert p.sum() == pytest.approx(1.0)
    even = (frame["mass"] % 50 == 0).mean()
    assert p[::2].sum() == pytest.approx(even, abs=0.01)
    np.testing.assert_allclose(model.cdf(points)[:, 0], np.cumsum(p), atol=1e-9)
    drawn = model.sample(5000, random_state=0)["mass"]
    assert (drawn % 25 == 0).all()
    assert np.mean(drawn % 50 == 0) == pytest.approx(even, abs=0.03)
    x = points["mass"].to_numpy()
    assert model.mean_[0] == pytest.approx(p @ x)
    assert model.variance_[0] == pytest.approx(p @ (x - p @ x) ** 2)
    levels = np.array([0.01, 0.3, 0.5, 0.77, 0.99])
    expected = x[np.searchsorted(np.cumsum(p), levels)]
    assert np.array_equal(model.quantile(levels)["mass"], expected)
    model.save(tmp_path / "model.bw")
    assert np.array_equal(bw.load(tmp_path / "model.bw").score_samples(points), model.score_samples(points))
    np.testing.assert_allclose(
        model.to_mixture().log_density(bw.read_columns(frame)), model.score_samples(frame), rtol=1e-9
    )
    assert np.mean(model.p_values(frame) <= 0.1) <= 0.13


@examples(100)
@given(st.lists(st.floats(0.1, 5.0), min_size=2, max_size=6), st.integers(-50, 50))
def test_profiles_are_sums_of_their_weights(weights: list[float], start: int) -> None:
    weights = np.array(weights) / np.mean(weights)
    profile = HeapProfile(weights)
    places = np.arange(start, start + 40.0)
    listed = weights[np.mod(places, len(weights)).astype(int)]
    upto = profile.up_to(np.append(places, places[-1] + 1.0))
    np.testing.assert_allclose(np.diff(upto), listed)
    assert np.array_equal(profile.at(upto[:-1] + 0.5 * listed), places)
    np.testing.assert_allclose(profile.log_weights(places), np.log(listed))


def test_many_rows_know_the_comb() -> None:
    """Hours of work: where every point is known well, its own bin tells more than the habit."""
    rng = np.random.default_rng(0)
    hours = np.where(rng.random(20_000) < 0.5, 40, 5 * rng.integers(2, 16, 20_000))
    some = rng.random(20_000) < 0.1
    frame = pd.DataFrame({"hours": np.where(some, rng.integers(10, 80, 20_000), hours)})
    model = bw.Histogram().fit(frame)
    p = np.exp(model.score_samples(pd.DataFrame({"hours": [40]})))[0]
    assert p == pytest.approx((frame["hours"] == 40).mean(), rel=0.01)


def test_a_spike_on_a_lattice_has_its_own_bin() -> None:
    rng = np.random.default_rng(0)
    gain = np.where(rng.random(5000) < 0.9, 0, rng.integers(100, 20_000, 5000))
    model = bw.Histogram().fit(pd.DataFrame({"gain": gain}))
    p = np.exp(model.score_samples(pd.DataFrame({"gain": [0]})))[0]
    assert p == pytest.approx((gain == 0).mean())


@examples(100)
@given(st.integers(0, 10**6), st.integers(1, 2000), st.sampled_from(["poisson", "geometric", "normal"]))
def test_smooth_columns_have_no_heap(seed: int, n: int, law: str) -> None:
    rng = np.random.default_rng(seed)
    draws = {
        "poisson": rng.poisson(4.0, n),
        "geometric": rng.geometric(0.1, n),
        "normal": rng.normal(0, 30, n),
    }
    places, counts = np.unique(np.round(draws[law]), return_counts=True)
    # One column in a thousand may look heaped by chance, and has somewhat wider bins then.
    assert find_heap(places, counts.astype(float)) <= 3


@pytest.mark.parametrize("family", [bw.Histogram, bw.ProductDensity, bw.GridHistogram])
def test_an_atom_has_its_fraction(family: Any) -> None:
    rng = np.random.default_rng(0)
    x = np.where(rng.random(2000) < 0.25, 0.0, rng.normal(size=2000))[:, None]
    model = family().fit(x)
    smoothed = 1e-3 if family is bw.ProductDensity else 1e-6
    assert np.exp(model.score_samples([[0.0]]))[0] == pytest.approx(np.mean(x == 0.0), rel=smoothed)
    assert np.mean(model.sample(4000, random_state=0) == 0.0) == pytest.approx(0.25, abs=0.03)
    grid = np.linspace(-5.0, 5.0, 100_001)[:, None] + 1e-7
    assert np.exp(model.score_samples(grid)).sum() * 1e-4 == pytest.approx(0.75, abs=0.02)


def test_far_codes_do_not_widen_the_bins() -> None:
    x = np.random.default_rng(0).normal(size=1000)
    plain = bw.Histogram().fit(x[:, None])
    coded = bw.Histogram().fit(np.append(x, np.full(300, -999.0))[:, None])
    assert len(coded.counts_[0]) == len(plain.counts_[0]) + 2  # the code, and nothing up to the others
    assert coded.counts_[0][:2].tolist() == [300.0, 0.0]


def test_lattices_and_atoms_survive_a_file(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    atom = np.where(rng.random(600) < 0.3, 0.0, rng.normal(size=600))
    frame = pd.DataFrame({"tenths": np.round(rng.normal(size=600), 1), "atom": atom})
    for model in (bw.Histogram(), bw.ProductDensity(), bw.GridHistogram()):
        model.fit(frame, sample_weight=rng.integers(1, 3, 600)).save(tmp_path / "model.bw")
        loaded = bw.load(tmp_path / "model.bw")
        assert np.array_equal(loaded.score_samples(frame), model.score_samples(frame))
        assert loaded.sample(50, random_state=0).equals(model.sample(50, random_state=0))
    histogram = bw.Histogram().fit(frame, sample_weight=np.full(600, 2))
    histogram.save(tmp_path / "model.bw")
    loaded = bw.load(tmp_path / "model.bw")
    assert all(np.array_equal(a, b) for a, b in zip(loaded.counts_, histogram.counts_, strict=True))
    assert loaded.counts_[0].sum() == 1200.0


def test_the_mixture_of_a_lattice_scores_the_same() -> None:
    rng = np.random.default_rng(0)
    atom = np.where(rng.random(600) < 0.3, 0.0, rng.normal(size=600))
    frame = pd.DataFrame(
        {"tenths": np.round(rng.normal(size=600), 1), "atom": atom, "fives": 5 * rng.poisson(8.0, 600)}
    )
    model = bw.Histogram().fit(frame)
    mixture = model.to_mixture()
    np.testing.assert_allclose(
        mixture.log_density(bw.read_columns(frame)), model.score_samples(frame), rtol=1e-9
    )


def test_edges_and_numbers_of_bins_are_as_numpy_has_them() -> None:
    x = np.round(np.random.default_rng(0).normal(size=500), 1)
    model = bw.Histogram(bins=10).fit(x[:, None])
    expected = np.histogram(x, 10)
    assert np.array_equal(model.counts_[0], expected[0])
    np.testing.assert_allclose(model.edges_[0], expected[1])
    assert model.columns_[0].measure is LENGTH
    whole = bw.Histogram(bins=[0, 5, 10]).fit(np.arange(11)[:, None])
    assert whole.columns_[0].measure is INTEGERS
