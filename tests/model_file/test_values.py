"""Values to JSON and tensors and back."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.model_file import ModelFileError
from boxwood.model_file.values import Packer, Unpacker

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
keys = st.text().filter(lambda key: not key.startswith("$"))
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner),
    max_leaves=20,
)


def refuse(value, path):
    raise ModelFileError(f"{path} holds a {type(value).__name__}")


def there_and_back(value):
    packer = Packer(refuse)
    text = json.dumps(packer.pack(value, "x"), allow_nan=False)
    return Unpacker(packer.tensors, refuse).unpack(json.loads(text))


def same(one, two):
    if isinstance(one, float) and math.isnan(one):
        return isinstance(two, float) and math.isnan(two)
    if isinstance(one, list | tuple):
        return type(one) is type(two) and len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    return type(one) is type(two) and one == two


@given(values)
def test_plain_values_come_back(value):
    assert same(value, there_and_back(value))


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((0, 3)),
        np.array(2.5),
        np.array(True),
        np.arange(6, dtype=np.int16).reshape(2, 3).T,
        np.arange(3, dtype=">f8"),
        np.array([np.nan, np.inf, -0.0]),
        np.array([2**64 - 1], dtype=np.uint64),
        np.array(["a", "ü"]),
        np.array(["a", 1, None, 2.5, True], dtype=object),
        np.array([math.inf, -math.inf], dtype=object),
        np.array([], dtype=object),
    ],
    ids=repr,
)
def test_arrays_come_back(array):
    back = there_and_back({"a": array})["a"]
    assert back.dtype == array.dtype.newbyteorder("=")
    assert back.shape == array.shape
    np.testing.assert_array_equal(back, array)


@pytest.mark.parametrize(
    "array",
    [
        np.array([1j]),
        np.array(["2024-01-01"], dtype="M8[D]"),
        np.zeros(2, np.float16),
        np.array([["a"]]),
        np.array([object()]),
        np.array([{"a": 1}, 2], dtype=object),
        np.array([(1, 2), None], dtype=object),
        np.array([(1,)], dtype=[("a", int)]),
        np.ma.masked_array([1.0, 2.0], [True, False]),
    ],
)
def test_arrays_that_would_not_come_back_are_refused(array):
    with pytest.raises(ModelFileError, match=r"x.a"):
        Packer(refuse).pack({"a": array}, "x")


def test_numpy_scalars_become_numbers():
    assert there_and_back(
        {"a": np.float32(0.5), "b": np.int8(3), "c": np.bool_(True), "d": np.str_("t")}
    ) == {
        "a": 0.5,
        "b": 3,
        "c": True,
        "d": "t",
    }


def test_keys_that_look_like_paths_do_not_collide():
    value = {"a.b": np.zeros(1), "a": {"b": np.ones(1)}}
    back = there_and_back(value)
    assert (back["a.b"][0], back["a"]["b"][0]) == (0.0, 1.0)


@pytest.mark.parametrize("key", [True, None, "$float", "$"])
def test_keys_that_json_cannot_keep_are_refused(key):
    with pytest.raises(ModelFileError, match=r"dictionary key"):
        Packer(refuse).pack({key: 1}, "x")
    with pytest.raises(ModelFileError, match=r"dictionary key"):
        Packer(refuse).pack({0: 1, key: 1}, "x")


def test_whole_numbers_are_keys():
    bounds = {0: (0, None), "b": (None, 1.5)}
    packed = Packer(refuse).pack(bounds, "x")
    assert Unpacker({}, refuse).unpack(packed) == bounds
    for wrong in ([1], [[1]], [[1.5, 2]], [[True, 2]], {"a": 1}):
        with pytest.raises(ModelFileError):
            Unpacker({}, refuse).unpack({"$pairs": wrong})


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", 1j, print, np.datetime64("2024-01-01")])
def test_other_values_are_the_caller_s(value):
    with pytest.raises(ModelFileError, match=r"x holds a"):
        Packer(refuse).pack(value, "x")


@pytest.mark.parametrize(
    "crafted",
    [
        {"$tensor": "none"},
        {"$tensor": []},
        {"$tensor": None},
        {"$float": "1.5"},
        {"$float": []},
        {"$float": {}},
        {"$tuple": 3},
        {"$tuple": {"a": 1}},
        {"$strings": ["a", 1]},
        {"$labels": [[1]]},
        {"$labels": "abc"},
        {"$tuple": [], "$float": "nan"},
        {"$tuple": [], "other": 1},
    ],
    ids=repr,
)
def test_crafted_json_is_refused(crafted):
    with pytest.raises(ModelFileError):
        Unpacker({}, refuse).unpack([crafted])


def test_unknown_tags_are_the_caller_s():
    with pytest.raises(ModelFileError, match=r"\$code holds a"):
        Unpacker({}, lambda tag, content: refuse(content, tag)).unpack({"$code": "print()"})


def test_deep_nesting_is_refused():
    value = []
    for _ in range(500):
        value = [value]
    with pytest.raises(ModelFileError, match=r"nested too deeply"):
        Unpacker({}, refuse).unpack(value)
