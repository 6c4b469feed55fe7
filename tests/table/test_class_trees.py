"""Boosted trees of classes: they find probabilities, whatever is known before."""

import pickle

import numpy as np
import pytest
from scipy.special import log_softmax

import boxwood as bw
from boxwood.boosting.ratio.trees import sum_of
from boxwood.evidence import Fold
from boxwood.model_file import ModelFileError, State
from boxwood.table.target import ClassTarget
from boxwood.table.target.class_trees import ClassRows, ClassTrees
from boxwood.table.target.settings import QUICK


def true_logs(x, n_classes):
    """Classes of which one is likelier than the others, and which one two columns together say."""
    logits = np.zeros((len(x), n_classes))
    likely = 2 * (x[:, 0] > 0.5).astype(int) + (np.nan_to_num(x[:, 1], nan=0.0) > 0.5)
    logits[np.arange(len(x)), likely % n_classes] = 2.0
    return log_softmax(logits, axis=1)


def some_rows(n, n_classes, seed, log_base=None):
    rng = np.random.default_rng(seed)
    x = rng.random((n, 3))
    x[rng.random(n) < 0.1, 1] = np.nan
    logs = true_logs(x, n_classes)
    codes = (np.cumsum(np.exp(logs), axis=1)[:, :-1] <= rng.random((n, 1))).sum(axis=1)
    base = np.zeros((n, n_classes)) if log_base is None else log_base(x)
    return ClassRows(x, codes, np.ones(n), base, rng.integers(0, 2**63, n).astype(np.uint64))


@pytest.mark.parametrize("n_classes", [2, 4, 6])
def test_probabilities_are_found(n_classes):
    trees = ClassTrees.fit(some_rows(12_000, n_classes, 0), some_rows(2_000, n_classes, 1))
    new = some_rows(3_000, n_classes, 2)
    found = trees.log_probabilities(new.rows, new.log_base)
    np.testing.assert_allclose(np.exp(found).sum(axis=1), 1.0)
    truth = true_logs(new.rows, n_classes)
    lost = (np.exp(truth) * (truth - found)).sum(axis=1)  # Kullback–Leibler divergence
    assert lost.mean() < 0.02
    assert lost[np.isnan(new.rows[:, 1])].mean() < 0.05


def test_what_is_known_before_is_not_learnt_again():
    def known(x):
        return true_logs(x, 3)

    trees = ClassTrees.fit(some_rows(4_000, 3, 0, known), some_rows(2_000, 3, 1, known))
    if trees is not None:
        new = some_rows(2_000, 3, 2, known)
        change = trees.log_probabilities(new.rows, new.log_base) - new.log_base
        assert np.abs(change).mean() < 0.05


def test_a_wrong_start_is_corrected():
    def wrong(x):
        return log_softmax(np.column_stack([3.0 * x[:, 2], np.zeros(len(x))]), axis=1)

    trees = ClassTrees.fit(some_rows(12_000, 2, 0, wrong), some_rows(2_000, 2, 1, wrong))
    new = some_rows(3_000, 2, 2, wrong)
    truth, found = true_logs(new.rows, 2), trees.log_probabilities(new.rows, new.log_base)
    assert (np.exp(truth) * (truth - found)).sum(axis=1).mean() < 0.03
    assert (np.exp(truth) * (truth - new.log_base)).sum(axis=1).mean() > 0.3


def test_the_order_of_rows_leaves_no_trace():
    held, train = some_rows(500, 6, 1), some_rows(2_000, 6, 0)
    order = np.random.default_rng(3).permutation(2_000)
    other = ClassRows(*(getattr(train, name)[order] for name in train.__dataclass_fields__))
    one, two = (ClassTrees.fit(each, held) for each in (train, other))
    for left, right in zip(one.trees.flat(), two.trees.flat(), strict=True):
        np.testing.assert_array_equal(left, right)


def folds_of(n, n_folds):
    parts = np.arange(n) % n_folds
    return [Fold((parts != k).astype(float), (parts == k).astype(float)) for k in range(n_folds)]


def test_trees_of_folds_say_the_mean_of_what_each_says():
    known, new, folds = some_rows(2_000, 3, 0), some_rows(100, 3, 2), folds_of(2_000, 4)
    each = [ClassTrees.fit(known.weighing(fold.train), known.weighing(fold.held)) for fold in folds]
    logits = np.mean([one.log_probabilities(new.rows, new.log_base) for one in each], axis=0)
    found = ClassTrees.cross_fit(known, folds).log_probabilities(new.rows, new.log_base)
    np.testing.assert_allclose(found, log_softmax(logits, axis=1), atol=1e-9)


def test_sums_of_trees_are_trees():
    trees = [ClassTrees.fit(some_rows(1_000, 2, seed), some_rows(500, 2, 9)).trees for seed in range(3)]
    points = np.column_stack([np.random.default_rng(1).random((200, 3)), np.ones(200)])
    expected = 0.5 * sum(one.log_ratio(points) for one in trees)
    np.testing.assert_allclose(sum_of(trees, 0.5).log_ratio(points), expected, atol=1e-12)


@pytest.mark.parametrize("n", [30, 40])
def test_few_rows_of_mere_noise_cost_no_more_than_chance(n):
    lost = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=(n + 500, 5)), rng.integers(0, 2, n + 500)
        model = bw.ConditionalClassifier(random_state=seed).fit(x[:n], y[:n])
        own = np.arange(500), y[n:]
        with_trees = np.log(model.predict_proba(x[n:])[own])
        object.__setattr__(model.target_, "trees", None)
        lost.append((np.log(model.predict_proba(x[n:])[own]) - with_trees).mean())
    assert np.mean(lost) < 0.02  # by trees that a tenth of the rows ends 0.03 and 0.07 nats


def test_copies_and_files_say_the_same():
    trees = ClassTrees.fit(some_rows(2_000, 3, 0), some_rows(500, 3, 1))
    new = some_rows(100, 3, 2)
    expected = trees.log_probabilities(new.rows, new.log_base)
    state = trees.to_state()
    for other in (pickle.loads(pickle.dumps(trees)), ClassTrees.from_state(State(state, "trees"), 3)):
        np.testing.assert_array_equal(other.log_probabilities(new.rows, new.log_base), expected)
    with pytest.raises(ModelFileError):
        ClassTrees.from_state(State(state, "trees"), 2)


def test_classifiers_gain_where_many_columns_add_up():
    rng = np.random.default_rng(0)
    x = rng.random((8_000, 8))
    y = rng.random(8_000) < 1.0 / (1.0 + np.exp(-6.0 * (x - 0.5).sum(axis=1)))  # a leaf knows few columns
    model = bw.ConditionalClassifier(random_state=0).fit(x[:3_000], y[:3_000])
    at = np.arange(5_000), y[3_000:].astype(int)
    with_trees = np.log(model.predict_proba(x[3_000:])[at])
    object.__setattr__(model.target_, "trees", None)
    gained = with_trees - np.log(model.predict_proba(x[3_000:])[at])
    assert gained.mean() > 4.0 * gained.std() / np.sqrt(len(gained))  # by more than chance


def test_the_largest_numbers_and_empty_columns_are_no_trouble():
    train, held, new = (some_rows(n, 2, seed) for seed, n in enumerate((2_000, 500, 100)))
    for known in (train, held, new):
        known.rows[:, 0] *= 1.7e308
        known.rows[:, 2] = np.nan
    trees = ClassTrees.fit(train, held)
    assert np.isfinite(trees.log_probabilities(new.rows, new.log_base)).all()


def test_values_above_all_known_ones_are_no_gaps():
    def with_telling_gaps(n, seed):
        known = some_rows(n, 2, seed)
        known.codes[:] = np.isnan(known.rows[:, 1])
        return known

    trees = ClassTrees.fit(with_telling_gaps(2_000, 0), with_telling_gaps(500, 1))
    rows = np.full((5, 3), 0.5)
    rows[:, 1] = [0.999, 1.6, 100.0, 1e300, np.nan]
    found = trees.log_probabilities(rows, np.zeros((5, 2)))[:, 1]
    assert (found[:4] == found[0]).all()
    assert found[0] < -1.0 < found[4]


def test_quick_settings_have_no_such_trees():
    known = some_rows(2_000, 2, 0)
    joint = bw.read_columns({"x": known.rows[:, 0], "z": known.rows[:, 2], "y": known.codes.astype(str)})
    assert ClassTarget.fit(joint, 0, QUICK).trees is None
