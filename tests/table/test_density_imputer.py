"""DensityImputer: gaps of any pattern filled from one fit, and nothing else changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline

import boxwood as bw
from boxwood.table.expected import HOW

PENGUINS = pd.read_csv(Path(__file__).parents[2] / "examples" / "penguins.csv").dropna()
WORDS = ["species", "island", "sex"]


def with_holes(table: pd.DataFrame, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    holes = np.random.default_rng(seed).random(table.shape) < 0.1
    return table.mask(holes), holes


@pytest.fixture(scope="module")
def imputer() -> bw.DensityImputer:
    return bw.DensityImputer(random_state=0).fit(with_holes(PENGUINS)[0])


@pytest.mark.parametrize("strategy", HOW)
def test_gaps_are_filled_and_values_stay(imputer: bw.DensityImputer, strategy: str) -> None:
    given, holes = with_holes(PENGUINS, 1)
    filled = bw.DensityImputer(imputer.model, strategy=strategy, random_state=0).fit(given).transform(given)
    assert not filled.isna().any().any()
    assert filled.index.equals(given.index)
    for j, name in enumerate(PENGUINS):
        kept = ~holes[:, j]
        assert (filled[name].to_numpy()[kept] == PENGUINS[name].to_numpy()[kept]).all()


def test_it_is_far_ahead_of_medians_and_modes(imputer: bw.DensityImputer) -> None:
    given, holes = with_holes(PENGUINS, 2)
    filled = imputer.transform(given)
    for j, name in enumerate(PENGUINS):
        rows = holes[:, j]
        true, found = PENGUINS[name][rows], filled[name][rows]
        if name in WORDS:
            assert (found != true).mean() < (given[name].mode()[0] != true).mean()
        elif name != "year":  # the other columns tell nothing about it
            assert (found - true).abs().mean() < 0.8 * (given[name].median() - true).abs().mean()


def test_a_row_without_any_value_gets_the_table_s_own_median(imputer: bw.DensityImputer) -> None:
    nothing = PENGUINS.head(1).mask(np.ones((1, PENGUINS.shape[1]), dtype=bool))
    filled = imputer.transform(nothing)
    assert filled["bill_length_mm"].iloc[0] == pytest.approx(PENGUINS["bill_length_mm"].median(), abs=1.0)
    assert filled["species"].iloc[0] == PENGUINS["species"].mode()[0]


def test_draws_follow_the_seed_and_spread_as_the_rows_do() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=600)
    table = np.column_stack([x, x + rng.normal(size=600)])
    asked = np.column_stack([np.zeros(600), np.full(600, np.nan)])
    drawing = bw.DensityImputer(strategy="draw", random_state=3).fit(table)
    drawn = drawing.transform(asked)
    assert np.array_equal(drawn, drawing.transform(asked))
    assert drawn[:, 1].std() == pytest.approx(1.0, abs=0.2)
    assert not np.array_equal(drawn, drawing.set_params(random_state=4).transform(asked))


def test_a_column_without_values_stays() -> None:
    table = np.column_stack([np.arange(50.0), np.full(50, np.nan)])
    table[3, 0] = np.nan
    imputer = bw.DensityImputer(random_state=0).fit(table)
    assert imputer.empty_columns_ == ["x1"]
    filled = imputer.transform(table)
    assert np.isnan(filled[:, 1]).all()
    assert not np.isnan(filled[:, 0]).any()


@pytest.mark.parametrize("given", ["pandas", "polars"])
@pytest.mark.parametrize("asked", ["pandas", "polars"])
def test_set_output_gives_typed_columns(given: str, asked: str) -> None:
    table = with_holes(PENGUINS)[0] if given == "pandas" else pl.from_pandas(with_holes(PENGUINS)[0])
    imputer = bw.DensityImputer(bw.DensityForest(5, random_state=0)).fit(table).set_output(transform=asked)
    filled = imputer.transform(table)
    assert type(filled).__module__.startswith(asked)
    assert list(filled.columns) == list(PENGUINS) == imputer.get_feature_names_out().tolist()
    assert np.asarray(filled["bill_depth_mm"]).dtype == np.float64


def test_it_works_before_a_model_and_in_a_column_transformer() -> None:
    given = with_holes(PENGUINS)[0]
    numbers = ["bill_length_mm", "bill_depth_mm", "body_mass_g"]
    small = bw.DensityImputer(bw.DensityForest(5, random_state=0))
    model = make_pipeline(small, bw.GaussianNB()).fit(given[numbers], PENGUINS["species"])
    assert model.score(given[numbers], PENGUINS["species"]) > 0.85
    both = ColumnTransformer([("a", small, numbers[:2]), ("b", small, numbers[1:])])
    joined = both.set_output(transform="pandas").fit_transform(given)
    assert joined.index.equals(given.index)
    assert not joined.isna().any().any()


def test_a_file_keeps_it(imputer: bw.DensityImputer, tmp_path: Path) -> None:
    given = with_holes(PENGUINS, 3)[0]
    imputer.save(tmp_path / "imputer.boxwood")
    loaded = bw.load(tmp_path / "imputer.boxwood")
    pd.testing.assert_frame_equal(loaded.transform(given), imputer.transform(given))
    np.testing.assert_array_equal(loaded.score_samples(given), imputer.score_samples(given))


def test_unknown_strategies_are_refused() -> None:
    with pytest.raises(ValueError, match="strategy"):
        bw.DensityImputer(strategy="average").fit([[1.0], [2.0]])
    with pytest.raises(TypeError, match="query method"):
        bw.DensityImputer(bw.BayesClassifier()).fit([[1.0], [2.0]])


@pytest.mark.parametrize("seed", [0, 2, 20, 36])  # in all samples of half of the trees by all but the first
def test_few_distinct_rows_may_be_in_every_sample(seed):
    X = np.repeat([[1, 3], [2, 1], [3, 3], [4, 1]], 4, axis=0)
    imputer = bw.DensityImputer(model=bw.DensityForest(n_estimators=5, random_state=0), random_state=seed)
    imputer.fit(X, sample_weight=np.ones(len(X)))
    assert np.isfinite(imputer.transform([[1.0, np.nan], [np.nan, 1.0]])).all()


def test_weights_count_in_the_forests_and_order_does_not() -> None:
    rng = np.random.default_rng(0)
    x, often = rng.normal(size=200), np.arange(200) % 2 == 0
    rows = pd.DataFrame({"x": x, "y": np.where(often, x, -x) + 0.1 * rng.normal(size=200)})
    rows.loc[:9, "y"] = np.nan
    weights = np.where(often, 20, 1)
    asked = pd.DataFrame({"x": [2.0], "y": [np.nan]})
    repeated = rows.iloc[np.repeat(np.arange(200), weights)]
    fits = [((rows,), {"sample_weight": weights}), ((repeated,), {}), ((repeated[::-1],), {})]
    models = [bw.DensityImputer(random_state=0).fit(*given, **how) for given, how in fits]
    found = [float(model.transform(asked)["y"].iloc[0]) for model in models]
    assert found[0] == found[1] == found[2]
    assert found[0] > 1.5


def test_the_mode_of_whole_numbers_is_the_most_probable_one() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=800)
    table = pd.DataFrame({"x": x, "count": rng.poisson(np.exp(0.5 * x + 0.3))})
    density = bw.DensityForest(n_estimators=20, random_state=0).fit(table)
    asked = pd.DataFrame({"x": np.linspace(-2.0, 2.0, 60), "count": np.nan})
    imputer = bw.DensityImputer(density, strategy="mode", forests=False, random_state=0).fit(table)
    found = imputer.transform(asked)["count"].to_numpy(dtype=np.float64)
    below = density.query().conditionals(asked).cdf(1, np.arange(-1.0, 12.0))
    probabilities = np.diff(below, axis=1)
    chosen = probabilities[np.arange(len(found)), found.astype(np.intp)]
    assert (chosen >= probabilities.max(axis=1) - 1.0 / 32.0).all()


@pytest.mark.parametrize("library", ["pandas", "polars", "numpy"])
def test_categories_that_were_not_there_before_stay(library: str) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "city": rng.choice(["Bonn", "Ulm"], 80),
            "size": pd.Categorical(rng.choice(["S", "M"], 80), ["S", "M"], ordered=True),
            "code": pd.Categorical(rng.choice([3, 7], 80)),
            "x": rng.normal(size=80),
        }
    )
    new = pd.DataFrame(
        {
            "city": ["Paris", None, "Ulm", "Rome", "Paris"],
            "size": pd.Categorical(["S", "XL", None, "M", "S"], ["S", "M", "XL"], ordered=True),
            "code": pd.Categorical([3, 9, 7, None, 3]),
            "x": [0.0, np.nan, 1.0, 2.0, 3.0],
        }
    )
    given: dict[str, Any] = {
        "pandas": (table, new),
        "polars": (
            pl.from_pandas(table.astype({"code": str})),
            pl.from_pandas(new.astype({"code": "Int64"}).astype({"code": "string"})),
        ),
        "numpy": (table.to_numpy(dtype=object), new.to_numpy(dtype=object)),
    }
    rows, later = given[library]
    imputer = bw.DensityImputer(random_state=0).fit(rows)
    model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit(rows)
    for filled in (
        imputer.transform(later),
        model.impute(later),
        model.impute(later, how="draw", n=2, random_state=0)[1],
    ):
        assert type(filled) is type(later)
        before, after = np.asarray(later, dtype=object), np.asarray(filled, dtype=object)
        there = ~pd.isna(before)
        assert (after[there] == before[there]).all()
        assert not pd.isna(after).any()
    if library == "pandas":
        sizes = imputer.transform(later)["size"]
        assert sizes.cat.ordered
        assert sizes.cat.categories.tolist() == ["S", "M", "XL"]
        assert imputer.transform(later)["code"].cat.categories.tolist() == [3, 7, 9]
        assert np.array_equal(imputer.transform(later[2:3]), imputer.transform(later)[2:3])
