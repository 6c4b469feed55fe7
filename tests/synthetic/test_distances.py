"""Distances against slow, obvious ones."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from boxwood.columns import Columns, read_columns
from boxwood.synthetic.encoded import RealScale
from boxwood.synthetic.fidelity import column_distance, expected_distance, pair_distance
from boxwood.synthetic.privacy import measure_privacy


def table(n: int, seed: int) -> Columns:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return read_columns(
        {
            "x": np.where(rng.random(n) < 0.2, np.nan, x),
            "whole": rng.poisson(3.0, n),
            "name": [None if u < 0.1 else "abc"[int(3 * u)] for u in rng.random(n)],
        }
    )


def variation(a: Any, b: Any) -> float:
    p, q = Counter(a), Counter(b)
    return 0.5 * sum(abs(p[key] / len(a) - q[key] / len(b)) for key in {*p, *q})


def test_numbers_are_compared_by_kolmogorov_and_smirnov() -> None:
    a, b = table(300, 0), table(200, 1).matched(table(300, 0).schema)
    parts = [column["whole"].values for column in (a, b)]
    assert column_distance(a["whole"], b["whole"]) == pytest.approx(ks_2samp(*parts).statistic)


def test_categories_are_compared_by_total_variation() -> None:
    a, b = table(300, 0), table(200, 1).matched(table(300, 0).schema)
    labels = [
        [None if gap else code for code, gap in zip(each["name"].values, each["name"].missing(), strict=True)]
        for each in (a, b)
    ]
    assert column_distance(a["name"], b["name"]) == pytest.approx(variation(*labels))


def test_pairs_of_few_values_are_compared_exactly() -> None:
    rng = np.random.default_rng(0)
    cells = [{"a": rng.choice(["u", "v"], n), "b": rng.integers(0, 2, n)} for n in (150, 90)]
    a, b = read_columns(cells[0]), read_columns(cells[1])
    b = b.matched(a.schema)
    pairs = [list(zip(each["a"], each["b"], strict=True)) for each in cells]
    found = pair_distance((a[0], a[1]), (b[0], b[1]))
    assert found == pytest.approx(variation(*pairs))


def test_a_column_contributes_at_most_one() -> None:
    real, other = table(80, 0), table(60, 1).matched(table(80, 0).schema)
    scale = RealScale((real,))
    points, others = scale.encode(real), scale.encode(other)
    distances = np.abs(points[:, None, :] - others[None, :, :]).sum(axis=2)
    assert distances.max() <= 3.0 + 1e-12
    assert np.abs(points - points).max() == 0.0


def test_ranks_and_categories_make_the_distance() -> None:
    real = read_columns({"x": [0.0, 1.0, 2.0, 3.0], "name": ["a", "b", "a", "b"]})
    points = RealScale((real,)).encode(real)
    distance = np.abs(points[0] - points[3]).sum()
    assert distance == pytest.approx(0.75 + 1.0)  # three ranks of four, and another category


@pytest.mark.parametrize(("n_columns", "n_rows"), [(1, 100), (2, 150), (4, 200)])
def test_rows_of_one_distribution_are_as_near_to_training_as_to_other_rows(
    n_columns: int, n_rows: int
) -> None:
    found = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        tables = [read_columns(rng.normal(size=(n_rows, n_columns))) for _ in range(3)]
        privacy = measure_privacy(*tables, seed)
        assert privacy.distance_of_holdout is not None
        distances = privacy.distance / privacy.distance_of_holdout
        found.append([privacy.closer_to_training, privacy.membership_auc, distances])
    closer, auc, distances = np.mean(found, axis=0)
    assert closer == pytest.approx(0.5, abs=0.04)
    assert auc == pytest.approx(0.5, abs=0.03)
    assert distances == pytest.approx(1.0, abs=0.15)


NULLS = {
    "continuous": lambda rng, n: rng.normal(size=n),
    "rare": lambda rng, n: (rng.random(n) < 0.1).astype(np.float64),
    "counts": lambda rng, n: rng.poisson(1.5, n).astype(np.float64),
    "gaps": lambda rng, n: np.where(rng.random(n) < 0.8, np.nan, rng.normal(size=n)),
}


@pytest.mark.parametrize("kind", sorted(NULLS))
def test_what_chance_makes_of_a_distance(kind: str) -> None:
    distances, expected = [], []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        pair = [read_columns(NULLS[kind](rng, n)[:, None]) for n in (300, 500)]
        distances.append(column_distance(pair[0][0], pair[1][0]))
        scale = float(np.sqrt(1.0 / 300 + 1.0 / 500))
        expected.append(expected_distance(pair[0][0], scale))
    assert np.mean(expected) == pytest.approx(np.mean(distances), rel=0.12)
