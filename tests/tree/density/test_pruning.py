"""Pruning: proper paths, better on unseen rows, folds that know neither order nor repetition."""

from __future__ import annotations

import numpy as np
import pytest
from box_laws import leaf_masses

import boxwood as bw
from boxwood.evidence import weigh_rows
from boxwood.tree.density.folds import given_folds


def noisy(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    inside = rng.random((n, 1)) < 0.6
    return np.where(inside, rng.normal(0.0, 0.3, (n, 2)), rng.uniform(-3.0, 3.0, (n, 2)))


X, NEW = noisy(800, 0), noisy(3000, 1)
WHOLE = bw.DensityTree(prune=None).fit(X)


@pytest.mark.parametrize("prune", ["loo", "cv", "validation"])
@pytest.mark.parametrize("score", ["log_likelihood", "squared_error"])
class TestMethods:
    @pytest.fixture
    def tree(self, prune, score):
        return bw.DensityTree(prune=prune, prune_score=score, random_state=0).fit(X)

    def test_a_pruned_tree_is_a_proper_density_and_better(self, tree):
        assert 1 < tree.n_leaves_ < WHOLE.n_leaves_
        assert leaf_masses(tree).sum() == pytest.approx(1.0, abs=1e-12)
        inside = np.isfinite(WHOLE.score_samples(NEW))
        assert tree.score_samples(NEW[inside]).mean() > WHOLE.score_samples(NEW[inside]).mean() + 0.03

    def test_the_path_runs_from_the_tree_to_its_root(self, tree, prune):
        path = tree.pruning_path_
        assert path.alpha[0] == 0.0
        assert (np.diff(path.alpha) > 0.0).all()
        assert (np.diff(path.n_leaves) < 0).all()
        assert path.n_leaves[-1] == 1
        chosen = np.searchsorted(path.alpha, path.chosen, side="right") - 1
        assert path.n_leaves[chosen] == tree.n_leaves_
        if prune == "loo":
            assert path.held_out_loss is None
        else:
            assert path.held_out_loss.shape == path.alpha.shape
            assert path.held_out_loss.argmin() == pytest.approx(chosen, abs=len(path.alpha) // 50 + 1)


def test_a_larger_penalty_leaves_fewer_leaves():
    leaves = [
        bw.DensityTree(prune_penalty=penalty).fit(X).n_leaves_ for penalty in (0.0, 1.0, 3.0, 10.0, 1e9)
    ]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[-1] == 1


def test_held_out_loss_is_minus_the_log_likelihood_of_the_held_out_rows():
    tree = bw.DensityTree(prune="cv", cv=[(np.arange(400), np.arange(400, 800))], margins="linear").fit(X)
    # The tree without a cut has log-density 0 on the cube.
    assert tree.pruning_path_.held_out_loss[-1] == pytest.approx(0.0, abs=1e-12)
    assert tree.pruning_path_.held_out_loss.min() < -0.5


def test_given_folds_weigh_rows():
    table = bw.read_columns({"k": ["a", "b", "c", "a"]}, sample_weight=[1.0, 2.0, 3.0, 4.0])
    evidence = weigh_rows(table)
    ((train, held),) = given_folds([([0, 1, 1], [2])], evidence)
    np.testing.assert_array_equal(
        train[evidence.number], [1.0, 4.0, 0.0, 1.0]
    )  # of 5 of "a", 1 is trained on
    np.testing.assert_array_equal(held[evidence.number], [0.0, 0.0, 3.0, 0.0])


@pytest.mark.parametrize(
    "model",
    [bw.DensityTree(), bw.DensityTree(margins="smooth"), bw.DensityTree(prune="cv", random_state=0)],
    ids=["loo", "smooth", "cv"],
)
def test_p_values_of_new_rows_are_about_uniform(model):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(3500, 1)) + 0.4 * rng.normal(size=(3500, 3))
    model.fit(rows[:1500])
    p = model.p_values(rows[1500:])
    for level in (0.05, 0.1, 0.3, 0.6):
        assert (p <= level).mean() == pytest.approx(level, abs=0.06)
    assert (p <= 0.1).mean() < 0.13
    assert (model.predict(rows[1500:]) < 0).mean() == pytest.approx(0.05, abs=0.03)
