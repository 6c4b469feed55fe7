"""TableModel: what is asked of a frame comes back in the frame's own values."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, KFold

import boxwood as bw
from boxwood.query.errors import QueryError
from boxwood.table import TableModel


def frame(n_rows: int = 600, seed: int = 0) -> pd.DataFrame:
    """Return a table in which y follows x closely, and the group both."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["low", "high"], n_rows, p=[0.7, 0.3])
    x = np.where(group == "high", 5.0, 0.0) + rng.normal(size=n_rows)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 30, n_rows), unit="D")
    count = rng.poisson(np.where(group == "high", 20, 3))
    return pd.DataFrame(
        {"x": x, "y": 2 * x + 0.3 * rng.normal(size=n_rows), "group": group, "day": day, "count": count}
    )


FRAME = frame()


@pytest.fixture(scope="module")
def model() -> TableModel:
    return TableModel(random_state=0).fit(FRAME)


def test_probabilities_are_close_to_the_rows(model: TableModel) -> None:
    assert model.prob(group="high") == pytest.approx((FRAME.group == "high").mean(), abs=0.02)
    high = FRAME[FRAME.group == "high"]
    assert model.prob("count >= 20", given="group == 'high'") == pytest.approx(
        (high["count"] >= 20).mean(), abs=0.06
    )
    assert model.prob("x > 2") + model.prob("not x > 2") == pytest.approx(1.0, abs=1e-9)
    assert model.prob("day < '2024-01-11'") == pytest.approx((FRAME.day < "2024-01-11").mean(), abs=0.03)


def test_evidence_moves_numbers_and_samples(model: TableModel) -> None:
    high = model.given(group="high")
    assert high.mean("x") == pytest.approx(5.0, abs=0.4)
    low, middle, top = high.quantile("x", [0.1, 0.5, 0.9])
    assert low < middle < top
    drawn = high.sample(200, random_state=0)
    assert isinstance(drawn, pd.DataFrame)
    assert set(drawn["group"]) == {"high"}
    between = model.given(x=(0, 1)).sample(100, random_state=0)
    assert between["x"].between(0, 1, inclusive="left").all()
    assert drawn.dtypes.equals(FRAME.dtypes)


def test_evidence_that_cannot_be_is_named(model: TableModel) -> None:
    with pytest.raises(ValueError, match="count"):
        model.given("count < 0 and count > 0")


def test_predictions_read_the_rest_of_the_row(model: TableModel) -> None:
    new = frame(seed=1)
    assert (model.predict(new, "group") == new["group"]).mean() > 0.95
    without = model.predict(new.drop(columns="group"), "group")
    np.testing.assert_array_equal(without, model.predict(new, "group"))
    assert np.abs(model.predict(new, "y") - new["y"]).mean() < 1.5
    chances = model.predict_proba(new, "group")
    assert list(chances.columns) == ["high", "low"]
    np.testing.assert_allclose(chances.sum(axis=1), 1.0, atol=1e-9)
    ends = model.predict_interval(new, "y", 0.9)
    assert ((ends["low"] <= new["y"]) & (new["y"] <= ends["high"])).mean() > 0.8
    assert model.predict(new, "day").dtype == np.dtype("datetime64[us]")


def test_predictions_of_the_wrong_kind(model: TableModel) -> None:
    with pytest.raises(TypeError, match="ask `predict_interval`"):
        model.predict_proba(FRAME, "x")
    with pytest.raises(TypeError, match="ask `predict_proba`"):
        model.predict_interval(FRAME, "group")
    with pytest.raises(QueryError, match="Did you mean 'group'"):
        model.predict(FRAME, "groop")


@pytest.mark.parametrize("how", ["median", "mean", "mode", "draw"])
def test_gaps_are_filled_and_nothing_else(model: TableModel, how: str) -> None:
    full = frame(seed=2)
    holes = np.random.default_rng(0).random(full.shape) < 0.2
    given = full.mask(holes)
    given["count"] = given["count"].astype("Int64")
    filled = model.impute(given, how=how, random_state=0)
    assert not filled.isna().any().any()
    for j, name in enumerate(full.columns):
        assert filled[name][~holes[:, j]].tolist() == full[name][~holes[:, j]].tolist()
    guess = full["x"].median()
    error = np.abs(filled["x"] - full["x"])[holes[:, 0]].mean()
    assert error < np.abs(guess - full["x"])[holes[:, 0]].mean()


def test_draws_of_one_row_are_joint(model: TableModel) -> None:
    given = pd.DataFrame(
        {"x": np.nan, "y": np.nan, "group": ["low"] * 400, "day": FRAME.day[:400], "count": 3}
    )
    first, second = model.impute(given, how="draw", n=2, random_state=0)
    assert np.corrcoef(first["x"], first["y"])[0, 1] > 0.7
    assert not first["x"].equals(second["x"])
    with pytest.raises(ValueError, match="take how='draw'"):
        model.impute(given, n=2)
    with pytest.raises(ValueError, match="how must be one of"):
        model.impute(given, how="knn")


def test_the_cell_that_is_wrong_surprises_most(model: TableModel) -> None:
    new = frame(5, seed=3)
    new.loc[2, "group"] = "high" if new.loc[2, "group"] == "low" else "low"
    explained = model.explain(new)
    assert list(explained.columns[:2]) == ["x", "x expected"]
    assert explained["group"].idxmax() == 2
    assert explained.loc[2, "group expected"] != new.loc[2, "group"]


def test_odd_rows_come_first(model: TableModel) -> None:
    new = frame(100, seed=4)
    new.loc[7, ["x", "y"]] = [5.0, -20.0]
    found = model.outliers(new, n=3)
    assert found["row"].iloc[0] == 7
    assert len(found) == 3
    assert model.outliers(frame(50, seed=5), fdr=1e-9)["row"].tolist() == []
    with pytest.raises(ValueError, match="n must be a positive integer; got -3"):
        model.outliers(new, n=-3)


def test_description_and_dependence(model: TableModel) -> None:
    lines = model.describe().set_index("column")
    assert lines.loc["x", "mean"] == pytest.approx(FRAME.x.mean(), abs=0.1)
    assert lines.loc["group", "top"] == "low"
    matrix = model.dependence().set_index("column")
    assert matrix.loc["x", "y"] > matrix.loc["x", "day"]


def test_saved_and_pickled_models_answer_the_same(model: TableModel, tmp_path: Path) -> None:
    asked = "x > 1 and count < 10"
    model.save(tmp_path / "table.boxwood")
    for again in (bw.load(tmp_path / "table.boxwood"), pickle.loads(pickle.dumps(model))):
        assert again.prob(asked) == pytest.approx(model.prob(asked), rel=1e-12)
        assert again.predict(FRAME[:5], "group").tolist() == model.predict(FRAME[:5], "group").tolist()


def test_a_new_fit_forgets_what_was_asked() -> None:
    model = TableModel(random_state=0).fit(FRAME)
    before = model.prob("x > 2", given="count > 3")
    model.fit(FRAME[FRAME.x > 2])
    assert model.prob("x > 2", given="count > 3") > max(before, 0.99)


def test_other_densities_and_what_is_no_density() -> None:
    tree = TableModel(bw.DensityTree()).fit(FRAME)
    assert tree.prob("x > 2") == pytest.approx((FRAME.x > 2).mean(), abs=0.02)
    with pytest.raises(TypeError, match="must be a density with a query method"):
        TableModel(bw.DecisionTreeClassifier()).fit(FRAME)
    with pytest.raises(NotFittedError):
        TableModel().prob("x > 2")


def test_parameters_of_the_density_are_searched() -> None:
    rows = FRAME[["x", "group"]]
    model = TableModel(bw.DensityForest(3, random_state=0))
    assert model.get_params()["model__n_estimators"] == 3
    assert set(model.get_params(deep=False)) == {"model", "random_state", "support"}
    search = GridSearchCV(model, {"model__min_samples_split": [2, 400]}, cv=3).fit(rows)
    scores = [
        np.mean(
            [
                clone(model).set_params(**one).fit(rows.iloc[a]).score(rows.iloc[b])
                for a, b in KFold(3).split(rows)
            ]
        )
        for one in search.cv_results_["params"]
    ]
    assert np.allclose(search.cv_results_["mean_test_score"], scores)
    fitted = clone(model).fit(rows)
    weights = np.arange(len(rows)) % 3
    assert fitted.score(rows, sample_weight=weights) == np.average(
        fitted.score_samples(rows), weights=weights
    )


def test_parameters_that_are_none() -> None:
    with pytest.raises(
        ValueError, match="model__n_estimators is a parameter of a density, and model is None"
    ):
        bw.DensityImputer().set_params(model__n_estimators=3)
    with pytest.raises(
        ValueError, match="model__n_estimators is a parameter of a density, and model is None"
    ):
        TableModel().set_params(model__n_estimators=3)
    with pytest.raises(ValueError, match="Invalid parameter 'depth'"):
        TableModel().set_params(depth=3)
    assert TableModel().set_params(random_state=7).random_state == 7


def test_of_columns_without_values_nothing_is_expected() -> None:
    nothing = [None] * 40
    table = pd.DataFrame(
        {
            "x": np.random.default_rng(0).normal(size=40),
            "word": pd.array(nothing, dtype="string"),
            "flag": pd.array(nothing, dtype="boolean"),
            "day": pd.to_datetime(nothing),
            "n": pd.array(nothing, dtype="Int64"),
        }
    )
    model = TableModel(bw.DensityForest(3, random_state=0)).fit(table)
    explained = model.explain(table[:2])
    assert explained["x expected"].notna().all()
    for name in model.empty_columns_:
        assert explained[name].notna().all()
        assert explained[f"{name} expected"].isna().all()
        for ask in (model.predict, model.predict_rows):
            with pytest.raises(ValueError, match=f"column '{name}' has no values in the fitted table"):
                ask(table, name)
    assert model.describe()["top"].isna().sum() >= 3
    with pytest.raises(ValueError, match="column 'word' has no values in the fitted table"):
        model.mode("word")
