"""DensityForest: out-of-bag scores, p-values, sampling of rows, progress."""

from __future__ import annotations

import io
import pickle
import re
import sys

import numpy as np
import pytest
from box_laws import make_table, single_trees
from scipy.special import logsumexp

import boxwood as bw
from boxwood.evidence import weigh_rows
from boxwood.margins import left_out_log_derivative
from boxwood.mixture import Mixture
from boxwood.progress import Progress, fit_progress
from boxwood.tree.density.forest import ForestParameters, fit_forest


def correlated(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=(n, 3))


def test_out_of_bag_scores_are_those_of_the_trees_that_did_not_see_a_row():
    evidence = weigh_rows(bw.read_columns(correlated(200)))
    fitted = fit_forest(evidence, ForestParameters(6, min_samples_split=20.0), 0)
    mixture = Mixture.of_native(fitted.mixture)
    points = fitted.margins.encode(evidence.columns)
    trees = np.array(
        [
            Mixture(mixture.bin_edges, flat, np.ones(1)).log_density(points)
            for flat in single_trees(mixture.flat, 3)
        ]
    )
    n_unseen, oob, _, _ = fitted.unseen.reshape(-1, 4).T
    seen_by_all = np.isnan(oob)
    assert 0.1 < seen_by_all.mean() < 0.45  # 0.8⁶ = 0.26
    assert (n_unseen[seen_by_all] == 0.0).all()
    # Some subset of the trees has this mean density.
    subsets = (np.arange(1, 2**6)[:, None] >> np.arange(6)) & 1
    with np.errstate(divide="ignore"):
        means = np.array([logsumexp(trees[s.astype(bool)], axis=0) - np.log(s.sum()) for s in subsets])
    distance = np.abs(means - oob)
    distance[subsets.sum(axis=1)[:, None] != n_unseen] = np.inf
    assert distance.min(axis=0)[~seen_by_all].max() < 1e-9


def test_the_out_of_bag_score_is_the_mean_of_its_rows():
    forest = bw.DensityForest(20, min_samples_split=20, random_state=0).fit(correlated(200))
    assert forest.oob_score_ == pytest.approx(np.nanmean(forest.oob_log_density_), rel=1e-12)


def test_out_of_bag_scores_have_gaps_as_scores_do():
    X = make_table(("holes", "number"), 200, 0)
    forest = bw.DensityForest(8, min_samples_split=1e18, random_state=0).fit(X)
    # Every tree is one leaf, so that all have the same density; only the margins have not seen the row.
    columns = bw.read_columns(X)
    evidence = weigh_rows(columns)
    logs = left_out_log_derivative(evidence, forest.margins_, "smooth", "event")
    difference = (logs - forest.margins_.log_derivative(evidence.columns, "event"))[evidence.number]
    unseen = forest.oob_log_density_
    known = ~np.isnan(unseen)
    np.testing.assert_allclose(unseen[known], (forest.score_samples(X) + difference)[known], atol=1e-9)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_out_of_bag_and_p_values_tell_of_new_rows(bootstrap):
    X, new = correlated(1500), correlated(3000, 1)
    forest = bw.DensityForest(20, bootstrap=bootstrap, random_state=0).fit(X)
    assert forest.oob_score_ == pytest.approx(forest.score(new), abs=0.2)
    assert forest.score(X) > forest.oob_score_
    p = forest.p_values(new)
    for level in (0.05, 0.1, 0.3, 0.6):
        assert (p <= level).mean() == pytest.approx(level, abs=0.06)
    assert (forest.predict(new) < 0).mean() == pytest.approx(0.05, abs=0.03)


def test_a_forest_is_better_than_its_trees_and_than_independence():
    X, new = correlated(800), correlated(2000, 1)
    forest = bw.DensityForest(20, random_state=0).fit(X)
    assert forest.score(new) > bw.DensityForest(1, random_state=0).fit(X).score(new)
    assert forest.score(new) > bw.DensityForest(1, min_samples_split=1e18).fit(X).score(new) + 0.5


def test_a_bootstrap_leaves_out_a_fraction_of_1_over_e():
    forest = bw.DensityForest(1, bootstrap=True, max_samples=1.0, min_samples_split=50, random_state=0)
    held_out = ~np.isnan(forest.fit(correlated(3000)).oob_log_density_)
    assert held_out.mean() == pytest.approx(np.exp(-1.0), abs=0.03)


class TestProgress:
    def test_the_bar_fills_and_ends_its_line(self, capsys):
        bw.DensityForest(5, verbose=1, random_state=0).fit(correlated(50))
        written = capsys.readouterr()
        assert written.out == ""
        assert written.err.endswith("] 5/5 trees\n")
        assert written.err.count("\n") == 1
        done = [int(n) for n in re.findall(r"(\d+)/5 trees", written.err)]
        assert done == sorted(set(done))

    def test_silence_is_the_default(self, capsys):
        bw.DensityForest(3, random_state=0).fit(correlated(50))
        assert capsys.readouterr().err == ""

    def test_a_failure_ends_the_line_too(self, monkeypatch):
        monkeypatch.setattr(sys, "stderr", io.StringIO())

        def fail():
            with fit_progress(bw.DensityForest(), None, 4, 1) as progress:
                progress(1)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            fail()
        assert sys.stderr.getvalue().endswith("1/4 trees\n")

    def test_progress_never_goes_back(self, monkeypatch):
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        progress = Progress(None, 4, None, True)
        for n_done in (0, 2, 1, 2, 4):
            progress(n_done)
        assert re.findall(r"(\d)/4", sys.stderr.getvalue()) == ["0", "2", "4"]


def test_histogram_leaves_keep_the_fraction_of_an_atom():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    X[rng.random(2000) < 0.5, 0] = 0.0
    forest = bw.DensityForest(5, min_samples_split=20, random_state=0).fit(X)
    atom = np.exp(forest.set_params(missing="ignore").score_samples([[0.0, np.nan, np.nan]])[0])
    assert atom == pytest.approx((X[:, 0] == 0.0).mean(), abs=0.02)


@pytest.mark.parametrize("leaf", ["histogram", "gaussian"])
def test_the_fitted_form_is_kept_once_and_comes_back_from_arrays_to_the_byte(leaf, tmp_path):
    X = make_table(("number", "category", "holes", "integer"), 150, 0)
    forest = bw.DensityForest(4, leaf=leaf, random_state=0).fit(X)
    assert set(vars(forest.mixture_)) == {"native"}
    flat = forest.mixture_.flat
    scores = forest.score_samples(X)
    flat["mass"][:] = 0.5  # a copy
    np.testing.assert_array_equal(forest.score_samples(X), scores)
    forest.save(tmp_path / "forest.bw")
    flat = forest.mixture_.flat
    for again in (pickle.loads(pickle.dumps(forest)), bw.load(tmp_path / "forest.bw")):
        assert again.score_samples(X).tobytes() == scores.tobytes()
        assert again.memory_report_ == forest.memory_report_
        for name, part in again.mixture_.flat.items():
            np.testing.assert_array_equal(part, flat[name])


def test_the_leaf_kind_and_the_number_of_leaves_are_those_of_the_arrays():
    X = correlated(120)
    forest = bw.DensityForest(3, leaf="uniform", random_state=0).fit(X)
    mixture = forest.mixture_
    assert mixture.leaf_kind == mixture.flat["leaf_kind"] == "uniform"
    assert mixture.n_leaves == (mixture.flat["feature"] < 0).sum()
    parts = [mixture.flat_tree(tree)["feature"] for tree in range(mixture.n_trees)]
    np.testing.assert_array_equal(np.concatenate(parts), mixture.flat["feature"])
