"""Which rows are odd."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.table.outliers import discoveries, oddest
from boxwood.table.training_rows import row_keys


def test_the_oddest_come_first() -> None:
    assert oddest(np.array([0.0, -5.0, -1.0, -5.0]), 3).tolist() == [1, 3, 2]
    assert oddest(np.array([0.0]), 3).tolist() == [0]


@given(st.lists(st.floats(0.001, 1.0), max_size=20), st.floats(0.01, 0.5))
def test_discoveries_are_those_of_the_definition(listed: list[float], fdr: float) -> None:
    p = np.array(listed)
    best = 0
    for k in range(1, len(p) + 1):
        if sorted(listed)[k - 1] <= fdr * k / len(p):
            best = k
    found = discoveries(p, fdr)
    assert len(found) == best
    assert p[found].tolist() == sorted(listed)[:best]


@pytest.mark.parametrize("n_rows", [3, 200])
def test_the_column_to_blame_does_not_depend_on_units_or_on_how_many_values_there_are(n_rows: int) -> None:
    rng = np.random.default_rng(0)
    masses, lots = rng.lognormal(size=400), rng.integers(0, 100_000, 400)
    table = pd.DataFrame({"kg": masses, "lot": lots, "c": np.where(masses > 1.0, "heavy", "light")})
    new = table[:n_rows].reset_index(drop=True)
    new.loc[1, ["kg", "c"]] = [9.0, "light"]  # any lot is as surprising as any other
    below = []
    for unit in (1.0, 1e-6, 1e6):
        model = bw.TableModel(bw.DensityForest(20, random_state=0)).fit(table.assign(kg=unit * masses))
        asked = new.assign(kg=unit * new["kg"])
        found = model.outliers(asked, n=None, training=False).set_index("row")
        assert found.loc[1, "column"] == "kg"
        below.append(found.loc[1, "surprise"] < model.explain(asked).loc[1, "lot"])
    assert True in below  # by surprise alone the lot would be to blame in some unit


def test_rows_of_the_fit_are_known_after_a_load(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"x": rng.normal(size=400), "n": rng.integers(0, 5, 400), "c": rng.choice(["a", "b"], 400)}
    )
    table.loc[::9, "x"] = None
    fitted = bw.TableModel(bw.DensityForest(n_estimators=20, random_state=0)).fit(table)
    fitted.save(tmp_path / "m.boxwood")
    loaded = bw.load(tmp_path / "m.boxwood")
    shuffled = table.sample(frac=1.0, random_state=1)
    expected = fitted.density_.oob_log_density_[shuffled.index]
    found = loaded.outliers(shuffled, n=None).sort_values("row")["log_density"].to_numpy()
    np.testing.assert_array_equal(found[np.isfinite(expected)], expected[np.isfinite(expected)])
    assert loaded.knows_rows(table)
    assert loaded.knows_rows(table.head(7))
    in_sample = loaded.outliers(shuffled, n=None, training=False).sort_values("row")["log_density"].to_numpy()
    np.testing.assert_array_equal(in_sample, loaded.score_samples(shuffled))
    assert in_sample.mean() > found.mean()


def test_rows_can_be_forgotten(tmp_path: Path) -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 2)), columns=["x", "y"])
    model = bw.TableModel(bw.DensityForest(n_estimators=5, random_state=0)).fit(table)
    assert model.knows_rows(table)
    model.forget_rows().save(tmp_path / "m.boxwood")
    loaded = bw.load(tmp_path / "m.boxwood")
    assert not model.knows_rows(table)
    assert not loaded.knows_rows(table)
    np.testing.assert_array_equal(loaded.score_samples(table), model.score_samples(table))


def test_other_rows_are_scored_as_they_are() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(300, 2)), columns=["x", "y"])
    model = bw.TableModel(bw.DensityForest(n_estimators=20, random_state=0)).fit(table)
    new = pd.concat([table.head(20), pd.DataFrame(rng.normal(size=(50, 2)), columns=["x", "y"])])
    assert not model.knows_rows(new)
    found = model.outliers(new, n=None).sort_values("row")["log_density"].to_numpy()
    np.testing.assert_array_equal(found, model.score_samples(new))
    by_training = model.outliers(new, n=None, training=True).sort_values("row")["log_density"].to_numpy()
    assert (by_training[:20] != found[:20]).any()
    assert (by_training[20:] == found[20:]).all()


@pytest.mark.parametrize("n", [200, 3000])  # all rows are left out in turns, or a tenth is
def test_rows_of_a_boosted_density_are_known_where_all_were_left_out(n: int) -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(n, 2)), columns=["x", "y"])
    density = bw.BoostedDensity("quick", n_trees=10, components=["forest"], random_state=0)
    model = bw.TableModel(density).fit(table)
    if n == 200:
        found = model.outliers(table, n=None, training=True).sort_values("row")["log_density"].to_numpy()
        np.testing.assert_array_equal(found, model.density_.left_out_log_density_)
    else:
        with pytest.raises(ValueError, match="BoostedDensity has no scores of all its rows"):
            model.outliers(table, training=True)
        assert len(model.outliers(table)) == 20


def test_keys_of_rows_are_of_what_they_hold() -> None:
    columns = bw.read_columns({"a": [0.0, -0.0, np.nan, np.nan, 1.0], "b": ["x", "x", "y", None, None]})
    keys = row_keys(columns)
    assert keys[0] == keys[1]
    assert len(np.unique(keys)) == 4
    swapped = row_keys(bw.read_columns({"b": [0.0, 1.0], "a": [1.0, 0.0]}))
    assert swapped[0] != swapped[1]


@pytest.mark.parametrize("library", ["pandas", "polars", "numpy"])
def test_impossible_rows_are_the_oddest(library: str) -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"x": rng.normal(size=400), "wait": rng.exponential(size=400)})
    new = rows[:5].assign(wait=[1.0, -3.0, 0.5, 0.2, 0.1])
    tables = {
        "pandas": (rows, new),
        "polars": (pl.from_pandas(rows), pl.from_pandas(new)),
        "numpy": (rows.to_numpy(), new.to_numpy()),
    }
    model = bw.TableModel(bw.DensityForest(20, random_state=0)).fit(tables[library][0])
    found = model.outliers(tables[library][1], n=2)
    name = "x1" if library == "numpy" else "wait"
    first = {column: next(iter(found[column])) for column in ("row", "log_density", "column", "surprise")}
    assert first == {"row": 1, "log_density": -np.inf, "column": name, "surprise": np.inf}
