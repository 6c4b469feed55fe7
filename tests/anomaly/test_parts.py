"""The views of the anomaly detector, each from its own input and beside an obvious reference."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.anomaly.encoding import MOST_LEVELS, Coordinates, fit_encoding
from boxwood.anomaly.isolation import DEPTH, grow_trees, mean_path
from boxwood.anomaly.nearest import SMALLEST, NearestRows
from boxwood.anomaly.scale import CommonScale
from properties import examples

RNG = np.random.default_rng(0)


def test_every_column_differs_by_two_in_squares():
    table = pd.DataFrame(
        {
            "number": RNG.normal(50.0, 7.0, 300),
            "rare": np.where(RNG.random(300) < 0.05, "yes", "no"),
            "level": RNG.choice(list("abcde"), 300),
            "gaps": np.where(RNG.random(300) < 0.2, np.nan, 1.0),
        }
    )
    columns = bw.read_columns(table)
    encoding = fit_encoding(columns)
    rows = encoding.encode(columns)
    assert not rows.unseen.any()
    starts = encoding.starts
    for begin, end in itertools.pairwise(starts):
        part = rows.points[:, begin:end]
        assert 2.0 * part.var(axis=0).sum() == pytest.approx(2.0, rel=1e-6)


def test_what_training_never_showed_is_counted():
    encoding = fit_encoding(
        bw.read_columns(pd.DataFrame({"a": ["x", "y"] * 20, "b": [1.0, 2.0] * 20, "c": [3.0] * 40}))
    )
    new = bw.read_columns(pd.DataFrame({"a": ["x", "y"], "b": [np.nan, 1.0], "c": [3.0, 4.0]}))
    rows = encoding.encode(new)
    np.testing.assert_allclose(rows.unseen, encoding.unseen_square)


def test_a_column_of_names_becomes_few_coordinates():
    encoding = fit_encoding(bw.read_columns(pd.DataFrame({"name": [f"row {i}" for i in range(500)]})))
    assert encoding.starts[-1] == MOST_LEVELS


def test_a_new_category_is_one_of_the_rare_ones_of_many():
    many = pd.DataFrame({"name": [f"row {i}" for i in range(500)]})
    encoding = fit_encoding(bw.read_columns(many))
    column = encoding.columns[0]
    points, unseen = column.encode(np.array([499.0, 500.0, np.nan]))
    np.testing.assert_array_equal(points[1, : MOST_LEVELS - 1], 0.0)
    assert points[1, MOST_LEVELS - 1] == column.level_scale
    assert unseen.tolist() == [False, False, True]


@examples(20)
@given(st.integers(0, 10_000))
def test_the_nearest_row_is_that_of_all_differences(seed):
    rng = np.random.default_rng(seed)
    samples = [rng.normal(size=(rng.integers(2, 30), 3)) for _ in range(3)]
    rows = rng.normal(size=(10, 3))
    rows[0] = samples[0][0]  # coincides, and is taken for that row
    found = NearestRows(samples).score(Coordinates(rows, np.zeros(10)))
    for row, score in zip(rows, found, strict=True):
        logs = []
        for sample in samples:
            distances = [float(np.sqrt(((row - other) ** 2).sum())) for other in sample]
            logs.append(np.log(min(d for d in distances if d > 0.0) + SMALLEST))
        assert score == pytest.approx(np.mean(logs))


def test_isolation_paths_are_those_of_a_walk():
    points = RNG.normal(size=(60, 3))
    points[:20, 1] = 0.0
    samples = [np.where(RNG.random(60) < 0.5, RNG.integers(1, 3, 60), 0).astype(float) for _ in range(5)]
    trees = grow_trees(points, samples, np.random.default_rng(1))
    expected = []
    for row in points:
        lengths = []
        for column, threshold, length in zip(trees.column, trees.threshold, trees.length, strict=True):
            node = 0
            while column[node] >= 0:
                node = 2 * node + (2 if row[column[node]] > threshold[node] else 1)
            lengths.append(length[node])
        expected.append(-np.mean(lengths))
    np.testing.assert_allclose(trees.score(points), expected)


def test_leaves_of_isolation_trees_hold_their_rows():
    points = RNG.normal(size=(40, 2))
    weights = RNG.integers(1, 4, 40).astype(float)
    trees = grow_trees(points, [weights], np.random.default_rng(0))
    inside: dict[int, list[int]] = {}
    for i, row in enumerate(points):
        node = 0
        while trees.column[0, node] >= 0:
            node = 2 * node + (2 if row[trees.column[0, node]] > trees.threshold[0, node] else 1)
        inside.setdefault(node, []).append(i)
    for node, rows in inside.items():
        depth = int(np.log2(node + 1))
        assert depth == DEPTH or len(rows) == 1
        assert trees.length[0, node] == pytest.approx(depth + mean_path(weights[rows].sum()))


def test_the_common_scale_is_of_normal_scores():
    reference = np.sort(RNG.normal(size=1000))
    scale = CommonScale([np.exp(reference), reference * 5.0], np.array([1.0, 2.0]))
    scores = np.column_stack([np.exp([-1.0, 0.0, 1.0]), [-5.0, 0.0, 5.0]])
    np.testing.assert_allclose(scale.combine(scores), [1.0, 0.0, -1.0], atol=0.15)
    beyond = scale.combine(np.array([[1e3, 1e3], [1e4, 1e4]]))
    assert beyond[1] < beyond[0] < -10.0


@examples(30)
@given(st.integers(0, 10_000))
def test_the_soft_maximum_lies_between_the_mean_and_the_maximum(seed):
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.1, 2.0, 3)
    scale = CommonScale([np.sort(rng.normal(size=50)) for _ in range(3)], weights)
    scores = rng.normal(size=(20, 3))
    parts = np.array(
        [CommonScale([part], np.ones(1)).combine(scores[:, [k]]) for k, part in enumerate(scale.references)]
    )
    found = -scale.combine(scores)
    assert (found <= -parts.min(axis=0) + 1e-9).all()
    assert (found >= -(weights @ parts) / weights.sum() - 1e-9).all()
    expected = [np.log(weights / weights.sum() @ np.exp(-4.0 * part)) / 4.0 for part in parts.T]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
