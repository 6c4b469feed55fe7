"""The anomaly detector at the zoo: finite scores, false alarms as asked, the same from a file."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import boxwood as bw
from zoo import continuous, copies, discrete, gaps, rounded
from zoo.table import SPECIES, find

HOUSES = (continuous, copies, discrete, gaps, rounded)

VISITED = [
    "cauchy_pair",
    "die",
    "five_categories",
    "gaps_in_categories",
    "mixed",
    "near_copies",
    "one_row",
    "one_value",
    "patterned_gaps",
    "poisson_counts",
    "ring",
    "rounded_cauchy",
    "skewed_categories",
    "ten_thousand_categories",
    "tiny_numbers_far_away",
    "twelve_orders",
    "two_rows",
    "weights_that_sum_to_one",
    "whole_column_missing",
    "zero_together",
]
"""A fit takes six of its parts: not every table."""

RATE = 0.05


@cache
def visit(name: str) -> bw.AnomalyDetector:
    table = find(name)
    detector = bw.AnomalyDetector(false_alarm_rate=RATE, n_jobs=1)
    return detector.fit(table.train, sample_weight=table.weights)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.filterwarnings("ignore", message=".*too few", category=UserWarning)
        yield


@pytest.mark.parametrize("name", VISITED)
def test_scores_are_finite_and_survive_a_file(name: str, tmp_path: Path) -> None:
    detector, rows = visit(name), find(name).held_out
    scores, p_values = detector.score_samples(rows), detector.p_values(rows)
    assert np.isfinite(scores).all()
    assert ((p_values > 0.0) & (p_values <= 1.0)).all()
    detector.save(tmp_path / "detector")
    np.testing.assert_array_equal(bw.load(tmp_path / "detector").score_samples(rows), scores)


@pytest.mark.parametrize("name", VISITED)
def test_no_more_false_alarms_than_asked_for(name: str) -> None:
    detector, table = visit(name), find(name)
    flagged = np.mean(detector.predict(table.held_out) == -1)
    n, m = np.shape(table.train)[0], np.shape(table.held_out)[0]
    assert flagged <= RATE + 4.0 * np.sqrt(RATE * (1.0 - RATE) * (1.0 / n + 1.0 / m))


@pytest.mark.parametrize("name", ["doubled", "mixed_doubled"])
def test_a_table_given_twice_is_the_table(name: str) -> None:
    table = find(name)
    assert table.reference is not None
    once = visit(table.reference).score_samples(table.held_out)
    np.testing.assert_allclose(visit(name).score_samples(table.held_out), once, rtol=1e-9)


def test_what_is_visited_is_there() -> None:
    assert set(VISITED) <= set(SPECIES)
    assert all(house.__name__.startswith("zoo.") for house in HOUSES)
