"""What is behind an answer: leaves, intervals, distances of models."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import boxwood as bw
from boxwood.query import Query, QueryError
from boxwood.query.behind.interval_of import effective_rows_of
from boxwood.query.behind.leaf_contributions import leaf_weights


def table(n: int = 1500, seed: int = 0, shift: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n) + shift
    y = 0.8 * x + 0.6 * rng.normal(size=n)
    c = np.where(x + rng.normal(size=n) > 0, "a", "b")
    return pd.DataFrame({"x": x, "y": y, "k": rng.poisson(3, n), "c": c})


@cache
def fitted(seed: int = 0, shift: float = 0.0) -> bw.DensityForest:
    return bw.DensityForest(20, random_state=seed, n_jobs=1).fit(table(seed=seed, shift=shift))


@cache
def query(seed: int = 0, shift: float = 0.0) -> Query:
    return fitted(seed, shift).query()


@pytest.mark.parametrize("event", ["x > 1 and y > 1", "x < y", "c == 'a' or k > 4"])
def test_leaves_carry_the_whole_answer(event: str) -> None:
    asked = query().given("k > 1")
    found = asked.leaves(event, n=10_000)
    assert sum(one.fraction for one in found) == pytest.approx(1.0)
    fractions = [one.fraction for one in found]
    assert fractions == sorted(fractions, reverse=True)
    boxes = asked._engine.boxes_of(asked._engine.read(event, {}) & asked.evidence)
    total = leaf_weights(asked._engine, boxes).sum()
    assert total / asked.evidence_probability == pytest.approx(asked.probability(event))
    first = found[0]
    assert fitted().rules(first.leaf, first.tree) == first.rule
    assert len(asked.leaves(event, n=3)) == 3


def test_leaves_are_those_of_apply() -> None:
    row = table(1, seed=5)
    point = query().given({name: row[name][0] for name in row})
    found = {(one.tree, one.leaf) for one in point.leaves(n=1000)}
    assert found == set(enumerate(fitted().apply(row)[0].tolist()))


def test_effective_rows() -> None:
    assert query().effective_rows == pytest.approx(1500, rel=0.02)
    assert query().effective_rows <= 1500 * (1.0 + 1e-12)
    some = query().given("x > 1")
    assert 0.5 * 1500 * some.evidence_probability < some.effective_rows < 1500
    point = query().given(x=0.3, y=0.3)
    assert 5 < point.effective_rows < 1500


def test_densities_without_rows_in_leaves() -> None:
    rows = table()[["x", "k"]]
    for density in (bw.ProductDensity(), bw.Histogram(bins=8)):
        answer = density.fit(rows).query().interval_of("x > 0")
        assert answer.effective_rows == pytest.approx(1500)
        assert answer.low < 0.5 < answer.high


@pytest.mark.parametrize(
    "density",
    [
        bw.Histogram(bins=20),
        bw.ProductDensity(),
        bw.DensityTree(missing="ignore", max_depth=2, random_state=0),
        bw.DensityForest(2, missing="ignore", max_depth=2, random_state=0),
    ],
    ids=["histogram", "product", "tree", "forest"],
)
def test_a_large_table_has_all_its_rows_behind_an_answer(density: bw.DensityForest) -> None:
    # Of held-out scores, from which rows were counted, at most 10,000 are kept, of trees a part.
    rows = np.random.default_rng(0).normal(size=(12_000, 2))
    query = density.fit(rows).query()
    assert query.n_rows == pytest.approx(12_000)
    assert query.effective_rows == pytest.approx(12_000, rel=0.01)


def test_effective_rows_beside_kish() -> None:
    """One tree that saw all rows: Kish's count of the rows' weights."""
    rows = table()
    tree = bw.DensityTree(random_state=0).fit(rows)
    asked = tree.query().given("x > 0.2 and c == 'a'")
    engine = asked._engine
    weights = leaf_weights(engine, asked._boxes)
    leaf = tree.apply(rows)
    counts = np.bincount(leaf, minlength=len(weights))
    of_row = (weights / np.maximum(counts, 1))[leaf]
    kish = of_row.sum() ** 2 / (of_row**2).sum()
    assert effective_rows_of(engine, weights) == pytest.approx(kish, rel=0.05)


def test_an_interval_has_its_answer_in_it_and_widens_with_the_level() -> None:
    asked = query().given("x > 1")
    narrow, wide = asked.interval_of("y > 1", level=0.5), asked.interval_of("y > 1", level=0.99)
    assert narrow.probability == pytest.approx(asked.probability("y > 1"))
    assert 0.0 <= wide.low < narrow.low < float(narrow) < narrow.high < wide.high <= 1.0
    assert "rows" in repr(narrow)
    certain = asked.interval_of("x > 0")
    assert certain.high == 1.0
    assert certain.low > 0.98
    with pytest.raises(ValueError, match="level must lie between 0 and 1"):
        asked.interval_of("y > 1", level=1.0)


ASKED = [
    ("y > 1", None),
    ("c == 'a'", "y > 0.5"),
    ("x > 1 and y > 1", None),
    ("x < y", "k > 2"),
    ("x < 0", "c == 'b'"),
]


def test_intervals_cover_what_is_true() -> None:
    """Of 120 intervals at 90% between 85 and 97 in a hundred cover, with room for chance above."""
    big = table(1_000_000, seed=99)
    truth = [(big if given is None else big.query(given)).eval(event).mean() for event, given in ASKED]
    covered = []
    for seed in range(24):
        forest = bw.DensityForest(12, random_state=seed, n_jobs=1).fit(table(800, seed=seed))
        for p, (event, given) in zip(truth, ASKED, strict=True):
            asked = forest.query() if given is None else forest.query().given(given)
            answer = asked.interval_of(event)
            covered.append(answer.low <= p <= answer.high)
    assert 0.85 <= np.mean(covered) <= 0.995


def test_distance_of_a_model_from_itself_is_nothing() -> None:
    found = query().distance(query(), n_draws=2000, random_state=0)
    assert found.joint == 0.0
    assert all(one.total_variation < 1e-9 for one in found.columns)


def test_distance_of_shifted_models() -> None:
    found = query().distance(query(1, 0.5), random_state=0)
    true = 2.0 * norm.cdf(0.25) - 1.0
    assert found["x"].total_variation == pytest.approx(true, abs=0.05)
    assert found["x"].kolmogorov_smirnov == pytest.approx(true, abs=0.05)
    assert found["k"].total_variation < 0.06
    assert np.isnan(found["c"].kolmogorov_smirnov)
    assert found.joint > found["x"].total_variation - 4 * found.standard_error
    assert found.standard_error < 0.01
    assert "joint" in repr(found)
    back = query(1, 0.5).distance(query(), random_state=1)
    assert back.joint == pytest.approx(found.joint, abs=5 * found.standard_error)
    for a, b in zip(found.columns, back.columns, strict=True):
        assert a.total_variation == pytest.approx(b.total_variation, abs=1e-9)


def test_distances_beside_draws() -> None:
    """Cells of a histogram of draws: a lower bound of the variation, near it for many draws."""
    first, second = query(), query(1, 0.5)
    found = first.distance(second, n_draws=100, random_state=0)
    draws = [one.sample(200_000, random_state=0) for one in (first, second)]
    for name in ("x", "y", "k"):
        edges = np.unique(np.quantile(pd.concat(draws)[name].dropna(), np.linspace(0, 1, 61)))
        counts = [np.bincount(np.searchsorted(edges, part[name]), minlength=len(edges) + 1) for part in draws]
        apart = 0.5 * np.abs(counts[0] - counts[1]).sum() / 200_000
        assert found[name].total_variation == pytest.approx(apart, abs=0.015)
        steps = [np.searchsorted(np.sort(part[name]), edges, side="right") / 200_000 for part in draws]
        assert found[name].kolmogorov_smirnov == pytest.approx(np.abs(steps[0] - steps[1]).max(), abs=0.01)


def test_distance_under_evidence_beside_the_closed_form() -> None:
    """A model and the same model given E are 1 − P(E) apart."""
    asked = query().given("x > 0")
    found = query().distance(asked, n_draws=40_000, random_state=0)
    expected = 1.0 - asked.evidence_probability
    assert found.joint == pytest.approx(expected, abs=4 * found.standard_error)
    assert found["x"].total_variation == pytest.approx(expected, abs=1e-3)


def test_other_columns_have_no_distance() -> None:
    other = bw.DensityForest(2, random_state=0).fit(table()[["x", "y"]]).query()
    with pytest.raises(QueryError, match="the models have other columns"):
        query().distance(other)
    renamed = table().assign(x=np.where(table().x > 0, "p", "q"))
    with pytest.raises(QueryError, match="column 'x' is numeric in one model and categorical in the other"):
        query().distance(bw.DensityForest(2, random_state=0).fit(renamed).query())
