"""A table and its model in a few lines."""

import json

import numpy as np

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
