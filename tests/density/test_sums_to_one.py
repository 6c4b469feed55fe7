"""The law of normalisation on tables of discrete columns: the probabilities of all states sum to 1."""

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.boosting.intervals.shifted_points import row_keys

CHAIN = {"n_points": 8, "n_estimators": 20, "random_state": 0, "n_jobs": 1}
PRESET = {**CHAIN, "n_points": 4, "n_networks": 1, "n_trees": 8}

DENSITIES = {
    "tree": lambda: bw.DensityTree(),
    "smooth tree": lambda: bw.DensityTree(margins="smooth", leaf="histogram"),
    "forest": lambda: bw.DensityForest(20, random_state=0),
    "forest of uniform leaves": lambda: bw.DensityForest(5, leaf="uniform", margins="linear", random_state=0),
    "product": lambda: bw.ProductDensity(),
    "histogram": lambda: bw.Histogram(),
    "smoothed histogram": lambda: bw.Histogram(estimate="bayes", unseen="smooth"),
    "grid": lambda: bw.GridHistogram(),
    "smoothed grid": lambda: bw.GridHistogram(estimate="bayes"),
    "quick": lambda: bw.BoostedDensity("quick", **PRESET),
    "default": lambda: bw.BoostedDensity(**PRESET),
    "thorough": lambda: bw.BoostedDensity("thorough", **PRESET),
    "chain": lambda: bw.BoostedDensity("quick", components=["margins"], **CHAIN),
}


def dependent(n_rows: int, n_columns: int) -> np.ndarray:
    """Return binary columns of which each mostly is the exclusive or of the two before it."""
    rng = np.random.default_rng(0)
    bits = rng.random((n_rows, n_columns)) < 0.4
    for j in range(2, n_columns):
        follows = rng.random(n_rows) < 0.85
        bits[follows, j] = bits[follows, j - 1] ^ bits[follows, j - 2]
    return bits


def frame(bits: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame(bits, columns=[f"c{j}" for j in range(bits.shape[1])])


def with_gaps(n_rows: int = 500) -> pd.DataFrame:
    """Return a column of categories and seven booleans, half of them with missing values."""
    bits = dependent(n_rows, 8)
    gaps = np.random.default_rng(1).random(bits.shape) < 0.1
    table = frame(bits).astype("boolean")
    for j in range(0, 8, 2):
        table.loc[gaps[:, j], f"c{j}"] = pd.NA
    table["c0"] = table["c0"].astype(object).map({True: "a", False: "b"}).where(table["c0"].notna(), None)
    return table


def states_with_gaps() -> pd.DataFrame:
    """Return every possible row: each value, a category that was never seen, and a gap in each column."""
    values = [("a", "b", "never seen", None), *([(True, False, None)] * 7)]
    states = pd.DataFrame(list(product(*values)), columns=[f"c{j}" for j in range(8)], dtype=object)
    return states.astype({f"c{j}": "boolean" for j in range(1, 8)})


@pytest.mark.filterwarnings("ignore:column 'c.'.*the value is missing:UserWarning")  # a state of density 0
@pytest.mark.filterwarnings("ignore:density 0")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name == "thorough" else []) for name in DENSITIES],
)
def test_states_of_eight_columns(name):
    density = DENSITIES[name]().fit(with_gaps())
    assert np.exp(density.score_samples(states_with_gaps())).sum() == pytest.approx(1.0, abs=0.01)


def classes(n_rows: int, n_columns: int) -> np.ndarray:
    """Return binary columns that depend on each other through four classes."""
    rng = np.random.default_rng(0)
    chances = rng.choice([0.1, 0.3, 0.9], size=(4, n_columns))
    return rng.random((n_rows, n_columns)) < chances[rng.integers(4, size=n_rows)]


@cache
def chain_of_sixteen() -> bw.BoostedDensity:
    return bw.BoostedDensity("quick", components=["margins"], random_state=0, n_jobs=1).fit(
        frame(classes(5_000, 16))
    )


def test_states_of_sixteen_columns():
    density = chain_of_sixteen()
    columns = density._read(frame(np.array(list(product([False, True], repeat=16)))))
    # Few points of each state are enough for the sum. The same 16 points in all states gave 1.15.
    scores = density.model_.log_density(columns, 32, 1, keys=row_keys(columns))
    assert np.exp(scores).sum() == pytest.approx(1.0, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["quick", "default", "thorough"])
def test_scores_of_all_states_of_sixteen_columns(preset):
    density = bw.BoostedDensity(preset, random_state=0).fit(frame(dependent(5_000, 16)))
    states = frame(np.array(list(product([False, True], repeat=16))))
    assert np.exp(density.score_samples(states)).sum() == pytest.approx(1.0, abs=0.01)


def test_many_more_points_change_the_mean_score_of_a_wide_table_little():
    bits = classes(1_040, 40)
    # A chain alone: beside a forest it has no weight here, and a forest's scores need no points.
    density = bw.BoostedDensity("quick", components=["margins"], n_estimators=30, random_state=0, n_jobs=1)
    density.fit(frame(bits[:1_000]))
    new = frame(bits[1_000:])
    found = density.score(new)
    density.n_points *= 64
    assert found == pytest.approx(density.score(new), abs=0.01)


def test_scores_do_not_depend_on_order_batch_or_container():
    density, rows = chain_of_sixteen(), frame(classes(60, 16))
    scores = density.score_samples(rows)
    order = np.random.default_rng(0).permutation(60)
    np.testing.assert_allclose(density.score_samples(rows.iloc[order]), scores[order], rtol=1e-13)
    one_by_one = [density.score_samples(rows[i : i + 1])[0] for i in range(60)]
    np.testing.assert_allclose(one_by_one, scores, rtol=1e-13)
    np.testing.assert_allclose(density.score_samples(rows.to_dict("list")), scores, rtol=1e-13)


def test_stages_end_at_the_score():
    density, rows = chain_of_sixteen(), frame(classes(40, 16))
    *_, last = density.staged_score(rows)
    assert last == pytest.approx(density.score(rows), abs=1e-9)
