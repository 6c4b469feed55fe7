"""`support=` is read, checked against the rows, and becomes the measure of its columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.columns import Lattice
from boxwood.evidence import weigh_rows
from boxwood.evidence.support import check_support, read_support, with_declared_values, with_support

THROWS = {"face": [1, 2, 2, 5, None], "ball": ["red", "blue", "red", None, "blue"]}


def supported(table: Any, support: Any) -> Any:
    columns = with_declared_values(bw.read_columns(table), support)
    return with_support(weigh_rows(columns), columns.schema, support)


@pytest.mark.parametrize(
    ("values", "lattice", "atoms"),
    [
        (range(1, 7), Lattice(0.0, 1.0), []),
        ([6, 5, 4, 3, 2, 1, 1], Lattice(0.0, 1.0), []),
        ((0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 5.0), None, [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 5.0]),
        (np.array([1.0, 2.0, 5.0, 10.0]), None, [1.0, 2.0, 5.0, 10.0]),
        (np.arange(21) / 10.0, Lattice(0.0, 0.1), []),
        ([1, 2], Lattice(0.0, 1.0), []),
    ],
)
def test_listed_numbers_are_a_lattice_within_bounds_or_atoms(
    values: Any, lattice: Lattice | None, atoms: list[float]
) -> None:
    measure = supported({"x": [1.0, 2.0, 2.0, 1.0]}, {"x": values}).discrete.measures[0]
    listed = np.unique(np.array(values, dtype=float))
    assert measure.lattice == lattice
    assert measure.atoms.tolist() == atoms
    assert measure.bounds == (listed[0], listed[-1])
    assert measure.support.tolist() == listed.tolist()
    assert measure.is_closed
    assert measure.all_discrete


def test_continuous_columns_become_discrete_ones() -> None:
    rng = np.random.default_rng(0)
    values = rng.choice(rng.normal(size=30), 40)
    evidence = supported({"x": values}, {"x": np.unique(values)})
    assert evidence.discrete.rows.all()
    assert len(evidence.discrete.measures[0].atoms) == len(np.unique(values))


def test_columns_without_a_support_stay_as_they_are() -> None:
    evidence = supported(THROWS, {"face": range(1, 7)})
    assert evidence.discrete.measures[0].is_closed
    assert not evidence.discrete.measures[1].is_closed
    assert read_support(evidence.columns.schema, None) == [None, None]


def test_labels_are_declared_in_the_order_of_categories() -> None:
    columns = with_declared_values(bw.read_columns(THROWS), {1: ["red", "green", "blue"]})
    assert columns["ball"].field.categories == ("blue", "green", "red")
    assert columns["ball"].values.tolist() == [2, 0, 2, -1, 0]
    evidence = supported(THROWS, {"ball": ("green", "red", "blue")})
    assert evidence.discrete.measures[1].support.tolist() == [0.0, 1.0, 2.0]


def test_ordered_labels_keep_the_order_in_which_they_are_listed() -> None:
    sizes = pd.Categorical(["S", "L", "S"], ["S", "L"], ordered=True)
    columns = with_declared_values(
        bw.read_columns(pd.DataFrame({"size": sizes})), {"size": ["XS", "S", "M", "L"]}
    )
    assert columns["size"].field.categories == ("XS", "S", "M", "L")
    assert columns["size"].values.tolist() == [1, 3, 1]
    with pytest.raises(ValueError, match=r"must list the labels of the ordered column 'size' in its order"):
        with_declared_values(bw.read_columns(pd.DataFrame({"size": sizes})), {"size": ["L", "M", "S"]})


def test_labels_that_a_type_declares_may_be_left_out_of_the_support() -> None:
    balls = pd.Categorical(["red", "blue"], ["black", "blue", "red"])
    columns = with_declared_values(
        bw.read_columns(pd.DataFrame({"ball": balls})), {"ball": ["red", "blue", "green"]}
    )
    assert columns["ball"].field.categories == ("blue", "green", "red")


@pytest.mark.parametrize(
    ("support", "error", "message"),
    [
        (3, TypeError, r"support must be a list, tuple, range or array"),
        ("abc", TypeError, r"support must be a list, tuple, range or array"),
        ({1, 2}, TypeError, r"support must be a list, tuple, range or array"),
        ({"face": 3}, TypeError, r"support\['face'\] must be a list"),
        ({"face": []}, ValueError, r"support\['face'\] lists no value"),
        ({"face": [1, None]}, ValueError, r"support\['face'\] must list numbers or labels; got None"),
        ({"face": [1, float("nan")]}, ValueError, r"support\['face'\] must list numbers or labels; got nan"),
        ({"face": range(10**7)}, ValueError, r"lists 10,000,000 values; .* Give bounds= instead"),
    ],
)
def test_what_can_be_no_support_is_refused(support: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        check_support("support", support)


@pytest.mark.parametrize(
    ("support", "message"),
    [
        (range(1, 7), r"support lists values for a table of one column; this one has 2.*\{'face': range"),
        ({"dice": range(1, 7)}, r"support names the column 'dice', which the table does not have"),
        ({2: range(1, 7)}, r"support names the column 2, which the table does not have"),
        ({"face": range(1, 7), 0: range(1, 7)}, r"support names the column 'face' twice"),
        ({"face": range(1, 5)}, r"column 'face', row 3: 5 is not in the column's support \(1, 2, 3, 4\)"),
        ({"face": [1, 2, 5.5]}, r"lists 5.5, but the column 'face' holds integers"),
        (
            {"face": ["one", 2, 5]},
            r"must list numbers, because the column 'face' holds integer .* got 'one'",
        ),
        ({"face": [1, 2, 5, np.inf]}, r"must list finite numbers; got inf"),
        ({"face": 1.5 ** np.arange(600)}, r"holds integers|unequal steps"),
        ({"ball": ["red"]}, r"column 'ball', row 1: 'blue' is not in the column's support \('red'\)"),
        ({"ball": [1, 2]}, r"lists 1, but the labels of the column 'ball' are such as 'blue'"),
    ],
)
def test_supports_that_do_not_fit_the_table_are_refused(support: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        supported(THROWS, support)


def test_many_values_at_unequal_steps_are_refused() -> None:
    with pytest.raises(ValueError, match=r"lists 600 values at unequal steps; at most 500"):
        supported({"x": [0.0, 1.0]}, {"x": np.arange(600.0) ** 2})


def test_booleans_have_no_other_support() -> None:
    with pytest.raises(ValueError, match=r"'x', which is boolean: its values are always false and true"):
        supported({"x": [True, False]}, {"x": [True]})


def test_listed_numbers_must_fit_the_type_of_the_column() -> None:
    with pytest.raises(ValueError, match=r"lists 300, which the type of the column 'x0' cannot hold"):
        supported(pd.DataFrame({"x0": np.array([1, 2], dtype=np.uint8)}), [1, 2, 300])


def test_rounding_of_decimals_is_no_other_value() -> None:
    evidence = supported({"x": [0.1 + 0.2, 0.1]}, [0.1, 0.2, 0.3])
    assert evidence.discrete.measures[0].lattice == Lattice(0.0, 0.1)
