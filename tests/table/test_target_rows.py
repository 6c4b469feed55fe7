"""Rows of a model that was told a class as target: drawn, scored and saved."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import boxwood as bw


def discrete_table(n=3_000, seed=0):
    """Two columns of categories, and a class with gaps that depends on both."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 3, n), rng.integers(0, 2, n)
    chance = np.array([[0.1, 0.7], [0.5, 0.3], [0.9, 0.4]])[a, b]
    y = np.where(rng.random(n) < chance, "yes", "no").astype(object)
    y[rng.random(n) < 0.05] = None
    return pd.DataFrame({"a": np.array(list("xyz"))[a], "b": np.array(list("pq"))[b], "y": y})


@pytest.fixture(scope="module", params=["forest", "boosted"])
def model(request):
    density = bw.DensityForest(20) if request.param == "forest" else bw.BoostedDensity("quick")
    return bw.TableModel(density.set_params(random_state=0), random_state=0).fit(discrete_table(), target="y")


def all_rows(model):
    labels = [model.schema_.fields[j].categories for j in (0, 1)]
    cells = [(a, b, y) for a in labels[0] for b in labels[1] for y in ("no", "yes", None)]
    return pd.DataFrame(cells, columns=["a", "b", "y"])


def test_drawn_classes_have_the_targets_probabilities(model):
    drawn = model.sample(40_000, random_state=1)
    drawn = drawn[drawn["y"].notna()]
    chance = model.predict_proba(drawn, "y")["yes"].to_numpy()
    is_yes = (drawn["y"] == "yes").to_numpy()
    for _, rows in drawn.reset_index(drop=True).groupby(["a", "b"]).groups.items():
        expected, n = chance[rows].mean(), len(rows)
        assert abs(is_yes[rows].mean() - expected) < 4.5 * np.sqrt(expected * (1.0 - expected) / n)


def test_rows_are_drawn_as_often_as_scores_say(model):
    cells = all_rows(model)
    chance = np.exp(model.score_samples(cells))
    drawn = model.sample(40_000, random_state=2)
    counts = drawn.fillna("gap").value_counts() / 40_000
    found = counts.reindex(pd.MultiIndex.from_frame(cells.fillna("gap")), fill_value=0.0).to_numpy()
    # Of boosted densities scores of discrete rows are means over points, a few thousandths off.
    error = np.sqrt(chance * (1.0 - chance) / 40_000) + 0.003 * chance
    assert (np.abs(found - chance) < 4.5 * error).all()


def test_other_columns_and_gaps_keep_the_densitys_probability(model):
    cells = all_rows(model)
    new, old = np.exp(model.score_samples(cells)), np.exp(model.density_.score_samples(cells))
    there = cells["y"].notna().to_numpy()
    np.testing.assert_allclose(new[~there], old[~there])
    assert not np.allclose(new[there], old[there], rtol=1e-6)
    np.testing.assert_allclose(new.reshape(-1, 3)[:, :2].sum(axis=1), old.reshape(-1, 3)[:, :2].sum(axis=1))


def test_files_draw_and_score_the_same(model, tmp_path: Path):
    model.save(tmp_path / "m.boxwood")
    loaded = bw.load(tmp_path / "m.boxwood")
    pd.testing.assert_frame_equal(loaded.sample(50, random_state=0), model.sample(50, random_state=0))
    np.testing.assert_array_equal(loaded.score_samples(all_rows(model)), model.score_samples(all_rows(model)))


def test_a_class_that_was_never_seen_has_the_densitys_score(model):
    rows = pd.DataFrame({"a": ["x"], "b": ["p"], "y": ["maybe"]})
    np.testing.assert_array_equal(model.score_samples(rows), model.density_.score_samples(rows))


def test_numbers_and_classes_of_rules_are_drawn_by_the_density():
    table = discrete_table(500).dropna().reset_index(drop=True)
    table["number"] = np.random.default_rng(0).normal(size=len(table))
    table["same"] = table["y"].map({"no": "n", "yes": "j"})
    for target in ("number", "y", "same"):
        model = bw.TableModel(bw.DensityForest(10, random_state=0)).fit(table, target=target)
        drawn = model.sample(300, random_state=0)
        pd.testing.assert_frame_equal(drawn, model.query.sample(300, random_state=0))
        assert (drawn["same"] == drawn["y"].map({"no": "n", "yes": "j"})).all()
        np.testing.assert_array_equal(model.score_samples(table), model.density_.score_samples(table))


@pytest.mark.parametrize("n", [0, -1, 2.5, True])
def test_a_number_of_rows_is_positive_and_whole(model, n):
    with pytest.raises(ValueError, match="n_samples"):
        model.sample(n)
