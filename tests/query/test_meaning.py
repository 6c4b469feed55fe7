"""Expressions at random against an evaluation row by row, in Python's own logic."""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from event_tables import ENDS, fitted, rows_of
from hypothesis import given
from hypothesis import strategies as st

from boxwood.columns.kind import Kind
from boxwood.query.expression import read_expression

Row = dict[str, Any]
Spoken = tuple[str, Callable[[Row], bool]]
"""An expression, and the same condition as a function of a row."""

TABLE = fitted()
ROWS = rows_of(TABLE, np.random.default_rng(2), 100)
SIGNS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
UNSEEN = object()


def plain_rows() -> list[Row]:
    """Return the rows with None for what is missing; ordered categories by their rank."""
    rows: list[Row] = [{} for _ in range(ROWS.n_rows)]
    for column in ROWS:
        for row, value in zip(rows, column.values.tolist(), strict=True):
            if column.kind.is_number:
                row[column.name] = None if math.isnan(value) else value
            elif value == -1:
                row[column.name] = None
            elif value >= len(column.field.categories):
                row[column.name] = UNSEEN
            else:
                ordered = column.kind is Kind.ORDINAL
                row[column.name] = value if ordered else column.field.categories[value]
    return rows


PLAIN = plain_rows()


def numbers() -> st.SearchStrategy[Spoken]:
    def chain(column: str, low: float, above: str, below: str, high: float) -> Spoken:
        def holds(row: Row) -> bool:
            value = row[column]
            return value is not None and SIGNS[above](low, value) and SIGNS[below](value, high)

        return f"{low} {above} {column} {below} {high}", holds

    ends, signs = st.sampled_from(ENDS), st.sampled_from(["<", "<=", "!=", "=="])
    return st.builds(chain, st.sampled_from(["age", "height"]), ends, signs, signs, ends)


def scaled() -> st.SearchStrategy[Spoken]:
    def compare(column: str, factor: int, sign: str, bound: float) -> Spoken:
        def holds(row: Row) -> bool:
            return row[column] is not None and SIGNS[sign](1 - factor * row[column], bound)

        return f"1 - {factor} * {column} {sign} {bound}", holds

    factors = st.integers(-3, 3)
    columns, signs = st.sampled_from(["age", "height"]), st.sampled_from(sorted(SIGNS))
    return st.builds(compare, columns, factors, signs, st.sampled_from(ENDS))


def ranks() -> st.SearchStrategy[Spoken]:
    def compare(sign: str, rank: int) -> Spoken:
        def holds(row: Row) -> bool:
            value = row["size"]
            if value is None or value is UNSEEN:
                return value is UNSEEN and sign == "!="
            return bool(SIGNS[sign](value, rank))

        return f"size {sign} '{'SML'[rank]}'", holds

    return st.builds(compare, st.sampled_from(sorted(SIGNS)), st.integers(0, 2))


def cities() -> st.SearchStrategy[Spoken]:
    def among(names: list[str], negated: bool) -> Spoken:
        def holds(row: Row) -> bool:
            return row["city"] is not None and (row["city"] in names) != negated

        return f"city {'not ' * negated}in {names}", holds

    known = TABLE.schema.fields[TABLE.schema.index("city")].categories
    return st.builds(among, st.lists(st.sampled_from(known), min_size=1, max_size=3), st.booleans())


def gaps() -> st.SearchStrategy[Spoken]:
    def missing(column: str, negated: bool) -> Spoken:
        return f"`{column}` is {'not ' * negated}missing", lambda row: (row[column] is None) != negated

    return st.builds(missing, st.sampled_from(TABLE.schema.names), st.booleans())


def combined(parts: st.SearchStrategy[Spoken]) -> st.SearchStrategy[Spoken]:
    def negate(part: Spoken) -> Spoken:
        return f"not ({part[0]})", lambda row: not part[1](row)

    def join(a: Spoken, b: Spoken, word: str) -> Spoken:
        if word == "and":
            return f"({a[0]}) and ({b[0]})", lambda row: a[1](row) and b[1](row)
        return f"({a[0]}) or ({b[0]})", lambda row: a[1](row) or b[1](row)

    return st.builds(negate, parts) | st.builds(join, parts, parts, st.sampled_from(["and", "or"]))


FLAG: Spoken = ("member", lambda row: row["member"] is True)
CONDITIONS = numbers() | scaled() | ranks() | cities() | gaps() | st.just(FLAG)


@given(st.recursive(CONDITIONS, combined, max_leaves=6))
def test_expressions_mean_what_python_means(spoken: Spoken) -> None:
    text, holds = spoken
    event = read_expression(TABLE.schema, text)
    assert event.contains(ROWS).tolist() == [holds(row) for row in PLAIN]
