"""Trees and forests by Gaussian entropy: Gaussian leaves go with the criterion."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

import boxwood as bw


def two_clusters(n_rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, 2)) + 8.0 * rng.integers(0, 2, n_rows)[:, None]


@pytest.fixture(scope="module")
def clusters() -> np.ndarray:
    return two_clusters(1000, 0)


@pytest.mark.parametrize("splitter", ["exact", "binned"])
def test_two_clusters_are_two_gaussian_leaves(clusters: np.ndarray, splitter: str) -> None:
    tree = bw.DensityTree(criterion="gaussian_entropy", splitter=splitter).fit(clusters)
    assert tree.mixture_.leaf_kind == "gaussian"
    assert tree.n_leaves_ == 2
    # The truth: the entropy of a cluster, and of the choice between them.
    truth = -np.log(2.0 * np.pi) - 1.0 - np.log(2.0)
    assert tree.score(clusters) == pytest.approx(truth, abs=0.1)
    uniform = bw.DensityTree(criterion="gaussian_entropy", splitter=splitter, leaf="uniform").fit(clusters)
    assert uniform.n_leaves_ > 10


@pytest.mark.parametrize(
    ("model", "usual"), [(bw.DensityTree(), "uniform"), (bw.DensityForest(2), "histogram")]
)
def test_leaves_follow_the_criterion_unless_they_are_named(clusters, model, usual) -> None:
    def kind(**values):
        return clone(model).set_params(random_state=0, **values).fit(clusters).mixture_.leaf_kind

    assert kind() == usual
    assert kind(criterion="gaussian_entropy") == "gaussian"
    assert kind(criterion="gaussian_entropy", leaf="uniform") == "uniform"
    assert kind(criterion="loo", leaf="gaussian") == "gaussian"


def test_threads_and_files_change_nothing(clusters: np.ndarray, tmp_path) -> None:
    models = [
        bw.DensityForest(3, criterion="gaussian_entropy", n_jobs=n_jobs, random_state=0).fit(clusters)
        for n_jobs in (1, 2)
    ]
    scores = [model.score_samples(clusters) for model in models]
    assert_array_equal(scores[0], scores[1])
    tree = bw.DensityTree(criterion="gaussian_entropy").fit(clusters)
    tree.save(tmp_path / "tree.boxwood")
    read = bw.load(tmp_path / "tree.boxwood")
    assert read.leaf is None
    assert_array_equal(read.score_samples(clusters), tree.score_samples(clusters))
