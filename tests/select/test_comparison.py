"""Classifiers compared on the same folds."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from quick_families import quick_families
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import r2_score, root_mean_squared_error
from sklearn.model_selection import KFold

import boxwood as bw
from boxwood.progress import checked_by
from boxwood.select import trials
from boxwood.select.families import FAMILIES, REGRESSION_FAMILIES
from boxwood.select.task import task_of

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
X, y = load_iris(return_X_y=True)
QUICK = ["prior", "naive Bayes, histograms"]
COLUMNS = [
    "model",
    "error",
    "error_std",
    "log_loss",
    "brier_score",
    "calibration_error",
    "train_error",
    "optimism",
    "fit_seconds",
    "predict_seconds",
]


@pytest.fixture(scope="module")
def penguins():
    table = pd.read_csv(PENGUINS)
    return table.drop(columns="species"), table["species"].to_numpy()


@pytest.fixture(scope="module")
def everything(penguins):
    with quick_families():
        return bw.compare(*penguins, cv=3)


def test_every_family_takes_a_table_with_categories_and_missing_values(everything):
    check_everything(everything)


@pytest.mark.slow
def test_every_family_takes_it_as_it_is(penguins):
    check_everything(bw.compare(*penguins, cv=3))


def check_everything(everything):
    assert everything.left_out == {}
    assert set(everything.validations) == set(FAMILIES)
    frame = everything.frame
    assert frame.columns.tolist() == COLUMNS
    assert frame["error"].is_monotonic_increasing
    assert np.isfinite(frame.drop(columns="model").to_numpy()).all()
    np.testing.assert_allclose(frame["optimism"], frame["error"] - frame["train_error"])
    assert everything.best == frame["model"][0]


def test_the_prior_is_the_floor(everything):
    errors = {name: found.error for name, found in everything.validations.items()}
    assert max(errors, key=errors.get) == "prior"
    assert errors["prior"] == pytest.approx(1.0 - 152 / 344, abs=0.01)
    assert sorted(errors.values())[-2] < 0.1


def test_it_is_cross_validation_of_each(penguins):
    model = bw.BayesClassifier(bw.DensityTree(margins="smooth", random_state=0))
    found = bw.compare(*penguins, {"mine": model, "naive": "naive Bayes, histograms"}, cv=4, random_state=7)
    for name, other in [("mine", model), ("naive", bw.HistogramNB())]:
        alone = bw.cross_val_error(other, *penguins, cv=4, random_state=7)
        np.testing.assert_array_equal(found.validations[name].test_errors, alone.test_errors)
        np.testing.assert_array_equal(found.validations[name].probabilities, alone.probabilities)


def test_the_frame_is_of_the_tables_library(penguins):
    table, species = penguins
    assert isinstance(bw.compare(table, species, QUICK).frame, pd.DataFrame)
    frame = bw.compare(pl.from_pandas(table), species, QUICK).frame
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == COLUMNS


class Slow(bw.PriorClassifier):
    """A model whose fits take seconds, by a clock of its own."""

    clock = 0.0

    def fit(self, X, y):
        Slow.clock += 2.0
        return super().fit(X, y)


def test_what_does_not_fit_in_the_time_is_named(monkeypatch):
    monkeypatch.setattr(trials, "time", SimpleNamespace(perf_counter=lambda: Slow.clock))
    models = {"quick": "prior", "slow": Slow(), "late": "naive Bayes, histograms"}
    found = bw.compare(X, y, models, time_budget=9.0)
    assert list(found.validations) == ["late", "quick"]
    assert found.left_out == {"slow": "at 2 s a fold it would not end within the time budget"}
    assert "left out: slow (at 2 s" in repr(found)
    assert Slow.clock == 2.0  # one fold was enough to know
    found = bw.compare(X, y, {"slow": Slow(), "quick": "prior"}, cv=4, time_budget=8.0)
    assert list(found.validations) == ["slow"]
    assert found.left_out == {"quick": "the time budget was spent"}


def test_a_budget_is_a_time():
    spent = r"^no model could be compared: the time budget was spent\.$"
    with pytest.raises(ValueError, match=spent):
        bw.compare(X, y, QUICK, time_budget=1e-9)
    with pytest.raises(ValueError, match="time_budget must be a positive number"):
        bw.compare(X, y, QUICK, time_budget=0)


def test_a_model_that_cannot_take_the_table_is_left_out_with_its_reason(penguins):
    table, species = penguins
    models = {
        "logistic": LogisticRegression(),
        "prior": "prior",
        "gauss": bw.BayesClassifier(bw.GaussianDensity()),
    }
    found = bw.compare(table, species, models)
    assert list(found.validations) == ["prior"]
    assert found.left_out["logistic"].startswith("ValueError: ")
    assert "column 'island' is categorical" in found.left_out["gauss"]


def test_the_bayes_error_is_bracketed():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 1500)
    table = rng.normal(size=(1500, 2)) + 2.0 * labels[:, None]
    found = bw.compare(table, labels, ["prior", "quadratic discriminant"], cv=3)
    assert found.bayes_error.lower < 0.079 < found.bayes_error.upper  # Φ(−√2)
    assert found.validations["quadratic discriminant"].error == pytest.approx(0.079, abs=0.02)
    assert f"Bayes error between {found.bayes_error.lower:.3f}" in repr(found)
    one = bw.compare(X[:50], y[:50], ["prior"])
    assert one.bayes_error is None
    assert "at least two classes" in one.left_out["Bayes error"]


def test_names_of_models():
    found = bw.compare(X, y, ["prior", bw.HistogramNB(), bw.HistogramNB(alpha=0.1)], cv=2)
    assert set(found.validations) == {"prior", "HistogramNB", "HistogramNB 2"}
    lines = repr(found).splitlines()
    assert lines[0].startswith("model")
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("models", "error", "message"),
    [
        (["postulate"], ValueError, "there is no family 'postulate'; the families are prior, "),
        ([bw.GaussianDensity()], TypeError, "a classifier with fit and predict_proba is needed"),
        ("prior", TypeError, "models must be a list or a dictionary"),
        ([], ValueError, "models is empty"),
    ],
)
def test_models_are_checked(models, error, message):
    with pytest.raises(error, match=message):
        bw.compare(X, y, models)


def test_weights_and_seeds():
    weights = np.where(y == 0, 0.0, 1.0)
    found = bw.compare(X, y, QUICK, sample_weight=weights)
    assert found.validations["prior"].classes.tolist() == [1, 2]
    one, two = (bw.compare(X, y, ["random forest"], random_state=3, cv=3) for _ in range(2))
    np.testing.assert_array_equal(
        one.validations["random forest"].probabilities, two.validations["random forest"].probabilities
    )


def test_warnings_are_kept_not_shown():
    far = np.vstack([X, [[50.0] * 4]])  # counts as the largest values, which no class has together
    found = bw.compare(far, np.append(y, 0), {"bins": bw.HistogramNB(alpha=0.0)}, cv=3)
    assert any("density zero" in message for message in found.validations["bins"].warnings)


def test_the_families_are_documented():
    page = (ROOT / "docs" / "tasks" / "comparing.md").read_text(encoding="utf-8")
    names = [*FAMILIES, *REGRESSION_FAMILIES]
    assert [name for name in names if f'`"{name}"`' not in page] == []


def curved(n=300, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"x": rng.normal(size=n), "c": rng.choice(["a", "b", "c"], n)})
    values = np.sin(2.0 * table["x"]) + (table["c"] == "b") + 0.1 * rng.normal(size=n)
    table.loc[rng.random(n) < 0.1, "x"] = np.nan
    return table, values.to_numpy()


def test_regressors_are_compared_by_their_errors():
    table, values = curved()
    found = bw.compare(table, values, cv=3)
    assert found.task == "regression"
    assert found.left_out == {}
    assert set(found.validations) == set(REGRESSION_FAMILIES)
    assert found.bayes_error is None
    frame = found.frame
    assert frame.columns.tolist() == [
        *("model", "rmse", "rmse_std", "r2", "mae", "train_rmse", "optimism", "fit_seconds"),
        "predict_seconds",
    ]
    assert frame["rmse"].is_monotonic_increasing
    assert found.validations["mean"].r2 == pytest.approx(0.0, abs=0.1)
    assert frame["r2"][0] > 0.6
    assert found.best == frame["model"][0]
    assert repr(found).splitlines()[0].split()[:3] == ["model", "RMSE", "R²"]
    # The same by hand, of a model that is no family.
    mine = bw.DecisionTreeRegressor(max_depth=3, random_state=0)
    one = bw.compare(table, values, {"mine": mine}, cv=3).validations["mine"]
    folds = KFold(3, shuffle=True, random_state=0)
    for k, (train, test) in enumerate(folds.split(table)):
        model = bw.DecisionTreeRegressor(max_depth=3, random_state=0).fit(table.iloc[train], values[train])
        reported = model.predict(table.iloc[test])
        np.testing.assert_array_equal(one.predictions[test], reported)
        assert one.rmses[k] == pytest.approx(root_mean_squared_error(values[test], reported))
        assert one.r2s[k] == pytest.approx(r2_score(values[test], reported))
        assert one.maes[k] == pytest.approx(np.abs(values[test] - reported).mean())


def test_weights_of_regressors_are_frequencies():
    rng = np.random.default_rng(0)
    table, values = rng.normal(size=(60, 2)), rng.normal(size=60)
    weights = rng.integers(0, 4, 60)
    places = np.repeat(np.arange(60), weights)
    half = np.arange(60) < 30
    models = ["linear regression", "decision tree", "mean"]
    weighted = bw.compare(
        table, values, models, sample_weight=weights, cv=[(np.flatnonzero(half), np.flatnonzero(~half))]
    )
    copies = [(np.flatnonzero(half[places]), np.flatnonzero(~half[places]))]
    repeated = bw.compare(table[places], values[places], models, cv=copies)
    for name in ("linear regression", "mean"):
        one, other = weighted.validations[name], repeated.validations[name]
        for score in ("error", "train_error", "r2", "mae"):
            assert getattr(one, score) == pytest.approx(getattr(other, score))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_results_are_the_same_for_any_number_of_processes(task, penguins):
    if task == "classification":
        table, target = penguins
        models = ["prior", "linear discriminant", "random forest", "gradient boosting", "logistic regression"]
    else:
        (table, target), models = curved(), None
    one, two = (bw.compare(table, target, models, cv=3, n_jobs=n_jobs) for n_jobs in (None, 2))
    assert list(one.validations) == list(two.validations)
    timed = ["fit_seconds", "predict_seconds"]
    pd.testing.assert_frame_equal(
        one.frame.drop(columns=timed), two.frame.drop(columns=timed), check_exact=True
    )
    for name, found in one.validations.items():
        reported = "probabilities" if task == "classification" else "predictions"
        np.testing.assert_array_equal(getattr(found, reported), getattr(two.validations[name], reported))
        assert found.warnings == two.validations[name].warnings


def test_failures_are_reported_by_other_processes_too(penguins):
    table, species = penguins
    models = {"gauss": bw.BayesClassifier(bw.GaussianDensity()), "prior": "prior", "other": "prior"}
    found = bw.compare(table, species, models, n_jobs=2)
    assert "column 'island' is categorical" in found.left_out["gauss"]
    assert set(found.validations) == {"prior", "other"}
    with pytest.raises(ValueError, match=r"no model could be compared.*time budget was spent"):
        bw.compare(X, y, QUICK, time_budget=1e-9, n_jobs=2)


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_bar_tells_how_far_it_is(capsys, n_jobs):
    models = ["prior", bw.BayesClassifier(bw.NeighborDensity(500)), "naive Bayes, histograms"]
    found = bw.compare(X, y, models, cv=4, verbose=1, n_jobs=n_jobs)
    assert len(found.left_out) == 1
    lines = capsys.readouterr().err.split("\r")
    assert lines[-1] == f"[{'#' * 30}] 12/12 folds\n"
    counts = [int(line.split("] ")[1].split("/")[0]) for line in lines[1:]]
    assert counts == sorted(counts)
    bw.compare(X, y, ["prior"], cv=2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("values", "task"),
    [
        ([0, 1, 2], "classification"),
        ([True, False], "classification"),
        (["a", "b"], "classification"),
        ([0.0, 1.0], "classification"),
        ([0.0, 0.5], "regression"),
        (np.arange(50), "classification"),
        (np.arange(51.0), "regression"),
    ],
)
def test_the_target_says_what_is_compared(values, task):
    assert task_of("auto", values) == task
    assert task_of("regression", values) == "regression"


def test_tasks_and_their_models_are_checked():
    with pytest.raises(ValueError, match="task must be one of"):
        bw.compare(X, y, task="ranking")
    with pytest.raises(ValueError, match=r"no family .prior.; the families are mean, .*of regression"):
        bw.compare(X, X[:, 0], ["prior"])
    with pytest.raises(TypeError, match="a regressor with fit and predict is needed"):
        bw.compare(X, X[:, 0], [bw.HistogramDisplay([])])
    with pytest.raises(ValueError, match="y, row 1: nan is no value to learn"):
        bw.compare(X[:2], [0.5, np.nan], ["mean"])
    with pytest.raises(ValueError, match="y must hold one number a row: 150"):
        bw.compare(X, X[:5, 0], ["mean"])
    whole = bw.compare(X, y, ["mean", "linear regression"], task="regression")
    assert whole.best == "linear regression"


class Clock:
    """Ticks a second whenever somebody looks."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        self.now += 1.0
        return self.now


def test_a_fold_that_takes_too_long_is_broken_off(monkeypatch):
    """A forest looks at the clock while it grows: it does not grow for an hour what is left out anyway."""
    monkeypatch.setattr(trials, "time", Clock())
    forest = bw.BayesClassifier(bw.DensityForest(50_000, random_state=0))
    found = bw.compare(X, y, {"quick": "prior", "slow": forest}, time_budget=100.0)
    assert list(found.validations) == ["quick"]
    assert re.fullmatch(
        r"at more than \d+ s a fold it would not end within the time budget", found.left_out["slow"]
    )


@pytest.mark.parametrize("name", ["Bayes, boosted densities", "Bayes, density forests", "random forest"])
def test_slow_families_look_at_the_clock(name):
    looks = []
    with checked_by(lambda: looks.append(name)):
        FAMILIES[name].make(0).fit(X, y)
    assert looks


def test_markdown_says_what_text_says():
    found = bw.compare(X, y, QUICK)
    said = found.to_markdown().splitlines()
    assert said[0].startswith("| model | error |")
    assert said[-2:] == ["", f"- {repr(found).splitlines()[-1]}"]
    assert said[-1].startswith("- Bayes error between")


@pytest.mark.parametrize("is_class", [True, False])
def test_the_model_of_a_table_is_among_the_families(is_class):
    X = np.random.default_rng(0).normal(size=(150, 3))
    score = X[:, 0] + 0.3 * X[:, 1] ** 2
    y = np.where(score > 0.0, "high", "low") if is_class else score
    name = "forests of the target"
    found = bw.compare(X, y, ["prior" if is_class else "mean", name], cv=3, random_state=0)
    assert found.best == name
    frame = pd.DataFrame(X, columns=list("abc")).assign(y=y)
    own = bw.TableModel(bw.DensityForest(5, random_state=0), random_state=0).fit(frame, target="y")
    families = FAMILIES if is_class else REGRESSION_FAMILIES
    other = families[name].make(0).fit(frame.drop(columns="y"), y)
    np.testing.assert_array_equal(own.predict(frame), other.predict(frame.drop(columns="y")))


def test_fewer_rows_than_folds_are_said():
    with pytest.raises(ValueError, match="3 rows do not make 5 folds"):
        bw.compare(np.arange(3.0)[:, None], np.array(["a", "b", "a"]))
