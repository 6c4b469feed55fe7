"""Copies, weights and groups: what trees, forests and boosted densities make of rows that come again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import boxwood as bw

SMALL = {
    "preset": "quick",
    "n_estimators": 8,
    "n_networks": 1,
    "n_chains": 1,
    "n_trees": 5,
    "random_state": 0,
}
MODELS = {
    "tree": bw.DensityTree(),
    "cv tree": bw.DensityTree(prune="cv", random_state=0),
    "forest": bw.DensityForest(8, random_state=0),
    "bootstrap": bw.DensityForest(8, bootstrap=True, random_state=0),
    "boosted": bw.BoostedDensity(**SMALL),
}


def continuous(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(n, 2)) + rng.normal(size=(n, 1)), columns=["a", "b"])


def mixed(n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return continuous(n).assign(kind=rng.choice(list("xyz"), n), count=rng.poisson(1.0, n))


def discrete(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    a = rng.integers(0, 3, n)
    return pd.DataFrame({"a": a, "b": np.array(list("uvw"))[(a + (rng.random(n) < 0.3)) % 3]})


def saved(model: Any, folder: Path) -> bytes:
    model.save(folder / "model")
    return (folder / "model").read_bytes()


def fit(name: str, table: pd.DataFrame, weights: Any = None, **parameters: Any) -> Any:
    return clone(MODELS[name]).set_params(**parameters).fit(table, sample_weight=weights)


@pytest.mark.parametrize("table", [continuous(), mixed()], ids=["continuous", "mixed"])
@pytest.mark.parametrize("name", MODELS)
def test_copies_and_scales_of_weights_make_the_same_model_to_the_byte(
    name: str, table: pd.DataFrame, tmp_path: Path
) -> None:
    n = len(table)
    once = saved(fit(name, table), tmp_path)
    given_twice = pd.concat([table, table]).sample(frac=1.0, random_state=0)
    assert saved(fit(name, given_twice), tmp_path) == once
    for weight in (2.0, 1.0 / n, 1e6):
        assert saved(fit(name, table, np.full(n, weight)), tmp_path) == once


@pytest.mark.parametrize("name", MODELS)
def test_weight_two_is_the_row_twice_and_discrete_rows_become_surer(name: str, tmp_path: Path) -> None:
    table = discrete()
    weights = np.where(np.arange(len(table)) % 3 == 0, 2.0, 1.0)
    repeated = table.loc[np.repeat(table.index, weights.astype(int))]
    assert saved(fit(name, table, weights), tmp_path) == saved(fit(name, repeated), tmp_path)
    once, twice = fit(name, table), fit(name, pd.concat([table, table]))
    assert twice._gaps.n == 2.0 * once._gaps.n == 2.0 * len(table)


@pytest.mark.parametrize("name", ["tree", "forest", "boosted"])
def test_the_user_says_what_a_repetition_is(name: str) -> None:
    table = discrete()
    assert fit(name, table)._gaps.n == len(table)
    copies = fit(name, table, duplicates="copies")
    assert copies._gaps.n < len(table.drop_duplicates()) + 1e-6
    doubled = pd.concat([continuous(), continuous()])
    assert fit(name, doubled, duplicates="evidence")._gaps.n == len(doubled)


def test_a_survey_weight_is_one_observation() -> None:
    table, rng = continuous(400), np.random.default_rng(3)
    weights = rng.exponential(1.0, 400) + 0.1
    forest = fit("forest", table, weights)
    assert forest._gaps.n == pytest.approx(weights.sum() ** 2 / (weights**2).sum(), rel=1e-9)
    with pytest.raises(ValueError, match=r"row 0.*is no frequency"):
        fit("forest", table, weights, weight_kind="frequency")
    with pytest.warns(UserWarning, match="weight_kind='survey'"):
        fit("forest", discrete(), np.full(300, 50.0))


@pytest.mark.parametrize("bootstrap", [False, True])
def test_rows_of_a_group_are_left_out_of_a_tree_together(bootstrap: bool) -> None:
    table, groups = mixed(), np.arange(120) // 6
    forest = bw.DensityForest(1, bootstrap=bootstrap, max_samples=0.6, random_state=0)
    left_out = ~np.isnan(forest.fit(table, groups=groups).oob_log_density_)
    of_groups = left_out.reshape(-1, 6)
    assert (of_groups.all(axis=1) | ~of_groups.any(axis=1)).all()
    assert 0 < of_groups.any(axis=1).sum() < 20
    alone = ~np.isnan(clone(forest).fit(table).oob_log_density_)
    assert not (alone.reshape(-1, 6).all(axis=1) | ~alone.reshape(-1, 6).any(axis=1)).all()


def test_groups_keep_near_copies_from_praising_a_model() -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(60, 2)), 5, axis=0) + 1e-3 * rng.normal(size=(300, 2))
    groups = np.repeat(np.arange(60), 5)
    new = rng.normal(size=(2_000, 2))
    for name in ("forest", "boosted"):
        praised = clone(MODELS[name]).fit(rows)
        honest = clone(MODELS[name]).fit(rows, groups=groups)
        assert honest.score(new) > praised.score(new)
    assert clone(MODELS["forest"]).fit(rows, groups=groups).oob_score_ < -2.0


@pytest.mark.parametrize("name", ["tree", "forest", "boosted"])
def test_groups_need_a_label_a_row_and_follow_rows_of_no_weight(name: str, tmp_path: Path) -> None:
    table = continuous()
    with pytest.raises(ValueError, match="one label a row"):
        clone(MODELS[name]).fit(table, groups=[1, 2, 3])
    weights, groups = np.ones(120), np.arange(120) // 4
    weights[::5] = 0.0
    kept = weights > 0.0
    one = clone(MODELS[name]).fit(table, sample_weight=weights, groups=groups)
    two = clone(MODELS[name]).fit(table[kept], groups=groups[kept])
    assert saved(one, tmp_path) == saved(two, tmp_path)


@pytest.mark.parametrize("name", ["tree", "forest", "boosted"])
def test_a_gap_that_training_did_not_show_has_one_chance_in_n_plus_two(name: str) -> None:
    table = continuous()
    model, ignoring = fit(name, table), fit(name, table, missing="ignore")
    row = pd.DataFrame({"a": [0.3], "b": [np.nan]})
    n = model._gaps.n
    difference = model.score_samples(row)[0] - ignoring.score_samples(row)[0]
    assert difference == pytest.approx(np.log(1.0 / (n + 2.0)) + np.log((n + 1.0) / (n + 2.0)), abs=1e-9)
    assert not np.isnan(np.asarray(model.sample(500, random_state=0), dtype=float)).any()


@pytest.mark.parametrize("name", ["tree", "forest", "boosted"])
def test_gaps_have_the_probability_with_which_they_are_drawn(name: str) -> None:
    rng = np.random.default_rng(0)
    table = continuous(600)
    table.loc[rng.random(600) < 0.25, "b"] = np.nan
    model = fit(name, table)
    missing = pd.DataFrame({"a": np.linspace(-4.0, 4.0, 801), "b": np.nan})
    total = np.exp(model.score_samples(missing)).sum() * 0.01
    drawn = model.sample(20_000, random_state=0)["b"].isna().mean()
    assert total == pytest.approx(drawn, abs=0.03)
    assert drawn == pytest.approx(0.25, abs=0.05)
