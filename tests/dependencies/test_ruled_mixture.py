"""The native mixture under rules, beside sums over all values of a small discrete table."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import boxwood as bw
from boxwood import _core
from boxwood.columns import Columns
from boxwood.dependencies import Dependencies, RuledDensity, find_dependencies, with_exceptions
from boxwood.dependencies.agreement import log_margin
from boxwood.dependencies.cells import columns_of_numbers
from boxwood.dependencies.component import VALUE
from boxwood.evidence import weigh_rows
from boxwood.mixture import TableMixture


def table(n: int = 500, seed: int = 0) -> dict[str, Any]:
    """Return a → b → c, gaps of d by a, gaps of e and a flag by gaps of f, and a free column."""
    rng = np.random.default_rng(seed)
    a = rng.choice(5, n, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    b = np.array([0, 1, 1, 2, 2])[a]
    gap = rng.random(n) < 0.3
    d = np.where(np.isin(a, [1, 4]), np.nan, rng.integers(0, 3, n) + (rng.random(n) < 0.7) * (b == 0))
    f = np.where(gap, np.nan, rng.integers(0, 2, n))
    e = np.where(gap, np.nan, rng.integers(0, 2, n))
    return {
        "a": a.astype(str),
        "b": b,
        "c": np.array(["x", "y", "x"])[b],
        "d": d,
        "f": f,
        "e": e,
        "flag": np.where(gap, "none", "some"),
        "free": np.where(rng.random(n) < 0.8, b % 2, rng.integers(0, 2, n)).astype(str),
    }


def all_rows(columns: Columns) -> Columns:
    """Return every combination of the values that the columns of a table have."""
    values = [np.unique(column.numbers()) for column in columns]
    grid = np.array(list(itertools.product(*values)))
    return columns_of_numbers(columns.schema, list(grid.T.copy()))


def model(leaf: str = "histogram", **options: Any) -> tuple[Columns, Dependencies, TableMixture]:
    columns = bw.read_columns(table())
    evidence = weigh_rows(columns)
    forest = bw.DensityForest(8, random_state=0, leaf=leaf, dependencies=None, **options).fit(columns)
    return columns, find_dependencies(evidence), TableMixture(forest.margins_, forest.mixture_, "event")


@pytest.fixture(params=["histogram", "uniform"])
def fitted(request: pytest.FixtureRequest) -> tuple[Columns, Dependencies, TableMixture]:
    return model(request.param, min_samples_split=20)


def ruled(dependencies: Dependencies, form: TableMixture) -> RuledDensity:
    return RuledDensity(dependencies.with_mass(form.margins), form.margins, form.mixture, gaps=True)


def test_the_rules_of_the_table(fitted: tuple[Columns, Dependencies, TableMixture]) -> None:
    columns, dependencies, _ = fitted
    assert [str(rule).split(" (")[0] for rule in dependencies.described()] == [
        "b follows from a",
        "c follows from b",
        "whether d is missing follows from a",
        "whether e is missing follows from whether f is missing",
        "flag follows from whether f is missing",
    ]
    assert len(dependencies.components(gaps=True)) == 2
    assert dependencies.rows(columns, gaps=True).keep_component(0).all()


def test_agreement_is_that_of_columns_summed_out(
    fitted: tuple[Columns, Dependencies, TableMixture],
) -> None:
    """Of values: p(a, b, c) over p(a), all other columns being summed out on the cube."""
    columns, dependencies, form = fitted
    values = Dependencies(columns.schema, [rule for rule in dependencies.rules if rule.child in (1, 2)])
    agreement = ruled(values, form).agreement.log_all[0]
    (component,) = values.components(gaps=True)
    rows = np.array([int(np.flatnonzero(columns[0].numbers() == key)[0]) for key in component.keys])
    points = form.margins.encode(columns.take(rows))
    points[:, 3:] = np.nan
    joint = form.mixture.log_density(points)
    points[:, 1:] = np.nan
    np.testing.assert_allclose(agreement[:-1], joint - form.mixture.log_density(points), atol=1e-9)
    assert agreement[-1] == 0.0


def test_agreement_with_gaps_is_a_sum_over_all_rows(
    fitted: tuple[Columns, Dependencies, TableMixture],
) -> None:
    columns, dependencies, form = fitted
    every = all_rows(columns)
    rows, p = dependencies.rows(every, gaps=True), np.exp(form.log_density(every))
    keep, entries = rows.keep_component(0), rows.entries[0]
    by_hand = np.log(np.bincount(entries, p * keep) / np.bincount(entries, p))
    for one in dependencies.components(gaps=True)[0].ruled:  # of a value it is the density of its place
        by_hand -= np.where(one.kind == VALUE, log_margin(form.margins, one.column, one.value), 0.0)[:-1]
    found = ruled(dependencies, form).agreement.log_all[0]
    # Values that were not seen are not in the sum.
    np.testing.assert_allclose(found[:-1], by_hand, atol=0.02)


def test_scores_sum_to_one(fitted: tuple[Columns, Dependencies, TableMixture]) -> None:
    columns, dependencies, form = fitted
    every = all_rows(columns)
    whole = np.exp(form.log_density(every)).sum()  # a little is kept for values that were not seen
    total = np.exp(ruled(dependencies, form).score(every, form.log_density)).sum()
    assert total == pytest.approx(whole, abs=0.01)
    keep = np.logical_and(*(dependencies.rows(every, gaps=True).keep_component(c) for c in range(2)))
    kept = np.exp(ruled(dependencies, form).score(every.take(keep), form.log_density)).sum()
    assert kept == pytest.approx(total, abs=0.03)
    assert kept < total


def test_draws_are_as_scores_say(fitted: tuple[Columns, Dependencies, TableMixture]) -> None:
    columns, dependencies, form = fitted
    density = ruled(dependencies, form)
    drawn = density.sample(60_000, np.random.default_rng(0))
    for c in range(2):
        assert dependencies.rows(drawn, gaps=True).keep_component(c).all()
    broken = with_exceptions(drawn, density.dependencies, form.margins, np.random.default_rng(1))
    cells = np.nan_to_num(broken.matrix(), nan=-9.0)
    rows, counts = np.unique(cells, axis=0, return_counts=True)
    scored = columns_of_numbers(columns.schema, list(np.where(rows == -9.0, np.nan, rows).T.copy()))
    expected = 60_000 * np.exp(density.score(scored, form.log_density))
    common = expected >= 20.0
    deviations = (counts - expected)[common] / np.sqrt(expected[common])
    assert common.sum() > 50
    assert np.sqrt(np.mean(deviations**2)) < 1.25
    assert counts[common].sum() == pytest.approx(expected[common].sum(), rel=0.02)


def test_gaps_that_are_summed_out_break_no_rule() -> None:
    columns, dependencies, form = model(min_samples_split=20)
    hidden = RuledDensity(dependencies, form.margins, form.mixture, gaps=False)
    log_density = TableMixture(form.margins, form.mixture, "marginal").log_density
    rows = columns.take(np.arange(20))
    numbers = [column.numbers().copy() for column in rows]
    numbers[1][:] = np.nan  # b, which follows from a
    scores = hidden.score(columns_of_numbers(columns.schema, numbers), log_density)
    numbers[1] = rows[1].numbers()
    shown = hidden.score(columns_of_numbers(columns.schema, numbers), log_density)
    epsilon = next(rule.exception_rate for rule in dependencies.rules if rule.child == 1)
    np.testing.assert_allclose(shown - scores, np.log1p(-epsilon), atol=1e-3)


def test_components_must_fit() -> None:
    _, _, form = model(min_samples_split=20)
    one, nan = np.array([0.5, np.nan]), np.array([np.nan, np.nan])
    good = (0, one, np.array([0.1, 0.0]), [(1, nan, nan)])
    _core.RuledMixture(form.mixture.native, [good])
    bad = [
        (99, *good[1:]),
        (1, *good[1:]),
        (0, one, np.array([0.1]), []),
        (0, one + 1.0, good[2], []),
        (0, one, good[2], [(1, np.array([0.5, 0.5]), np.array([0.4, 0.5]))]),
        (0, one, good[2], [(1, one, np.array([0.5, 0.5]))]),
    ]
    for component in bad:
        with pytest.raises(ValueError, match=r"column|entry|entries|component|asked"):
            _core.RuledMixture(form.mixture.native, [component])
