"""Expressions: what they mean, what is refused and where the error points, and the way back to text."""

import pickle
import time
import warnings
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from event_tables import events, fitted, rows_of
from hypothesis import given

from boxwood.columns import read_columns
from boxwood.query.event import Event, EventTooLargeError
from boxwood.query.expression import (
    ExpressionError,
    ExpressionTooLargeError,
    read_expression,
    read_question,
    to_text,
)

TABLE = fitted()
SCHEMA = TABLE.schema
ROWS = rows_of(TABLE, np.random.default_rng(1), 200)
FRAME = pd.DataFrame(
    {
        "x": [0.0, 1.0, 2.5, np.nan, -2.0],
        "y": [1.0, 1.0, np.nan, 3.0, -4.0],
        "k": pd.array([1, 2, 3, None, 5], dtype="Int64"),
        "in": [1.0, 2.0, 3.0, 4.0, 5.0],
        "a `b` \\c": [1.0, 2.0, 3.0, 4.0, 5.0],
    }
)
NUMBERS = read_columns(FRAME)


def rows(text: str, table: object = TABLE) -> list[int]:
    assert hasattr(table, "schema")
    return np.flatnonzero(read_expression(table.schema, text).contains(table)).tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age > 40", [1, 4]),
        ("40 < age", [1, 4]),
        ("age = 44", [1]),
        ("age != 44", [0, 3, 4]),
        ("not age == 44", [0, 2, 3, 4]),
        ("30 <= age < 60", [0, 1]),
        ("60 > age >= 31", [0, 1]),
        ("age in [18, 31]", [0, 3]),
        ("age in (18, 31)", [0, 3]),
        ("age not in [18, 31]", [1, 4]),
        ("age is missing", [2]),
        ("age is not missing and age is not null", [0, 1, 3, 4]),
        ("height == -2.25 or height > 9e2 or height > 1_0.5", [1, 4]),
        ("height < .5", [1, 2]),
        ("2 * age + 1 <= 63", [0, 3]),
        ("-age / 2 >= -15.5", [0, 3]),
        ("age - age >= 0", [0, 1, 3, 4]),
        ("age > age", []),
        ("city == 'Ulm' or city == \"it's\" or city == 'it\\'s'", [1, 4]),
        ("city in ['Ulm', 'Bonn'] AND NOT (age > 40)", [0]),
        ("city != 'Ulm'", [0, 2, 4]),
        ("member", [0, 3, 4]),
        ("not member", [1, 2]),
        ("member == false or member = True", [0, 1, 3, 4]),
        ("member is missing", [2]),
        ("size <= 'M'", [0, 3, 4]),
        ("'S' < size", [1, 3]),
        ("`born on` >= '2024-01-03'", [2, 3]),
        ("'2024-01-01' <= `born on` <= '2024-01-02 12:00:00'", [0, 1]),
        ("`born on` == '2024-01-02T12:00'", [1]),
        ("true", [0, 1, 2, 3, 4]),
        ("false or age < 20", [3]),
        ("((((age)) > ((40))))", [1, 4]),
        ("age > 40 or age < 20 and city is missing", [1, 3, 4]),
        ("age > 30\n  and age < 40", [0]),
        ("P(age > 40)", [1, 4]),
        ("P(age > 40, member)", [4]),
    ],
)
def test_an_expression_finds_its_rows(text: str, expected: list[int]) -> None:
    assert rows(text) == expected


def test_names_in_backticks() -> None:
    assert rows("`in` > 4", NUMBERS) == [4]
    assert rows("`a \\`b\\` \\\\c` == 2", NUMBERS) == [1]
    odd = read_columns({"P": [1, 2], "bill.length": [3, 4], "missing": [True, False], "Größe": [5, 6]})
    assert rows("P > 1", odd) == [1]
    assert rows("bill.length > 3 and Größe > 5", odd) == [1]
    assert rows("missing", odd) == [0]
    assert rows("P(P > 1)", odd) == [1]


def test_columns_that_are_compared_with_each_other() -> None:
    for text, expected in [
        ("x < y", FRAME.x < FRAME.y),
        ("x >= y", FRAME.x >= FRAME.y),
        ("x == y", FRAME.x == FRAME.y),
        ("2 * x - 3*y > 1.5", 2 * FRAME.x - 3 * FRAME.y > 1.5),
        ("-2 <= x < y", (FRAME.x >= -2) & (FRAME.x < FRAME.y)),
        ("x != y and k < 3", (FRAME.x != FRAME.y) & FRAME.x.notna() & FRAME.y.notna() & (FRAME.k < 3)),
        ("x + y - y < `in` - y + y", (FRAME.x < FRAME["in"]) & FRAME.y.notna()),
        ("(x + y) / 2 <= 1", (FRAME.x + FRAME.y) / 2 <= 1),
    ]:
        event, evidence = read_question(NUMBERS.schema, text)
        assert evidence is None
        assert event.contains(NUMBERS).tolist() == expected.fillna(False).tolist(), text


def test_sums_are_exact() -> None:
    assert rows("0.1 * k <= 0.3", NUMBERS) == [0, 1, 2]
    assert rows("k / 3 == 1", NUMBERS) == [2]


def test_evidence_comes_after_a_bar() -> None:
    event, evidence = read_question(SCHEMA, "P(age > 40 | member and city == 'Ulm')")
    assert event == read_expression(SCHEMA, "age > 40")
    assert evidence == read_expression(SCHEMA, "member and city == 'Ulm'")


@pytest.mark.parametrize(
    ("text", "reason", "spot"),
    [
        ("", "the expression is empty", ""),
        ("age >", "ends too early; expected a column or a value", ""),
        ("age > 40 and", "ends too early", ""),
        ("(age > 40", "ends too early", ""),
        ("age > 40)", "')' cannot stand here", ")"),
        ("age 40", "'40' cannot stand here; expected a comparison", "40"),
        ("age > 40 & member", "'&' cannot stand here: write 'and' instead", "&"),
        ("age > 40 | member", "'|' separates evidence inside P( … | … ); write 'or'", "|"),
        ("P(age > 40 | member) and member", "'and' cannot stand here", "and"),
        ("!member", "write 'not' instead", "!"),
        ("city == 'Ulm", "the quote is never closed", "'"),
        ("`age > 40", "the backtick is never closed", "`"),
        ("age ^ 2 > 4", "there are no powers", "^"),
        ("age ** 2 > 4", "'*' cannot stand here; expected a column", "*"),
        ("aeg > 40", "no column 'aeg'. Did you mean 'age'?", "aeg"),
        ("member and `born` > 3", "Did you mean 'born on'?", "`born`"),
        ("age > 'old'", "column 'age' holds numbers, and 'old' is not one", "'old'"),
        ("age == true", "holds numbers, and True is not one", "true"),
        ("age == '44'", "Write the number without quotes", "'44'"),
        ("city == 3", "holds categories such as 'Bonn', and 3 is not text", "3"),
        ("city > 'Bonn'", "its values have no order", "'Bonn'"),
        ("city in ['Ulm', 3]", "3 is not text", "3"),
        ("member == 'yes'", "holds true and false", "'yes'"),
        ("member > 0", "its values have no order", "0"),
        ("`born on` > 3", "holds dates, and 3 is not one", "3"),
        ("`born on` > '2024-13-01'", "'2024-13-01' is not one", "'2024-13-01'"),
        (
            "`born on` + 1 > 3",
            "column 'born on' is datetime: it can be compared with values only",
            "`born on`",
        ),
        ("city == size", "have no category in common", "city == size"),
        ("age", "column 'age' is integer: compare it with something", "age"),
        ("3", "this is a value, not a condition", "3"),
        ("1 < 2", "this comparison names no column", "1 < 2"),
        ("'a' == 'b'", "this is text", "'a' == 'b'"),
        ("(age > 3) == true", "a condition cannot be compared", "(age > 3)"),
        ("age in [height]", "a list may hold numbers", "height"),
        ("age + 1 in [3]", "'in' asks about a column", "age + 1"),
        ("3 is missing", "'is missing' asks about a column", "3"),
        ("age * height > 3", "columns cannot be multiplied with each other", "height"),
        ("1 / age > 3", "only numbers can be divided by", "age"),
        ("age / 0 > 3", "this divides by zero", "0"),
        ("age > 1e999", "the number is too long", "1e999"),
        ("age > 1e350", "too large to calculate with", "1e350"),
        ("age > " + "1" * 500, "the number is too long", "1" * 500),
        ("P(member | age > 3)", "evidence cannot stand here", "age > 3"),
    ],
)
def test_an_error_points_at_the_spot(text: str, reason: str, spot: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        read_expression(SCHEMA, text)
    error = caught.value
    assert reason in error.reason
    assert text[error.start : error.end] == spot
    line, carets = str(error).splitlines()[-2:]
    assert line[carets.index("^") :].startswith(spot[:40])


def test_the_spot_is_shown_in_a_long_expression_of_several_lines() -> None:
    text = "member and\n" + "age > 1 and " * 20 + "aeg > 3" + " and age > 1" * 20 + "\nand member"
    with pytest.raises(ExpressionError) as caught:
        read_expression(SCHEMA, text)
    _, line, carets = str(caught.value).splitlines()
    assert line[carets.index("^") :].startswith("aeg > 3")
    assert carets.count("^") == 3
    assert len(line) < 150


def test_errors_travel_between_processes() -> None:
    with pytest.raises(ExpressionError) as caught:
        read_expression(SCHEMA, "aeg > 40")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert again.start == 0


@given(events(TABLE))
def test_text_reads_as_the_same_event(event: Event) -> None:
    text = to_text(event, SCHEMA)
    again = read_expression(SCHEMA, text)
    np.testing.assert_array_equal(again.contains(ROWS), event.contains(ROWS))
    assert (again - event).is_empty
    assert (event - again).is_empty


def test_text_of_names_dates_and_odd_numbers() -> None:
    zoned = pd.to_datetime(["2024-07-01 00:30", "2024-07-01 02:30"]).tz_localize("Europe/Berlin")
    table = read_columns(pd.DataFrame({"when": zoned, "a `b\\": [0.1, 2e200], "P": ["'", "\\"]}))
    for text in [
        "when > '2024-07-01 00:30:00+02:00'",
        "`a \\`b\\\\` in [0.1, 2e+200]",
        "P == '\\''",
        "P != '\\\\'",
        "P is not missing",
        "true",
        "false",
    ]:
        assert to_text(read_expression(table.schema, text), table.schema) == text


def too_large(text: str) -> None:
    """Check that an expression is refused as too large, and at once."""
    start = time.process_time()
    with pytest.raises(ExpressionTooLargeError) as caught:
        read_expression(SCHEMA, text)
    assert time.process_time() - start < 20.0  # CPU seconds; about one
    assert isinstance(caught.value, EventTooLargeError)
    assert len(str(caught.value)) < 600


def test_excessive_sizes_end_at_once() -> None:
    too_large("(" * 100_001)
    too_large("(" * 40_000 + "age > 1" + ")" * 40_000)
    too_large("not " * 20_000 + "member")
    too_large("age > 1 and " * 5_000 + "age > 1")
    too_large(" or ".join(f"(age == {i} and height > {i})" for i in range(600)))
    too_large("age > 1" * 1_000_000)
    with pytest.raises(ExpressionError):
        read_expression(SCHEMA, "(" * 100_000)
    with pytest.raises(ExpressionError, match="too long"):
        read_expression(SCHEMA, "*".join(["1e300"] * 10_000) + " < age")
    with pytest.raises(ExpressionError):
        read_expression(SCHEMA, "age in [" + "1, " * 30_000)
    assert not read_expression(SCHEMA, "age in [" + "1, " * 30_000 + "1]").is_empty


def test_events_that_explode_are_refused() -> None:
    wide = read_columns({f"x{j}": [0.0, 0.5] for j in range(60)})
    pairs = " and ".join(f"(x{a} > 0.3 or x{b} > 0.3)" for a, b in pairwise(range(60)))
    with pytest.raises(ExpressionTooLargeError, match="Use fewer alternatives"):
        read_expression(wide.schema, pairs)
    alternatives = " or ".join(f"x{j} == 0.5" for j in range(60))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(read_expression(wide.schema, alternatives).boxes) == 60
    assert len(read_expression(wide.schema, f"not ({alternatives})").boxes) == 1
