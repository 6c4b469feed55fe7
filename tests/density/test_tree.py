"""DensityTree and DensityForest: parameters, randomness, order, weights, callbacks."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from box_laws import file_of, make_table
from sklearn.base import clone
from sklearn.model_selection import KFold

import boxwood as bw

SHARED = {
    "missing": ["drop", None],
    "dependencies": ["never", True],
    "bounds": [3, {"x": 1}, {"x": (1, 0)}, {"x": (True, None)}],
    "support": [3, "abc", {"x": 1}, {"x": []}],
    "duplicates": ["keep", True],
    "weight_kind": ["analytic", 1],
    "criterion": ["gini", None, 3],
    "margins": ["rank", None],
    "leaf": ["cubic", True],
    "splitter": ["best", 1],
    "max_depth": [0, -1, 1.5, True, "3"],
    "max_leaf_nodes": [0, 2.5, False, "square_root"],
    "min_samples_leaf": [-1, np.nan, np.inf, None, "1"],
    "min_samples_split": [-1, np.nan, None, "many", True],
    "max_features": [0, -3, 0.0, 1.5, np.nan, "log2", True, [1]],
    "max_candidates": [1, 1025, 2.0],
    "random_splits": [0, 1025, "ten"],
    "max_aspect": [0.5, np.nan, "wide"],
    "uniformity_level": [-0.1, 1.1, "5%"],
    "min_gain": [np.nan, np.inf, "0"],
    "mass_prior": [-1, np.nan, None],
    "n_bins": [0, 257, 4.0],
    "histogram_prior": [0, -1, np.inf],
    "rotation": ["lda", True],
    "leaf_factor": [0, -1.0, np.inf, "2"],
    "false_alarm_rate": [0, 0.6, None],
    "n_jobs": [0, 1.5, "2", True],
    "random_state": [-1, 1.5, "seed", True],
}
OF_TREES = {
    "prune": ["pessimistic", True],
    "prune_score": ["accuracy", None],
    "prune_penalty": [-1, np.nan, "3"],
    "cv": [1, 0, True, 2.5, "five"],
    "validation_fraction": [0.0, 0.95, "half"],
}
OF_FORESTS = {
    "n_estimators": [0, -1, 1.0, True, 2**31],
    "max_samples": [0.0, 1.5, np.nan, None],
    "bootstrap": [1, None, "yes"],
    "correction": ["ratio", True, 1],
    "verbose": [-1, None, 0.5],
}


def bad_values():
    for cls, own in ((bw.DensityTree, OF_TREES), (bw.DensityForest, OF_FORESTS)):
        for name, values in {**SHARED, **own}.items():
            yield from ((cls, name, value) for value in values)


@pytest.mark.parametrize(("cls", "name", "value"), list(bad_values()))
def test_a_bad_value_is_refused_by_name(cls, name, value):
    X = make_table(("number", "number"), 20, 0)
    model = cls().fit(X)
    before = dict(vars(model))
    model.set_params(**{name: value})
    with pytest.raises((TypeError, ValueError), match=rf"{cls.__name__}: {name}\b"):
        model.fit(X)
    assert all(vars(model)[key] is kept for key, kept in before.items() if key != name)


def test_every_parameter_is_tested_with_bad_values():
    assert set(bw.DensityTree().get_params()) == set(SHARED) | set(OF_TREES)
    assert set(bw.DensityForest().get_params()) == set(SHARED) | set(OF_FORESTS)


MODELS = {
    "tree": bw.DensityTree(),
    "smooth tree": bw.DensityTree(margins="smooth", leaf="histogram", splitter="binned"),
    "cv": bw.DensityTree(prune="cv", random_state=0),
    "validation": bw.DensityTree(prune="validation", prune_score="squared_error", random_state=0),
    "random": bw.DensityTree(splitter="random", max_features=1, random_state=3),
    "best first": bw.DensityTree(max_leaf_nodes=6, leaf="gaussian"),
    "forest": bw.DensityForest(5, random_state=0),
    "exact forest": bw.DensityForest(3, splitter="exact", margins="linear", leaf="uniform", random_state=0),
    "bootstrap": bw.DensityForest(3, bootstrap=True, criterion="loo", min_samples_split=5, random_state=0),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
class TestBytes:
    def test_the_order_of_rows_leaves_no_trace(self, model, tmp_path):
        X = make_table(("number", "spikes", "integer"), 150, 0).to_numpy()
        shuffled = X[np.random.default_rng(1).permutation(len(X))]
        assert file_of(clone(model).fit(X), tmp_path) == file_of(clone(model).fit(shuffled), tmp_path)

    def test_a_weight_is_a_repetition(self, model, tmp_path):
        X = make_table(("number", "spikes", "integer"), 100, 0).to_numpy()
        weights = np.random.default_rng(1).integers(0, 4, len(X))
        weighted = clone(model).fit(X, sample_weight=weights)
        repeated = clone(model).fit(np.repeat(X, weights, axis=0))
        assert file_of(weighted, tmp_path) == file_of(repeated, tmp_path)

    def test_the_number_of_threads_leaves_no_trace(self, model, tmp_path):
        X = make_table(("number", "category", "integer"), 700, 0)
        files = [
            file_of(clone(model).set_params(n_jobs=n_jobs).fit(X), tmp_path) for n_jobs in (None, 2, 5, -1)
        ]
        assert len(set(files)) == 1

    def test_a_random_state_gives_the_same_model(self, model, tmp_path):
        X = make_table(("number", "number"), 80, 0)
        one, two = (
            clone(model).set_params(random_state=np.random.RandomState(5)).fit(X).mixture_ for _ in range(2)
        )
        assert all(np.array_equal(one.flat[name], two.flat[name]) for name in one.flat)

    def test_containers_alike(self, model):
        X = make_table(("number", "spikes"), 60, 0)
        expected = clone(model).fit(X.to_numpy()).score_samples(X.to_numpy())
        for table in (X, pl.from_pandas(X), {name: X[name].tolist() for name in X}):
            np.testing.assert_array_equal(clone(model).fit(table).score_samples(table), expected)


def test_other_seeds_give_other_models():
    X = make_table(("number", "number"), 80, 0)
    scores = {bw.DensityForest(3, random_state=seed).fit(X).score(X) for seed in range(3)}
    assert len(scores) == 3
    huge = bw.DensityForest(3, random_state=2**70 + 1).fit(X).score(X)
    assert np.isfinite(huge)


def test_cv_takes_what_scikit_learn_takes():
    X = make_table(("number", "number"), 60, 0)
    folds = list(KFold(3).split(X))
    by_splitter = bw.DensityTree(prune="cv", cv=KFold(3)).fit(X)
    by_list = bw.DensityTree(prune="cv", cv=folds).fit(X)
    assert by_splitter.n_leaves_ == by_list.n_leaves_
    np.testing.assert_array_equal(
        by_splitter.pruning_path_.held_out_loss, by_list.pruning_path_.held_out_loss
    )
    with pytest.raises(ValueError, match="cv: a fold has no rows"):
        bw.DensityTree(prune="cv", cv=[(np.arange(60), np.arange(0))]).fit(X)


def test_attributes():
    X = make_table(("number", "category", "holes"), 120, 0)
    tree = bw.DensityTree().fit(X)
    flat = tree.mixture_.flat
    filled = (flat["feature"] < 0) & (flat["count"] > 0.0)
    assert tree.n_leaves_ == (flat["feature"] < 0).sum() >= filled.sum() == len(np.unique(tree.apply(X)))
    assert tree.pruning_path_.n_leaves[0] >= tree.n_leaves_ >= 1
    assert 0 <= tree.max_depth_ < tree.n_leaves_
    report = tree.memory_report_
    assert report["structure"] == 32 * len(flat["feature"])
    assert set(report) == {"structure", "sets", "leaves", "bin_edges"}
    forest = bw.DensityForest(4, random_state=0).fit(X)
    assert forest.apply(X).shape == (120, 4)
    payload = forest.mixture_.flat["levels"].nbytes
    assert forest.memory_report_["leaves"] == payload + 8 * forest.mixture_.n_leaves
    assert list(forest.feature_names_in_) == ["c0", "c1", "c2"]


class Recorder:
    """A callback of scikit-learn 1.9."""

    def __init__(self, fail: bool = False) -> None:
        self.log: list[str] = []
        self.fail = fail

    def setup(self, estimator, context):
        self.log.append("setup")

    def teardown(self, estimator, context):
        self.log.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.log.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context):
        self.log.append(f"end {context.task_name}")
        if self.fail and context.task_name == "tree":
            raise RuntimeError("enough")


class TestCallbacks:
    @pytest.fixture(autouse=True)
    def callbacks(self):
        pytest.importorskip("sklearn.callback")

    @pytest.mark.parametrize(
        ("model", "n"), [(bw.DensityForest(4, random_state=0), 4), (bw.DensityTree(), 1)]
    )
    def test_each_tree_is_a_task(self, model, n):
        recorder = Recorder()
        model = clone(model).set_callbacks(recorder).fit(make_table(("number",), 50, 0))
        tasks = ["begin tree", "end tree"] * n
        assert recorder.log == ["setup", "begin fit", *tasks, "end fit", "teardown"]
        pickle.loads(pickle.dumps(model))

    def test_a_callback_that_fails_leaves_the_old_model(self):
        X = make_table(("number",), 50, 0)
        model = bw.DensityForest(3, random_state=0).fit(X)
        old, recorder = model.mixture_, Recorder(fail=True)
        with pytest.raises(RuntimeError, match="enough"):
            model.set_callbacks(recorder).fit(X)
        assert model.mixture_ is old
        assert recorder.log[-1] == "teardown"


def test_feature_importances_find_the_informative_columns():
    rng = np.random.default_rng(0)
    z = rng.normal(size=(600, 4))
    X = pd.DataFrame({"a": z[:, 0], "b": z[:, 0] + 0.1 * z[:, 1], "noise": z[:, 2], "more": z[:, 3]})
    for model in (bw.DensityForest(10, random_state=0), bw.DensityTree(margins="smooth")):
        fractions = model.fit(X).feature_importances_
        assert fractions.sum() == pytest.approx(1.0, abs=1e-12)
        assert fractions[:2].sum() > 0.8
    flat = bw.DensityTree(max_depth=1, min_samples_split=1e9).fit(X)
    assert (flat.feature_importances_ == 0.0).all()


@pytest.mark.parametrize(
    "model", [bw.DensityTree(), bw.DensityForest(3, random_state=0)], ids=["tree", "forest"]
)
def test_to_mixture_is_the_same_density(model):
    X = make_table(("holes", "category", "integer"), 80, 0)
    mixture = clone(model).fit(X).to_mixture()
    scores = clone(model).set_params(missing="ignore").fit(X).score_samples(X)
    np.testing.assert_array_equal(mixture.log_density(bw.read_columns(X)), scores)


@pytest.mark.parametrize(
    ("density", "remedy"),
    [(bw.DensityTree(random_state=0), 'margins="smooth"'), (bw.GridHistogram(), 'estimate="bayes"')],
    ids=["tree", "grid"],
)
def test_rows_of_density_zero_are_warned_of_with_a_remedy(density, remedy):
    X = np.random.default_rng(0).normal(size=(500, 2))
    with pytest.warns(UserWarning, match=f"density 0: 1 of 2 rows, row 1 the first.*{remedy}"):
        assert density.fit(X).score([[0.0, 0.0], [9.0, 9.0]]) == -np.inf
