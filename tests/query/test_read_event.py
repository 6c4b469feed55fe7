"""Events from dictionaries and keywords."""

import datetime
import math
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from event_tables import fitted

from boxwood.columns import Columns, read_columns
from boxwood.query.column_set import CategorySet, NumberSet
from boxwood.query.errors import QueryError, UnseenCategoryWarning, nearest
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event
from boxwood.query.interval import Interval

TABLE = fitted()


def rows(given: Any = None, table: Columns = TABLE, **columns: Any) -> list[int]:
    return np.flatnonzero(read_event(table.schema, given, **columns).contains(table)).tolist()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"age": 44}, [1]),
        ({"age": np.int64(44)}, [1]),
        ({"age": (31, 60)}, [0, 1]),
        ({"age": (None, 44)}, [0, 3]),
        ({"age": (44, math.inf)}, [1, 4]),
        ({"age": [18, 31, None]}, [0, 2, 3]),
        ({"age": {18, 99}}, [3]),
        ({"age": None}, [2]),
        ({"age": float("nan")}, [2]),
        ({"age": pd.NA}, [2]),
        ({"height": np.array([1.5, 0.0])}, [0, 2]),
        ({"height": pd.Series([1000.0])}, [4]),
        ({"city": "Ulm"}, [1]),
        ({"city": ["Ulm", None]}, [1, 3]),
        ({"member": False}, [1]),
        ({"member": np.True_}, [0, 3, 4]),
        ({"born on": (datetime.date(2024, 1, 2), "2024-01-03T12:00")}, [1]),
        ({"born on": pd.Timestamp("2024-01-03 12:00")}, [2]),
        ({"born on": [np.datetime64("2024-01-01T12"), None]}, [0, 4]),
        ({"size": ("S", "L")}, [0, 3, 4]),
        ({"age": (30, 50), "city": "Ulm"}, [1]),
        ({}, [0, 1, 2, 3, 4]),
        (None, [0, 1, 2, 3, 4]),
        ("age > 40", [1, 4]),
        (Event([]), []),
    ],
)
def test_what_is_given_finds_its_rows(given: Any, expected: list[int]) -> None:
    assert rows(given) == expected


def test_keywords_are_conditions_too() -> None:
    assert rows(age=(30, 50)) == [0, 1]
    assert rows("member", age=(30, 50)) == [0]
    assert rows({"city": "Bonn"}, age=(30, 50), member=True) == [0]
    assert read_event(TABLE.schema, age=(30, 40)) == read_event(TABLE.schema, "30 <= age < 40")


def test_a_set_of_the_column_is_taken_as_it_is() -> None:
    ages = NumberSet((Interval(40, 50, False, True),), whole=True)
    assert rows(age=ages) == [1]
    with pytest.raises(QueryError, match=r"column 'city' is categorical, and its set is a NumberSet"):
        read_event(TABLE.schema, city=ages)
    with pytest.raises(QueryError, match=r"column 'age' is integer, and its set is a CategorySet"):
        read_event(TABLE.schema, age=CategorySet(frozenset()))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"aeg": 3}, "no column 'aeg'. Did you mean 'age'?"),
        ({"Age": 3}, "no column 'Age'. Did you mean 'age'?"),
        ({"zzzz": 3}, "no column 'zzzz'. It has 'age', 'height'"),
        ({3: 3}, "no column 3."),
        ({"age": "old"}, "column 'age' holds numbers, and 'old' is not one."),
        ({"age": "44"}, "Write the number without quotes."),
        ({"age": True}, "column 'age' holds numbers, and True is not one."),
        ({"age": object}, "column 'age' holds numbers"),
        ({"age": 10**400}, "too large"),
        ({"age": math.inf}, "too large"),
        ({"age": (1, 2, 3)}, "a tuple is a range"),
        ({"age": (40, 30)}, "no value is at least 40 and below 30"),
        ({"city": ("Bonn", "Ulm")}, "Write a list for several values"),
        ({"city": 3}, "column 'city' holds categories such as 'Bonn', and 3 is not text"),
        ({"city": b"Ulm"}, "is of the type bytes"),
        ({"member": "yes"}, "column 'member' holds true and false, and 'yes' is neither"),
        ({"born on": 3}, "column 'born on' holds dates, and 3 is not one"),
        ({"born on": "soon"}, "'soon' is not one. Write dates as '2024-12-31'"),
        ({"born on": "2024-01-01T00:00+01:00"}, "has a time zone, and the dates of the column have none"),
        ({"size": ("XL", None)}, "has no category 'XL' to compare with"),
        ([1, 2], "an event is an expression"),
        (3, "an event is an expression"),
    ],
)
def test_what_does_not_fit_is_named(given: Any, message: str) -> None:
    with pytest.raises(QueryError) as caught:
        read_event(TABLE.schema, given)
    assert message in str(caught.value)


def test_an_unseen_category_counts_as_unseen_with_a_warning() -> None:
    with pytest.warns(UnseenCategoryWarning, match=r"no category 'Bon'; .* Did you mean 'Bonn'\?"):
        event = read_event(TABLE.schema, city=["Bon", "Ulm"])
    (box,) = event.boxes
    position = TABLE.schema.index("city")
    values = box.sets[position]
    assert isinstance(values, CategorySet)
    assert values.unseen
    assert not values.missing
    new = read_columns({**{name: [None] for name in TABLE.schema.names}, "city": ["Rom"]}).matched(
        TABLE.schema
    )
    assert event.contains(new).tolist() == [True]


def test_dates_are_in_the_zone_of_their_column() -> None:
    zone = "Europe/Berlin"
    when = pd.to_datetime(["2024-07-01 00:30", "2024-07-01 02:30"]).tz_localize(zone)
    table = read_columns(pd.DataFrame({"when": when}))
    assert rows(table=table, when="2024-07-01 00:30") == [0]
    assert rows(table=table, when="2024-06-30T22:30Z") == [0]
    assert rows(table=table, when=(None, "2024-07-01 01:00+02:00")) == [0]
    assert rows(table=table, when=when[1]) == [1]
    assert rows("when > '2024-07-01 00:30'", table=table) == [1]


def test_ordinals_that_are_numbers_compare_with_any_number() -> None:
    stars = read_columns({"stars": [1, 5, 3]}, kinds={"stars": "ordinal"})
    assert rows("stars >= 2", table=stars) == [1, 2]
    assert rows("stars < 3", table=stars) == [0]
    falling = pd.DataFrame({"rank": pd.Categorical([3, 1], [3, 1], ordered=True)})
    with pytest.raises(QueryError, match="has no category 2 to compare with"):
        read_event(read_columns(falling).schema, "rank > 2")


def test_durations_are_seconds() -> None:
    table = read_columns(pd.DataFrame({"took": pd.to_timedelta([30, 90], unit="s")}))
    assert rows(table=table, took=(datetime.timedelta(minutes=1), None)) == [1]
    assert rows("took < 60", table=table) == [0]


def test_the_nearest_of_very_many_names_is_found_at_once() -> None:
    names = [f"column {i}" for i in range(50_000)]
    assert nearest("x" * 100_000, names) is None
    assert nearest("COLUMN 49999", names) == "column 49999"


def test_known_categories_give_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_event(TABLE.schema, city=["Bonn", "Ulm"])


def test_many_unseen_categories_among_many_take_no_time() -> None:
    table = read_columns({"word": [f"word {i}" for i in range(5_000)]})
    start = time.process_time()
    with pytest.warns(UnseenCategoryWarning) as caught:
        event = read_event(table.schema, word=[f"ward {i}" for i in range(5_000)])
    assert len(caught) == 3
    assert not event.is_empty
    assert time.process_time() - start < 30.0  # CPU seconds; one by one they would take minutes
