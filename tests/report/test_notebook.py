"""What a notebook shows of a model: static, escaped, complete."""

import re

import numpy as np

import boxwood as bw


def test_every_column_is_drawn(model: bw.TableModel) -> None:
    html = model._repr_html_()
    assert html.count("<svg") == 8
    assert "<script" not in html
    assert all(name in html for name in model.schema.names)
    assert "Adelie 44%" in html


def test_bars_are_as_high_as_probable(model: bw.TableModel) -> None:
    drawing = re.findall(r"<svg.*?</svg>", model._repr_html_())[0]
    heights = np.array([float(h) for h in re.findall(r"height='([\d.]+)'/>", drawing)])
    probabilities = np.array(list(model.probabilities("species").values()))
    assert np.allclose(heights / heights.max(), probabilities / probabilities.max(), atol=0.01)


def test_names_are_escaped() -> None:
    rng = np.random.default_rng(0)
    table = {"<script>x</script>": rng.normal(size=60), "a": ["<img src=x>"] * 59 + ["b"]}
    html = bw.TableModel(bw.DensityTree(random_state=0)).fit(table)._repr_html_()
    assert "<script" not in html
    assert "<img" not in html


def test_a_wide_table_is_cut() -> None:
    rng = np.random.default_rng(0)
    model = bw.TableModel(bw.ProductDensity()).fit({f"x{k}": rng.normal(size=50) for k in range(40)})
    assert model._repr_html_().count("<svg") == 24
    assert "16 more columns" in model._repr_html_()


def test_dates_are_shown() -> None:
    days = np.datetime64("2024-01-01") + np.arange(100).astype("timedelta64[D]")
    html = bw.TableModel(bw.ProductDensity()).fit({"day": days, "x": np.arange(100.0)})._repr_html_()
    assert "2024-0" in html


def test_an_unfitted_model_shows_itself() -> None:
    assert (
        bw.TableModel(random_state=0)._repr_html_() == "<pre>TableModel(DensityForest(random_state=0))</pre>"
    )
