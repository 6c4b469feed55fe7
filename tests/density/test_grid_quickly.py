"""Grids of different floats are counted without merging rows: the same grid, whichever way it was counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import boxwood as bw
from boxwood.density import grid
from boxwood.evidence import find_lattice, lattice, weigh_continuous, weigh_rows
from boxwood.histogram.grid_cells import GridCells

RNG = np.random.default_rng(0)
TABLES = {
    "normal": RNG.normal(size=(3000, 2)),
    "positive": RNG.exponential(size=(500, 2)),
    "far": RNG.standard_cauchy(size=(400, 2)),
    "few": RNG.normal(size=(6, 2)),
    "rounded": RNG.normal(size=(2000, 2)).round(2),
    "an atom": np.where(RNG.random((800, 2)) < 0.1, 0.0, RNG.normal(size=(800, 2))),
    "rows twice": np.repeat(RNG.normal(size=(300, 2)), 2, axis=0),
    "gaps": np.where(RNG.random((300, 2)) < 0.1, np.nan, RNG.normal(size=(300, 2))),
    "numbered": np.column_stack([RNG.permutation(2500).astype(float), RNG.normal(size=2500)]),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    "options", [{}, {"bins": 6}, {"bins": "scott", "range": (-1.0, 2.0)}, {"estimate": "bayes"}]
)
def test_both_ways_make_the_same_grid(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    X = TABLES[name]
    quick = bw.GridHistogram(**options).fit(X)
    monkeypatch.setattr(grid.GridHistogram, "_needs_no_order", lambda self: False)
    slow = bw.GridHistogram(**options).fit(X)
    for ours, theirs in zip(quick.edges_, slow.edges_, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    assert_array_equal(quick.cells_, slow.cells_)
    assert_array_equal(quick.counts_, slow.counts_)
    np.testing.assert_allclose(quick.score_samples(X), slow.score_samples(X))
    assert quick.offset_ == pytest.approx(slow.offset_)


@pytest.mark.parametrize("name", TABLES)
def test_a_glance_finds_what_weighing_finds_or_nothing(name: str) -> None:
    columns = bw.read_columns(TABLES[name])
    glance, evidence = weigh_continuous(columns), weigh_rows(columns)
    assert (glance is not None) == (name in {"normal", "positive", "far", "few"})
    if glance is None:
        return
    assert glance[0].n == evidence.n
    for ours, theirs in zip(glance[0].discrete.measures, evidence.discrete.measures, strict=True):
        assert (ours.all_discrete, ours.lattice, ours.bounds) == (False, theirs.lattice, theirs.bounds)
        assert len(ours.atoms) == len(theirs.atoms) == 0
    assert weigh_continuous(columns.with_weights(np.full(columns.n_rows, 2.0))) is None


@pytest.mark.parametrize("step", [1.0, 0.25, 0.01, 1.0 / 3.0, 7.0, np.pi])
@pytest.mark.parametrize("off", [0, 1, 1500])
def test_a_few_values_rule_out_no_lattice(step: float, off: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(off)
    places = rng.choice(20_000, 6000, replace=False) * step
    places[:off] += step * rng.uniform(0.1, 0.4, off)
    values = np.unique(places)
    found = find_lattice(values)
    monkeypatch.setattr(lattice, "_SOME_VALUES", len(values))
    assert found == find_lattice(values)
    if off == 0 and step != np.pi:
        assert found is not None


def test_cells_are_counted_alike_by_tables_and_by_sorting() -> None:
    rng = np.random.default_rng(1)
    keys, weights = rng.integers(-1, 50, 400), rng.integers(1, 5, 400).astype(float)
    near = GridCells.of_rows(keys, weights)
    far = GridCells.of_rows(np.where(keys < 0, -1, keys + 10**12), weights)
    assert_array_equal(near.keys + 10**12, far.keys)
    assert_array_equal(near.counts, far.counts)
    assert near.outside == far.outside == weights[keys < 0].sum()
