"""Atoms on which several models agree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import boxwood as bw
from boxwood.evidence import share_measure
from boxwood.margins import fit_margins

RNG = np.random.default_rng(0)


def parts_of(*values):
    table = bw.read_columns(np.concatenate(values)[:, None])
    ends = np.cumsum([0, *(len(part) for part in values)])
    parts = [np.arange(low, high) for low, high in pairwise(ends)]
    shared = share_measure(table, parts)
    return [shared.take(part) for part in parts]


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_an_atom_of_one_part_is_one_of_all(kind):
    spike = np.append(np.full(100, 3.0), RNG.normal(size=100))
    for part in parts_of(spike, RNG.normal(size=200), np.full(50, -7.5)):
        margin = fit_margins(part, kind).columns[0]
        assert margin.atoms.tolist() == [-7.5, 3.0]
        assert margin.cdf.total == pytest.approx(1.0)
        # Whatever a part has, values that are no atom keep a density, and atoms a probability.
        assert np.isfinite(margin.log_derivative(np.array([-7.5, 0.1, 3.0]))).all()


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_the_mass_of_an_atom_is_its_fraction_of_the_rows(kind):
    one, two = parts_of(np.append(np.full(100, 0.5), RNG.normal(size=100)), RNG.normal(size=200))
    mass = [
        np.exp(fit_margins(part, kind).columns[0].log_derivative(np.array([0.5])))[0] for part in (one, two)
    ]
    assert mass[0] == pytest.approx(100 / 200.5)
    assert mass[1] == pytest.approx(0.5 / 201.0)


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_a_single_part_is_measured_as_it_would_be_alone(kind):
    values = np.concatenate([np.full(40, 1.0), RNG.normal(size=400), [np.nan] * 10])
    (part,) = parts_of(values)
    alone = fit_margins(bw.read_columns(values[:, None]), kind).columns[0]
    shared = fit_margins(part, kind).columns[0]
    np.testing.assert_array_equal(shared.x, alone.x)
    np.testing.assert_array_equal(shared.mass, alone.mass)


def test_without_atoms_nothing_changes():
    one, two = RNG.normal(size=100), RNG.normal(size=150)
    for part, values in zip(parts_of(one, two), (one, two), strict=True):
        alone = fit_margins(bw.read_columns(values[:, None])).columns[0]
        np.testing.assert_array_equal(fit_margins(part).columns[0].mass, alone.mass)


def test_a_part_without_any_value():
    one, two = parts_of(np.full(30, 2.0), np.full(30, np.nan))
    margin = fit_margins(two).columns[0]
    assert margin.atoms.tolist() == [2.0]
    assert margin.missing_mass == pytest.approx(30 / 30.5)
    assert fit_margins(one).columns[0].missing_mass == 0.0


def test_too_many_atoms_are_those_of_the_whole():
    """More parts with values of their own than a margin has room for."""
    values = [np.repeat(np.exp(0.01 * (100.0 * k + np.arange(60))), 10) for k in range(20)]  # no lattice
    margins = [fit_margins(part).columns[0] for part in parts_of(*values)]
    assert all(len(margin.atoms) <= 500 for margin in margins)
    assert len({tuple(margin.atoms) for margin in margins}) == 1


def test_whole_numbers_and_categories_need_none():
    table = bw.read_columns({"n": [1, 2, 3], "c": ["x", "y", "x"], "f": [0.5, 1.5, 2.5]})
    shared = share_measure(table, [np.array([0, 1]), np.array([2])])
    assert [found.all_discrete for found in shared.measure.columns] == [True, True, False]
    assert table.measure is None
    assert shared.take([0, 2]).measure is shared.measure
    assert shared.with_weights(np.array([1.0, 0.0, 2.0])).measure is shared.measure
    assert shared.matched(table.schema).measure is shared.measure
    assert shared == table
