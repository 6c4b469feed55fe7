"""Tables and events at random, for the tests of this folder."""

import datetime

import numpy as np
from hypothesis import strategies as st

from boxwood.columns import Columns, read_columns
from boxwood.columns.column import Field
from boxwood.columns.kind import Kind
from boxwood.query.box import Box
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.event import Event
from boxwood.query.interval import Interval

CITIES = ["Bonn", "Köln", "Ulm", "it's", 'a "b"', "back\\slash"]
FITTED = {
    "age": [31, 44, None, 18, 60],
    "height": [1.5, -2.25, 0.0, None, 1e3],
    "city": ["Bonn", "Ulm", "Köln", None, "it's"],
    "member": [True, False, None, True, True],
    "born on": [datetime.datetime(2024, 1, day, 12) for day in range(1, 5)] + [None],
}
ENDS = [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 2.5, 4.0]


def fitted() -> Columns:
    """Return a table with a column of each kind."""
    import pandas as pd

    frame = pd.DataFrame(
        {**FITTED, "size": pd.Categorical(["S", "L", None, "M", "S"], ["S", "M", "L"], True)}
    )
    frame["age"] = frame["age"].astype("Int64")
    return read_columns(frame)


def rows_of(columns: Columns, generator: np.random.Generator, n_rows: int = 60) -> Columns:
    """Return new rows of a table, with gaps, unseen categories and numbers that meet the ends of `ENDS`."""
    from boxwood.columns.column import Column

    made = []
    for field in columns.schema.fields:
        if field.kind.is_number:
            values = generator.choice([*ENDS, -2.0, 3.0, 0.25, np.nan], n_rows)
            values = np.floor(values) if field.kind is not Kind.NUMERIC else values
        else:
            highest = len(field.categories) - (field.kind is Kind.BOOLEAN)
            values = generator.integers(-1, highest + 1, n_rows).astype(np.int32)
        made.append(Column(field, values, 0))
    return Columns(columns.schema, n_rows, columns=made)


def column_sets(field: Field) -> st.SearchStrategy[ColumnSet]:
    """Return sets of a column, of every shape."""
    if not field.kind.is_number:
        n_categories, boolean = len(field.categories), field.kind is Kind.BOOLEAN
        codes = st.frozensets(st.integers(0, n_categories - 1))
        return st.builds(
            CategorySet, codes, st.booleans(), st.booleans(), st.just(n_categories), st.just(boolean)
        )
    # Dates are whole microseconds.
    places = [end for end in ENDS if field.kind is not Kind.DATETIME or end == np.floor(end)]
    ends = st.sampled_from([-np.inf, *places, np.inf])
    intervals = st.lists(st.builds(Interval, ends, ends, st.booleans(), st.booleans()), max_size=3)
    return st.builds(NumberSet, intervals.map(tuple), st.booleans(), st.just(field.kind is Kind.INTEGER))


def boxes(columns: Columns) -> st.SearchStrategy[Box]:
    """Return boxes of some columns."""
    one = st.integers(0, len(columns) - 1).flatmap(
        lambda j: st.tuples(st.just(j), column_sets(columns.schema.fields[j]))
    )
    return st.lists(one, max_size=3).map(lambda sets: Box(dict(sets)))


def events(columns: Columns) -> st.SearchStrategy[Event]:
    """Return unions of a few boxes."""

    def union(parts: list[Box]) -> Event:
        event = Event([])
        for box in parts:
            event |= Event([box])
        return event

    return st.lists(boxes(columns), max_size=4).map(union)
