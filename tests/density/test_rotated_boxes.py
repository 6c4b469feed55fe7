"""Trees and forests in a rotation: the density of the components is that of the columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import boxwood as bw
from boxwood.model_file import ModelFileError


def correlated(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, 1)) + 0.2 * rng.normal(size=(n, 2))) * [1.0, 30.0] + [5.0, -2.0]


X, NEW = correlated(600, 0), correlated(2000, 1)
MODELS = {
    "tree": bw.DensityTree(margins="smooth", random_state=0),
    "gaussian": bw.DensityTree(leaf="gaussian", prune="cv", random_state=0),
    "forest": bw.DensityForest(10, random_state=0),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]


def rotated(model, kind="pca", rows=X):
    return clone(model).set_params(rotation=kind).fit(rows)


@pytest.mark.parametrize("kind", ["pca", "ica"])
def test_scores_are_those_of_a_model_of_the_components(model, kind):
    rng = np.random.default_rng(2)
    rows = rng.uniform(size=(400, 3)) @ [[1.0, 0.5, 0.0], [0.0, 1.0, 0.3], [0.2, 0.0, 2.0]]
    whole = rotated(model, kind, rows)
    assert abs(np.linalg.det(whole.rotation_.matrix)) == pytest.approx(1.0, abs=1e-12)
    plain = clone(model).fit(whole.rotation_.apply(rows))
    np.testing.assert_allclose(
        whole.score_samples(rows), plain.score_samples(whole.rotation_.apply(rows)), rtol=1e-9, atol=1e-9
    )


def test_correlated_normals_get_better(model):
    plain = clone(model).fit(X)
    inside = np.isfinite(plain.score_samples(NEW)) & np.isfinite(rotated(model).score_samples(NEW))
    better = rotated(model).score_samples(NEW)[inside].mean() - plain.score_samples(NEW)[inside].mean()
    assert better > 0.05


def test_the_density_integrates_to_one_over_the_columns(model):
    whole = rotated(model)
    low, high = X.min(axis=0) - X.std(axis=0), X.max(axis=0) + X.std(axis=0)
    sides = [np.linspace(a, b, 500) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2)
    cell = np.prod([side[1] - side[0] for side in sides])
    assert np.exp(whole.score_samples(grid)).sum() * cell == pytest.approx(1.0, abs=0.02)


def test_samples_look_like_the_rows(model):
    drawn = rotated(model).sample(4000, random_state=0)
    np.testing.assert_allclose(drawn.mean(axis=0), X.mean(axis=0), atol=0.2 * X.std(axis=0).max())
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(np.corrcoef(X.T)[0, 1], abs=0.05)


def test_all_that_is_asked_of_rows_works(model, tmp_path):
    table = pd.DataFrame(X, columns=["a", "b"])
    whole = rotated(model, rows=table)
    assert list(whole.feature_names_in_) == ["a", "b"]
    leaves = np.atleast_2d(np.asarray(whole.apply(table)).T)[0]
    frame = whole.leaves_frame()
    assert isinstance(frame, pd.DataFrame)
    counts = np.bincount(leaves, minlength=len(frame))
    components = whole.rotation_.apply(X)
    low = frame["component_0_lower"].to_numpy()[leaves]
    high = frame["component_0_upper"].to_numpy()[leaves]
    assert (low <= components[:, 0] + 1e-9).all()
    assert (components[:, 0] <= high + 1e-9).all()
    assert counts.sum() == len(X)
    path = whole.decision_path(table)
    assert (path[0] if isinstance(path, tuple) else path).shape[0] == len(X)
    p = whole.p_values(pd.DataFrame(NEW, columns=["a", "b"]))
    assert (p <= 0.1).mean() == pytest.approx(0.1, abs=0.06)
    drawn = whole.sample(3, random_state=0)
    assert list(drawn.columns) == ["a", "b"]
    whole.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    np.testing.assert_array_equal(again.score_samples(table), whole.score_samples(table))
    pd.testing.assert_frame_equal(again.sample(5, random_state=1), whole.sample(5, random_state=1))


def test_cuts_are_written_in_components():
    whole = bw.DensityTree(rotation="pca", prune=None, max_leaf_nodes=4).fit(X)
    assert "component_0" in whole.export_text()
    assert "component_0" in whole.rules(0)
    assert whole.feature_importances_[0] > 0.5  # of components too: the first has the correlation


def test_queries_of_columns_are_refused(model):
    with pytest.raises(ValueError, match="no boxes of the table's columns"):
        rotated(model).to_mixture()


@pytest.mark.parametrize(
    ("column", "what"),
    [
        (["a", "b"] * 20, "categorical"),
        (np.r_[np.nan, np.arange(39) + 0.123], "row 0.*missing"),
        (np.arange(40), "integer"),
        (np.round(np.random.default_rng(0).normal(size=40), 1), "rounded"),
        (np.r_[np.zeros(20), np.random.default_rng(0).normal(size=20)], r"share \(0\)"),
    ],
    ids=["category", "missing", "integers", "rounded", "atom"],
)
def test_what_is_not_continuous_is_refused_by_name(column, what):
    table = pd.DataFrame({"good": np.random.default_rng(1).normal(size=40), "bad": column})
    with pytest.raises((TypeError, ValueError), match=f"'bad'.*{what}"):
        bw.DensityTree(rotation="pca").fit(table)


def test_new_rows_with_gaps_are_refused():
    with pytest.raises(ValueError, match=r"row 1.*missing"):
        rotated(MODELS["forest"]).score_samples([[5.0, 1.0], [5.0, np.nan]])


def test_a_rotation_knows_neither_order_nor_repetition():
    order = np.random.default_rng(0).permutation(len(X))
    one, other = rotated(MODELS["tree"]), rotated(MODELS["tree"], rows=X[order])
    np.testing.assert_array_equal(one.rotation_.matrix, other.rotation_.matrix)
    np.testing.assert_array_equal(one.score_samples(NEW), other.score_samples(NEW))


def test_a_rotation_that_was_changed_since_the_fit_is_not_saved(tmp_path):
    whole = rotated(MODELS["tree"]).set_params(rotation=None)
    with pytest.raises(ModelFileError, match="rotation"):
        whole.save(tmp_path / "model")
