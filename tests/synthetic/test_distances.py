"""Distances against slow, obvious ones."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from boxwood.columns import Columns, read_columns
from boxwood.synthetic.encoded import RealScale
from boxwood.synthetic.fidelity import column_distance, pair_distance


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
    scale = RealScale(real)
    points, others = scale.encode(real), scale.encode(other)
    distances = np.abs(points[:, None, :] - others[None, :, :]).sum(axis=2)
    assert distances.max() <= 3.0 + 1e-12
    assert np.abs(points - points).max() == 0.0


def test_ranks_and_categories_make_the_distance() -> None:
    real = read_columns({"x": [0.0, 1.0, 2.0, 3.0], "name": ["a", "b", "a", "b"]})
    points = RealScale(real).encode(real)
    distance = np.abs(points[0] - points[3]).sum()
    assert distance == pytest.approx(0.75 + 1.0)  # three ranks of four, and another category
