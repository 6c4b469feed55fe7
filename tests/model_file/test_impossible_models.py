"""Files that are whole, but whose values no fit gives: they are refused, and do not fail when asked."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import small_models
from crafting import rewrite

import boxwood as bw

NUMBERS = np.random.default_rng(1).normal(size=(60, 2)) @ [[1.0, 0.5], [0.0, 1.0]]


@cache
def fitted(name: str) -> Any:
    if name == "rules":
        return bw.DensityTree(random_state=0).fit(small_models.table())
    if name == "boosted rules":
        boosted = bw.BoostedDensity("quick", components=["forest"], random_state=0)
        return boosted.fit(small_models.table())
    return {
        "rotated tree": bw.DensityTree(rotation="pca", random_state=0),
        "rotated product": bw.ProductDensity(rotation="pca"),
    }[name].fit(NUMBERS)


def write(name: str, path: Path) -> None:
    """Write a committed file, or that of a model that is fitted here."""
    committed = small_models.COMMITTED / f"{name}.boxwood"
    if committed.exists():
        shutil.copy(committed, path)
    else:
        fitted(name).save(path)


def tensor(name: str, change: Callable[[Any], Any]) -> Callable[..., None]:
    def edit(header, tensors):
        tensors[name] = np.ascontiguousarray(change(tensors[name]))

    return edit


def field(position: int, **entries: Any) -> Callable[..., None]:
    def edit(header, tensors):
        header["model"]["schema"]["fields"][position].update(entries)

    return edit


def put(index: Any, value: float) -> Callable[[Any], Any]:
    def change(array):
        array = array.copy()
        array[index] = value
        return array

    return change


RULE = "DensityTree.dependencies.0"
EDITS = {
    "a rotation of categories": ("rotated tree", field(0, kind="categorical"), "holds values of kind"),
    "a rotation of integers": ("rotated tree", field(1, kind="integer"), "holds values of kind integer"),
    "components of categories": ("rotated product", field(0, kind="ordinal"), "turns numbers only"),
    "a rule of a gap that never was": (
        "rules",
        tensor(f"{RULE}.keys", lambda keys: keys[:-1]),
        "has a gap of the column 'city', which has none",
    ),
    "a rule for a gap that never was": (
        "rules",
        tensor(f"{RULE}.gaps", put(0, 1)),
        "has a gap of the column 'country', which has none",
    ),
    "a boosted rule for a gap that never was": (
        "boosted rules",
        tensor("BoostedDensity.model.rules.dependencies.0.gaps", put(0, 1)),
        "has a gap of the column 'country', which has none",
    ),
    "gaps and values in one bin": (
        "DensityTree-0.1.0",
        tensor("DensityTree.mixture.knots.0.u", put(-2, 0.9 - 1e-8)),
        "bin edges that do not fit the column 'size'",
    ),
    "a coefficient too large": (
        "LinearRegression-0.1.0",
        tensor("LinearRegression.coef", put((0, 3), 1e300)),
        "coef times the centre is too large",
    ),
    "a centre too far": (
        "LinearRegression-0.1.0",
        tensor("LinearRegression.centre", put(2, 1.7e308)),
        "coef times the centre is too large",
    ),
    "bells of categories": (
        "GaussianNB-0.1.0",
        field(0, kind="categorical", categories=["a", "b"]),
        "no place for categories",
    ),
    "ellipses of categories": (
        "QuadraticDiscriminantAnalysis-0.1.0",
        field(0, kind="categorical", categories=["a", "b"]),
        "no place for categories",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_values_that_no_fit_gives(name, tmp_path):
    model, edit, message = EDITS[name]
    write(model, tmp_path / "m")
    rewrite(tmp_path / "m", lambda header, tensors: None)
    bw.load(tmp_path / "m")  # it is the edit that is refused
    rewrite(tmp_path / "m", edit)
    with pytest.raises(bw.ModelFileError, match=message):
        bw.load(tmp_path / "m")


@pytest.mark.parametrize(
    "model",
    [
        "LinearDiscriminantAnalysis-0.1.0",
        "LinearRegression-0.1.0",
        "LogisticRegression-0.1.0",
        "NeighborDensity-0.1.0",
        "QuadraticDiscriminantAnalysis-0.1.0",
    ],
)
def test_no_category_where_no_value_may_be_missing(model, tmp_path):
    write(model, tmp_path / "m")
    rewrite(tmp_path / "m", field(0, kind="ordinal", categories=[]))
    with pytest.raises(bw.ModelFileError, match="is ordinal and has no category"):
        bw.load(tmp_path / "m")


def test_a_column_of_gaps_alone_has_no_category_and_loads(tmp_path):
    table = small_models.table()
    table["city"] = pd.Categorical([None] * len(table))
    bw.ProductDensity().fit(table).save(tmp_path / "m")
    assert bw.load(tmp_path / "m").schema_.fields[4].categories == ()
