"""Similarity of rows by shared leaves, beside plain counting."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood import _core


def table(n: int = 400, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return pd.DataFrame({"x": x, "y": x + rng.normal(size=n), "c": np.where(x > 0, "a", "b")})


FOREST = bw.DensityForest(15, random_state=0, n_jobs=1).fit(table())


def test_the_fraction_of_trees_that_have_rows_in_one_leaf() -> None:
    a, b = table(20, 1), table(30, 2)
    leaves = FOREST.apply(a), FOREST.apply(b)
    expected = (leaves[0][:, None, :] == leaves[1][None, :, :]).mean(axis=2)
    assert FOREST.similarity(a, b) == pytest.approx(expected)
    own = FOREST.similarity(a)
    assert own == pytest.approx(own.T)
    assert np.diag(own) == pytest.approx(1.0)


def test_rare_leaves_count_more() -> None:
    a = table(25, 1)
    mass = [np.asarray(FOREST.leaves_frame(t)["mass"]) for t in range(15)]
    leaves = FOREST.apply(a)
    value = np.stack([-np.log(mass[t][leaves[:, t]]) for t in range(15)], axis=1)
    same = leaves[:, None, :] == leaves[None, :, :]
    shared = (same * value[:, None, :]).sum(axis=2)
    expected = shared / np.sqrt(value.sum(axis=1)[:, None] * value.sum(axis=1))
    assert FOREST.similarity(a, weights="rarity") == pytest.approx(expected)


@pytest.mark.parametrize("weights", ["plain", "rarity"])
def test_nearest_are_those_of_the_whole_matrix(weights: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxwood.density.shared_leaves.BLOCK", 100)  # several blocks
    a, b = table(13, 1), table(40, 2)
    rows, values = FOREST.nearest(a, b, 4, weights)
    whole = FOREST.similarity(a, b, weights)
    assert rows.shape == (13, 4)
    assert values == pytest.approx(-np.sort(-whole, axis=1)[:, :4])
    assert np.take_along_axis(whole, rows, axis=1) == pytest.approx(values)
    assert (FOREST.nearest(a, a, 1)[1] == 1.0).all()


def test_any_number_of_threads_gives_the_same() -> None:
    a, b = FOREST.apply(table(70, 1)), FOREST.apply(table(50, 2))
    first = [0, *np.cumsum([len(FOREST.leaves_frame(t)) for t in range(15)]).tolist()]
    weight = np.random.default_rng(0).random(first[-1])
    one, four = (_core.shared_leaves(a, b, weight, first, n) for n in (1, 4))
    assert (one == four).all()


def test_one_tree_and_the_table_model() -> None:
    tree = bw.DensityTree(random_state=0).fit(table())
    assert set(np.unique(tree.similarity(table(10, 1), table(10, 2)))) <= {0.0, 1.0}
    model = bw.TableModel(bw.DensityForest(10, random_state=0)).fit(table())
    frame = model.similar(table(), table(3, 1), n=2)
    assert frame.row.tolist() == [0, 0, 1, 1, 2, 2]
    assert frame.similarity.between(0.0, 1.0).all()


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ValueError, match="weights must be 'plain' or 'rarity'"):
        FOREST.similarity(table(2), weights="size")
    with pytest.raises(ValueError, match="n must be an integer from 1 to 3, the rows of Y"):
        FOREST.nearest(table(2), table(3), 4)
    with pytest.raises(ValueError, match="a tree has no such leaf"):
        _core.shared_leaves(np.full((1, 1), 9, np.uint32), np.zeros((1, 1), np.uint32), np.ones(2), [0, 2])
