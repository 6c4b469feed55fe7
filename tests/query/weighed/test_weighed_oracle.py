"""Weighed answers beside the exact ones of the same forest, in their own standard errors."""

import numpy as np
import pytest
from weighed_forest import QUESTIONS, exact, forests, proposal, table, weighed

from boxwood.query import read_event


def given(query, evidence):
    return query if evidence is None else query.given(evidence)


def assert_near(found, true, errors=4.0):
    away = np.abs(np.asarray(found) - np.asarray(true))
    assert (away <= errors * np.asarray(found.standard_error) + 1e-12).all(), (found, true)


@pytest.mark.parametrize(("event", "evidence"), QUESTIONS)
def test_probabilities(event, evidence):
    found, true = (given(query, evidence).probability(event) for query in (weighed(), exact()))
    assert_near(found, true)
    assert found.standard_error < 0.02
    assert not found.exact
    assert true.exact


@pytest.mark.parametrize("evidence", [None, "x > 1", "c == 'red' and k < 5", "x == 0.8"])
def test_laws_of_columns(evidence):
    found, true = given(weighed(), evidence), given(exact(), evidence)
    assert_near(found.evidence_probability, true.evidence_probability)
    assert_near(found.mean("y"), true.mean("y"))
    assert_near(found.variance("k"), true.variance("k"))
    assert_near(found.cdf("y", [-1.0, 0.0, 1.0]), true.cdf("y", [-1.0, 0.0, 1.0]))
    assert_near(found.missing_probability("y"), true.missing_probability("y"))
    assert_near(found.covariance("y", "k"), true.covariance("y", "k"))
    assert_near(found.density("y", [-0.5, 0.7]), true.density("y", [-0.5, 0.7]))
    for label, p in found.probabilities_of("c").items():
        assert_near(p, true.probabilities_of("c")[label])
    assert found.mode("c") == true.mode("c")
    for p in (0.1, 0.5, 0.9):
        below = true.cdf("y", float(found.quantile("y", p)))
        assert abs(below - p) <= 4.0 * found.cdf("y", float(found.quantile("y", p))).standard_error + 1e-3


def test_intervals_hold_what_they_should():
    found, true = weighed().given("x > 0"), exact().given("x > 0")
    for kind in ("central", "hpd"):
        low, high = found.interval("y", 0.8, kind)
        assert true.cdf("y", float(high)) - true.cdf("y", float(low)) == pytest.approx(0.8, abs=0.03)
    shortest, central = (np.subtract(*found.interval("y", 0.8, kind)[::-1]) for kind in ("hpd", "central"))
    assert shortest <= central


def test_information_and_entropy():
    found, true = weighed(), exact()
    assert float(found.mutual_information("x", "c")) == pytest.approx(
        true.mutual_information("x", "c"), abs=0.03
    )
    assert float(found.entropy("c")) == pytest.approx(true.entropy("c"), abs=0.03)
    assert float(found.entropy("x")) == pytest.approx(true.entropy("x"), abs=0.1)
    dependence = found.dependence()
    assert np.array_equal(dependence, np.transpose(dependence))
    assert (np.diagonal(dependence) == 1.0).all()


@pytest.mark.parametrize(
    ("event", "evidence"), [("x > 1", None), ("c == 'red'", "x > 1"), ("y > 1", "x == 0.8")]
)
def test_standard_errors_cover(event, evidence):
    true = float(given(exact(), evidence).probability(event))
    errors = []
    for seed in range(60):
        found = given(weighed(seed, n_draws=1024), evidence).probability(event)
        errors.append((found - true) / found.standard_error)
    assert 0.6 < np.std(errors) < 1.4
    assert np.mean(np.abs(errors) < 2.0) >= 0.88
    assert abs(np.mean(errors)) < 0.5


def test_errors_of_means_and_quantiles_cover():
    true_mean, true_low = (float(x) for x in (exact().given("k > 2").mean("x"), 0.25))
    means, levels = [], []
    for seed in range(60):
        query = weighed(seed, n_draws=1024).given("k > 2")
        mean, quantile = query.mean("x"), query.quantile("x", 0.25)
        means.append((mean - true_mean) / mean.standard_error)
        true = float(exact().given("k > 2").quantile("x", true_low))
        levels.append((quantile - true) / quantile.standard_error)
    for errors in (means, levels):
        assert 0.6 < np.std(errors) < 1.5
        assert abs(np.mean(errors)) < 0.5


def test_log_density_under_evidence():
    rows = table(50)
    found, true = (query.given("x > 0").log_density(rows) for query in (weighed(), exact()))
    assert np.array_equal(np.isneginf(found), np.isneginf(true))
    inside = np.isfinite(true)
    away = np.abs(np.asarray(found)[inside] - np.asarray(true)[inside])
    assert (away <= 4.0 * found.standard_error[inside]).all()


def test_samples_follow_the_model_and_keep_to_the_evidence():
    model = forests()[0]
    for evidence in ("x > 1", "c == 'red' and y is missing", "x == 0.8", "k in [2, 5]"):
        rows = weighed().given(evidence).sample(3000, random_state=0)
        inside = read_event(model.schema_, evidence).contains(model._read(rows))
        assert inside.all()
        true = exact().given(evidence)
        assert np.mean(rows["k"] > 3) == pytest.approx(float(true.probability("k > 3")), abs=0.04)
        assert np.mean(rows["c"] == "red") == pytest.approx(float(true.probability("c == 'red'")), abs=0.04)


def test_rare_events_have_small_errors():
    found, true = weighed().probability("x > 2.8 and k == 0"), exact().probability("x > 2.8 and k == 0")
    assert true < 1e-3
    assert_near(found, true)
    assert found.standard_error < 0.2 * found


def test_many_events_as_an_array():
    events = ["x > 1", "c == 'red'"]
    found = weighed().probabilities(events)
    assert found.shape == (2,)
    assert not found.exact
    assert [float(p) for p in found] == [float(weighed().probability(event)) for event in events]
    assert proposal().schema.names == ("x", "y", "k", "c")
