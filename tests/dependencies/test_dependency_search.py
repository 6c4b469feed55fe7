"""Rules are found where there are some, and nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.dependencies import Dependencies, find_dependencies
from boxwood.dependencies.search import Feature, features_of, find_functions, log_chance
from boxwood.evidence import weigh_rows
from properties import examples


def found(table: Any, **weighing: Any) -> Dependencies:
    return find_dependencies(weigh_rows(bw.read_columns(table, **weighing)))


def words(table: Any, **weighing: Any) -> list[str]:
    return [str(rule).split(" (")[0] for rule in found(table, **weighing).described()]


def functions_by_hand(features: list[Feature]) -> list[tuple[int, int]]:
    """Return all functions by a dictionary of what each value came with."""
    pairs = []
    for a, parent in enumerate(features):
        for b, child in enumerate(features):
            if parent.column == child.column or not (parent.may_lead and child.may_follow):
                continue
            seen: dict[int, set[int]] = {}
            for of_parent, of_child in zip(parent.codes.tolist(), child.codes.tolist(), strict=True):
                if of_parent >= 0:
                    seen.setdefault(of_parent, set()).add(of_child)
            if all(len(values) == 1 for values in seen.values()):
                pairs.append((a, b))
    return pairs


def cities(n: int = 600, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    city = rng.integers(0, 12, n)
    return {
        "height": rng.normal(size=n),
        "country": np.array(["de", "at", "ch"])[city % 3],
        "city": city.astype(str),
        "people": np.array([3, 8, 1, 9, 4, 7, 11, 5, 2, 6, 10, 12])[city],
        "die": rng.integers(1, 7, n),
    }


def test_hierarchies_have_the_nearest_parent() -> None:
    assert words(cities()) == ["country follows from city", "people follows from city"]


def test_of_two_that_follow_from_each_other_the_first_leads() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 5, 400)
    assert words({"a": a, "b": a + 7}) == ["b follows from a"]
    assert words({"b": a + 7, "a": a}) == ["a follows from b"]


def test_chains() -> None:
    rng = np.random.default_rng(2)
    street = rng.integers(0, 40, 2000)
    table = {"country": street // 20, "street": street, "town": street // 5}
    assert words(table) == ["country follows from town", "town follows from street"]


def test_one_exception_is_no_rule() -> None:
    table = cities()
    table["country"][17] = "fr"
    assert words(table) == ["people follows from city"]


def test_gaps_follow_from_values_and_from_gaps() -> None:
    rng = np.random.default_rng(3)
    work = rng.integers(0, 6, 800).astype(object)
    work[rng.random(800) < 0.1] = None
    job = rng.integers(0, 9, 800).astype(object)
    job[[w is None or w == 5 for w in work]] = None
    assert words({"work": work, "job": job}) == ["whether job is missing follows from work"]
    x, y = rng.normal(size=(2, 500))
    gap = rng.random(500) < 0.2
    x[gap], y[gap] = np.nan, np.nan
    table = {"x": x, "flag": np.where(gap, "no", "yes"), "y": y}
    assert words(table) == [
        "flag follows from whether x is missing",
        "whether y is missing follows from whether x is missing",
    ]


def test_all_functions_of_a_table_are_found() -> None:
    rng = np.random.default_rng(4)
    base = rng.integers(0, 8, 300)
    table = {
        f"c{k}": rng.integers(0, m, 300) if k % 2 else base // max(m // 2, 1)
        for k, m in enumerate([2, 3, 4, 2, 6, 3, 8, 2])
    }
    gaps = np.where(base == 3, np.nan, rng.normal(size=300))
    features = features_of(weigh_rows(bw.read_columns({**table, "gaps": gaps})))
    assert find_functions(features) == functions_by_hand(features)
    assert len(functions_by_hand(features)) >= 5


@examples(40)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(120, 300))
def test_functions_are_those_of_the_slow_search(seed: int, n_columns: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 6, n_rows)
    columns: dict[str, Any] = {}
    for k in range(n_columns):
        values = (base * rng.integers(0, 2) + rng.integers(0, 3, n_rows) * rng.integers(0, 2)) % 4
        columns[f"c{k}"] = np.where(rng.random(n_rows) < 0.1 * rng.integers(0, 2), np.nan, values)
    features = features_of(weigh_rows(bw.read_columns(columns)))
    assert find_functions(features) == functions_by_hand(features)


def test_chance_by_hand() -> None:
    codes = np.zeros(6, dtype=np.int32)
    parent = Feature(0, False, codes, np.arange(2.0), np.array([4, 2]))
    child = Feature(1, False, codes, np.arange(3.0), np.array([3, 2, 1]))
    p = np.array([3, 2, 1]) / 6
    assert log_chance(parent, child) == pytest.approx(np.log((p**4).sum() * (p**2).sum()))


def test_chance_alone_makes_no_rule() -> None:
    """A value that nearly all rows have follows from everything."""
    rng = np.random.default_rng(5)
    rare = np.zeros(3000, dtype=int)
    rare[:2] = 1
    many = np.concatenate([[5000, 5001], rng.integers(0, 1500, 2998)])
    table = {"many": many.astype(str), "rare": rare}
    features = features_of(weigh_rows(bw.read_columns(table)))
    assert (0, 1) in find_functions(features)
    assert words(table) == []


def random_table(rng: np.random.Generator) -> dict[str, Any]:
    """Return a table of independent columns of many kinds."""
    n = int(rng.integers(150, 1500))
    skewed = rng.dirichlet(np.full(int(rng.integers(2, 40)), 0.3))
    gap = rng.random(n) < rng.random() * 0.3
    x = rng.normal(size=n)
    return {
        "skewed": rng.choice(len(skewed), n, p=skewed).astype(str),
        "die": rng.integers(1, 7, n),
        "rare": rng.random(n) < rng.choice([0.002, 0.01, 0.05]),
        "many": rng.integers(0, int(rng.choice([n // 4 + 1, n, 10_000])), n).astype(str),
        "id": rng.permutation(n),
        "constant": np.full(n, "x"),
        "copy": 3.0 * x + 1.0,
        "x": x,
        "gaps": np.where(gap, np.nan, rng.normal(size=n)),
        "rounded": rng.normal(size=n).round(1),
        "atoms": np.where(rng.random(n) < 0.6, 0.0, rng.exponential(size=n)),
        "zeros": rng.poisson(0.02, n),
    }


def test_independent_columns_have_no_rules() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        assert words(random_table(rng)) == []


def test_a_doubled_table_of_continuous_rows_has_the_rules_of_one() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=90)
    table = {"x": x, "copy": 2.0 * x, "a": rng.integers(0, 3, 90)}
    table["b"] = table["a"] * 2
    twice = {name: np.concatenate([values, values]) for name, values in table.items()}
    assert words(table) == words(twice) == []  # 90 observations are too few
    assert words(table, sample_weight=np.full(90, 2.0)) == []


def test_weights_are_repetitions_and_order_does_not_matter() -> None:
    rng = np.random.default_rng(8)
    a = rng.integers(0, 4, 70)
    table = {"a": a, "b": a % 2, "c": rng.integers(0, 3, 70)}
    weights = rng.integers(1, 5, 70)
    repeated = {name: np.repeat(values, weights) for name, values in table.items()}
    order = rng.permutation(weights.sum())
    shuffled = {name: values[order] for name, values in repeated.items()}
    by_weight = found(table, sample_weight=weights.astype(float)).to_state()
    for other in (repeated, shuffled):
        for one, two in zip(by_weight, found(other).to_state(), strict=True):
            assert one.keys() == two.keys()
            for name in one:
                np.testing.assert_array_equal(one[name], two[name])
    assert words(repeated) == ["b follows from a"]


def test_wide_and_long_tables() -> None:
    rng = np.random.default_rng(9)
    assert words(rng.normal(size=(300, 500))) == []
    assert words(rng.integers(0, 3, size=(300, 500))) == []
    street = rng.integers(0, 10_000, 50_000)
    table = {"street": street.astype(str), "town": (street // 100).astype(str)}
    assert words(table) == ["town follows from street"]
