"""Forests of a target: members of leaves, bins, mixtures, and `TableModel.fit(target=)`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood import _core
from boxwood.model_file import ModelFileError
from boxwood.table.target import NumberTarget
from boxwood.table.target.calibration import Calibration
from boxwood.table.target.mixing import mixture_weights
from boxwood.table.target.settings import QUICK
from properties import examples


def noisy_table(n_rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.uniform(-2.0, 2.0, n_rows)
    kind = rng.choice(["a", "b", "c"], n_rows)
    y = 3.0 * x + np.where(kind == "a", 2.0, 0.0) + (0.2 + np.abs(x)) * rng.normal(size=n_rows)
    sold = np.where(rng.random(n_rows) < 1.0 / (1.0 + np.exp(-2.0 * x)), "yes", "no")
    return pd.DataFrame({"x": x, "kind": kind, "sold": sold, "y": y})


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    return bw.TableModel(random_state=0).fit(noisy_table(), target="y")


@examples(50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 5), st.booleans())
def test_histograms_of_leaves_are_means_over_trees(
    seed: int, n_trees: int, n_codes: int, skips: bool
) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, 7)
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = rng.integers(0, 9, start[-1]).astype(np.uint32)
    weight = rng.uniform(0.5, 3.0, start[-1]).astype(np.float32)
    codes = rng.integers(0, n_codes, 9).astype(np.uint32)
    leaves = rng.integers(0, 7, (5, n_trees)).astype(np.uint32)
    skip = rng.integers(0, 2, (5, n_trees)).astype(np.uint8) if skips else None
    found = _core.leaf_histograms(start, row, weight, leaves, skip, codes, n_codes, 2)
    for i in range(5):
        parts = [
            np.bincount(row[start[k] : start[k + 1]], weight[start[k] : start[k + 1]], minlength=9)
            for t, k in enumerate(leaves[i])
            if counts[k] and not (skips and skip is not None and skip[i, t])
        ]
        by_row = np.mean([part / part.sum() for part in parts], axis=0) if parts else np.zeros(9)
        np.testing.assert_allclose(found[i, :-1], np.bincount(codes, by_row, minlength=n_codes), atol=1e-6)
        assert found[i, -1] == pytest.approx((by_row**2).sum(), abs=1e-6)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"start": np.array([0, 3], dtype=np.int64)}, "no members of leaves"),
        ({"row": np.array([0, 9], dtype=np.uint32)}, "beyond the last"),
        ({"weight": np.array([1.0, 0.0], dtype=np.float32)}, "positive"),
        ({"codes": np.array([0, 5], dtype=np.uint32)}, "beyond the last"),
        ({"leaves": np.array([[4]], dtype=np.uint32)}, "beyond the last"),
        ({"skip": np.array([[1, 0]], dtype=np.uint8)}, "one flag"),
    ],
)
def test_malformed_members_are_refused(change: dict[str, Any], match: str) -> None:
    given_parts: dict[str, Any] = {
        "start": np.array([0, 2], dtype=np.int64),
        "row": np.array([0, 1], dtype=np.uint32),
        "weight": np.array([1.0, 2.0], dtype=np.float32),
        "leaves": np.array([[0]], dtype=np.uint32),
        "skip": None,
        "codes": np.array([0, 1], dtype=np.uint32),
    }
    with pytest.raises(ValueError, match=match):
        _core.leaf_histograms(**{**given_parts, **change}, n_codes=2)


def test_weights_of_a_mixture_have_the_largest_likelihood() -> None:
    densities = np.random.default_rng(0).gamma(1.0, size=(300, 2))
    found = mixture_weights(densities)
    grid = [(np.log(densities @ [w, 1.0 - w]).mean(), w) for w in np.linspace(0.0, 1.0, 201)]
    assert found[0] == pytest.approx(max(grid)[1], abs=0.03)


def test_calibration_makes_what_is_below_values_uniform() -> None:
    rng = np.random.default_rng(0)
    masses = np.full((4000, 50), 0.02)
    codes = np.clip(rng.normal(25.0, 6.0, 4000), 0, 49).astype(np.uint32)  # too wide a distribution
    found = Calibration.of_masses(masses, codes, None).of(masses)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    low, high = (np.searchsorted(np.cumsum(found[0]), p) for p in (0.05, 0.95))
    assert ((codes > low) & (codes <= high)).mean() == pytest.approx(0.9, abs=0.02)
    np.testing.assert_allclose(Calibration.none().of(masses), masses)


def test_laws_are_distributions(model: bw.TableModel) -> None:
    fitted = model.target_.fitted
    assert isinstance(fitted, NumberTarget)
    laws = model.target_.laws(model._read(noisy_table().head(30)))
    np.testing.assert_allclose(laws.masses.sum(axis=1), 1.0)
    assert (laws.masses > 0.0).all()  # no value is impossible
    values = np.linspace(-12.0, 12.0, 40)
    below = laws.cdf(values)
    assert (np.diff(below, axis=1) >= 0.0).all()
    fractions = np.array([0.01, 0.3, 0.5, 0.99])
    for i, found in enumerate(laws.quantiles(fractions)):
        np.testing.assert_allclose(laws.cdf(found)[i], fractions, atol=1e-6)
    fine = np.linspace(-30.0, 30.0, 20001)
    logs = np.array([laws.log_density(np.full(30, value))[0] for value in fine[::20]])
    assert np.exp(logs).sum() * (fine[20] - fine[0]) == pytest.approx(1.0, abs=0.02)
    drawn = laws.draws(4000, 0)
    np.testing.assert_allclose(drawn.mean(axis=1), laws.means(), atol=0.3)


def test_a_target_is_predicted_by_its_forests_and_other_columns_by_the_density(model: bw.TableModel) -> None:
    table = noisy_table()
    assert np.corrcoef(model.predict(table, "y"), table["y"])[0, 1] > 0.9
    ends = model.predict_interval(table, "y", 0.9)
    assert ((ends["low"] <= table["y"]) & (table["y"] <= ends["high"])).mean() > 0.85
    narrow, wide = (ends["high"] - ends["low"]).to_numpy()[np.argsort(np.abs(table["x"].to_numpy()))[[5, -5]]]
    assert narrow < wide
    plain = bw.TableModel(random_state=0).fit(table)
    assert model.prob("x > 0") == pytest.approx(plain.prob("x > 0"))
    np.testing.assert_allclose(model.predict(table, "x"), plain.predict(table, "x"))


def test_a_target_of_categories() -> None:
    table = noisy_table()
    model = bw.TableModel(random_state=0).fit(table, target="sold")
    found = model.predict_proba(table, "sold")
    assert list(found.columns) == ["no", "yes"]
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert (model.predict(table, "sold") == table["sold"]).mean() > 0.75
    assert found["yes"][table["x"] > 1.0].mean() > 0.8


def test_rows_without_the_target_are_left_out_of_its_forests() -> None:
    table = noisy_table()
    gaps = table.assign(y=table["y"].where(np.arange(400) % 4 > 0))
    model = bw.TableModel(random_state=0).fit(gaps, target="y")
    assert isinstance(model.target_.fitted, NumberTarget)
    assert len(model.target_.fitted.value_codes) == 300
    filled = model.impute(gaps)
    there = gaps["y"].notna()
    assert (filled["y"][there].to_numpy() == gaps["y"][there].to_numpy()).all()
    assert np.corrcoef(filled["y"][~there], table["y"][~there])[0, 1] > 0.9


@pytest.mark.parametrize(
    ("table", "target", "match"),
    [
        (noisy_table(), "z", "z"),
        (noisy_table()[["y"]], "y", "only column"),
        (noisy_table().assign(y=np.nan), "y", "has no values"),
    ],
)
def test_targets_that_cannot_be_predicted(table: pd.DataFrame, target: str, match: str) -> None:
    with pytest.raises(Exception, match=match):
        bw.TableModel(bw.DensityForest(2, random_state=0)).fit(table, target=target)


def test_a_model_file_keeps_the_target(model: bw.TableModel, tmp_path: Path) -> None:
    table = noisy_table().head(20)
    model.save(tmp_path / "m.boxwood")
    loaded = bw.load(tmp_path / "m.boxwood")
    np.testing.assert_array_equal(loaded.predict(table, "y"), model.predict(table, "y"))
    state = model.target_.to_state()
    state["fitted"]["weights"] = np.array([0.5, 0.5, 0.5, 0.5])
    from boxwood.model_file import State
    from boxwood.table.target_model import TargetModel

    with pytest.raises(ModelFileError, match="sum to 1"):
        TargetModel.from_state(State(state, "target"), model.schema_)


def test_repeated_rows_and_weights_are_the_same() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (120, 2)).astype(float)
    y = X[:, 0] + rng.integers(0, 3, 120)
    weights = rng.integers(1, 4, 120)
    kept = np.repeat(np.arange(120), weights)
    one = bw.ConditionalRegressor(random_state=0).fit(X, y, sample_weight=weights)
    other = bw.ConditionalRegressor(random_state=0).fit(X[kept], y[kept])
    np.testing.assert_allclose(one.predict(X), other.predict(X))


def test_quick_settings_are_smaller() -> None:
    columns = bw.read_columns(noisy_table())
    fitted = NumberTarget.fit(columns, 0, QUICK)
    assert len(fitted.values) == 1
    assert fitted.bins.n_bins <= QUICK.most_bins + 2


def test_atoms_and_lattices_of_a_target_keep_their_probabilities() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=600)
    y = np.where(x > 0.0, 40.0, rng.integers(10, 60, 600).astype(float))
    model = bw.ConditionalRegressor(random_state=0).fit(x[:, None], y)
    at_forty = np.diff(model.cdf([[1.0], [-1.0]], [39.5, 40.5]))[:, 0]
    assert at_forty[0] > 0.9
    assert at_forty[1] < 0.2
    assert set(np.unique(model.sample([[1.0], [-1.0]], 50, random_state=0) % 1.0)) == {0.0}


def test_the_target_is_predicted_where_no_column_is_named() -> None:
    table = noisy_table().head(100)
    model = bw.TableModel(bw.DensityForest(3, random_state=0), random_state=0).fit(table, target="sold")
    np.testing.assert_array_equal(model.predict(table), model.predict(table, "sold"))
    pd.testing.assert_frame_equal(model.predict_proba(table), model.predict_proba(table, "sold"))
    assert list(model.predict_rows(table, proba=True)) == ["predicted sold", "P(no)", "P(yes)"]
    without = bw.TableModel(bw.DensityForest(3, random_state=0)).fit(table)
    for ask in (without.predict, without.predict_proba, without.predict_interval, without.predict_rows):
        with pytest.raises(ValueError, match="which column"):
            ask(table)


def test_a_name_in_the_place_of_y_is_no_target() -> None:
    with pytest.raises(TypeError, match="target='sold'"):
        bw.TableModel().fit(noisy_table(), "sold")


@pytest.mark.parametrize("n", [0, -1, 1.5, True])
def test_a_number_of_draws_is_positive_and_whole(n: Any) -> None:
    table = noisy_table().head(50)
    X, y = table[["x", "kind"]], table["sold"]
    with pytest.raises(ValueError, match="n must be a positive integer"):
        bw.ConditionalClassifier(random_state=0).fit(X, y).sample(X, n)
    with pytest.raises(ValueError, match="n must be a positive integer"):
        bw.ConditionalRegressor(random_state=0).fit(X, table["y"]).sample(X, n)
    model = bw.TableModel(bw.DensityForest(3, random_state=0)).fit(table)
    with pytest.raises(ValueError, match="n must be a positive integer"):
        model.impute(table, how="draw", n=n)
