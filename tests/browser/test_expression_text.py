"""What the page writes as evidence means to the library what the charts show."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from nasty_tables import nasty_table

import boxwood as bw
from boxwood.query import read_event

pytestmark = pytest.mark.browser

PAGE = Path(bw.__file__).parent / "serve" / "page"
REWRITE = """
async ([texts, columns]) => {
  const { readEvidence } = await import("http://page/expression.js");
  const { conditionText } = await import("http://page/condition.js");
  const byName = new Map(columns.map((column) => [column.name, column]));
  return texts.map((text) => {
    const { conditions, rest } = readEvidence(text, byName);
    return [[...conditions].map(([name, one]) => conditionText(byName.get(name), one)), rest];
  });
}
"""


@pytest.fixture(scope="module")
def schema() -> Any:
    table = nasty_table()
    berlin = pd.Series(table["moment"]).dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    return bw.read_columns(pd.DataFrame(table | {"berlin": berlin})).schema


@pytest.fixture
def modules(browser: Any) -> Iterator[Any]:
    """A blank page that can import the page's modules."""
    page = browser.new_page()

    def answer(route: Any) -> None:
        name = route.request.url.rpartition("/")[2]
        body, kind = (
            ((PAGE / name).read_text(), "text/javascript") if name else ("<!doctype html>", "text/html")
        )
        route.fulfill(body=body, content_type=kind)

    page.route("http://page/**", answer)
    page.goto("http://page/")
    yield page
    page.close()


def rewritten(page: Any, schema: Any, texts: list[str]) -> list[tuple[list[str], list[str]]]:
    columns = [
        {
            "name": field.name,
            "kind": str(field.kind),
            "zoned": field.name == "berlin",
            "categories": list(field.categories),
        }
        for field in schema.fields
    ]
    return [(conditions, rest) for conditions, rest in page.evaluate(REWRITE, [texts, columns])]


def conditions_of(schema: Any) -> Iterator[str]:
    """Write conditions of every kind on every column, as the library does."""
    rng = np.random.default_rng(0)
    for field in schema.fields:
        if field.kind.is_number:
            low, high = (
                np.sort(rng.normal(0.0, 1e3, 2)).round(0 if str(field.kind) == "integer" else 9).tolist()
            )
            ends = ("2020-03-01", "2021-05-07 10:20:30.25") if str(field.kind) == "datetime" else (low, high)
            sets: list[Any] = [ends, (None, ends[1]), (ends[0], None), None, ends[0]]
        else:
            sets = [field.categories[0], list(field.categories[:3]), None, [field.categories[-1], None]]
        for values in sets:
            yield bw.query.expression.to_text(read_event(schema, {field.name: values}), schema)


def test_conditions_of_one_column_survive(modules: Any, schema: Any) -> None:
    texts = list(conditions_of(schema))
    assert len(texts) > 100
    for text, (conditions, rest) in zip(texts, rewritten(modules, schema, texts), strict=True):
        assert rest == []
        assert len(conditions) == 1
        assert read_event(schema, conditions[0]) == read_event(schema, text), text


def test_conjunctions_are_taken_apart(modules: Any, schema: Any) -> None:
    texts = list(conditions_of(schema))
    joined = [f"{a} and {b}" for a, b in zip(texts, texts[7:], strict=False)]
    for text, (conditions, rest) in zip(joined, rewritten(modules, schema, joined), strict=True):
        again = " and ".join([*conditions, *(f"({part})" for part in rest)])
        assert read_event(schema, again) == read_event(schema, text), text


@pytest.mark.parametrize(
    "text",
    [
        "x12 > 0 or x13 > 0",
        "x12 > x13",
        "not x12 > 0",
        "2 * x12 + 1 < 3",
        "x12 != 3",
        "x12 > 0 and x12 < 1 and x12 > 0.5",
        "x12 > 0, x13 < -1.5e-3",
        "(x12 > 0 or x12 is missing) and yes",
        "(x12 > 0 and x13 > 0)",
    ],
)
def test_what_no_chart_shows_stays_as_it_is(modules: Any, schema: Any, text: str) -> None:
    conditions, rest = rewritten(modules, schema, [text])[0]
    again = " and ".join([*conditions, *(f"({part})" for part in rest)])
    assert read_event(schema, again) == read_event(schema, text.replace(",", " and"))
