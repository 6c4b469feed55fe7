"""Progress of growing forests of decision trees."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw

X = np.random.default_rng(0).normal(size=(80, 3))


@pytest.mark.parametrize(
    ("forest", "y"),
    [(bw.RandomForestClassifier, X[:, 0] > 0.0), (bw.RandomForestRegressor, X[:, 0])],
)
def test_the_bar_fills_and_ends_its_line(forest, y, capsys):
    model = forest(5, verbose=1, random_state=0, warm_start=True).fit(X, y)
    assert capsys.readouterr().err.endswith("] 5/5 trees\n")
    model.set_params(n_estimators=8).fit(X, y)
    assert capsys.readouterr().err.endswith("] 3/3 trees\n")
    with pytest.warns(UserWarning, match="does not fit new trees"):
        model.fit(X, y)
    capsys.readouterr()
    quiet = forest(8, random_state=0).fit(X, y)
    assert capsys.readouterr().err == ""
    np.testing.assert_array_equal(quiet.predict(X), model.predict(X))


@pytest.mark.parametrize("verbose", [-1, "yes"])
def test_verbose_is_checked(verbose):
    with pytest.raises((ValueError, TypeError), match="verbose"):
        bw.RandomForestClassifier(2, verbose=verbose).fit(X, X[:, 0] > 0.0)


class Recorder:
    """A callback of scikit-learn 1.9."""

    def __init__(self):
        self.begun, self.ended = [], []

    def setup(self, estimator, context):
        pass

    def teardown(self, estimator, context):
        pass

    def on_fit_task_begin(self, estimator, context):
        self.begun.append(context.task_name)

    def on_fit_task_end(self, estimator, context):
        self.ended.append(context.task_name)


def test_scikit_learns_callbacks_hear_of_every_tree():
    pytest.importorskip("sklearn.callback")
    recorder = Recorder()
    bw.RandomForestClassifier(4, random_state=0).set_callbacks(recorder).fit(X, X[:, 0] > 0.0)
    assert recorder.begun == ["fit", *["tree"] * 4]
    assert recorder.ended == [*["tree"] * 4, "fit"]
