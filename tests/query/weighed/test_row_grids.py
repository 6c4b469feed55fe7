"""Rows given their rest by the model's density along each column, beside exact conditionals."""

import numpy as np
import pytest
from weighed_forest import exact, forests, proposal, table

import boxwood as bw


@pytest.fixture(scope="module")
def both():
    columns = forests()[0]._read(table()[:60])
    return proposal().conditionals(columns), exact().conditionals(columns)


def test_surprise_of_categories_is_exact(both):
    found, true = (one.surprise()[:, 3] for one in both)
    assert found == pytest.approx(true, abs=1e-6)


def test_surprise_of_numbers_is_near(both):
    found, true = (one.surprise() for one in both)
    away = np.abs(found - true)[:, :3]
    assert np.mean(away) < 0.03
    assert away.max() < 0.25


def test_chain_of_surprise_and_score(both):
    # −log p(x | rest) is the score of the row less that of its rest.
    surprise = both[0].surprise()
    rest = np.stack([both[0]._log_rest(j) for j in range(4)], axis=1)
    score = forests()[0]._score(both[0].columns)
    assert rest - score[:, None] == pytest.approx(surprise)


def test_expectations_are_near(both):
    found, true = both
    spread = np.std(true.means(0))
    assert np.abs(found.means(0) - true.means(0)).mean() < 0.05 * spread
    assert found.category_probabilities(3) == pytest.approx(true.category_probabilities(3), abs=1e-6)
    assert np.abs(found.cdf(0, [-1.0, 0.5]) - true.cdf(0, [-1.0, 0.5])).mean() < 0.02
    level = true.cdf(0, found.medians(0))
    assert np.abs(np.diagonal(level) - 0.5).mean() < 0.03
    assert np.abs(found.quantiles(2, 0.5) - true.quantiles(2, 0.5)).mean() < 0.5


def test_draws_follow_the_conditionals(both):
    found, true = both
    drawn = found.draws(0, 2000, random_state=0)
    assert np.abs(drawn.mean(axis=1) - true.means(0)).mean() < 0.06
    codes = found.draws(3, 2000, random_state=0)
    fraction = np.stack([(codes == k).mean(axis=1) for k in range(3)], axis=1)
    assert np.abs(fraction - true.category_probabilities(3)).max() < 0.06


def test_columns_under_rules_follow_them():
    rng = np.random.default_rng(0)
    frame = table(600)
    frame["code"] = frame["c"].map({"red": 7, "blue": 3, "green": 5})
    frame["x"] = rng.normal(size=600)
    density = bw.BoostedDensity("quick", random_state=0).fit(frame)
    assert len(density.dependencies_) == 1
    query = density.query()
    assert query.given(c="red").probability("code == 7") > 0.98
    conditionals = query.conditionals(frame[:20])
    code = list(frame.columns).index("code")
    assert (conditionals.medians(code) == frame["code"][:20]).all()
    assert (conditionals.surprise()[:, code] < 0.1).all()
    assert np.argmax(conditionals.category_probabilities(3), axis=1).tolist() == [
        list(density.schema_.fields[3].categories).index(c) for c in frame["c"][:20]
    ]
