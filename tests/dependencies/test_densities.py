"""Trees, forests and boosted densities keep to the rules of their table."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import boxwood as bw

MODELS = {
    "tree": bw.DensityTree(margins="smooth", random_state=0),
    "forest": bw.DensityForest(10, random_state=0),
    "boosted": bw.BoostedDensity("quick", n_trees=10, random_state=0),
}
models = pytest.mark.parametrize("name", MODELS)


def census(n: int = 1500, seed: int = 0) -> pd.DataFrame:
    """Return years of school by degree, and jobs of those who work."""
    rng = np.random.default_rng(seed)
    degree = rng.choice(6, n, p=[0.3, 0.25, 0.2, 0.15, 0.07, 0.03])
    work = rng.choice(["private", "state", "never", None], n, p=[0.6, 0.25, 0.03, 0.12])
    job = rng.choice(["clerk", "cook", "pilot", "nurse"], n).astype(object)
    job[(work == "never") | pd.isna(work)] = None
    return pd.DataFrame(
        {
            "degree": np.array(["none", "school", "college", "bachelor", "master", "doctor"])[degree],
            "years": np.array([6, 9, 12, 14, 16, 19])[degree],
            "work": work,
            "job": job,
            "income": np.exp(rng.normal(size=n) + 0.4 * degree),
        }
    )


def contradictions(table: pd.DataFrame) -> int:
    known = set(map(tuple, census()[["degree", "years"]].drop_duplicates().to_numpy()))
    wrong_years = [pair not in known for pair in map(tuple, table[["degree", "years"]].to_numpy())]
    idle = table["work"].isna() | (table["work"] == "never")
    return int(np.sum(wrong_years) + np.sum(idle != table["job"].isna()))


@cache
def fitted(name: str, make: Callable[[], pd.DataFrame] = census, **parameters: Any) -> Any:
    """Return a model that the tests share, and leave as it is."""
    return clone(MODELS[name]).set_params(**parameters).fit(make())


@models
def test_samples_contradict_nothing(name: str) -> None:
    model = fitted(name)
    assert list(map(str, model.dependencies_)) == [
        "years follows from degree (1,500 rows, 6 values)",
        "whether job is missing follows from work (1,500 rows, 4 values)",
    ]
    assert contradictions(model.sample(5000, random_state=1)) == 0
    assert contradictions(fitted(name, dependencies=None).sample(5000, random_state=1)) > 0


@models
@pytest.mark.parametrize("n", [30_000, pytest.param(300_000, marks=pytest.mark.slow)])
def test_rules_false_breaks_them_as_often_as_scores_have_it(name: str, n: int) -> None:
    model = fitted(name)
    broken = contradictions(model.sample(n, random_state=1, rules=False))
    expected = n * sum(rule.exception_rate for rule in model.dependencies_)
    assert abs(broken - expected) < 5.0 * np.sqrt(expected)


@models
def test_held_out_rows_are_no_less_likely(name: str) -> None:
    new = census(2000, seed=1)
    gain = fitted(name).score_samples(new) - fitted(name, dependencies=None).score_samples(new)
    assert gain.mean() > -0.01


@models
def test_a_row_that_breaks_a_rule_is_odd(name: str) -> None:
    model = fitted(name)
    rows = census(20, seed=2)[["degree", "years", "work", "job", "income"]]
    worked = rows[rows["job"].notna()]
    broken = worked.assign(years=19.0 if worked["years"].iloc[0] != 19 else 6.0).astype({"years": int})
    off = broken["years"].to_numpy() != worked["years"].to_numpy()
    fall = model.score_samples(worked) - model.score_samples(broken)
    assert (fall[off] > 6.0).all()
    assert np.isfinite(model.score_samples(broken)).all()
    idle = worked.assign(work=None)
    assert (model.score_samples(idle) < model.score_samples(worked) - 3.0).all()
    jobless = worked.assign(job=None)
    assert np.isfinite(model.score_samples(jobless)).all()


def small(n: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    a = rng.integers(0, 4, n)
    return pd.DataFrame(
        {
            "a": a.astype(str),
            "b": (a // 2).astype(str),
            "c": np.where(a == 3, None, rng.choice(["x", "y"], n)),
            "d": np.where(rng.random(n) < 0.8, a % 2, 0).astype(str),
        }
    )


@models
def test_probabilities_sum_to_one(name: str) -> None:
    table, model = small(), fitted(name, small)
    assert len(model.dependencies_) == 2
    values = [list(dict.fromkeys(table[name])) for name in table]
    every = pd.DataFrame(list(itertools.product(*values)), columns=table.columns)
    tolerance = 0.03 if isinstance(model, bw.BoostedDensity) else 0.015
    assert np.exp(model.score_samples(every)).sum() == pytest.approx(1.0, abs=tolerance)


@models
def test_samples_are_as_scores_say(name: str) -> None:
    table, model = small(), fitted(name, small)
    drawn = model.sample(40_000, random_state=0, rules=False)
    groups = drawn.groupby(list(drawn.columns), dropna=False).size().reset_index(name="n")
    expected = 40_000 * np.exp(model.score_samples(groups[list(table.columns)]))
    common = expected > 50
    tolerance = 0.12 if isinstance(model, bw.BoostedDensity) else 0.03
    fractions = groups["n"].to_numpy()[common] / expected[common]
    assert np.average(np.abs(fractions - 1.0), weights=expected[common]) < tolerance


@models
def test_calibration_scores_are_of_the_same_kind(name: str) -> None:
    model = clone(MODELS[name]).fit(census(3000))
    flagged = np.mean(model.predict(census(3000, seed=5)) == -1)
    assert 0.02 < flagged < 0.09


@models
def test_saved_and_pickled_models_keep_their_rules(name: str, tmp_path: Path) -> None:
    model = fitted(name)
    model.save(tmp_path / "model.boxwood")
    for other in (bw.load(tmp_path / "model.boxwood"), pickle.loads(pickle.dumps(model))):
        assert other.dependencies_ == model.dependencies_
        np.testing.assert_array_equal(other.score_samples(census()), model.score_samples(census()))
        pd.testing.assert_frame_equal(other.sample(50, random_state=0), model.sample(50, random_state=0))


@models
def test_a_hierarchy_is_not_lost(name: str) -> None:
    """A column that follows stays in the model: trees part by the coarse column, not by the fine one."""
    rng = np.random.default_rng(6)

    def make(n: int) -> pd.DataFrame:
        street = rng.integers(0, 300, n)
        town = (street * 7919 % 300) // 75
        return pd.DataFrame(
            {"street": street.astype(str), "town": town.astype(str), "x": rng.normal(3.0 * town)}
        )

    table, new = make(3000), make(2000)
    model = clone(MODELS[name]).fit(table)
    none = clone(MODELS[name]).set_params(dependencies=None).fit(table)
    assert [str(rule).split(" (")[0] for rule in model.dependencies_] == ["town follows from street"]
    assert model.score(new) > none.score(new) - 0.02


def test_values_never_seen_are_left_to_the_model() -> None:
    forest = bw.DensityForest(10, random_state=0).fit(census())
    rows = census(10, seed=4).assign(degree="habilitation")
    assert np.isfinite(forest.score_samples(rows)).all()


def test_classes_have_no_rules() -> None:
    table = census()
    rich = np.where(table["income"] > 1.0, "rich", "poor")
    model = bw.BayesClassifier(bw.DensityForest(5, random_state=0)).fit(table, rich)
    assert all(density.dependencies_ == [] for density in model.densities_)


def test_a_parameter_switches_rules_off() -> None:
    forest = bw.DensityForest(5, random_state=0, dependencies=None).fit(census())
    assert forest.dependencies_ == []
    with pytest.raises(ValueError, match="dependencies"):
        bw.DensityForest(dependencies="never").fit(census())
    with pytest.raises(AttributeError, match="not fitted"):
        _ = bw.DensityTree().dependencies_


def test_a_file_with_broken_rules_is_refused(tmp_path: Path) -> None:
    forest = bw.DensityForest(5, random_state=0).fit(census())
    rule, of_gaps = forest._dependencies.rules
    backwards = replace(rule, child=rule.parent, parent=rule.child)
    after_gaps = replace(rule, parent=of_gaps.child)
    for rules, wrong in (
        ((rule, rule), "two rules"),
        ((rule, backwards), "itself|cannot have"),
        ((after_gaps, of_gaps), "only gaps follow|cannot have"),
        ((replace(rule, parent=rule.child),), "own parent|cannot have"),
        ((replace(rule, keys=rule.keys[::-1]),), "ascending"),
        ((replace(of_gaps, values=of_gaps.values + 1.0),), "whether a value is missing|cannot have"),
    ):
        forest._dependencies.rules = rules
        forest.save(tmp_path / "broken.boxwood")
        with pytest.raises(bw.ModelFileError, match=wrong):
            bw.load(tmp_path / "broken.boxwood")
