"""Categories never seen: no weight is lost to rows that stand for them, and trees do not learn them away."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.evidence import weigh_rows, without_single_categories
from boxwood.tree.density.growth import encode_table
from boxwood.tree.density.unseen_categories import RowsToGrow


def rare(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"kind": (rng.zipf(1.5, n) % 5_000).astype(str), "x": rng.normal(size=n)})


def extended(table: pd.DataFrame) -> tuple[RowsToGrow, RowsToGrow]:
    encoded = encode_table(weigh_rows(bw.read_columns(table)), "smooth", "binned")
    weights = encoded.evidence.weights
    observations = encoded.evidence.observations.astype(np.float64)
    rows = RowsToGrow(encoded.rows.bins, encoded.rows.points, weights, observations, None)
    return rows, encoded.unseen.extended(rows, encoded.evidence.keys)


def test_rows_stand_for_unseen_categories_with_what_the_margin_keeps() -> None:
    rows, grown_on = extended(rare(400))
    n = len(rows.bins)
    assert grown_on.weights is not None
    assert rows.weights is not None
    assert grown_on.weights.sum() == rows.weights.sum()
    extra = grown_on.weights[n:].sum() / rows.weights.sum()
    singles = rare(400)["kind"].value_counts().eq(1).sum()
    assert extra == pytest.approx((singles + 1) / 402, abs=0.02)
    # In the other column they are as they were.
    np.testing.assert_allclose(
        np.bincount(grown_on.bins[n:, 1], grown_on.weights[n:], 1024) / extra,
        np.bincount(rows.bins[:, 1], rows.weights, 1024),
        atol=1e-3,
    )
    seen = set(rows.bins[:, 0])
    assert not seen & set(grown_on.bins[n:, 0])


def test_a_table_of_known_categories_stays_as_it_is() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"kind": rng.choice(list("abc"), 500), "x": rng.normal(size=500)})
    rows, grown_on = extended(table)
    assert grown_on is rows


def test_gaps_do_not_stand_for_categories() -> None:
    table = rare(300)
    table.loc[::3, "kind"] = None
    rows, grown_on = extended(table)
    missing = np.unique(rows.bins[np.isin(rows.bins[:, 0], rows.bins[:, 0].max()), 0])
    assert not set(missing) & set(grown_on.bins[len(rows.bins) :, 0])


@pytest.mark.parametrize("model", [bw.DensityTree(margins="smooth"), bw.DensityForest(20, random_state=0)])
def test_new_categories_keep_their_probability(model: bw.DensityForest) -> None:
    train, new = rare(500), rare(4_000, 1)
    one_leaf = bw.DensityForest(1, min_samples_split=1e18).fit(train)
    model.fit(train)
    assert model.score(new) > one_leaf.score(new) - 0.3
    is_new = ~new["kind"].isin(train["kind"])
    unknown = new[is_new].assign(x=np.nan)[:1]
    chance = np.exp(model.set_params(missing="ignore").score_samples(unknown)[0])
    assert chance == pytest.approx(is_new.mean(), abs=0.1)


@pytest.mark.filterwarnings("ignore:column 'kind'")
@pytest.mark.parametrize("leaf", ["histogram", "uniform"])
@pytest.mark.parametrize("others", [0, 3])
def test_few_new_categories_keep_the_good_turing_mass(leaf: str, others: int) -> None:
    rng = np.random.default_rng(0)
    kinds = rng.choice(["a", "b", "c"], 1_500)
    columns = {f"x{k}": rng.normal(size=1_500) + (kinds == "a") for k in range(others)}
    forest = bw.DensityForest(30, leaf=leaf, random_state=0).fit(pd.DataFrame({"kind": kinds, **columns}))
    asked = forest.query()
    new = asked.probability(kind="new")
    assert new == pytest.approx(1 / 1_502, rel=0.4)
    known = sum(asked.probability(kind=name) for name in "abc")
    assert known + new + asked.missing_probability("kind") == pytest.approx(1.0)


def test_declared_categories_that_no_row_has_are_not_learnt_away() -> None:
    rng = np.random.default_rng(0)
    names = [f"c{k}" for k in range(3_000)]
    values = pd.Categorical(rng.choice(names, 4_400), categories=names)
    train, new = pd.DataFrame({"c": values[:400]}), pd.DataFrame({"c": values[400:]})
    tree = bw.DensityTree(random_state=0).fit(train)
    assert tree.score(new) == pytest.approx(-np.log(3_000), abs=0.3)
    assert (tree.predict(new) < 0).mean() < 0.12


def test_left_out_rows_have_categories_that_others_have() -> None:
    table = pd.DataFrame({"c": ["a", "b", "a", "c", None], "x": [0.1, 0.2, 0.3, 0.4, 0.5]})
    evidence = weigh_rows(bw.read_columns(table))
    codes = without_single_categories(evidence)["c"].values[evidence.number]
    assert codes.tolist() == [0, 3, 0, 3, -1]
    numbers = weigh_rows(bw.read_columns(table[["x"]]))
    assert without_single_categories(numbers) is numbers.columns


def test_rows_that_stand_elsewhere_are_out_of_the_bag_with_themselves() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=1_200)
    names = [f"i{k}" for k in range(1_200)]
    table = pd.DataFrame({"id": names, "x": x, "y": x + 0.1 * rng.normal(size=1_200)})
    forest = bw.DensityForest(40, random_state=0).fit(table[:600])
    assert forest.oob_score_ < forest.score(table[600:]) + 0.1
    assert (forest.predict(table[600:]) < 0).mean() < 0.1  # of 0.05


def test_rows_that_stand_elsewhere_have_the_keys_of_themselves() -> None:
    encoded = encode_table(weigh_rows(bw.read_columns(rare(400))), "smooth", "binned")
    weights, keys = encoded.evidence.weights, encoded.evidence.keys
    rows = RowsToGrow(encoded.rows.bins, None, weights, np.ones(len(weights)), None)
    grown_on = encoded.unseen.extended(rows, keys)
    assert grown_on.keys is not None
    n = len(keys)
    np.testing.assert_array_equal(grown_on.keys[:n], keys)
    of_key = {int(key): row for row, key in enumerate(keys)}
    origin = np.array([of_key[int(key)] for key in grown_on.keys[n:]])
    np.testing.assert_array_equal(grown_on.bins[n:, 1], rows.bins[origin, 1])
