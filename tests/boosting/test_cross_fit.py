"""Small tables: which folds are left out, and what raking by rows left out decides."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.boosting.cross_fit import FEW_ROWS, FEWEST_ROWS, N_FOLDS, folds_of, parts_of
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.model import BoostedModel
from boxwood.boosting.ratio.compared_rows import Draws
from boxwood.boosting.ratio.rake import draw_to_rake, rake, rake_by_folds
from boxwood.boosting.weighed_model import weigh_parts
from boxwood.evidence import weigh_rows
from boxwood.evidence.groups import in_groups
from boxwood.margins import fit_margins


def options(fraction=0.1):
    return SimpleNamespace(validation_fraction=fraction, seed=0)


def evidence_of(table):
    return weigh_rows(bw.read_columns(table))


def n_folds(n, d, fraction=0.1):
    rows = np.random.default_rng(0).normal(size=(n, d))
    return len(folds_of(evidence_of(rows), options(fraction)))


def test_small_tables_leave_out_all_folds_and_wide_ones_fewer():
    found = [n_folds(300, d) for d in (2, 13, 14, 33, 34, 130, 200)]
    assert found == [N_FOLDS, N_FOLDS, 2, 2, 1, 1, 0]


def test_larger_tables_leave_out_none_but_a_tenth():
    assert n_folds(FEW_ROWS, 3) == N_FOLDS
    assert n_folds(FEW_ROWS, 5) == n_folds(2 * FEW_ROWS, 20) == 0
    assert n_folds(FEWEST_ROWS - 1, 2) == n_folds(300, 2, fraction=0.0) == 0


def test_rows_of_a_discrete_table_count_as_often_as_they_are_there():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.random(400) < 0.1, "b": rng.random(400) < 0.1})
    evidence = evidence_of(table)
    assert evidence.n_rows < FEWEST_ROWS < evidence.n
    folds = folds_of(evidence, options())
    assert len(folds) == N_FOLDS
    np.testing.assert_allclose(sum(fold.held for fold in folds), evidence.weights)


def test_parts_of_a_fold_are_the_table():
    evidence = evidence_of(np.random.default_rng(0).normal(size=(200, 3)))
    for train, held, left in parts_of(evidence, folds_of(evidence, options()), options()):
        whole = np.concatenate([train.columns.matrix(), held.columns.matrix(), left.matrix()])
        assert len(np.unique(whole, axis=0)) == len(whole) == 200


def sums(n, seed):
    """Three columns of which each is known by the others: what a forest of few cuts does not see."""
    rng = np.random.default_rng(seed)
    x, y = rng.random((2, n))
    return np.column_stack([x, y, (x + y + 0.02 * rng.normal(size=n)) % 1.0])


def raked(rows, by_trees):
    """Rake independent columns by draws that are uniform."""
    evidence = evidence_of(rows)
    margins, d = fit_margins(evidence.columns, "smooth"), rows.shape[1]
    model = BoostedModel(margins, [], None, np.ones(1))
    drawn = np.random.default_rng(5).random((2, 8192, d))
    first, second = (CubeIntervals(u, np.zeros_like(u)) for u in drawn)
    draws = Draws(first if by_trees else None, second, 2.0)
    folds = folds_of(evidence, options())
    parts = parts_of(evidence, folds, options())
    train, held, _ = parts[0]
    return rake_by_folds(model, (train.columns, held.columns), parts, draws, "event")


def test_trees_are_kept_where_rows_left_out_gain():
    model, added = raked(sums(600, 0), by_trees=True)
    assert model.raking.trees is not None
    test = bw.read_columns(sums(2000, 1))
    gain = model.log_raking(test).mean()
    assert gain > 0.1
    assert len(added) == 600
    of_the_first = added[:120]  # by trees that learnt from the same rows
    assert of_the_first.mean() == pytest.approx(gain, abs=0.15)


def test_trees_are_left_where_rows_left_out_lose(monkeypatch):
    asked = []

    def lose(gain, weights):
        asked.append(float(np.average(gain, weights=weights)))
        return True

    monkeypatch.setattr("boxwood.boosting.ratio.rake.is_positive", lose)
    model, added = raked(sums(600, 0), by_trees=True)
    assert model.raking.trees is None
    assert asked[0] < -0.1  # what they would lose without trees
    assert added.mean() == pytest.approx(0.0, abs=0.05)


def test_there_are_no_trees_where_there_is_nothing_to_tell():
    model, added = raked(np.random.default_rng(0).random((400, 3)), by_trees=True)
    assert model.raking.trees is None
    assert len(added) == 400
    assert raked(sums(600, 0), by_trees=False)[0].raking.trees is None


def test_what_keeps_to_its_margins_is_not_raked():
    rows = np.random.default_rng(0).random((100, 2))
    normal = bw.BoostedDensity(components=["gaussians"], random_state=0).fit(sums(300, 0)).model_
    forest = bw.BoostedDensity(components=["forest"], random_state=0).fit(rows).model_
    wide = bw.BoostedDensity("quick", components=["forest"], n_trees=2, random_state=0).fit(
        np.random.default_rng(0).random((220, 65))
    )
    few = [draw_to_rake(of, 100.0, 0, 1, 2**13) for of in (normal, forest)]
    assert [*few, draw_to_rake(wide.model_, 220.0, 0, 1, 2**13)] == [None] * 3
    assert draw_to_rake(forest, 1000.0, 0, 1, 2**13) is not None
    evidence = evidence_of(rows)
    model = BoostedModel(fit_margins(evidence.columns, "smooth"), [], None, np.ones(1))
    parts = parts_of(evidence, folds_of(evidence, options()), options())
    same, added = rake_by_folds(model, (evidence.columns, evidence.columns), parts, None, "event")
    assert same is model
    assert rake(model, evidence.columns, evidence.columns, None) is model
    np.testing.assert_array_equal(added, np.zeros(100))


def pairs(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4))
    return np.column_stack([x, x + 0.3 * rng.normal(size=x.shape)])


def test_scores_of_rows_left_out_do_not_flatter():
    """Trees have learnt from most of these rows: those that judge and calibrate have not."""
    train, test = pairs(400, 0), pairs(3000, 1)
    model = bw.BoostedDensity("quick", components=["forest"], random_state=0).fit(train)
    assert model.model_.raking.trees is not None
    assert model.score(test) > model.cross_fitted_score_ - 0.1
    assert 0.02 <= (model.predict(test) == -1).mean() <= 0.08


@pytest.mark.parametrize(("apart", "is_alone"), [(0.3, True), (1.5, False)])
def test_gaussians_are_enough_where_a_mixture_gains_next_to_nothing(apart, is_alone):
    rows = np.random.default_rng(0).normal(size=(300, 2))
    normal = bw.BoostedDensity(components=["gaussians"], random_state=0).fit(rows).model_
    trees = bw.BoostedDensity(components=["forest"], random_state=0).fit(rows).model_
    both = replace(trees, gaussians=normal.gaussians, weights=np.full(2, 0.5), raking=None)
    # Each part is likelier for half of the rows: together they gain about an eighth of the square.
    logs = np.column_stack([np.zeros(300), np.where(np.arange(300) % 2 == 0, apart, -apart)])
    assert (weigh_parts(both, bw.read_columns(rows), logs).model.forest is None) == is_alone


def test_a_default_fit_of_rare_flags_is_not_behind_its_forest():
    """Few of 400 rows are distinct: a tenth of them weighed networks by chance, 0.07 nats behind."""
    rng = np.random.default_rng(3)
    train, test = (pd.DataFrame(rng.random((n, 6)) < 0.02).rename(columns=str) for n in (400, 4000))
    forest = bw.DensityForest(random_state=0).fit(train)
    model = bw.BoostedDensity(random_state=0).fit(train)
    assert model.score(test) > forest.score(test) - 0.02


def test_rows_of_one_group_cannot_be_left_out():
    rows = sums(60, 0)
    model = bw.BoostedDensity("quick", n_estimators=3, random_state=0)
    model.fit(rows, groups=np.zeros(60))
    assert np.isfinite(model.score(rows))
    assert np.isnan(model.cross_fitted_score_)
    with pytest.warns(UserWarning, match="too few to call one row in 20 odd"):
        assert (model.predict(rows) == 1).all()


def test_of_two_groups_one_is_left_and_ends_no_trees():
    model = bw.BoostedDensity("quick", n_estimators=3, random_state=0)
    model.fit(sums(300, 0), groups=np.arange(300) % 2)
    assert np.isfinite(model.cross_fitted_score_)


def test_many_copies_of_few_rows_are_weighed_by_a_tenth():
    cells = pd.DataFrame({"a": [False, True] * 4, "b": [False, False, True, True] * 2, "c": range(8)})
    many = bw.read_columns(cells.iloc[np.repeat(np.arange(8), 4000)])
    assert folds_of(weigh_rows(many), options()) == []
    assert len(folds_of(weigh_rows(bw.read_columns(cells.iloc[np.repeat(np.arange(8), 40)])), options())) == 5


def test_of_groups_the_fold_is_left_out_that_is_nearest_to_a_fifth():
    rows = np.random.default_rng(0).normal(size=(300, 40))
    labels = np.where(np.arange(300) < 200, 0, np.arange(300))
    for seed in range(4):
        evidence = in_groups(weigh_rows(bw.read_columns(rows)), labels)
        [fold] = folds_of(evidence, SimpleNamespace(validation_fraction=0.1, seed=seed))
        assert fold.held.sum() < 100


def test_a_gap_among_the_rows_held_out_leaves_scores_as_they_are():
    rows = np.random.default_rng(0).normal(size=(60, 3)) @ [[1.0, 0.9, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 1.0]]
    for row in range(12):  # some of them are held out
        gapped = rows.copy()
        gapped[row, 1] = np.nan
        model = bw.BoostedDensity("quick", components=["gaussians"], random_state=0).fit(gapped)
        assert np.isfinite(model.score_samples(gapped)).all()


def test_beyond_bounds_there_is_no_density():
    rng = np.random.default_rng(0)
    rows = rng.normal(100.0, 1.0, (300, 1))
    model = bw.BoostedDensity(components=["gaussians"], bounds={0: (60.0, None)}, random_state=0).fit(rows)
    assert model.gaussians_ is not None
    assert model.gaussians_.standard is not None
    found = model.score_samples([[59.0], [61.0]])
    assert np.isneginf(found).tolist() == [True, False]
    clusters = np.concatenate([rng.normal(1000.0, 1.0, 1990), rng.random(10)])[:, None]
    near = bw.BoostedDensity(components=["gaussians"], bounds={0: (0.0, None)}, random_state=0).fit(clusters)
    assert near.gaussians_ is None
