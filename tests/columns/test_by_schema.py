"""The short way in for small frames: it reads what input validation reads, and leaves the rest to it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.columns.read.by_schema import MOST_VALUES, columns_by_schema
from properties import examples

FITTED = pd.DataFrame({"a": [0.5, 1.5, 2.5], "k": [1, 2, 3]})
SCHEMA = bw.read_columns(FITTED).schema

DTYPES = [
    "float64",
    "float32",
    "int64",
    "int32",
    "uint8",
    "uint64",
    "bool",
    "Int64",
    "Float64",
    "object",
    "str",
]


@examples(150)
@given(
    values=st.lists(st.tuples(st.integers(-5, 250), st.integers(0, 2**54)), min_size=1, max_size=4),
    kinds=st.tuples(st.sampled_from(DTYPES), st.sampled_from(DTYPES)),
    missing=st.booleans(),
)
def test_what_it_reads_is_what_input_validation_reads(values, kinds, missing):
    frame = pd.DataFrame(np.array(values, dtype=object), columns=["a", "k"])
    if "uint" in kinds[0]:
        frame["a"] = frame["a"].abs()
    try:
        frame = frame.astype(dict(zip("ak", kinds, strict=True)))
        if missing:
            frame.loc[0, "a"] = np.nan
    except (TypeError, ValueError, OverflowError):
        return  # the frame itself cannot be
    found = columns_by_schema(frame, SCHEMA)
    if found is None:
        return
    expected = bw.read_columns(frame, sources=False).matched(SCHEMA)
    assert found == expected
    assert found.n_missing == expected.n_missing
    assert found.schema is SCHEMA


def test_plain_numbers_take_the_short_way():
    for dtype in ("float64", "float32", "int64"):
        frame = pd.DataFrame({"a": [1, 2], "k": [3, 4]}).astype({"a": dtype})
        assert columns_by_schema(frame, SCHEMA) is not None
    holes = pd.DataFrame({"a": [np.nan, 2.0], "k": [3, 4]})
    assert columns_by_schema(holes, SCHEMA).n_missing == 1


@pytest.mark.parametrize(
    "frame",
    [
        FITTED[["k", "a"]],
        FITTED.rename(columns={"a": "b"}),
        FITTED[["a"]],
        FITTED.iloc[:0],
        FITTED.astype(str),
        FITTED.astype({"k": object}),
        FITTED.assign(a=[np.inf, 0.0, 1.0]),
        FITTED.assign(k=[2**53, 2**53 + 1, 0]),
        pd.concat([FITTED] * MOST_VALUES),
        FITTED.to_numpy(),
        FITTED.to_dict("list"),
    ],
    ids=[
        "order",
        "name",
        "fewer",
        "empty",
        "text",
        "object",
        "infinite",
        "inexact",
        "large",
        "array",
        "mapping",
    ],
)
def test_all_else_is_left_to_input_validation(frame):
    assert columns_by_schema(frame, SCHEMA) is None


def test_schemas_without_names_or_with_other_kinds_are_left_too():
    assert columns_by_schema(FITTED, bw.read_columns(FITTED.to_numpy()).schema) is None
    assert columns_by_schema(FITTED, bw.read_columns({"a": [0.5], "k": ["u"]}).schema) is None


def test_errors_are_those_of_input_validation():
    model = bw.DensityForest(2, random_state=0).fit(pd.concat([FITTED] * 10))
    with pytest.raises(ValueError, match="column 'a', row 1"):
        model.score_samples(FITTED.assign(a=[0.0, np.inf, 1.0]))
    with pytest.raises(ValueError, match="same order"):
        model.score_samples(FITTED[["k", "a"]])
