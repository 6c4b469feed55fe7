"""Draws of forests, corrected so that a classifier does not tell them from rows."""

import json
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

import boxwood as bw
from boxwood.boosting.ratio import forest_correction

N = 3000
MODELS = Path(__file__).parents[1] / "data" / "models"


def thin(n=N, seed=0):
    """Return columns on thin curves, which leaves of independent columns blur, and a class."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return pd.DataFrame(
        {
            "x": x,
            "y": np.sin(2.0 * x) + 0.05 * rng.normal(size=n),
            "z": x**2 + 0.1 * rng.normal(size=n),
            "c": np.where(rng.random(n) < 1.0 / (1.0 + np.exp(-4.0 * x)), "up", "down"),
        }
    )


def collinear():
    """Return columns that leaves of one cut are far from."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.normal(size=(1500, 1)) + 0.01 * rng.normal(size=(1500, 10)))


def new(**parameters):
    """Return a forest of large leaves, whose draws are told easily."""
    return bw.DensityForest(20, **{"min_samples_split": 200, "random_state": 0, "n_jobs": 1, **parameters})


@cache
def fitted():
    return new().fit(thin())


def auc(real, drawn):
    """Return how well a classifier tells them."""
    table = pd.get_dummies(pd.concat([real, drawn[real.columns]], ignore_index=True), dtype=float)
    which = np.repeat([0, 1], [len(real), len(drawn)])
    classifier = HistGradientBoostingClassifier(random_state=0)
    return roc_auc_score(
        which, cross_val_predict(classifier, table, which, cv=3, method="predict_proba")[:, 1]
    )


def test_a_classifier_tells_corrected_draws_less():
    plain = fitted().sample(N, random_state=0, corrected=False)
    corrected = fitted().sample(N, random_state=0)
    assert auc(thin(), plain) > 0.7
    assert auc(thin(), corrected) < 0.6


def test_columns_have_the_distributions_of_the_table():
    table = thin()
    drawn = new(min_samples_split="auto").fit(table).sample(60_000, random_state=0)
    for name in ("x", "y", "z"):
        outer = table[name].quantile([0.05, 0.95])
        assert (drawn[name] < outer.iloc[0]).mean() == pytest.approx(0.05, abs=0.008)
        assert (drawn[name] > outer.iloc[1]).mean() == pytest.approx(0.05, abs=0.008)
    assert (drawn.c == "up").mean() == pytest.approx((table.c == "up").mean(), abs=0.02)


def test_scores_and_answers_are_those_without_it():
    plain = new(correction=None).fit(thin())
    rows = thin(200, 1)
    np.testing.assert_array_equal(plain.score_samples(rows), fitted().score_samples(rows))
    np.testing.assert_array_equal(plain.oob_log_density_, fitted().oob_log_density_)
    assert plain.query().probability("x < 0") == fitted().query().probability("x < 0")
    pd.testing.assert_frame_equal(
        plain.sample(50, random_state=3), fitted().sample(50, random_state=3, corrected=False)
    )


def test_the_ratio_is_fitted_when_it_is_first_needed(monkeypatch):
    fits = []
    fit = forest_correction.ForestCorrection.fit
    monkeypatch.setattr(
        forest_correction.ForestCorrection, "fit", lambda *of: fits.append(1) or fit(*of), raising=True
    )
    model = new().fit(thin())
    model.score_samples(thin(5))
    model.query().probability("x < 0")
    model.sample(5, corrected=False)
    model.query().sample(5)
    assert not fits
    first = model.sample(20, random_state=0)
    assert fits == [1]
    pd.testing.assert_frame_equal(model.sample(20, random_state=0), first)
    assert fits == [1]
    assert model._fitted_rows is None  # what it was fitted to is not kept


def test_copies_and_files_draw_the_same(tmp_path):
    model = new().fit(thin())
    copy = pickle.loads(pickle.dumps(model))
    model.save(tmp_path / "forest.boxwood")
    wanted = fitted().sample(200, random_state=0)
    for other in (model, copy, bw.load(tmp_path / "forest.boxwood")):
        pd.testing.assert_frame_equal(other.sample(200, random_state=0), wanted)


def test_neither_order_nor_threads_nor_doubling_matter():
    wanted = fitted().sample(100, random_state=0)
    table = thin()
    for model, rows in (
        (new(), table.sample(frac=1.0, random_state=1)),
        (new(n_jobs=2), table),
        (new(), pd.concat([table, table])),
    ):
        pd.testing.assert_frame_equal(model.fit(rows).sample(100, random_state=0), wanted)


def test_rows_under_evidence_are_corrected_too():
    model = bw.TableModel.of_density(fitted())
    given = model.given("x > 1 and c == 'up'")
    drawn = given.sample(2000, random_state=0)
    assert (drawn.x > 1).all()
    assert (drawn.c == "up").all()
    table = thin().query("x > 1 and c == 'up'")
    residual = [(rows.y - np.sin(2.0 * rows.x)).abs().mean() for rows in (table, drawn)]
    plain = given.sample(2000, random_state=0, corrected=False)
    blurred = (plain.y - np.sin(2.0 * plain.x)).abs().mean()
    assert abs(residual[1] - residual[0]) < 0.8 * abs(blurred - residual[0])


def test_a_table_model_draws_corrected_rows():
    model = bw.TableModel(new()).fit(thin())
    assert auc(thin(), model.sample(N, random_state=0)) < auc(
        thin(), model.sample(N, random_state=0, corrected=False)
    )


def test_evidence_that_no_row_has_is_still_drawn():
    drawn = bw.TableModel.of_density(fitted()).given("x > 1 and y > 1.5").sample(30, random_state=0)
    assert len(drawn) == 30
    assert (drawn.y > 1.5).all()


@pytest.mark.parametrize(
    ("parameters", "table"),
    [
        ({"correction": None}, thin()),
        ({"margins": "linear"}, thin()),
        ({"rotation": "pca"}, thin()[["x", "y", "z"]]),
        ({"leaf": "gaussian_full"}, thin()),
        ({}, thin().assign(name=[f"n{i}" for i in range(N)])),
        ({"max_depth": 1}, collinear()),
        ({}, thin(900)),  # 3,600 cells
        ({}, pd.DataFrame(np.random.default_rng(0).normal(size=(250, 65)))),
        ({}, pd.DataFrame(np.random.default_rng(0).normal(size=(150, 30)))),
    ],
    ids=["none", "linear", "rotation", "full", "ids", "far", "cells", "columns", "rows"],
)
def test_where_nothing_is_corrected(parameters, table):
    model = bw.DensityForest(3, random_state=0, **parameters).fit(table)
    assert model._correct() is None
    draws = [
        pd.DataFrame(model.sample(5, random_state=0, corrected=corrected)) for corrected in (True, False)
    ]
    pd.testing.assert_frame_equal(*draws)


def test_categories_that_no_row_has_take_no_mass_from_others():
    """Half of the names come once: as many are still to come, and are never drawn."""
    table = thin()
    for name in ("name", "ticket"):
        table[name] = [f"{name}{i}" if i % 2 else f"{name}{i % 7}" for i in range(N)]
    model = new().fit(table)
    correction = model._correct()
    assert correction is None or correction.raking.log_most < np.log(16.0)
    assert len(model.sample(100, random_state=0)) == 100


def test_a_question_from_before_a_refit_is_not_corrected_by_the_new_fit():
    model = new().fit(thin())
    table = bw.TableModel.of_density(model)
    table.query  # noqa: B018 (made here)
    query = model.query()
    model.fit(thin()[["x", "y"]])
    assert query.sample(5, random_state=0, corrected=True).shape == (5, 4)


@pytest.mark.parametrize("groups", [np.zeros(N), np.arange(N) < 3, np.arange(N) % 300])
def test_groups_are_left_out_together(groups):
    model = new().fit(thin(), groups=groups)
    assert (model._correct() is None) == (len(np.unique(groups)) < 3)
    assert len(model.sample(10, random_state=0)) == 10


def zoo():
    """Return tables of other kinds: discrete, doubled, weighted, with gaps, over many orders of magnitude."""
    rng = np.random.default_rng(0)
    table, n = thin(), N
    a, b = rng.integers(0, 60, n), rng.integers(0, 40, n)
    gappy = table.mask(rng.random((n, 4)) < 0.2)
    scaled = table.assign(x=np.exp(10.0 * table.x), y=1e-12 * table.y)
    return {
        "discrete": (pd.DataFrame({"a": a, "b": b, "c": (a + b) % 3, "d": rng.integers(0, 3, n)}), None),
        "doubled": (pd.concat([table, table]), None),
        "weighted": (table, rng.exponential(size=n)),
        "gaps": (gappy, None),
        "scales": (scaled, None),
        "rules": (table.assign(d=table.c.map({"up": "U", "down": "D"})), None),
    }


@pytest.mark.parametrize("name", zoo())
def test_tables_of_other_kinds(name):
    table, weights = zoo()[name]
    model = new().fit(table, sample_weight=weights)
    assert (model._correct().raking.trees is None) == (name == "discrete")
    drawn = model.sample(2000, random_state=0)
    assert list(drawn.columns) == list(table.columns)
    assert len(drawn) == 2000
    if name == "gaps":
        assert drawn.isna().mean().to_numpy() == pytest.approx(table.isna().mean().to_numpy(), abs=0.04)
    if name == "rules":
        assert (drawn.d == drawn.c.map({"up": "U", "down": "D"})).all()
    if name == "weighted":
        fraction = np.average(table.c == "up", weights=weights)
        assert (drawn.c == "up").mean() == pytest.approx(fraction, abs=0.05)
    found = auc(table[: len(drawn)], drawn) if weights is None else 0.5
    assert found < 0.68


def test_a_saved_correction_stays_what_it_was():
    model = bw.load(MODELS / "DensityForest-0.1.0-corrected.boxwood")
    rows = json.loads((MODELS / "DensityForest-0.1.0-corrected.json").read_text(encoding="utf-8"))["rows"]
    wanted = [0.0808001647336, 2.76047251825e-05, 0.415414841141, 0.196045294362, 0.756570590539]
    columns = model._read(pl.DataFrame(rows))
    np.testing.assert_allclose(model._correct().log_factor(columns), wanted, rtol=1e-9)
    assert len(model.sample(20, random_state=0)) == 20


def test_a_file_with_wrong_factors_is_refused(tmp_path, monkeypatch):
    model = pickle.loads(pickle.dumps(fitted()))
    model._correct()
    raking = model._raking
    monkeypatch.setattr(type(raking), "to_state", lambda self: {"factors": np.zeros(3), "log_mean": 0.0})
    model.save(tmp_path / "forest.boxwood")
    with pytest.raises(bw.ModelFileError, match="factors"):
        bw.load(tmp_path / "forest.boxwood")
