"""Every density that has no closed forms, beside many of its own samples."""

import numpy as np
import pandas as pd
import pytest
from weighed_forest import table

import boxwood as bw


def ring(n=1200):
    rng = np.random.default_rng(3)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.2, size=(n, 2))


DENSITIES = {
    "rotated forest": bw.DensityForest(10, rotation="pca", random_state=0),
    "rotated tree": bw.DensityTree(rotation="pca", random_state=0),
    "full leaves": bw.DensityTree(leaf="gaussian_full", random_state=0),
    "boosted": bw.BoostedDensity("quick", random_state=0),
    "chains alone": bw.BoostedDensity("quick", components=["margins", "network"], random_state=0),
    "neighbours": bw.NeighborDensity(normalize=True),
    "grid": bw.GridHistogram(),
    "normals": bw.ProductDensity(marginal="gaussian"),
    "components": bw.ProductDensity(rotation="pca"),
    "tails": bw.Histogram(unseen="smooth"),
}


def assert_near(found, count, n):
    """Compare with a count of n samples."""
    true = count / n
    error = np.hypot(found.standard_error, np.sqrt(max(true * (1.0 - true), 1.0 / n) / n))
    assert abs(found - true) <= 4.0 * error, (found, found.standard_error, true)


@pytest.mark.parametrize("n", [30_000, pytest.param(300_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DENSITIES)
def test_beside_its_samples(name, n):
    density = DENSITIES[name].fit(ring())
    rows = density.sample(n, random_state=0)
    query = density.query()
    x, y = rows[:, 0], rows[:, 1]
    joint = query.probability("x0 > 0.5 and x1 < 0")
    assert_near(joint, np.sum((x > 0.5) & (y < 0.0)), n)
    assert not joint.exact
    assert joint.effective_sample_size > 300.0
    part = x > 0.8
    assert_near(query.given("x0 > 0.8").probability("x1 > 0.3"), np.sum(y[part] > 0.3), part.sum())
    near = np.abs(x - 0.4) < 0.02
    found = query.given(x0=0.4).probability("x1 > 0.5")
    assert_near(found, np.sum(y[near] > 0.5), near.sum())
    mean = query.given("x0 > 0.8").mean("x1")
    assert abs(mean - y[part].mean()) <= 4.0 * np.hypot(
        mean.standard_error, y[part].std() / part.sum() ** 0.5
    )


def test_a_boosted_density_of_mixed_columns():
    check_mixed(40_000)


@pytest.mark.slow
def test_a_boosted_density_beside_a_million_samples():
    check_mixed(1_000_000)


def check_mixed(n):
    density = bw.BoostedDensity("quick", random_state=0).fit(table())
    rows = density.sample(n, random_state=0)
    query = density.query()
    for event, evidence in (
        ("x > 1", None),
        ("c == 'red'", None),
        ("k >= 4 and c == 'blue'", None),
        ("y.isna()", None),
        ("c == 'red'", "x > 1"),
        ("k >= 4", "c == 'blue' and x < 0"),
        ("y > 1", "k == 3"),
    ):
        kept = rows if evidence is None else rows.query(evidence)
        given = query if evidence is None else query.given(evidence)
        found = given.probability(event.replace("y.isna()", "y is missing"))
        assert_near(found, len(kept.query(event)), len(kept))


def test_the_draws_of_a_density_are_kept_until_it_is_fitted_anew():
    density = bw.GaussianDensity().fit(ring())
    first = density.query().probability("x0 > 0 and x1 > 0.2")
    assert density.query()._bank is density.query()._bank
    before = density.query()._bank
    density.fit(ring() + 1.0)
    assert density.query()._bank is not before
    assert density.query().probability("x0 > 0 and x1 > 0.2") > first


def test_neighbours_without_an_integral_are_refused():
    density = bw.NeighborDensity().fit(ring())
    with pytest.raises(ValueError, match="normalize=True"):
        density.query()


def test_a_table_of_any_density():
    frame = table(500)
    model = bw.TableModel(bw.BoostedDensity("quick", random_state=0)).fit(frame)
    assert 0.0 < model.prob("c == 'red'", given="x > 0").standard_error < 0.05
    assert model.given(c="red").std("x").standard_error > 0.0
    assert model.weighing(error=0.01).prob("c == 'red'").standard_error < 0.01
    assert model.given(c="red").describe().shape[0] == 4
    assert set(model.given(c="red").sample(50, random_state=0)["c"]) == {"red"}
    some = frame[:150]
    assert np.mean(model.predict(some, "c") == some["c"]) > 0.7
    assert model.predict_proba(frame[:5], "c").to_numpy().sum(axis=1) == pytest.approx(1.0)
    interval = model.predict_interval(some, "x", 0.9)
    inside = (interval["low"] <= some["x"]) & (some["x"] <= interval["high"])
    assert 0.8 < inside.mean() < 1.0
    assert not model.impute(frame[:50].assign(x=None)).isna().any().any()
    assert list(model.explain(frame[:3]).columns[:2]) == ["x", "x expected"]
    odd = pd.concat([frame[:5], pd.DataFrame({"x": [0.0], "y": [9.0], "k": [3], "c": ["green"]})])
    assert model.outliers(odd, n=1)["column"].tolist() == ["y"]


def test_a_loaded_model_gives_the_same_answers(tmp_path):
    model = bw.TableModel(bw.BoostedDensity("quick", random_state=0)).fit(table(300))
    model.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    assert again.prob("c == 'red'", given="x > 0") == model.prob("c == 'red'", given="x > 0")


@pytest.mark.filterwarnings("ignore:column 'c'")
def test_unseen_categories_do_not_spoil_what_is_asked_of_others():
    rng = np.random.default_rng(0)
    x = rng.normal(size=1_000)
    c = np.where(x + rng.normal(size=1_000) > 0, "a", np.where(rng.random(1_000) < 0.3, "b", "c"))
    rows = pd.DataFrame({"c": c, "x": x, "y": np.sin(3 * x) + 0.1 * rng.normal(size=1_000)})
    density = bw.BoostedDensity("quick", components=["network"], random_state=0).fit(rows)
    asked = density.query()
    drawn = density.sample(40_000, random_state=0)["c"]
    for label in "abc":
        found = asked.probability(c=label)  # warns where draws of unseen categories weigh too much
        spread = np.hypot(found.standard_error, np.sqrt(found * (1 - found) / len(drawn)))
        assert found == pytest.approx((drawn == label).mean(), abs=4 * spread + 0.002)
        assert found.effective_sample_size > 1_000
    assert 0.2 / 1_002 < asked.probability(c="new") < 5 / 1_002


@pytest.mark.filterwarnings("ignore:column 'c'")
def test_unseen_categories_have_the_probability_that_scores_say():
    rng = np.random.default_rng(0)
    labels = np.array(["a", "b", "c"], dtype=object)[rng.integers(0, 3, 1000)]
    alone = rng.choice(1000, 50, replace=False)
    labels[alone] = [f"r{k}" for k in alone]
    rows = pd.DataFrame({"c": labels, "x": rng.normal(size=1000)})
    density = bw.BoostedDensity("quick", n_trees=20, components=["forest"], random_state=0)
    model = bw.TableModel(density).fit(rows)
    grid = np.linspace(-8.0, 8.0, 2001)
    scores = model.score_samples(pd.DataFrame({"c": pd.Series(["new"] * 2001, dtype=object), "x": grid}))
    assert model.prob(c="new") == pytest.approx(np.exp(scores).sum() * (grid[1] - grid[0]), rel=0.1)
    assert model.given(c="new").sample(20, random_state=0)["c"].isna().all()


@pytest.mark.parametrize("zeros", [0.3, 0.7])
def test_entropy_of_a_column_with_an_atom(zeros: float) -> None:
    # Counting measure at 0, length beside it: H = −p·log p − q·log q + q·H(exponential).
    rng = np.random.default_rng(0)
    n = 1500
    x = np.where(rng.random(n) < zeros, 0.0, rng.exponential(size=n))
    y = rng.normal(size=n) + x
    density = bw.BoostedDensity("quick", n_estimators=2, random_state=0).fit(np.column_stack([x, y]))
    true = -zeros * np.log(zeros) - (1.0 - zeros) * np.log(1.0 - zeros) + (1.0 - zeros)
    query = density.query()
    assert float(query.entropy(0)) == pytest.approx(true, abs=0.15)
    more = query.weighing(n_draws=16384).entropy(0)
    assert float(query.entropy(0)) == pytest.approx(float(more), abs=0.08)  # it does not grow with the draws
