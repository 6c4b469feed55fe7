"""A Gaussian asked: closed forms, and ranges beside scipy's integrals and brute force."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal, norm

import boxwood as bw
from boxwood.query import ZeroProbabilityError

MIX = np.array([[1.0, 0.6, -0.3, 0.2], [0.0, 1.0, 0.5, 0.1], [0.0, 0.0, 0.8, -0.7], [0.0, 0.0, 0.0, 1.2]])


@pytest.fixture(scope="module")
def density():
    rows = np.random.default_rng(1).normal(size=(2000, 4)) @ MIX + [0.0, 1.0, -2.0, 0.5]
    return bw.GaussianDensity().fit(rows)


def conditional(density, known, values):
    mean, covariance = density.mean_, density.covariance_
    left = [j for j in range(4) if j not in known]
    slopes = np.linalg.solve(covariance[np.ix_(known, known)], covariance[np.ix_(known, left)]).T
    centre = mean[left] + slopes @ (np.asarray(values) - mean[known])
    return centre, covariance[np.ix_(left, left)] - slopes @ covariance[np.ix_(known, left)]


def test_points_are_conditioned_on_in_closed_form(density):
    centre, covariance = conditional(density, [1, 3], [1.5, -0.5])
    query = density.query().given(x1=1.5, x3=-0.5)
    law = norm(centre[0], covariance[0, 0] ** 0.5)
    assert query.mean("x0") == pytest.approx(centre[0])
    assert query.mean("x0").exact
    assert query.variance("x2") == pytest.approx(covariance[1, 1])
    assert query.variance("x2").exact
    assert query.covariance("x0", "x2") == pytest.approx(covariance[0, 1])
    assert query.quantile("x0", [0.1, 0.9]) == pytest.approx(law.ppf([0.1, 0.9]))
    assert query.cdf("x0", 0.2) == pytest.approx(law.cdf(0.2))
    assert query.cdf("x0", 0.2).exact
    assert query.entropy("x0") == pytest.approx(law.entropy())
    assert query.mode("x0") == pytest.approx(centre[0])
    assert query.interval("x0", 0.8) == pytest.approx(law.interval(0.8))
    assert query.interval("x0", 0.8, "hpd") == pytest.approx(law.interval(0.8))
    correlation = covariance[0, 1] / (covariance[0, 0] * covariance[1, 1]) ** 0.5
    assert query.mutual_information("x0", "x2") == pytest.approx(-0.5 * np.log(1.0 - correlation**2))
    assert query.density("x0", 0.3) == pytest.approx(law.pdf(0.3))
    assert query.density("x0", 0.3).exact
    points = multivariate_normal(density.mean_[[1, 3]], density.covariance_[np.ix_([1, 3], [1, 3])])
    assert query.evidence_probability == pytest.approx(points.pdf([1.5, -0.5]))


def test_a_range_in_one_column_has_no_error(density):
    found = density.query().probability("x0 > 1")
    assert found == pytest.approx(norm.sf(1.0, density.mean_[0], density.covariance_[0, 0] ** 0.5))
    assert found.exact
    assert found.standard_error == 0.0
    centre, covariance = conditional(density, [2], [-2.5])
    found = density.query().given(x2=-2.5).probability("x0 < 0")
    assert found == pytest.approx(norm.cdf(0.0, centre[0], covariance[0, 0] ** 0.5))
    assert found.exact


@pytest.mark.parametrize(
    ("event", "upper"),
    [
        ("x0 < 0.3 and x1 < 0.5", [0.3, 0.5, np.inf, np.inf]),
        ("x0 < -1 and x1 < 1 and x2 < -2 and x3 < 0", [-1.0, 1.0, -2.0, 0.0]),
        ("x0 < -3.5 and x3 < -3", [-3.5, np.inf, np.inf, -3.0]),
    ],
)
def test_ranges_beside_scipy(density, event, upper):
    kept = np.flatnonzero(np.isfinite(upper))
    mean, covariance = density.mean_[kept], density.covariance_[np.ix_(kept, kept)]
    at = np.array(upper)[kept]
    true = multivariate_normal.cdf(at, mean, covariance, maxpts=2_000_000, abseps=1e-9, releps=1e-7)
    found = density.query().probability(event)
    assert abs(found - true) <= 4.0 * found.standard_error + 1e-9 + 1e-6 * true
    assert not found.exact
    assert found.standard_error < 0.03 * true


def test_ranges_as_evidence_beside_draws(density):
    query = density.query().given("x2 > -1.5 and x3 < 1 or x1 < -1")
    rows = density.sample(400_000, random_state=0)
    rows = rows[((rows[:, 2] > -1.5) & (rows[:, 3] < 1.0)) | (rows[:, 1] < -1.0)]
    for found, true in (
        (query.evidence_probability, len(rows) / 400_000),
        (query.mean("x0"), rows[:, 0].mean()),
        (query.quantile("x1", 0.2), np.quantile(rows[:, 1], 0.2)),
        (query.probability("x0 > 0.5"), np.mean(rows[:, 0] > 0.5)),
    ):
        assert abs(found - true) <= 4.0 * found.standard_error + 0.004
    drawn = query.sample(4000, random_state=0)
    assert np.mean(drawn[:, 0]) == pytest.approx(rows[:, 0].mean(), abs=0.1)
    assert (((drawn[:, 2] > -1.5) & (drawn[:, 3] < 1.0)) | (drawn[:, 1] < -1.0)).all()


def test_standard_errors_cover(density):
    true = multivariate_normal(density.mean_[:2], density.covariance_[:2, :2]).cdf([0.0, 0.5])
    errors = []
    for seed in range(40):
        found = density.query().weighing(seed=seed, n_draws=1024).probability("x0 < 0 and x1 < 0.5")
        errors.append((found - true) / found.standard_error)
    assert 0.6 < np.std(errors) < 1.4
    assert np.mean(np.abs(errors) < 2.0) >= 0.85


def mixed_table():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(1500, 3)) @ MIX[:3, :3]
    frame = pd.DataFrame(
        {"a": rows[:, 0], "n": np.round(3.0 * rows[:, 1] + 20.0).astype(int), "b": rows[:, 2]}
    )
    frame["t"] = rows[:, 0] + rng.normal(size=1500) > 0.3
    frame.loc[rng.random(1500) < 0.2, "b"] = np.nan
    return frame


def test_integers_booleans_and_gaps_are_those_of_its_samples():
    density = bw.GaussianDensity().fit(mixed_table())
    rows = density.sample(200_000, random_state=0)
    query = density.query()
    for event, inside in (
        ("n == 20", rows.n == 20),
        ("n > 22 and t", (rows.n > 22) & rows.t),
        ("b is missing", rows.b.isna()),
        ("b > 0.5 or b is missing", (rows.b > 0.5) | rows.b.isna()),
        ("not t and a < 0", ~rows.t.astype(bool) & (rows.a < 0)),
    ):
        found, true = query.probability(event), inside.mean()
        assert abs(found - true) <= 4.0 * np.hypot(found.standard_error, (true / 200_000) ** 0.5), event
    given = query.given(n=23)
    assert abs(given.mean("a") - rows[rows.n == 23].a.mean()) < 0.05
    assert given.probabilities_of("t")[True] == pytest.approx(rows[rows.n == 23].t.mean(), abs=0.03)
    assert query.missing_probability("b") == pytest.approx(density.gaps_.rates[2])
    with pytest.raises(ZeroProbabilityError, match="a is missing"):
        query.given("a is missing")


def test_rows_given_their_rest(density):
    rows = density.sample(20, random_state=3)
    conditionals = density.query().conditionals(rows)
    surprise = conditionals.surprise()
    for i, row in enumerate(rows):
        for j in range(4):
            known = [k for k in range(4) if k != j]
            centre, covariance = conditional(density, known, row[known])
            law = norm(centre[0], covariance[0, 0] ** 0.5)
            assert surprise[i, j] == pytest.approx(-law.logpdf(row[j]))
            assert conditionals.means(j)[i] == pytest.approx(centre[0])
            assert conditionals.quantiles(j, 0.9)[i, 0] == pytest.approx(law.ppf(0.9))
            assert conditionals.cdf(j, 0.1)[i, 0] == pytest.approx(law.cdf(0.1))


def test_gaps_of_rows_are_summed_out(density):
    rows = density.sample(5, random_state=4)
    rows[:, 3] = np.nan
    centre, covariance = conditional(density, [1, 2], rows[0, 1:3])
    conditionals = density.query().conditionals(rows)
    assert conditionals.means(0)[0] == pytest.approx(centre[0])
    drawn = conditionals.draws(0, 4000, random_state=0)[0]
    assert drawn.std() == pytest.approx(covariance[0, 0] ** 0.5, rel=0.1)


def test_dependence_is_that_of_the_correlations():
    rows = np.random.default_rng(0).multivariate_normal(
        [0.0, 1.0, 2.0], [[1.0, 0.6, 0.0], [0.6, 2.0, -0.3], [0.0, -0.3, 1.5]], 500
    )
    density = bw.GaussianDensity().fit(rows)
    found = density.query().dependence()
    spread = np.sqrt(np.diagonal(density.covariance_))
    np.testing.assert_allclose(found, np.abs(density.covariance_ / np.outer(spread, spread)), atol=1e-12)
    assert found.exact
    under = density.query().given("x0 > 0")  # a range has no closed form
    assert not under.dependence().exact
