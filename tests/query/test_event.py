"""Events: the laws of sets, and membership as a naive evaluation finds it."""

import math

import numpy as np
import pytest
from event_tables import boxes, column_sets, events, fitted, rows_of
from hypothesis import given
from hypothesis import strategies as st

from boxwood.query.box import Box
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet, everything, missing_values, nothing
from boxwood.query.event import MOST_BOXES, Event, EventTooLargeError
from boxwood.query.interval import Interval

TABLE = fitted()
FIELDS = TABLE.schema.fields
ROWS = rows_of(TABLE, np.random.default_rng(0), 200)


def holds(values: ColumnSet, value: float) -> bool:
    """Return whether one value is in a set, the slow and obvious way."""
    if isinstance(values, CategorySet):
        if value == -1:
            return values.missing
        return values.unseen if value >= values.n_categories else value in values.codes
    if math.isnan(value):
        return values.missing
    return any(
        (low < value or (low_closed and low == value)) and (value < high or (high_closed and high == value))
        for low, high, low_closed, high_closed in values.intervals
    )


def naive(box: Box) -> list[bool]:
    return [
        all(holds(values, ROWS[j].values[row].item()) for j, values in box.sets.items())
        for row in range(ROWS.n_rows)
    ]


@given(st.sampled_from(FIELDS).flatmap(lambda field: st.tuples(*[column_sets(field)] * 3)))
def test_sets_of_a_column_obey_the_laws(sets: tuple[NumberSet, NumberSet, NumberSet]) -> None:
    a, b, c = sets
    assert ~(a & b) == ~a | ~b
    assert ~(a | b) == ~a & ~b
    assert ~~a == a
    assert a & (b | c) == (a & b) | (a & c)
    assert (a & ~a).is_empty
    assert (a | ~a).is_everything
    assert a.isdisjoint(b) == (a & b).is_empty


@given(st.sampled_from(range(len(FIELDS))).flatmap(lambda j: st.tuples(st.just(j), column_sets(FIELDS[j]))))
def test_a_set_contains_what_a_look_at_each_value_finds(drawn: tuple[int, ColumnSet]) -> None:
    j, values = drawn
    found = values.contains(ROWS[j].values)
    assert found.tolist() == [holds(values, value.item()) for value in ROWS[j].values]
    np.testing.assert_array_equal((~values).contains(ROWS[j].values), ~found)


@given(boxes(TABLE), boxes(TABLE))
def test_what_is_left_of_a_box_is_disjoint(a: Box, b: Box) -> None:
    pieces = [naive(piece) for piece in a.minus(b)]
    count = np.sum([naive(a & b), *pieces], axis=0)
    np.testing.assert_array_equal(count, naive(a))


@given(events(TABLE), events(TABLE))
def test_events_obey_the_laws(a: Event, b: Event) -> None:
    in_a, in_b = a.contains(ROWS), b.contains(ROWS)
    for event, expected in [
        (a & b, in_a & in_b),
        (a | b, in_a | in_b),
        (~a, ~in_a),
        (a - b, in_a & ~in_b),
        (~(a & b), ~in_a | ~in_b),
        (~(a | b), ~in_a & ~in_b),
    ]:
        count = np.sum([np.zeros(ROWS.n_rows), *map(naive, event.boxes)], axis=0)
        np.testing.assert_array_equal(count, expected.astype(float))  # disjoint: no row is counted twice
        np.testing.assert_array_equal(event.contains(ROWS), expected)
    assert (~(a & b) - (~a | ~b)).is_empty
    assert ((~a | ~b) - ~(a & b)).is_empty


@given(events(TABLE))
def test_boxes_of_an_event_are_disjoint(event: Event) -> None:
    for i, a in enumerate(event.boxes):
        assert not a.is_empty
        assert all(a.isdisjoint(b) for b in event.boxes[:i])


def test_integers_end_at_integers() -> None:
    above = NumberSet((Interval(40, 41, False, False),), whole=True)
    assert above.is_empty
    ages = NumberSet((Interval(1.5, 3, True, False), Interval(2.5, 7.0, True, True)), whole=True)
    assert ages.intervals == (Interval(2.0, 7.0, True, True),)
    assert (~ages).intervals == (Interval(-math.inf, 1.0, False, True), Interval(8.0, math.inf, True, False))


def test_ends_that_touch_merge() -> None:
    left, point = Interval(0, 1, True, False), Interval(1, 1, True, True)
    assert NumberSet((point, left)).intervals == (Interval(0, 1, True, True),)
    assert len(NumberSet((left, Interval(1, 2, False, True))).intervals) == 2
    assert NumberSet((Interval(-0.0, 0.0, True, True),)) == NumberSet.of_values([0.0])
    assert NumberSet((Interval(-math.inf, math.inf, True, True),), missing=True).is_everything


def test_sets_of_a_field() -> None:
    for field in FIELDS:
        assert nothing(field).is_empty
        assert everything(field).is_everything
        assert not missing_values(field).is_empty
        assert (missing_values(field) | ~missing_values(field)).is_everything


def test_booleans_have_no_unseen_category() -> None:
    true = CategorySet(frozenset([1]), n_categories=2, boolean=True)
    assert (~true).codes == {0}
    assert not (~true).unseen
    assert CategorySet(frozenset([0, 1]), missing=True, n_categories=2, boolean=True).is_everything


def test_boxes_that_differ_in_one_column_merge() -> None:
    low, high = NumberSet((Interval(0, 1, True, False),)), NumberSet((Interval(1, 2, True, True),))
    grid = [Box({0: a, 1: b}) for a in (low, high) for b in (low, high)]
    assert Event(grid).boxes == (Box({0: low | high, 1: low | high}),)


def test_sets_of_other_columns_are_refused() -> None:
    number, category = NumberSet((), missing=True), CategorySet(frozenset([0]), n_categories=1)
    with pytest.raises(TypeError, match="cannot be combined"):
        Event.of_column(0, number) & Event.of_column(0, category)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="codes must lie in 0 to 1"):
        CategorySet(frozenset([2]), n_categories=2)
    with pytest.raises(ValueError, match="NaN"):
        NumberSet((Interval(0.0, math.nan, True, True),))


def one_of_each_pair(n_pairs: int) -> Event:
    """Return the event that at least one of each pair of columns is low: 2**n_pairs boxes."""
    half = NumberSet((Interval(0, 1, True, False),))
    event = Event.everything()
    for j in range(n_pairs):
        event &= Event.of_column(2 * j, half) | Event.of_column(2 * j + 1, half)
    return event


def test_too_many_boxes_are_refused() -> None:
    assert len(one_of_each_pair(6).boxes) == 64
    with pytest.raises(EventTooLargeError, match=rf"{MOST_BOXES} are allowed\. Use fewer"):
        one_of_each_pair(20)
