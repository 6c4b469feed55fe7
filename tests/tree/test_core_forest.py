"""Forests: the same bytes whatever the threads and the order of rows; samples; the candidates; interrupts."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from core_tables import CRITERIA, Table, grow_options, leaf_options, make_table

from boxwood import _core


def forest_options(
    criterion: str = "product_likelihood",
    leaf: str = "histogram",
    grow: dict[str, Any] | None = None,
    **values: Any,
) -> _core.DensityForestOptions:
    options = _core.DensityForestOptions()
    options.n_trees = 5
    options.grow = grow_options(criterion, **{"max_features": 2, "min_samples_split": 6.0, **(grow or {})})
    options.leaf = leaf_options(leaf)
    for name, value in values.items():
        setattr(options, name, value)
    return options


def fit_flat(native: _core.BinnedTable, options: _core.DensityForestOptions) -> dict[str, Any]:
    """Return all that a fitted forest is, the flat arrays of its trees among it."""
    fitted = _core.fit_density_forest(native, options, None)
    return {
        **fitted.mixture.flat(),
        "columns": fitted.mixture.bin_edges(),
        "importance": fitted.importance(),
        "min_samples_split": fitted.min_samples_split,
        "candidate_scores": fitted.candidate_scores(),
    }


def forest_bytes(table: Table, options: _core.DensityForestOptions) -> list[Any]:
    return as_bytes(fit_flat(table.native(), options))


def as_bytes(flat: dict[str, Any]) -> list[Any]:
    found: list[Any] = []
    for name, value in sorted(flat.items()):
        if name == "columns":
            found += [(u.tobytes(), categorical) for u, categorical in value]
        else:
            found.append(value.tobytes() if isinstance(value, np.ndarray) else value)
    return found


CASES = [
    pytest.param(criterion, exact, bootstrap, id=f"{criterion}-{'exact' if exact else 'binned'}-{bootstrap}")
    for criterion in CRITERIA
    for exact in (False, True)
    for bootstrap in (False, True)
]


@pytest.mark.parametrize(("criterion", "exact", "bootstrap"), CASES)
def test_the_number_of_threads_leaves_no_trace(criterion: str, exact: bool, bootstrap: bool) -> None:
    table = make_table(1, 150, 3, 1, exact=exact, weighted=True)
    options = forest_options(criterion, bootstrap=bootstrap, candidates=[4.0, 20.0, 1e18])
    one = forest_bytes(table, options)
    for n_threads in (2, 3):
        options.n_threads = n_threads
        assert forest_bytes(table, options) == one


@pytest.mark.parametrize(("criterion", "exact", "bootstrap"), CASES)
def test_the_order_and_the_repetition_of_rows_leave_no_trace(
    criterion: str, exact: bool, bootstrap: bool
) -> None:
    table = make_table(2, 100, 3, 1, exact=exact, weighted=True)
    rows = np.repeat(np.arange(100), table.weights.astype(int))
    repeated = table.rows(np.random.default_rng(0).permutation(rows))
    repeated.weights = np.ones(len(rows))
    options = forest_options(criterion, bootstrap=bootstrap, candidates=[4.0, 20.0, 1e18])
    assert forest_bytes(table, options) == forest_bytes(repeated, options)


def test_the_seed_matters_and_trees_differ() -> None:
    table = make_table(3, 150, 3, 0)
    one, other = (forest_bytes(table, forest_options(seed=seed)) for seed in (0, 1))
    assert one != other
    flat = fit_flat(table.native(), forest_options(max_samples=1.0, grow={"max_features": 1}))
    starts = flat["node_start"]
    trees = {flat["feature"][a:b].tobytes() for a, b in pairwise(starts)}
    assert len(trees) > 1


@pytest.mark.parametrize("bootstrap", [False, True])
def test_samples_have_the_size_that_was_asked_for(bootstrap: bool) -> None:
    table = make_table(4, 400, 2, 0, n_bins=200, weighted=True)
    total = table.weights.sum()
    options = forest_options(bootstrap=bootstrap, max_samples=0.6, n_trees=200, grow={"max_depth": 0})
    flat = fit_flat(table.native(), options)
    counts = flat["count"]
    variance = 0.6 * total if bootstrap else 0.6 * 0.4 * total
    assert counts.mean() == pytest.approx(0.6 * total, abs=4.0 * np.sqrt(variance / 200.0))
    assert counts.var() == pytest.approx(variance, rel=0.5)


def test_without_a_draw_all_rows_are_in_the_sample() -> None:
    table = make_table(4, 100, 2, 0, n_bins=200)
    flat = fit_flat(table.native(), forest_options(max_samples=1.0))
    assert (flat["count"][flat["node_start"][:-1]] == 100.0).all()


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("leaf", ["uniform", "histogram", "gaussian"])
def test_a_forest_is_the_mean_of_its_trees(leaf: str, exact: bool) -> None:
    table = make_table(5, 120, 2, 1, exact=exact)
    flat = fit_flat(table.native(), forest_options(leaf=leaf))
    bin_edges = flat["columns"]
    points = np.random.default_rng(0).random((50, 3))
    weights = np.array([0.1, 0.2, 0.3, 0.15, 0.25])
    densities = [
        np.exp(_core.make_mixture(bin_edges, flat, (np.arange(5) == t).astype(float)).log_density(points))
        for t in range(5)
    ]
    integer = np.exp(_core.make_mixture(bin_edges, flat, weights).log_density(points))
    np.testing.assert_allclose(integer, weights @ np.array(densities), rtol=1e-10)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_out_of_bag_rows_are_scored_by_the_trees_that_did_not_see_them(bootstrap: bool) -> None:
    """A tree that shatters its sample gives its own rows a density far above that of others."""
    table = make_table(6, 80, 2, 0, n_bins=500)
    native = table.native()
    options = forest_options(
        "log_likelihood",
        "uniform",
        {"min_samples_split": 2.0, "max_features": 0},
        bootstrap=bootstrap,
        n_trees=8,
    )
    mixture = _core.fit_density_forest(native, options, None).mixture
    scores, flat = mixture.score_training(table.points, native, options)
    unseen = flat.reshape(-1, 4)[:, 1]
    assert scores.tobytes() == mixture.log_density(table.points).tobytes()
    there = ~np.isnan(unseen)
    assert there.mean() > 0.5
    assert np.median(unseen[there]) < np.median(mixture.log_density(table.points)) - 0.3
    options.max_samples = 1.0
    if not bootstrap:
        mixture = _core.fit_density_forest(native, options, None).mixture
        assert np.isnan(mixture.score_training(table.points, native, options)[1].reshape(-1, 4)[:, 1]).all()


def test_out_of_bag_needs_the_rows_of_the_table() -> None:
    table = make_table(6, 80, 2, 0)
    options = forest_options()
    mixture = _core.fit_density_forest(table.native(), options, None).mixture
    with pytest.raises(ValueError, match="rows of the table"):
        mixture.score_training(table.points[:10], table.native(), options)


def test_the_smallest_candidate_near_the_best_is_taken() -> None:
    for seed in range(5):
        table = make_table(seed, 200, 3, 0, n_bins=64)
        options = forest_options(candidates=[4.0, 10.0, 40.0, 1e18], n_trees=20)
        flat = fit_flat(table.native(), options)
        scores = flat["candidate_scores"]
        assert len(scores) == 4
        near = np.flatnonzero(scores >= scores.max() - 0.02)[0]
        assert flat["min_samples_split"] == options.candidates[near]
    assert len(fit_flat(table.native(), forest_options())["candidate_scores"]) == 0


def test_the_candidates_tell_structure_from_none() -> None:
    rng = np.random.default_rng(0)
    uniform = make_table(0, 2000, 2, 0, n_bins=64)
    uniform.points[:] = rng.random((2000, 2))
    uniform.bins[:] = (uniform.points * 64).astype(np.uint16)
    uniform.columns = [(np.linspace(0.0, 1.0, 65), False)] * 2
    ring = uniform.rows(slice(None))
    angle = 2.0 * np.pi * rng.random(2000)
    ring.points = np.column_stack([0.5 + 0.4 * np.cos(angle), 0.5 + 0.4 * np.sin(angle)])
    ring.bins = np.ascontiguousarray((ring.points * 64).astype(np.uint16))
    options = forest_options(candidates=[4.0, 30.0, 1e18], n_trees=16)
    scores = [fit_flat(t.native(), options)["candidate_scores"] for t in (uniform, ring)]
    assert scores[0][-1] == pytest.approx(0.0, abs=1e-9)  # a single uniform leaf
    assert scores[0].max() < 0.05
    assert scores[1].max() > scores[1][-1] + 0.5


def test_importance_is_the_sum_of_gains() -> None:
    table = make_table(7, 200, 3, 0)
    table.bins[:, 2] = np.arange(200) % 12  # tells nothing of the others
    flat = fit_flat(table.native(), forest_options("log_likelihood", grow={"max_features": 0}))
    assert flat["importance"].shape == (3,)
    assert (flat["importance"] >= 0.0).all()
    assert flat["importance"][:2].min() > flat["importance"][2]


def test_a_forest_without_trees_is_refused() -> None:
    for exact in (False, True):
        table = make_table(8, 20, 2, 0, exact=exact)
        with pytest.raises(ValueError, match="tree"):
            _core.fit_density_forest(table.native(), forest_options(n_trees=0), None)


def test_histograms_without_bins_are_refused() -> None:
    table = make_table(8, 20, 2, 0)
    grown = _core.grow_tree(table.native(), grow_options())
    for n_bins in (0, 1025):
        with pytest.raises(ValueError, match="bins"):
            grown.fit_leaves(table.native(), leaf_options("histogram", n_leaf_bins=n_bins))


def test_leaves_are_fitted_on_the_rows_that_the_tree_grew_on() -> None:
    table = make_table(8, 20, 2, 0)
    grown = _core.grow_tree(table.native(), grow_options())
    for other in (table.rows(slice(0, 5)), make_table(9, 20, 2, 0), make_table(8, 20, 3, 0)):
        with pytest.raises(ValueError, match="grown"):
            grown.fit_leaves(other.native(), leaf_options("histogram"))


def test_few_rows_and_tiny_samples() -> None:
    for n in (1, 2, 3):
        table = make_table(8, n, 2, 1)
        for bootstrap in (False, True):
            options = forest_options(bootstrap=bootstrap, max_samples=0.01, candidates=[2.0, 1e18])
            flat = fit_flat(table.native(), options)
            mixture = _core.make_mixture(flat["columns"], flat, np.full(5, 0.2))
            assert np.isfinite(mixture.log_density(table.points)).all()


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("leaf", ["uniform", "histogram", "gaussian"])
def test_a_fitted_mixture_is_that_of_its_flat_arrays_to_the_byte(leaf: str, exact: bool) -> None:
    """It has not been checked, nor its leaves been normalised once more."""
    table = make_table(3, 300, 3, 2, exact=exact, weighted=True)
    fitted = _core.fit_density_forest(table.native(), forest_options(leaf=leaf, n_trees=4), None).mixture
    flat = fitted.flat()
    again = _core.make_mixture(fitted.bin_edges(), flat, fitted.weights())
    assert as_bytes(again.flat()) == as_bytes(flat)
    points = np.random.default_rng(0).random((700, 5))
    points[::7, 1] = np.nan
    points[::5, 4] = np.nan
    assert fitted.log_density(points).tobytes() == again.log_density(points).tobytes()
    assert fitted.memory() == again.memory()
    for tree in range(4):
        assert fitted.leaf_scales(tree).tobytes() == again.leaf_scales(tree).tobytes()
        single = fitted.flat(tree)
        assert single["node_start"].tolist() == [0, 2 * fitted.n_leaves()[tree] - 1]
        first, last = flat["node_start"][tree : tree + 2]
        assert single["mass"].tobytes() == flat["mass"][first:last].tobytes()
    with pytest.raises(ValueError, match="no such tree"):
        fitted.flat(4)


def test_large_nodes_are_cut_by_a_part_of_their_rows() -> None:
    """The halves' weights are those of all rows, and min_samples_leaf holds for them."""
    table = make_table(0, 3000, 3, 1, n_bins=1000, weighted=True)
    for least in (1.0, 40.0):
        grow = {"scan_rows": 50, "min_samples_leaf": least}
        flat = fit_flat(table.native(), forest_options(grow=grow, max_samples=1.0))
        count, inner = flat["count"], flat["feature"] >= 0
        start = np.repeat(flat["node_start"][:-1], np.diff(flat["node_start"]))
        left = (start + flat["left"])[inner]
        assert (count[left] + count[left + 1] == count[inner]).all()
        assert (count[flat["node_start"][:-1]] == table.weights.sum()).all()
        assert ((count >= least) | (count == 0.0)).all()
    integer = forest_bytes(table, forest_options(grow={"scan_rows": 0}))
    assert integer != forest_bytes(table, forest_options(grow={"scan_rows": 50}))


# ---- interrupts ---------------------------------------------------------------------------------------


def n_native_threads() -> int:
    return len(os.listdir("/proc/self/task"))


def large_table() -> Table:
    return make_table(0, 30_000, 4, 0, n_bins=500)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts the threads of /proc")
@pytest.mark.parametrize("n_threads", [1, 3])
def test_a_progress_that_raises_stops_the_fit_and_leaves_no_thread(n_threads: int) -> None:
    class Stopped(Exception):  # noqa: N818
        pass

    seen: list[int] = []

    def progress(n_done: int) -> None:
        seen.append(n_done)
        if n_done >= 2:
            raise Stopped

    table = large_table().native()
    before = n_native_threads()
    options = forest_options(n_trees=500, n_threads=n_threads)
    with pytest.raises(Stopped):
        _core.fit_density_forest(table, options, progress)
    assert n_native_threads() <= before
    assert max(seen) < 400
    assert seen == sorted(seen)


def test_progress_ends_with_all_trees_done_and_hears_of_the_candidates() -> None:
    seen: list[int] = []
    _core.fit_density_forest(
        large_table().native(), forest_options(n_trees=6, candidates=[100.0, 1e18]), seen.append
    )
    assert seen
    assert max(seen) <= 6


@contextmanager
def ctrl_c_soon() -> Iterator[None]:
    """Ctrl-C after a tenth of a second."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals reach the main thread alone")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_ctrl_c_stops_a_forest(n_threads: int) -> None:
    table, options = large_table().native(), forest_options(n_trees=5000, n_threads=n_threads)
    start = time.process_time()
    with pytest.raises(KeyboardInterrupt), ctrl_c_soon():
        _core.fit_density_forest(table, options, None)
    assert time.process_time() - start < 20.0  # CPU seconds: a busy machine changes them little


def test_ctrl_c_stops_a_tree() -> None:
    table = make_table(0, 200_000, 4, 0, exact=True).native()
    with pytest.raises(KeyboardInterrupt), ctrl_c_soon():
        _core.grow_tree(table, grow_options(min_samples_split=2.0))
