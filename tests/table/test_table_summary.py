"""A table and its model in a few lines."""

import json

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.report.table_report import report_page
from boxwood.table.summary import column_summary

RNG = np.random.default_rng(0)
NUMBERS = {"a": RNG.normal(size=60), "b": RNG.normal(size=60)}
MIXED = {**NUMBERS, "c": RNG.choice(["x", "y"], 60), "d": RNG.choice(["u", "v"], 60), "e": ["k", "l"] * 30}


def test_numbers_are_compared_with_a_gaussian():
    found = bw.summarize(bw.TableModel(bw.DensityForest(5, random_state=0)).fit(NUMBERS), NUMBERS)
    assert list(found.scores) == ["DensityForest", "product of the margins", "Gaussian"]
    assert found.left_out == {}


def test_why_there_is_no_gaussian_is_said():
    found = bw.summarize(bw.TableModel(bw.DensityForest(5, random_state=0)).fit(MIXED), MIXED)
    assert list(found.scores) == ["DensityForest", "product of the margins"]
    assert found.left_out == {"Gaussian": "it takes numbers, no categories (c, d, e)"}
    assert "  Gaussian                none: it takes numbers, no categories (c, d, e)" in str(found)
    assert json.loads(json.dumps(found.to_json()))["left_out"] == found.left_out


def test_a_model_without_left_out_scores_says_so():
    found = bw.summarize(bw.TableModel(bw.ProductDensity()).fit(NUMBERS), NUMBERS)
    assert found.left_out == {"ProductDensity": "no row was left out of its fit"}
    assert list(found.scores) == ["product of the margins", "Gaussian"]


def test_too_little_time_for_a_comparison_leaves_the_rest():
    model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit(MIXED)
    found = bw.summarize(model, MIXED, target="c", time_budget=1e-9)
    assert found.comparison is None
    assert found.no_comparison == "no model could be compared: the time budget was spent."
    assert str(found).endswith(
        "c from the other columns: no model could be compared: the time budget was spent."
    )
    assert found.to_json()["no_comparison"] == found.no_comparison
    page = report_page(model, bw.read_columns(MIXED), found).html()
    assert "Predicting c" in page
    assert found.no_comparison in page


def test_years_have_no_comma():
    table = {
        "year": np.arange(2000, 2020),
        "price": 1000 * np.arange(1, 21),
        "height": np.linspace(0.5, 2.25, 20),
    }
    likes = [column_summary(column).like for column in bw.read_columns(table)]
    assert likes == ["2000 to 2019", "1000 to 20,000", "0.5 to 2.25"]


def test_scores_of_a_gaussian_have_the_others_measure() -> None:
    rng = np.random.default_rng(0)
    x = rng.multivariate_normal([0.0, 0.0], [[1.0, 0.7], [0.7, 1.0]], 300)
    for rows, step in ((x, 1.0), (x.round(1), 0.1), ((20.0 * x).round().astype(int), 1.0)):
        table = pd.DataFrame(rows, columns=["a", "b"])
        found = bw.summarize(bw.TableModel(bw.DensityForest(20, random_state=0)).fit(table), table).scores
        assert abs(found["Gaussian"] - found["DensityForest"]) < 0.6, step  # 4.6 nats apart in tenths before


@pytest.mark.parametrize("other", ["constant", "twice", "zeros"])
def test_a_gaussian_of_single_values_is_not_compared(other: str) -> None:
    a = np.random.default_rng(0).normal(size=100).round(2)
    zeros = np.where(a > 0.0, 0.0, np.random.default_rng(1).normal(size=100))
    b = {"constant": np.full(100, 5), "twice": (2.0 * a).round(2), "zeros": zeros}
    table = pd.DataFrame({"a": a, "b": b[other]})
    found = bw.summarize(bw.TableModel(bw.DensityForest(3, random_state=0)).fit(table), table)
    assert "Gaussian" not in found.scores
    assert "single values" in found.left_out["Gaussian"]


def test_a_single_row_is_summarized_without_a_warning() -> None:
    table = pd.DataFrame({"a": [1.5], "b": ["red"]})
    found = bw.summarize(bw.TableModel(bw.DensityForest(3, random_state=0)).fit(table), table)
    assert found.left_out["product of the margins"] == "there are too few rows to leave some out"
