"""Answers beside brute force: every row that a small table can have, with its probability."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.query.discrete_tables import every_row, fitted, query_of

from boxwood.columns import Field
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.event import Event
from boxwood.query.interval import Interval
from properties import examples

# Scores of rows that break two rules at once are exact but for a product of two rates of exceptions.
CLOSE = {"plain": 1e-8, "ruled": 2e-5}
CASES = [("plain", "histogram"), ("plain", "uniform"), ("ruled", "histogram"), ("ruled", "uniform")]


def a_set(field: Field) -> st.SearchStrategy[ColumnSet]:
    if field.kind.is_number:
        ends = st.integers(-2, 9)
        one = st.tuples(ends, ends).map(lambda e: Interval(min(e), max(e), True, True))
        wide = st.sampled_from([Interval(-math.inf, 2, False, True), Interval(3, math.inf, True, False)])
        return st.builds(
            NumberSet,
            st.lists(one | wide, max_size=2).map(tuple),
            st.booleans(),
            st.just(field.kind == "integer"),
        )
    n = len(field.categories)
    return st.builds(
        CategorySet,
        st.frozensets(st.integers(0, n - 1)),
        st.booleans(),
        st.booleans(),
        st.just(n),
        st.just(field.kind == "boolean"),
    )


def an_event(table: str) -> st.SearchStrategy[Event]:
    fields = fitted(table).schema_.fields

    def box(columns: list[int]) -> st.SearchStrategy[Event]:
        sets = st.tuples(*(a_set(fields[j]) for j in columns))
        return sets.map(
            lambda found: _all([Event.of_column(j, values) for j, values in zip(columns, found, strict=True)])
        )

    chosen = st.lists(st.integers(0, len(fields) - 1), min_size=1, max_size=3, unique=True)
    one = chosen.flatmap(box)
    return st.one_of(one, st.builds(lambda a, b: a | b, one, one), one.map(lambda a: ~a))


def _all(events: list[Event]) -> Event:
    event = Event.everything()
    for one in events:
        event = event & one
    return event


@pytest.mark.parametrize(("table", "leaf"), CASES)
def test_every_row_together(table: str, leaf: str) -> None:
    _, p = every_row(table, leaf)
    assert p.sum() == pytest.approx(1.0, abs=CLOSE[table])
    assert query_of(table, leaf).probability() == pytest.approx(1.0, abs=1e-12)


def test_the_ruled_table_has_rules() -> None:
    assert len(fitted("ruled").dependencies_) == 2


@pytest.mark.parametrize(("table", "leaf"), CASES)
@examples(60)
@given(data=st.data())
def test_probability(table: str, leaf: str, data: st.DataObject) -> None:
    event = data.draw(an_event(table))
    columns, p = every_row(table, leaf)
    expected = float(p[event.contains(columns)].sum())
    assert query_of(table, leaf).probability(event) == pytest.approx(expected, abs=CLOSE[table])


@pytest.mark.parametrize(("table", "leaf"), CASES)
@examples(25)
@given(data=st.data())
def test_columns_under_evidence(table: str, leaf: str, data: st.DataObject) -> None:
    columns, p = every_row(table, leaf)
    evidence = data.draw(an_event(table))
    inside = evidence.contains(columns)
    total = float(p[inside].sum())
    if total < 1e-3:
        return
    query = query_of(table, leaf).given(evidence)
    close = CLOSE[table] / total
    for j, field in enumerate(columns.schema.fields):
        numbers = columns[j].numbers()
        there = inside & ~np.isnan(numbers)
        present = float(p[there].sum())
        missing = 1.0 - present / total
        assert query.missing_probability(j) == pytest.approx(missing, abs=close)
        if present < 1e-3:
            continue
        rest = close * total / present
        if field.kind.is_number:
            mean = float((p[there] * numbers[there]).sum() / present)
            variance = float((p[there] * (numbers[there] - mean) ** 2).sum() / present)
            assert query.mean(j) == pytest.approx(mean, abs=1e-4 + 9 * rest)
            assert query.variance(j) == pytest.approx(variance, abs=1e-3 + 99 * rest)
            for value in (0, 2, 5):
                expected = float(p[there & (numbers <= value)].sum() / present)
                assert query.cdf(j, value) == pytest.approx(expected, abs=rest)
            for q in (0.05, 0.5, 0.9):
                found = query.quantile(j, q)
                assert query.cdf(j, found) >= q - 1e-12
                assert query.cdf(j, math.ceil(found) - 1) <= q + 1e-9
        else:
            found = query.probabilities_of(j)
            for code, label in enumerate(field.categories):
                expected = float(p[inside & (numbers == code)].sum() / total)
                assert found[label] == pytest.approx(expected, abs=close)


@pytest.mark.parametrize(("table", "leaf"), CASES)
def test_entropy_and_information(table: str, leaf: str) -> None:
    columns, p = every_row(table, leaf)
    query = query_of(table, leaf)

    def entropy(*positions: int) -> float:
        keys = np.stack([np.nan_to_num(columns[j].numbers(), nan=-999.0) for j in positions])
        _, inverse = np.unique(keys, axis=1, return_inverse=True)
        masses = np.bincount(inverse.ravel(), p)
        masses = masses[masses > 0.0]
        return -float((masses * np.log(masses)).sum())

    for j in range(len(columns.schema)):
        assert query.entropy(j) == pytest.approx(entropy(j), abs=3e-3)
    expected = entropy(0) + entropy(1) - entropy(0, 1)
    assert query.mutual_information(0, 1) == pytest.approx(expected, abs=2e-2)


@pytest.mark.parametrize(("table", "leaf"), CASES)
def test_covariance(table: str, leaf: str) -> None:
    columns, p = every_row(table, leaf)
    query = query_of(table, leaf)
    names = {"plain": ("k", "size"), "ruled": ("size", "flag")}[table]
    a, b = (columns[columns.schema.index(name)].numbers() for name in names)
    there = ~np.isnan(a) & ~np.isnan(b)
    w = p[there] / p[there].sum()
    expected = (w * a[there] * b[there]).sum() - (w * a[there]).sum() * (w * b[there]).sum()
    assert query.covariance(*names) == pytest.approx(float(expected), abs=2e-3)


@pytest.mark.parametrize(("table", "leaf"), CASES)
def test_surprise(table: str, leaf: str) -> None:
    """−log p(x_j | rest) is the row's score less that of all rows that differ in column j alone."""
    columns, p = every_row(table, leaf)
    rows = np.random.default_rng(0).choice(len(p), 60, p=p / p.sum())
    found = query_of(table, leaf).surprise(columns.take(rows))
    numbers = np.stack([np.nan_to_num(column.numbers(), nan=-999.0) for column in columns], axis=1)
    for j in range(numbers.shape[1]):
        rest = np.delete(numbers, j, axis=1)
        for i, row in enumerate(rows[:20]):
            same = (rest == rest[row]).all(axis=1)
            assert found[i, j] == pytest.approx(-math.log(p[row] / p[same].sum()), abs=30 * CLOSE[table])


@pytest.mark.parametrize(("table", "leaf"), CASES)
def test_samples(table: str, leaf: str) -> None:
    query = query_of(table, leaf)
    event = {"plain": "k >= 2 or colour == 'red'", "ruled": "country == 'Austria' or size >= 1"}[table]
    under = query.given(event)
    drawn = under.sample_columns(20_000, 0)
    assert under.evidence.contains(drawn).all()
    for other in ("flag == true", {"plain": "size is missing", "ruled": "kind == 'b'"}[table]):
        p = under.probability(other)
        from boxwood.query.event_reader import read_event

        seen = read_event(drawn.schema, other).contains(drawn).mean()
        assert abs(seen - p) <= 4.0 * math.sqrt(p * (1.0 - p) / 20_000) + 3e-3
