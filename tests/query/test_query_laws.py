"""Laws of probability, on tables with continuous columns, atoms, gaps, dates and categories."""

import datetime
import math
from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.query.event_tables import column_sets

import boxwood as bw
from boxwood.query import Query, ZeroProbabilityError
from boxwood.query.event import Event
from boxwood.query.pairs import FEW_CELLS, mutual_information_of
from properties import examples


@cache
def table(n: int = 500) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    group = rng.integers(0, 3, n)
    x = rng.normal(size=n) + group
    spike = np.where(rng.random(n) < 0.3, 0.0, rng.exponential(size=n))
    y = np.where(rng.random(n) < 0.1, np.nan, 0.6 * x + rng.normal(size=n))
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 10_000_000, n), unit="s")
    return pd.DataFrame(
        {
            "x": x,
            "y": y,
            "spike": spike,
            "k": rng.poisson(3 + group),
            "day": day,
            "group": np.array(list("abc"))[group],
        }
    )


@cache
def density(leaf: str = "histogram") -> bw.DensityForest:
    bins = {"n_bins": 5} if leaf == "histogram" else {}
    return bw.DensityForest(n_estimators=5, leaf=leaf, random_state=0, **bins).fit(table())


@cache
def query(leaf: str = "histogram") -> Query:
    return density(leaf).query()


LEAVES = pytest.mark.parametrize("leaf", ["histogram", "uniform", "gaussian"])


def an_event(data: st.DataObject) -> Event:
    fields = density().schema_.fields
    columns = data.draw(st.lists(st.integers(0, len(fields) - 1), min_size=1, max_size=3, unique=True))
    event = Event.everything()
    for j in columns:
        event &= Event.of_column(j, data.draw(column_sets(fields[j])))
    return event


@LEAVES
@examples(60)
@given(data=st.data())
def test_events_and_their_complements(leaf: str, data: st.DataObject) -> None:
    a, b = an_event(data), an_event(data)
    q = query(leaf)
    p_a, p_b, both, either = q.probabilities([a, b, a & b, a | b])
    assert q.probability(~a) == pytest.approx(1.0 - p_a, abs=1e-9)
    assert either == pytest.approx(p_a + p_b - both, abs=1e-9)
    assert both <= min(p_a, p_b) + 1e-12
    if p_b > 1e-6:
        assert q.given(b).probability(a) * p_b == pytest.approx(both, abs=1e-9)


@LEAVES
def test_monotone_in_ranges(leaf: str) -> None:
    ends = np.linspace(-4.0, 6.0, 60)
    p = query(leaf).probabilities([f"x <= {end} and y > 0" for end in ends])
    assert (np.diff(p) >= -1e-12).all()


@LEAVES
def test_conditional_density_times_evidence_is_the_joint(leaf: str) -> None:
    rows = table().iloc[:50]
    q = query(leaf)
    under = q.given("x > 0.2 and group != 'c'")
    inside = ((rows.x > 0.2) & (rows.group != "c")).to_numpy()
    joint = density(leaf).score_samples(rows)
    found = under.log_density(rows) + math.log(under.evidence_probability)
    assert np.allclose(found[inside], joint[inside])
    assert np.isneginf(found[~inside]).all()


@LEAVES
def test_a_value_of_a_continuous_column(leaf: str) -> None:
    """p(x = v) · P(A | x = v) is what narrow ranges about v come to."""
    q = query(leaf)
    at = q.given(x=0.7)
    assert at.evidence_probability == pytest.approx(
        q.density("x", 0.7), rel=1e-9 if leaf != "gaussian" else 0.1
    )
    near = q.given(x=(0.7 - 1e-7, 0.7 + 1e-7))
    for event in ("y > 0.5", "group == 'a' and k >= 3", "x > 0.6", "x > 0.8"):
        assert at.probability(event) == pytest.approx(near.probability(event), abs=1e-5)
    assert at.mean("y") == pytest.approx(near.mean("y"), abs=1e-4)
    assert at.probability("y == 0.25") == 0.0


@LEAVES
def test_quantiles_and_intervals(leaf: str) -> None:
    under = query(leaf).given("group != 'a'")
    for column in ("x", "spike", "k"):
        p = np.linspace(0.01, 0.99, 40)
        reached = under.cdf(column, under.quantile(column, p))
        assert (reached >= p - 1e-12).all()
        if column == "x":
            assert np.allclose(reached, p, atol=1e-9)
        for kind in ("central", "hpd"):
            low, high = under.interval(column, 0.8, kind)
            inside = under.probability(f"{column} >= {low!r} and {column} <= {high!r}")
            # Within a bin the law of a column has a Gaussian's mean density.
            close = 1e-3 if leaf == "gaussian" else 1e-9
            assert inside >= (1.0 - under.missing_probability(column)) * 0.8 - close
    central, shortest = under.interval("x", 0.8), under.interval("x", 0.8, "hpd")
    assert shortest[1] - shortest[0] <= (central[1] - central[0]) * 1.001


@LEAVES
def test_moments_beside_draws(leaf: str) -> None:
    under = query(leaf).given("x > 0 or k <= 2")
    n = 40_000
    drawn = under.sample(n, 1)
    assert ((drawn.x > 0) | (drawn.k <= 2)).all()
    for column in ("x", "y", "spike", "k"):
        values = drawn[column].dropna().astype(float)
        error = values.std() / math.sqrt(len(values))
        assert abs(under.mean(column) - values.mean()) <= 5.0 * error
        assert under.variance(column) == pytest.approx(values.var(), rel=0.25)
    a, b = drawn.x.to_numpy(), drawn.y.to_numpy(dtype=float)
    there = ~np.isnan(b)
    expected = np.cov(a[there], b[there])[0, 1]
    assert under.covariance("x", "y") == pytest.approx(expected, abs=0.06)
    for event in ("group == 'b'", "y is missing", "spike == 0", "x < 1 and y < 1", "day < '2024-02-15'"):
        from boxwood.query.event_reader import read_event

        columns = density(leaf)._read(drawn)
        seen = float(read_event(columns.schema, event).contains(columns).mean())
        p = under.probability(event)
        assert abs(seen - p) <= 4.0 * math.sqrt(max(p * (1.0 - p), 1e-6) / n) + 1e-3


@LEAVES
def test_surprise_is_what_is_left_of_the_score(leaf: str) -> None:
    """Scores less the surprise of a column do not depend on the column's value."""
    rows = table().iloc[:40].copy()
    q = query(leaf)
    other = rows.assign(x=rows.x + 0.31, group=np.roll(rows.group, 1))
    for column in ("x", "group"):
        changed = rows.assign(**{column: other[column]})
        j = list(rows.columns).index(column)
        rest = density(leaf).score_samples(rows) + q.surprise(rows)[:, j]
        assert np.allclose(density(leaf).score_samples(changed) + q.surprise(changed)[:, j], rest)


@LEAVES
def test_conditionals_beside_given(leaf: str) -> None:
    rows = table().iloc[:6]
    q = query(leaf)
    found = q.conditionals(rows)
    names = list(rows.columns)
    means, medians = found.means(names.index("x")), found.medians(names.index("x"))
    classes = found.category_probabilities(names.index("group"))
    for i, (_, row) in enumerate(rows.iterrows()):
        known = {name: row[name] for name in names if not pd.isna(row[name])}
        rest = q.given({name: value for name, value in known.items() if name != "x"})
        assert means[i] == pytest.approx(rest.mean("x"), abs=1e-6)
        assert rest.cdf("x", medians[i]) == pytest.approx(0.5, abs=1e-6)
        of_group = q.given({name: value for name, value in known.items() if name != "group"})
        expected = np.array(list(of_group.probabilities_of("group").values()))
        assert np.allclose(classes[i], expected / expected.sum(), atol=1e-8)


def test_dates_are_dates() -> None:
    q = query()
    assert isinstance(q.mean("day"), np.datetime64)
    median = q.quantile("day", 0.5)
    assert q.cdf("day", median) == pytest.approx(0.5, abs=1e-6)
    assert q.given(day=(datetime.date(2024, 2, 1), None)).probability("day < '2024-02-01'") == 0.0


def test_impossible_evidence_is_named() -> None:
    with pytest.raises(ZeroProbabilityError, match="k < 3 and k > 5"):
        query().given("k < 3 and k > 5")


def test_many_questions_on_one_pair_agree_with_the_first() -> None:
    q = density().query()
    first = q.probability("x > 0.3 and k >= 3")
    assert all(q.probability("x > 0.3 and k >= 3") == pytest.approx(first, abs=1e-12) for _ in range(40))


def test_dependence() -> None:
    found = query().dependence()
    assert np.allclose(found, found.T)
    assert (found >= 0.0).all()
    assert (found <= 1.0).all()
    names = list(table().columns)
    for a, b in combinations(range(len(names)), 2):
        information = mutual_information_of(query(), a, b, FEW_CELLS)
        assert found[a, b] == pytest.approx(np.sqrt(-np.expm1(-2.0 * information)), abs=1e-6)
    assert found[names.index("x"), names.index("group")] > found[names.index("spike"), names.index("group")]


def test_draws_of_what_training_did_not_show_stay_inside_the_evidence() -> None:
    """An unseen category, and a gap that no row had in a column under a rule."""
    unseen = query().given("group not in ['a', 'b', 'c']")
    assert unseen.evidence.contains(unseen.sample_columns(50, 0)).all()
    rng = np.random.default_rng(0)
    city = np.array(["Bonn", "Ulm", "Graz"])[rng.integers(0, 3, 600)]
    frame = pd.DataFrame(
        {"city": city, "country": np.where(city == "Graz", "A", "D"), "x": rng.normal(size=600)}
    )
    ruled = bw.DensityForest(3, random_state=0).fit(frame).query()
    for event in ("city is missing", "city is missing and x > 0", "city not in ['Bonn', 'Ulm', 'Graz']"):
        under = ruled.given(event)
        assert under.evidence.contains(under.sample_columns(50, 0)).all()
    either = ruled.given("city == 'Ulm' or city is missing")
    gaps = either.sample_columns(200_000, 1)[0].missing().mean()
    assert gaps == pytest.approx(either.probability("city is missing"), rel=0.2)
