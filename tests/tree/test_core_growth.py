"""The tree that the core grows is the one of a reference implementation that tries everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core_tables import COUNT_CRITERIA, CRITERIA, Table, grow_and_fit, grow_options, make_table, tables
from hypothesis import given
from hypothesis import strategies as st
from reference_growth import best_split, candidates, cut_of, gain_of, replay, uniformity_p_value
from reference_regions import whole_region
from reference_trees import walk_trees

from boxwood import _core
from properties import examples


def check_tree(criterion: str, table: Table, **values: Any) -> int:
    options = grow_options(criterion, **values)
    grown, flat = grow_and_fit(table, options)
    bin_edges = grown.columns()
    (nodes,) = walk_trees(flat, bin_edges)
    replay(criterion, table, bin_edges, nodes, grown.gains(), options)
    return grown.n_leaves


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables())
@examples(60)
def test_the_split_of_the_root_is_the_best_of_all_candidates(criterion: str, table: Table) -> None:
    check_tree(criterion, table, max_depth=1)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(most_rows=16))
@examples(25)
def test_depth_first_trees_are_those_of_the_reference_implementation(criterion: str, table: Table) -> None:
    check_tree(criterion, table, max_depth=4, min_samples_split=3.0)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(most_rows=16), max_leaf_nodes=st.integers(1, 7))
@examples(25)
def test_best_first_trees_are_those_of_the_reference_implementation(
    criterion: str, table: Table, max_leaf_nodes: int
) -> None:
    n_leaves = check_tree(criterion, table, best_first=True, max_leaf_nodes=max_leaf_nodes)
    assert n_leaves <= max_leaf_nodes


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(most_rows=20), smallest=st.sampled_from([0.5, 2.0, 3.0, 5.0]), split=st.integers(2, 9))
@examples(20)
def test_smallest_counts(criterion: str, table: Table, smallest: float, split: int) -> None:
    check_tree(criterion, table, min_samples_leaf=smallest, min_samples_split=float(split), max_depth=3)


@pytest.mark.parametrize("criterion", COUNT_CRITERIA)
@given(table=tables(most_rows=12))
@examples(20)
def test_empty_margins_are_cut_off_where_leaves_may_be_empty(criterion: str, table: Table) -> None:
    check_tree(criterion, table, min_samples_leaf=0.0, max_depth=3)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(table=tables(most_rows=16), most=st.sampled_from([1.0, 1.5, 2.0, 4.0]))
@examples(20)
def test_no_box_is_thinner_than_the_largest_aspect(criterion: str, table: Table, most: float) -> None:
    check_tree(criterion, table, max_aspect=most, max_depth=4)


@pytest.mark.parametrize("criterion", ["log_likelihood", "loo", "product_likelihood"])
@given(table=tables(exact=False), n=st.integers(2, 9))
@examples(20)
def test_fewer_candidates_lie_at_even_fractions_of_the_bins(criterion: str, table: Table, n: int) -> None:
    check_tree(criterion, table, max_candidates=n, max_depth=2)


@given(table=tables(), level=st.sampled_from([1e-4, 0.05, 0.5]))
@examples(40)
def test_uniform_nodes_stay_leaves(table: Table, level: float) -> None:
    # Away from the level itself, where rounding decides.
    if abs(uniformity_p_value(table, whole_region(table)) - level) > 1e-9:
        check_tree("log_likelihood", table, uniformity_level=level, max_depth=2)


def test_the_distance_is_that_of_scipy() -> None:
    from reference_growth import _distance
    from scipy.stats import kstest

    table = make_table(3, n_rows=50, n_ordered=2, exact=True)
    region = whole_region(table)
    for j in range(2):
        assert _distance(table, region, j) == pytest.approx(kstest(table.points[:, j], "uniform").statistic)


@given(table=tables(most_rows=16), least=st.sampled_from([0.0, 0.1, 1.0]))
@examples(30)
def test_the_smallest_gain_is_exceeded(table: Table, least: float) -> None:
    check_tree("loo", table, min_gain=least, max_depth=3)
    check_tree("log_likelihood", table, min_gain=least, max_depth=3)


@pytest.mark.parametrize("criterion", ["log_likelihood", "squared_error", "nonuniformity"])
@given(seed=st.integers(0, 2**32 - 1), n_categories=st.integers(2, 6), weighted=st.booleans())
@examples(60)
def test_categories_in_the_order_of_their_density_give_the_best_of_all_partitions(
    criterion: str, seed: int, n_categories: int, weighted: bool
) -> None:
    table = make_table(seed, 25, 0, 1, n_categories=n_categories, weighted=weighted)
    options = grow_options(criterion, max_depth=1, min_samples_leaf=0.0)
    grown, _ = grow_and_fit(table, options)
    best = best_split(criterion, table, whole_region(table), 0, options, all_partitions=True)
    assert grown.gains()[0] == pytest.approx(best.gain, rel=1e-9, abs=1e-12)


@given(seed=st.integers(0, 2**32 - 1), n_categories=st.integers(2, 6))
@examples(60)
def test_leaving_one_out_the_order_by_density_loses_little(seed: int, n_categories: int) -> None:
    """The error is not a convex function of count and width: another partition may be better by a trifle."""
    table = make_table(seed, 60, 0, 1, n_categories=n_categories)
    options = grow_options("loo", max_depth=1, min_samples_leaf=0.0)
    grown, flat = grow_and_fit(table, options)
    best = best_split("loo", table, whole_region(table), 0, options, all_partitions=True)
    if grown.n_leaves > 1:
        assert grown.gains()[0] >= best.gain - 0.05 * abs(best.gain) - 2.0 / 60.0
        (nodes,) = walk_trees(flat, grown.columns())
        cut = cut_of(table, grown.columns(), nodes[0])
        assert best.gain_of(0, cut) == pytest.approx(grown.gains()[0], rel=1e-9, abs=1e-12)


def test_by_the_product_criterion_the_order_of_categories_finds_most_of_the_best_gain() -> None:
    found, possible = 0.0, 0.0
    for seed in range(30):
        table = make_table(seed, 80, 1, 1, n_categories=6)
        options = grow_options("product_likelihood", max_depth=1)
        found += grow_and_fit(table, options)[0].gains()[0]
        possible += best_split("product_likelihood", table, whole_region(table), 0, options).gain
    assert 0.9 * possible < found <= possible + 1e-9


@pytest.mark.parametrize("criterion", CRITERIA)
def test_weight_two_is_the_row_twice(criterion: str) -> None:
    once = make_table(1, 40, 3, 1, weighted=True)
    twice = once.rows(np.repeat(np.arange(40), once.weights.astype(int)))
    twice.weights = np.ones(len(twice.bins))
    options = grow_options(criterion, max_depth=5)
    for a, b in zip(*(_bytes(grow_and_fit(t, options)[1]) for t in (once, twice)), strict=True):
        assert a == b


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_order_of_the_rows_leaves_no_trace(criterion: str, exact: bool) -> None:
    table = make_table(2, 60, 3, 1, exact=exact, tied=True, weighted=True)
    shuffled = table.rows(np.random.default_rng(0).permutation(60))
    options = grow_options(criterion, max_depth=6, max_features=2)
    for a, b in zip(*(_bytes(grow_and_fit(t, options)[1]) for t in (table, shuffled)), strict=True):
        assert a == b


def _bytes(flat: dict[str, Any]) -> list[Any]:
    return [value.tobytes() if isinstance(value, np.ndarray) else value for _, value in sorted(flat.items())]


def test_rows_of_weight_zero_do_not_exist() -> None:
    table = make_table(5, 50, 2, 1, weighted=True)
    table.weights[::3] = 0.0
    there = table.rows(table.weights > 0.0)
    options = grow_options("product_likelihood", max_depth=6)
    assert _bytes(grow_and_fit(table, options)[1]) == _bytes(grow_and_fit(there, options)[1])


def test_empty_nodes_are_leaves_whatever_the_options_say() -> None:
    """Else a node without rows would be cut down to single bins."""
    for exact in (False, True):
        table = make_table(6, 3, 3, 1, exact=exact, n_bins=200)
        for criterion in CRITERIA:
            options = grow_options(criterion, min_samples_leaf=0.0, min_samples_split=0.0, max_depth=12)
            grown, flat = grow_and_fit(table, options)
            (nodes,) = walk_trees(flat, grown.columns())
            assert all(node.feature < 0 for node in nodes.values() if node.count == 0.0)


def test_a_table_without_rows_gives_one_leaf() -> None:
    table = make_table(6, 3, 2, 1).rows(slice(0, 0))
    for criterion in CRITERIA:
        options = grow_options(criterion, min_samples_leaf=0.0, min_samples_split=0.0)
        assert grow_and_fit(table, options)[0].n_leaves == 1


@pytest.mark.parametrize("criterion", CRITERIA)
def test_random_cuts_are_candidates_with_the_gains_that_they_claim(criterion: str) -> None:
    for seed in range(20):
        table = make_table(seed, 30, 2, 0, n_bins=30)
        options = grow_options(criterion, random_splits=3, seed=seed, max_depth=1)
        grown, flat = grow_and_fit(table, options)
        (nodes,) = walk_trees(flat, grown.columns())
        region = whole_region(table)
        cut = cut_of(table, grown.columns(), nodes[0])
        chosen = [c for c in candidates(table, region) if (c.feature, c.cut) == (nodes[0].feature, cut)]
        assert len(chosen) == 1
        assert gain_of(criterion, table, region, chosen[0]) == pytest.approx(grown.gains()[0], rel=1e-9)


def test_random_columns_are_all_tried_over_many_nodes() -> None:
    table = make_table(8, 300, 4, 0, n_bins=50)
    seen = set()
    for seed in range(20):
        options = grow_options(max_features=1, seed=seed, max_depth=1)
        seen.add(int(_core.grow_tree(table.native(), options).features()[0]))
    assert seen == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "change", ["cell", "shape", "points", "weights", "bin edges", "bins", "nan point", "nan weight"]
)
def test_tables_that_are_none_are_refused(change: str) -> None:
    table = make_table(9, 10, 2, 1, exact=True)
    if change == "cell":
        table.bins[3, 2] = 77
    elif change == "shape":
        table.bins = np.ascontiguousarray(table.bins[:, :2])
    elif change == "points":
        table.points = np.ascontiguousarray(table.points[:5])
    elif change == "weights":
        table.weights = table.weights[:5]
    elif change == "bin edges":
        table.columns[0] = (np.array([0.0, 0.5, 0.5, 1.0]), False)
    elif change == "bins":
        table.columns[0] = (np.array([0.0, 0.5, 1.0]), False)
    elif change == "nan point":
        table.points[0, 0] = np.nan
    else:
        table.weights[0] = np.nan
    with pytest.raises(ValueError, match=r"."):
        table.native()


def test_no_candidates_at_all_is_no_crash() -> None:
    table = make_table(9, 10, 2, 1)
    for n in (0, 1):
        options = grow_options(max_candidates=n)
        grown = _core.grow_tree(table.native(), options)
        assert set(grown.features()) <= {-1, 2}
