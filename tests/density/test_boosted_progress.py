"""Progress of fits of boosted densities: a bar that shows all of it, and is full when that is done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import boxwood as bw
from boxwood.boosting import forest_part, training
from boxwood.boosting.model import BoostedModel
from boxwood.density import boosted
from boxwood.progress import Progress

# The settings are shared by models of some components only.
pytestmark = pytest.mark.filterwarnings("ignore:BoostedDensity.*has no effect:UserWarning")

SMALL = {"n_estimators": 40, "n_trees": 5, "random_state": 0}


def ring(n):
    rng = np.random.default_rng(0)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.1, size=(n, 2))


def reported(monkeypatch, model, X):
    """Fit; return steps done, steps at the most and what ran since the report before, of each report."""
    reports, running = [], []

    def noting(name, module, attribute):
        stage = getattr(module, attribute)

        def run(*args, **kwargs):
            running.append(name)
            return stage(*args, **kwargs)

        monkeypatch.setattr(module, attribute, run)

    noting("forest", forest_part, "fit_forest")
    noting("coordinates", training, "_fit_kinds")
    noting("rounds", training._GrowingChains, "run")
    noting("scoring", BoostedModel, "log_density")
    noting("scoring", boosted, "weigh_parts")
    report = Progress.__call__

    def reporting(self, n_done, n_steps=None):
        report(self, n_done, n_steps)
        reports.append((self.n_reported, self.n_steps, tuple(running)))
        running.clear()

    monkeypatch.setattr(Progress, "__call__", reporting)
    model.fit(X)
    return reports


@pytest.mark.parametrize(
    "setting",
    [
        {},
        {"n_chains": 2},
        {"components": ["margins"]},
        {"components": ["forest"]},
        {"components": ["network"]},
        {"validation_fraction": 0.0},
    ],
)
def test_the_end_is_reached_when_all_is_done(monkeypatch, capsys, setting):
    model = bw.BoostedDensity(**{**SMALL, **setting}, verbose=1)
    reports = reported(monkeypatch, model, ring(400))
    n_done, n_steps = np.array([report[:2] for report in reports]).T
    assert (np.diff(n_done) >= 0).all()
    assert (np.diff(n_steps) <= 0).all()
    full = np.flatnonzero(n_done == n_steps)
    ran = [name for _, _, names in reports[: full[0] + 1] for name in names]
    assert "scoring" in ran  # the last stage was over when the bar was first full
    assert not any(names for _, _, names in reports[full[0] + 1 :])
    assert capsys.readouterr().err.rstrip().endswith(f"] {n_done[-1]}/{n_done[-1]} steps")


def test_steps_are_what_was_done(capsys):
    model = bw.BoostedDensity(
        n_estimators=7, n_trees=5, components=["forest", "margins"], validation_fraction=0.0, verbose=1
    ).fit(ring(200))
    assert model.n_estimators_ == [7]
    n_steps = 1 + 5 + 1 + 7 + 1  # margins, trees, coordinates, rounds, scoring
    written = capsys.readouterr().err
    assert written.endswith(f"[{'#' * 30}] {n_steps}/{n_steps} steps\n")
    assert written.count("\n") == 1


def test_steps_do_not_depend_on_how_often_the_core_reports(monkeypatch, capsys):
    fit_forest = forest_part.fit_forest

    def fit_without_reports(rows, parameters, seed, progress, score):
        return fit_forest(rows, parameters, seed, lambda n_done: None, score=score)

    monkeypatch.setattr(forest_part, "fit_forest", fit_without_reports)
    for fraction in (0.0, 0.2):
        setting = {"components": ["forest"], "validation_fraction": fraction}
        bw.BoostedDensity(**setting, n_trees=5, verbose=1).fit(ring(200))
        assert capsys.readouterr().err.endswith("] 7/7 steps\n")  # margins, trees and scoring


def test_rounds_that_are_not_run_are_not_counted(capsys):
    X = np.random.default_rng(0).normal(size=(600, 3))  # nothing to find
    setting = {"components": ["margins"], "n_iter_no_change": 5, "random_state": 0}
    model = bw.BoostedDensity(**setting, verbose=1).fit(X)
    n_steps = int(capsys.readouterr().err.rstrip().split("/")[-1].split()[0])
    rounds = model.n_estimators_[0] + 5  # those after the best one were run too
    assert n_steps == 1 + 1 + rounds + 1


def test_a_warm_start_counts_what_it_adds(capsys):
    setting = {"components": ["margins"], "validation_fraction": 0.0, "random_state": 0}
    model = bw.BoostedDensity(**setting, n_estimators=4, warm_start=True, verbose=1).fit(ring(200))
    capsys.readouterr()
    model.set_params(n_estimators=10).fit(ring(200))
    assert capsys.readouterr().err.endswith("] 8/8 steps\n")  # margins, six rounds and scoring
    model.fit(ring(200))
    assert capsys.readouterr().err.endswith("] 2/2 steps\n")
    model.model_ = replace(model.model_, chains=[])  # as where held-out rows give a forest all the weight
    model.fit(ring(200))
    assert capsys.readouterr().err.endswith("] 13/13 steps\n")  # margins, coordinates, ten rounds and scoring


def test_each_step_is_a_task_of_callbacks():
    pytest.importorskip("sklearn.callback")
    setting = {"components": ["margins"], "validation_fraction": 0.0, "n_estimators": 4}
    tasks = []

    class Recorder:
        def setup(self, estimator, context):
            pass

        def teardown(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context):
            tasks.append(context.task_name)

    bw.BoostedDensity(**setting).set_callbacks(Recorder()).fit(ring(100))
    assert tasks == [*["step"] * 7, "fit"]
