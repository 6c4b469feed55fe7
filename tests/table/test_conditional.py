"""ConditionalRegressor and ConditionalClassifier: by forests of the target, and by a joint density."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.metrics import log_loss

import boxwood as bw
from boxwood.model_file import ModelFileError


def rounded_table(n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and a target of whole numbers, where a cdf has steps."""
    rng = np.random.default_rng(0)
    x, k = rng.normal(size=n_rows), rng.integers(0, 4, n_rows)
    return np.column_stack([x, k]), np.round(2.0 * x + k + rng.normal(size=n_rows))


@pytest.fixture(scope="module", params=[None, bw.DensityForest(random_state=0)], ids=["forests", "density"])
def stepped(request: pytest.FixtureRequest) -> bw.ConditionalRegressor:
    return bw.ConditionalRegressor(request.param, random_state=0).fit(*rounded_table())


@pytest.fixture(scope="module", params=[None, bw.DensityForest(random_state=0)], ids=["forests", "density"])
def diabetes(request: pytest.FixtureRequest) -> tuple[bw.ConditionalRegressor, np.ndarray, np.ndarray]:
    X, y = load_diabetes(return_X_y=True)
    return bw.ConditionalRegressor(request.param, random_state=0).fit(X[:300], y[:300]), X[300:], y[300:]


@pytest.mark.parametrize("row", range(5))
def test_answers_are_those_of_the_query_under_the_row_as_evidence(row: int) -> None:
    X, y = rounded_table()
    stepped = bw.ConditionalRegressor(bw.DensityForest(20, random_state=0)).fit(X, y)
    x0, x1 = X[row].tolist()
    values = [-np.inf, -1.0, 0.0, 0.5, 2.0, 1e9]
    query = stepped.density_.query()
    both, one = query.given({"x0": x0, "x1": x1}), query.given({"x1": x1})
    np.testing.assert_allclose(stepped.cdf([[x0, x1]], values)[0], both.cdf("target", values), atol=1e-12)
    np.testing.assert_allclose(stepped.cdf([[np.nan, x1]], values)[0], one.cdf("target", values), atol=1e-12)
    assert stepped.predict([[x0, x1]])[0] == pytest.approx(both.mean("target"), abs=1e-9)


def test_cdf_and_quantiles_belong_together(stepped: bw.ConditionalRegressor) -> None:
    X, _ = rounded_table()
    fractions = np.array([0.1, 0.5, 0.9])
    quantiles = stepped.predict_quantiles(X[:20], fractions)
    assert (np.diff(quantiles) >= 0.0).all()
    for row, found in zip(X[:20], quantiles, strict=True):
        reached = stepped.cdf(row[None], found)[0]
        below = stepped.cdf(row[None], found - 0.5)[0]  # the target is whole
        assert (reached >= fractions - 1e-9).all()
        assert (below <= fractions + 1e-9).all()


def test_a_target_that_follows_from_a_column_has_a_cdf_of_one_step() -> None:
    rng = np.random.default_rng(0)
    city = rng.choice(["Bonn", "Ulm", "Kiel"], 300)
    code = pd.Series(city).map({"Bonn": 228.0, "Ulm": 731.0, "Kiel": 431.0}).to_numpy()
    frame = pd.DataFrame({"city": city, "x": rng.normal(size=300)})
    model = bw.ConditionalRegressor(random_state=0).fit(frame, code)
    rows = frame.head(20)
    np.testing.assert_allclose(model.predict_quantiles(rows, 0.5)[:, 0], code[:20])
    found = model.cdf(rows, [100.0, 431.0, 800.0])
    np.testing.assert_allclose(found[:, 0], 0.0, atol=0.05)
    np.testing.assert_allclose(found[:, 1], code[:20] <= 431.0, atol=0.05)
    np.testing.assert_allclose(found[:, 2], 1.0, atol=0.05)


def test_intervals_cover_what_they_say(
    diabetes: tuple[bw.ConditionalRegressor, np.ndarray, np.ndarray],
) -> None:
    model, X, y = diabetes
    low, high = model.predict_interval(X, 0.9).T
    assert 0.83 <= ((low <= y) & (y <= high)).mean() <= 0.97
    drawn = model.sample(X, 200, random_state=0)
    assert drawn.shape == (len(X), 200)
    inside = (drawn >= low[:, None]) & (drawn <= high[:, None])
    assert inside.mean() == pytest.approx(0.9, abs=0.02)


def test_scores(diabetes: tuple[bw.ConditionalRegressor, np.ndarray, np.ndarray]) -> None:
    model, X, y = diabetes
    assert model.score(X, y) > 0.3
    drawn = model.sample(X, 400, random_state=0)
    half = 0.5 * np.abs(drawn[:, 0::2] - drawn[:, 1::2]).mean()
    by_draws = np.abs(drawn - y[:, None]).mean() - half
    scored = bw.ConditionalRegressor(scoring="crps", random_state=0)
    scored.__dict__.update({key: value for key, value in vars(model).items() if key.endswith("_")})
    assert -scored.score(X, y) == pytest.approx(by_draws, rel=0.02)
    scored.set_params(scoring="log_likelihood")
    steps = [np.diff(model.cdf(X[i : i + 1], [y[i] - 1.0, y[i]])[0])[0] for i in range(len(X))]
    assert scored.score(X, y) == pytest.approx(np.log(steps).mean(), abs=0.01)  # the target is whole
    weights = np.arange(len(X)) % 3
    kept = np.repeat(np.arange(len(X)), weights)
    assert scored.score(X, y, weights) == pytest.approx(scored.score(X[kept], y[kept]))


def test_the_median_is_predicted_where_it_is_asked_for() -> None:
    X, y = rounded_table()
    model = bw.ConditionalRegressor(point="median", random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X[:9]), model.predict_quantiles(X[:9], 0.5)[:, 0])


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda m: m.predict_quantiles([[0.0, 1.0]], [1.2]), r"quantiles must lie in \[0, 1\]"),
        (lambda m: m.predict_interval([[0.0, 1.0]], 1.0), "level must lie between 0 and 1"),
        (lambda m: m.cdf([[0.0, 1.0]], [np.nan]), "values must be numbers"),
    ],
)
def test_questions_that_make_no_sense(stepped: bw.ConditionalRegressor, ask, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        ask(stepped)


def test_classes_of_every_type() -> None:
    X, y = load_iris(return_X_y=True)
    X = X + 0.01 * np.random.default_rng(0).normal(size=X.shape)
    small = bw.DensityForest(20, random_state=0)
    numbers = bw.ConditionalClassifier(small).fit(X, y)
    expected = numbers.predict_proba(X)
    assert numbers.score(X, y) > 0.93
    np.testing.assert_allclose(expected.sum(axis=1), 1.0)
    named = load_iris().target_names
    for labels in (named, named.astype(object), np.array([10, -5, 3]), np.array([2.0, 0.0, 7.0])):
        model = bw.ConditionalClassifier(small).fit(X, labels[y])
        found = model.predict_proba(X)[:, np.searchsorted(model.classes_, labels)]
        # Another order of the classes grows other trees.
        assert np.abs(found - expected).mean() < 0.02
        drawn = model.sample(X, 50, random_state=0)
        assert (drawn == labels[y][:, None]).mean() > 0.85


def test_two_classes_of_truth() -> None:
    X, y = load_iris(return_X_y=True)
    model = bw.ConditionalClassifier(bw.DensityForest(20, random_state=0)).fit(X, y == 2)
    assert model.classes_.dtype == np.bool_
    assert model.sample(X[:3], 2, random_state=0).dtype == np.bool_
    assert model.score(X, y == 2) > 0.93


def test_log_likelihood_is_minus_the_log_loss() -> None:
    X, y = load_iris(return_X_y=True)
    model = bw.ConditionalClassifier(scoring="log_likelihood", random_state=0).fit(X, y)
    assert model.score(X, y) == pytest.approx(-log_loss(y, model.predict_proba(X)))
    with pytest.raises(ValueError, match="not one of the known classes"):
        model.score(X, y + 1)


def test_a_column_may_be_called_target_and_gaps_are_summed_out() -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    frame = X.set_axis(["a", "b", "target", "d"], axis=1)
    model = bw.ConditionalClassifier(bw.DensityForest(random_state=0)).fit(frame, y)
    assert model.density_.schema_.names[-1] == "target_"
    unknown = frame.mask(np.ones(frame.shape, dtype=bool))
    np.testing.assert_allclose(model.predict_proba(unknown), 1.0 / 3.0, atol=0.03)


@pytest.mark.parametrize("cls", [bw.ConditionalRegressor, bw.ConditionalClassifier])
def test_a_file_keeps_it(cls, tmp_path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    model = cls(bw.DensityTree()).fit(X, y)
    model.save(tmp_path / "m.boxwood")
    loaded = bw.load(tmp_path / "m.boxwood")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.sample(X, 2, 0), model.sample(X, 2, 0))
    model.set_params(model=None)
    with pytest.raises(ModelFileError, match="model was changed since the fit"):
        model.save(tmp_path / "m.boxwood")
