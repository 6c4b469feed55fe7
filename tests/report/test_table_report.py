"""The report of a table: what is in it, how large it is, and that it is the same each time."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quick_families import quick_families

import boxwood as bw
from boxwood.report import write_report
from boxwood.report.column_cards import column_cards
from boxwood.report.dependence import strongest_pairs
from boxwood.report.odd_rows import odd_rows
from boxwood.report.pair_charts import contour_lines
from boxwood.report.table_report import report_page
from boxwood.report.tree_picture import tree_section

SECTIONS = [
    "In short",
    "Columns",
    "How columns depend on each other",
    "The strongest pairs",
    "The tree that explains most",
    "The most surprising rows",
    "Predicting species",
    "How this was made",
]


def titles(html: str) -> list[str]:
    return re.findall(r"<h2[^>]*>(.*?)</h2>", html.split("<script>")[0])


def charts(html: str) -> list[dict[str, Any]]:
    found = re.findall(r"<script type='application/json'>(.*?)</script>", html, re.DOTALL)
    return [json.loads(text) for text in found]


@pytest.fixture(scope="module")
def report(model: bw.TableModel, penguins: bw.Columns, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    with quick_families():
        write_report(model, path, penguins, target="species", time_budget=5.0)
    return path.read_text(encoding="utf-8")


class TestReport:
    def test_every_section_is_there(self, report: str) -> None:
        assert titles(report) == SECTIONS

    def test_the_numbers_are_those_of_the_table(self, report: str) -> None:
        assert "344 rows × 8 columns" in report
        assert "categorical, 3 distinct, none missing; Adelie, Gentoo, Chinstrap" in report
        assert "integer, 94 distinct, 0.6% missing; 2700 to 6300" in report

    def test_it_says_how_it_was_made(self, report: str) -> None:
        assert "n_estimators=20" in report
        assert "target=&#x27;species&#x27;" in report

    def test_it_is_small(self, report: str) -> None:
        assert len(report.encode()) < 2_000_000

    def test_a_model_alone_has_a_report(self, model: bw.TableModel, tmp_path: Path) -> None:
        write_report(model, tmp_path / "a.html")
        html = (tmp_path / "a.html").read_text(encoding="utf-8")
        assert titles(html) == [SECTIONS[k] for k in (0, 1, 2, 3, 7)]

    def test_it_is_the_same_each_time(
        self, model: bw.TableModel, penguins: bw.Columns, tmp_path: Path
    ) -> None:
        for name in ("a.html", "b.html"):
            write_report(model, tmp_path / name, penguins)
        assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()

    def test_a_column_alone_has_a_report(self, tmp_path: Path) -> None:
        table = {"x": np.random.default_rng(0).normal(size=200)}
        write_report(bw.TableModel(random_state=0).fit(table), tmp_path / "a.html", table)
        html = (tmp_path / "a.html").read_text(encoding="utf-8")
        assert "How columns depend on each other" not in titles(html)

    @pytest.mark.parametrize("target", ["spices", "nothing"])
    def test_a_wrong_target_is_said(
        self, model: bw.TableModel, penguins: bw.Columns, tmp_path: Path, target: str
    ) -> None:
        with pytest.raises(ValueError, match=target):
            write_report(model, tmp_path / "a.html", penguins, target=target)
        assert not list(tmp_path.iterdir())


class TestColumns:
    def test_histograms_hold_all_rows(self, model: bw.TableModel, penguins: bw.Columns) -> None:
        for spec in charts(column_cards(model, penguins)):
            layers = [layer for layer in spec["layer"] if layer["mark"]["type"] == "rect"]
            for layer in layers:
                bars = layer["data"]["values"]
                width = [bar["high"] - bar["low"] for bar in bars]
                counted = spec["layer"][-1]["mark"]["interpolate"] == "step-after"
                total = sum(
                    bar["density"] * (1.0 if counted else w) for bar, w in zip(bars, width, strict=True)
                )
                assert 0.98 < total <= 1.001

    def test_categories_have_their_fractions(self, model: bw.TableModel, penguins: bw.Columns) -> None:
        found = charts(column_cards(model, penguins))[0]["data"]["values"]
        fractions = {line["category"]: line["table"] for line in found}
        assert fractions == pytest.approx(
            {"Adelie": 152 / 344, "Chinstrap": 68 / 344, "Gentoo": 124 / 344}, abs=1e-4
        )


class TestPairs:
    def test_the_strongest_pair_comes_first(self) -> None:
        matrix = np.array([[1.0, 0.2, 0.05], [0.2, 1.0, 0.7], [0.05, 0.7, 1.0]])
        assert strongest_pairs(["a", "b", "c"], matrix) == [("b", "c", 0.7), ("a", "b", 0.2)]

    def test_contours_enclose_their_part(self) -> None:
        from boxwood.plot.question_axis import axis_of_question

        rng = np.random.default_rng(0)
        table = bw.TableModel(bw.GaussianDensity()).fit(
            {"x": rng.normal(size=2_000), "y": rng.normal(size=2_000)}
        )
        axes = [axis_of_question(table, name, 40) for name in ("x", "y")]
        parts = [np.exp(-0.5 * axis.middles**2) for axis in axes]
        grid = parts[1][:, None] * parts[0][None, :]
        inner, outer = contour_lines(*axes, grid / grid.sum())
        # Circles of a standard normal: half of it lies within √(2 log 2) = 1.18, nine tenths within 2.15.
        for lines, radius in ((inner, 1.177), (outer, 2.146)):
            assert np.hypot(*np.concatenate(lines).T) == pytest.approx(radius, abs=0.15)


class TestTree:
    def test_a_dependence_is_put_in_words(self) -> None:
        rng = np.random.default_rng(0)
        side = rng.integers(0, 2, 1_000)
        html = tree_section(
            bw.read_columns({"x": side * 5.0 + rng.normal(size=1_000), "side": side.astype(bool)})
        )
        assert "2 boxes explain 0.67 nats" in html  # log 2, less what cannot be told
        assert "side = False (99%, of all 46%)" in html

    def test_independent_columns_need_no_tree(self) -> None:
        rng = np.random.default_rng(0)
        html = tree_section(bw.read_columns({"x": rng.normal(size=300), "y": rng.normal(size=300)}))
        assert "independent" in html


def test_a_tree_cuts_where_columns_tell_of_each_other() -> None:
    """Not along a column whose own distribution is far from uniform."""
    rng = np.random.default_rng(0)
    side = rng.integers(0, 2, 2_000)
    table = {
        "skew": np.exp(3.0 * rng.normal(size=2_000)),
        "x": side * 6.0 + rng.normal(size=2_000),
        "side": side.astype(bool),
    }
    html = tree_section(bw.read_columns(table))
    where = re.findall(r"%</td><td>(.*?)</td>", html)
    assert where
    assert not any("skew" in rule for rule in where)


def test_a_column_that_always_surprises_is_not_blamed() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = x + 0.1 * rng.normal(size=400)
    x[7], y[7] = 1.5, -1.5
    table = bw.read_columns({"number": rng.integers(0, 10**7, 400), "x": x, "y": y})
    html = odd_rows(bw.TableModel(random_state=0).fit(table), table)
    [cells] = re.findall(r"<tbody><tr><td class='number'>7</td>.*?<td>(.*?)</td></tr>", html)
    blamed = re.findall(r"<span class='blame'>(\w+) =", cells)
    assert blamed[0] in ("x", "y")
    assert "number" not in blamed


def test_cards_tell_numbers_as_they_are() -> None:
    rng = np.random.default_rng(0)
    gain = np.where(rng.random(800) < 0.9, 0, rng.integers(1_000, 100_000, 800))
    table = bw.read_columns({"gain": gain, "weight": 100_000 + 10 * rng.integers(0, 20_000, 800)})
    html = column_cards(bw.TableModel(random_state=0).fit(table), table)
    assert "Half of the values or more are 0<" in html
    assert re.search(r"Half of the values lie from 1\d\d,\d\d\d to 2\d\d,\d\d\d<", html)
    bars, line = charts(html)[0]["layer"]
    heights = [bar["density"] for bar in bars["data"]["values"]]
    assert max(heights) == pytest.approx(max(point["model"] for point in line["data"]["values"]), rel=0.2)


def test_the_odd_cell_is_blamed() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    y = x + 0.1 * rng.normal(size=400)
    x[7], y[7] = 1.5, -1.5
    table = bw.read_columns({"x": x, "y": y})
    html = odd_rows(bw.TableModel(random_state=0).fit(table), table)
    [first] = re.findall(r"<tbody><tr><td class='number'>(\d+)</td>", html)
    assert first == "7"


@pytest.mark.slow
def test_a_million_rows_of_fifty_columns_make_a_small_report(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=1_000_000)
    table: dict[str, Any] = {f"x{k}": base * (k % 4) + rng.normal(size=len(base)) for k in range(40)}
    table |= {f"c{k}": rng.choice([f"category {i}" for i in range(300)], len(base)) for k in range(10)}
    columns = bw.read_columns(table)
    model = bw.TableModel(bw.DensityTree(random_state=0)).fit(columns)
    write_report(model, tmp_path / "large.html", columns)
    assert (tmp_path / "large.html").stat().st_size < 5_000_000
    assert "1,000,000 rows × 50 columns" in (tmp_path / "large.html").read_text(encoding="utf-8")


def test_a_model_without_left_out_scores_is_not_said_to_know_more() -> None:
    rng = np.random.default_rng(0)
    table = bw.read_columns({"a": rng.normal(size=50), "b": rng.normal(size=50)})
    model = bw.TableModel(bw.ProductDensity()).fit(table)
    html = report_page(model, table, bw.summarize(model, table)).html()
    assert "knows beyond the columns" not in html
    assert "ProductDensity none (no row was left out of its fit)" in html
