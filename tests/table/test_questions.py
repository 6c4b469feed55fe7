"""Questions by name, answered from the rows themselves."""

import numpy as np
import pandas as pd
import pytest
from empirical_query import EmpiricalQuery

from boxwood.columns import read_columns
from boxwood.query.errors import QueryError
from boxwood.query.event_reader import read_event
from boxwood.table.questions import MOST_KEPT, GivenTable

FRAME = pd.DataFrame(
    {
        "age": [20, 30, 35, 41, 60],
        "height": [1.5, 1.75, np.nan, 2.0, 1.0],
        "city": ["Bonn", "Ulm", "Ulm", None, "Bonn"],
        "member": [True, True, False, True, False],
    }
)
COLUMNS = read_columns(FRAME)
TABLE = GivenTable(EmpiricalQuery(COLUMNS), COLUMNS.schema)


def test_probabilities_of_events_in_every_form() -> None:
    assert TABLE.prob("age > 30") == pytest.approx(0.6)
    assert TABLE.prob({"age": (30, 41)}) == pytest.approx(0.4)
    assert TABLE.prob(age=(30, 41)) == pytest.approx(0.4)
    assert TABLE.prob("member", age=(30, 61)) == pytest.approx(0.4)
    assert TABLE.prob(read_event(COLUMNS.schema, city="Ulm")) == pytest.approx(0.4)
    assert TABLE.prob() == 1.0
    assert TABLE.probs(["age > 30", {"city": None}]).tolist() == pytest.approx([0.6, 0.2])


def test_evidence_in_every_form() -> None:
    for answer in [
        TABLE.prob("age > 30", given="member"),
        TABLE.prob("age > 30", given={"member": True}),
        TABLE.prob("P(age > 30 | member)"),
        TABLE.given(member=True).prob("age > 30"),
        TABLE.given("member").prob("age > 30"),
    ]:
        assert answer == pytest.approx(1 / 3)
    assert TABLE.prob("P(age > 30 | member)", given="city is missing") == 1.0


def test_evidence_composes() -> None:
    ulm = TABLE.given(city="Ulm").given("age >= 35")
    assert ulm.evidence == read_event(COLUMNS.schema, "city == 'Ulm' and age >= 35")
    assert ulm.prob(member=False) == 1.0
    assert repr(ulm) == "GivenTable(\"age >= 35 and city == 'Ulm'\")"


def test_columns_that_are_compared_with_each_other() -> None:
    assert TABLE.prob("age < 25 * height") == pytest.approx(3 / 5)
    assert TABLE.prob("age < 25 * height", member=True, city="Ulm") == pytest.approx(1 / 5)


def test_numbers_of_a_column() -> None:
    young = TABLE.given(age=(None, 40))
    assert young.mean("age") == pytest.approx((20 + 30 + 35) / 3)
    assert young.std("height") == pytest.approx(0.125)
    assert young.quantile("age", [0.1, 0.5]).tolist() == [20, 30]
    assert young.interval("age", 0.9).tolist() == [20, 35]
    assert young.mode("city") == "Ulm"
    assert set(young.sample(20, random_state=0)["age"]) <= {20, 30, 35}


def test_what_a_column_has_not() -> None:
    with pytest.raises(TypeError, match=r"column 'city' is categorical and has no mean\. Ask for"):
        TABLE.mean("city")
    with pytest.raises(QueryError, match=r"no column 'hieght'\. Did you mean 'height'"):
        TABLE.quantile("hieght", 0.5)


def test_a_description_has_a_line_for_each_column() -> None:
    found = TABLE.describe()
    assert isinstance(found, pd.DataFrame)
    assert found["column"].tolist() == list(FRAME.columns)
    lines = found.set_index("column")
    assert lines.loc["city", "missing"] == pytest.approx(0.2)
    assert lines.loc["age", "mean"] == pytest.approx(FRAME.age.mean())
    assert lines.loc["age", "50%"] == 35
    assert lines.loc["member", "top"] == "True"
    assert lines.loc["member", "top probability"] == pytest.approx(0.6)
    assert pd.isna(lines.loc["age", "top"])


def test_few_expressions_are_kept() -> None:
    for age in range(3 * MOST_KEPT):
        assert TABLE.prob(f"age > {age}") == pytest.approx((FRAME.age > age).mean())
        assert TABLE.prob("member", given=f"age != {age}") <= 1.0
    assert len(TABLE.__dict__["_asked"]) <= MOST_KEPT
    assert TABLE.prob("age > 30") == pytest.approx(0.6)
