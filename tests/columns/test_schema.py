from __future__ import annotations

import datetime as dt
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxwood.columns import Columns, Schema, read_columns

DAY = dt.datetime(2020, 1, 1)


def fitted(values: Any, **kinds: str) -> Schema:
    return read_columns({"a": values}, kinds=kinds or None).schema


def matched(schema: Schema, values: Any) -> np.ndarray[Any, Any]:
    return read_columns({"a": values}).matched(schema)["a"].values


@pytest.mark.parametrize(
    ("schema", "values", "expected"),
    [
        (fitted(["b", "a"]), ["c", "a", None], [2, 0, -1]),
        (fitted(pd.Categorical(["S"], ["S", "L"], ordered=True)), ["L", "XL"], [1, 2]),
        (fitted([1, 2], a="categorical"), [2.0, 1.0, 3.0], [1, 0, 2]),
        (fitted([True, False]), [0, 1], [0, 1]),
        (fitted([True, False]), [0.0, None], [0, -1]),
        (fitted([1.5]), [1, 2], [1, 2]),
        (fitted([1, 2]), [1.5, 2.5], [1.5, 2.5]),
        (fitted([1, 2]), [True, False], [1, 0]),
        (fitted([DAY]), [dt.date(1970, 1, 1)], [0]),
    ],
)
def test_match(schema: Schema, values: Any, expected: list[float]) -> None:
    assert matched(schema, values).tolist() == expected


@pytest.mark.parametrize("values", [[1.5], [1], ["a"], [True], [DAY], pd.Categorical(["a"], ordered=True)])
def test_a_column_without_values_matches_anything(values: Any) -> None:
    columns = read_columns({"a": [None, None]}).matched(fitted(values))
    assert columns.schema.fields == fitted(values).fields
    assert columns.n_missing == 2


@pytest.mark.parametrize(
    ("schema", "values", "shown"),
    [
        (fitted([1.5]), [None, "x"], "row 1: the fitted table holds numeric values, now .* categorical: 'x'"),
        (fitted([1]), [DAY], "row 0: the fitted table holds integer values, now .* datetime: 2020-01-01"),
        (fitted([DAY]), [None, 5], "row 1: the fitted table holds datetime values, now .* integer: 5"),
        (fitted(["a"]), [None, 5], "row 1: .* categorical values such as 'a', now .* integer: 5"),
        (fitted(["a"]), [True], "row 0: .* such as 'a', now the column is boolean: True"),
        (fitted(["a"]), [DAY], "row 0: .* such as 'a', now the column is datetime"),
        (fitted([1, 2], a="ordinal"), ["1"], "row 0: .* ordinal values such as 1, now .* categorical: '1'"),
        (fitted([True]), ["yes"], "row 0: .* boolean values such as False, now .* categorical: 'yes'"),
    ],
)
def test_another_family_names_column_and_row(schema: Schema, values: Any, shown: str) -> None:
    with pytest.raises(TypeError, match=f"column 'a', {shown}"):
        matched(schema, values)


def test_a_boolean_column_takes_no_other_number() -> None:
    with pytest.raises(ValueError, match="column 'a', row 1: the column is boolean, 2 is neither true nor"):
        matched(fitted([True, False]), [1, 2])


def test_number_and_names_of_columns() -> None:
    schema = read_columns({"a": [1], "b": [2]}).schema
    with pytest.raises(ValueError, match="X has 1 features, but boxwood is expecting 2 features as input"):
        read_columns([[1.0]]).matched(schema)
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- c\n.*yet now missing:\n- b"):
        read_columns({"a": [1], "c": [2]}).matched(schema)
    with pytest.raises(ValueError, match="must be in the same order"):
        read_columns({"b": [1], "a": [2]}).matched(schema)
    assert read_columns([[1, 2]]).matched(schema).schema.names == ("a", "b")


def test_an_array_matches_a_numeric_schema_without_a_copy() -> None:
    X = np.ones((2, 2))
    columns = read_columns(X).matched(read_columns({"a": [1], "b": [2.5]}).schema)
    assert columns.matrix() is X


def test_json_round_trip() -> None:
    frame = pd.DataFrame(
        {"a": [1.5], "b": pd.Categorical([2], [3, 2], ordered=True), "c": ["ü"], "d": [True]}
    )
    schema = read_columns(frame).schema
    assert Schema.from_json(json.loads(json.dumps(schema.to_json()))) == schema


def _json(**changes: Any) -> dict[str, Any]:
    return {"name": "a", "kind": "categorical", "categories": ["x"]} | changes


@pytest.mark.parametrize(
    ("field", "message"),
    [
        (_json(kind="fruit"), "column 'a' has the unknown kind 'fruit'"),
        (_json(kind=[]), "unknown kind"),
        (_json(name=5), "name must be a string"),
        (_json(categories=["x", "x"]), "has a category twice"),
        (_json(categories=[["x"]]), "must be strings, numbers or booleans"),
        (_json(categories=[float("inf")]), "must be finite"),
        (_json(kind="numeric"), "cannot have categories"),
        (_json(kind="boolean"), "must be false and true"),
        ({"name": "a"}, "must hold name, kind and categories"),
        (None, "must hold name, kind and categories"),
    ],
)
def test_bad_fields_in_json(field: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Schema.from_json({"container": "numpy", "named": True, "fields": [field]})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "must hold container, named and fields"),
        ({"container": "paper", "named": True, "fields": []}, "container is 'paper'"),
        ({"container": "numpy", "named": 1, "fields": []}, "must be a boolean"),
        ({"container": "numpy", "named": True, "fields": [_json(), _json()]}, "names a column twice"),
    ],
)
def test_bad_json(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Schema.from_json(data)


def test_index() -> None:
    columns: Columns = read_columns({"a": [1]})
    with pytest.raises(KeyError, match="no column 'b'"):
        columns["b"]
