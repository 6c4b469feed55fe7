"""Which rows to ask about next."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

import boxwood as bw

X, y = load_iris(return_X_y=True)


class Probabilities:
    """A model whose answers are known."""

    def __init__(self, probabilities):
        self.probabilities = np.array(probabilities)

    def predict_proba(self, X):
        return self.probabilities


THREE = Probabilities([[0.5, 0.5, 0.0], [0.4, 0.3, 0.3], [0.9, 0.1, 0.0], [0.38, 0.38, 0.24]])


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("entropy", [1, 3, 0, 2]),  # 1.089, 1.078, 0.693, 0.325
        ("margin", [0, 3, 1, 2]),  # 0 and 3 tie, the first row first
        ("least_confidence", [3, 1, 0, 2]),
        ("auto", [1, 3, 0, 2]),
    ],
)
def test_strategies_by_hand(strategy, expected):
    assert bw.query_most_uncertain(THREE, None, 4, strategy=strategy).tolist() == expected
    assert bw.query_most_uncertain(THREE, None, strategy=strategy).tolist() == expected[:1]


def test_for_two_classes_the_three_agree():
    model = LogisticRegression().fit(X[50:], y[50:])
    asked = [
        bw.query_most_uncertain(model, X[50:], 10, strategy=strategy).tolist()
        for strategy in ("entropy", "margin", "least_confidence")
    ]
    assert asked[0] == asked[1] == asked[2]


def test_a_density_asks_about_what_is_least_likely():
    pool = np.vstack([X, [[20.0, 20.0, 20.0, 20.0]]])
    assert bw.query_most_uncertain(bw.GaussianDensity().fit(X), pool).tolist() == [150]
    bayes = bw.BayesClassifier(bw.GaussianDensity()).fit(X, y)
    assert bw.query_most_uncertain(bayes, pool, strategy="likelihood").tolist() == [150]
    assert bw.query_most_uncertain(bayes, X, strategy="entropy")[0] >= 50


def test_one_class_leaves_nothing_to_ask():
    model = bw.PriorClassifier().fit([[0.0], [1.0]], ["only", "only"])
    for strategy in ("entropy", "margin", "least_confidence"):
        assert bw.query_most_uncertain(model, [[0.0], [1.0]], 2, strategy=strategy).tolist() == [0, 1]


def test_asking_where_it_doubts_teaches_more_than_at_random():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 2000)
    pool = rng.normal(size=(2000, 2)) + np.where(labels == 1, 1.5, -1.5)[:, None] * [1.0, 0.0]
    known = np.concatenate([np.flatnonzero(labels == k)[:5] for k in (0, 1)])
    asked = known.copy()
    for _ in range(10):
        model = LogisticRegression().fit(pool[asked], labels[asked])
        rest = np.setdiff1d(np.arange(2000), asked)
        asked = np.append(asked, rest[bw.query_most_uncertain(model, pool[rest], 3)])
    boundary = np.abs(pool[asked[10:], 0]).mean()
    assert boundary < 0.5 * np.abs(pool[:, 0]).mean()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"strategy": "luck"}, ValueError, "strategy must be one of 'auto'"),
        ({"n": 0}, ValueError, "n must be an integer from 1 to the pool's 4 rows; got 0"),
        ({"n": 5}, ValueError, "n must be an integer"),
        ({"n": True}, ValueError, "n must be an integer"),
        (
            {"strategy": "likelihood"},
            TypeError,
            "needs a model with score_samples, which Probabilities has not",
        ),
        (
            {"model": bw.GaussianDensity(), "strategy": "margin"},
            TypeError,
            "needs a model with predict_proba",
        ),
    ],
)
def test_errors(change, error, message):
    arguments = {"model": THREE, "pool": None, "n": 1, "strategy": "auto", **change}
    model, pool, n = (arguments.pop(name) for name in ("model", "pool", "n"))
    with pytest.raises(error, match=message):
        bw.query_most_uncertain(model, pool, n, **arguments)
