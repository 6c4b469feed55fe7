"""Forests that grow level by level on parts of a table are those of one call of the core, to the byte."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from saved_bytes import fitted, state

import boxwood as bw
from boxwood import _core
from boxwood.tree.density import levels
from boxwood.tree.elsewhere import growing_by
from boxwood.tree.levels import rounds, tasks
from properties import examples


class Pickled:
    """What a call gave, or one of its outputs, as it would travel."""

    def __init__(self, value: Any) -> None:
        self._bytes = pickle.dumps(value)

    def __getitem__(self, i: int) -> "Pickled":
        return Pickled(self.loaded()[i])

    def loaded(self) -> Any:
        return pickle.loads(self._bytes)


class PicklingGraph:
    """Calls functions at once, as other processes would: of what was pickled."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.n_calls: dict[str, int] = {}

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self.n_calls[function.__name__] = self.n_calls.get(function.__name__, 0) + 1
        return Pickled(function(*(_loaded(argument) for argument in arguments)))

    def start(self, tasks: Sequence[Any]) -> list[Any]:
        return list(tasks)

    def results(self, tasks: Sequence[Any]) -> list[Any]:
        return [task.loaded() for task in tasks]


def _loaded(value: Any) -> Any:
    if isinstance(value, list):
        return [_loaded(one) for one in value]
    return value.loaded() if isinstance(value, Pickled) else value


class LevelRunner:
    """Wants trees grown by levels."""

    n_threads = 2

    def __init__(self, n_threads: int) -> None:
        self.graph = PicklingGraph(n_threads)
        self.reasons: list[str] = []

    def by_levels(self, n_bytes: int) -> PicklingGraph:
        assert n_bytes > 0
        return self.graph

    def refuse_levels(self, reason: str) -> None:
        self.reasons.append(reason)

    def send(self, value: Any) -> Any:
        return value

    def run(
        self,
        function: Callable[..., Any],
        sent: Any,
        arguments: Sequence[tuple[Any, ...]],
        progress: Any = None,
    ) -> list[Any]:
        return [function(sent, *own) for own in arguments]


def table(n_rows: int, one_in: int = 50, seed: int = 0) -> pd.DataFrame:
    """Return dependent numbers, integers with gaps, categories and rows that come again."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    frame = pd.DataFrame(
        {
            "x": x,
            "y": x**2 + rng.normal(size=n_rows),
            "k": np.where(rng.random(n_rows) < 0.1, np.nan, rng.integers(0, 9, n_rows)),
            "c": rng.choice(["a", "b", "c", "d"], n_rows, p=[0.4, 0.3, 0.2, 0.1]),
        }
    )
    return pd.concat([frame, frame[: n_rows // one_in]], ignore_index=True)


FORESTS = [
    bw.DensityForest(n_estimators=6, random_state=0),
    bw.DensityForest(n_estimators=3, leaf="uniform", min_samples_split=30, random_state=1),
    bw.DensityForest(n_estimators=3, max_depth=5, max_samples=0.3, min_samples_split=10, random_state=2),
    bw.DensityForest(n_estimators=4, splitter="random", max_features=None, random_state=3),
    bw.DensityForest(n_estimators=2, max_aspect=50.0, min_samples_split=20, random_state=4),
]


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("model", FORESTS, ids=lambda model: repr(model)[14:60])
def test_the_same_bytes_as_in_one_place(model: Any, n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "ROWS_OF_A_SUBTREE", 200)
    monkeypatch.setattr(levels, "TREES_AT_ONCE", 4)
    for taken_in in ((table(3000),), (table(3000, one_in=2),), (table(2000), None, frequencies(2040))):
        wanted = fitted(model, *taken_in)
        runner = LevelRunner(n_threads)
        with growing_by(runner):
            found = fitted(model, *taken_in)
        assert runner.reasons == []
        assert runner.graph.n_calls["deepen"] > 4
        assert state(found) == state(wanted)
        np.testing.assert_array_equal(found.oob_log_density_, wanted.oob_log_density_)


def frequencies(n_rows: int) -> NDArray[np.int64]:
    return np.random.default_rng(5).integers(0, 4, n_rows)


def core_table(n_rows: int, seed: int, weighted: bool) -> tuple[list[Any], NDArray[np.uint16], Any]:
    """Return bin edges of two numbers and a category, bins and weights, some of which have no common unit."""
    rng = np.random.default_rng(seed)
    edges = [
        (np.linspace(0.0, 1.0, n + 1), categorical) for n, categorical in ((16, False), (9, False), (5, True))
    ]
    bins = np.column_stack([rng.integers(0, len(u) - 1, n_rows) for u, _ in edges]).astype(np.uint16)
    bins[:, 1] = bins[:, 0] // 2  # so that there is something to split by
    return edges, bins, rng.integers(1, 40, n_rows) / 8.0 if weighted else None


def part_of(edges: list[Any], bins: Any, weights: Any, options: Any) -> Any:
    """Return rows as a part; distinct ones by their hashes, whatever part they are in."""
    ones = np.ones(len(bins))
    return _core.LevelPart(_core.BinnedTable(edges, bins, None, weights, ones), options)


def options_of_levels() -> Any:
    options = _core.DensityForestOptions()
    grow = options.grow
    grow.criterion = _core.CriterionKind.product_likelihood
    grow.min_samples_split = 2.0
    options.grow = grow
    leaf = options.leaf
    leaf.kind = _core.LeafKind.histogram
    leaf.n_leaf_bins = 4
    options.leaf = leaf
    options.max_samples = 1.0
    return options


@given(
    n_rows=st.integers(20, 120),
    seed=st.integers(0, 1000),
    cuts=st.lists(st.floats(0.0, 1.0), max_size=4),
    weighted=st.booleans(),
)
@examples(30)
def test_counts_and_sums_of_parts_add_up_to_those_of_all_rows(
    n_rows: int, seed: int, cuts: list[float], weighted: bool
) -> None:
    edges, bins, weights = core_table(n_rows, seed, weighted)
    options = options_of_levels()
    growth = _core.LevelGrowth(edges, options, 3)
    whole = part_of(edges, bins, weights, options)
    number = _core.distinct_numbers(_core.BinnedTable(edges, bins, None, weights))
    part_of_row = np.searchsorted(np.sort(cuts), number / n_rows) if cuts else np.zeros(n_rows, dtype=int)
    chosen = [part_of_row == k for k in np.unique(part_of_row)]
    parts = [
        part_of(edges, bins[rows], None if weights is None else weights[rows], options) for rows in chosen
    ]
    trees = [growth.root(0, 0.0 if weighted else 1.0)]
    states, all_rows = [part.sample(0) for part in parts], whole.sample(0)
    none = np.zeros(0)
    before, nothing = [none] * len(parts), np.zeros(0, dtype=np.uint8)
    for _ in range(4):
        tree = trees[-1]
        if tree.n_open == 0:
            break
        counted = [
            tasks.LevelCounts(n[None, :], *sums)
            for n, *sums in (
                part.count(tree, *state, 4, own)
                for part, state, own in zip(parts, states, before, strict=True)
            )
        ]
        before = [of_part.counts for of_part in counted]
        [merged] = tasks.merge([[one] for one in counted])
        n_whole, weight, counts, most = whole.count(tree, *all_rows, 4, none)
        np.testing.assert_array_equal(merged.n_rows.sum(axis=0), n_whole)
        np.testing.assert_array_equal(merged.weight, weight)
        np.testing.assert_array_equal(merged.counts, counts)
        planned, step, _ = growth.plan(tree, n_whole, weight, counts, most)
        first = tasks._first_rows(merged.n_rows, step)
        taken = [
            part.take(planned, *state, step, own, nothing)
            for part, state, own in zip(parts, states, first, strict=True)
        ]
        *rows, sums = whole.take(planned, *all_rows, step, np.zeros_like(step), nothing)
        [both] = tasks.merge([[tasks.Taken([tuple(own)], added)] for *own, added in taken])
        np.testing.assert_array_equal(both.sums, sums)
        assert sum(int(n.sum()) for _, _, n in both.rows) == len(rows[0])
        by_parts, _ = growth.deepen(planned, both.rows, both.sums)
        in_one, _ = growth.deepen(planned, [tuple(rows)], sums)
        assert by_parts.__getstate__() == in_one.__getstate__()
        states = [part.route(in_one, *state) for part, state in zip(parts, states, strict=True)]
        all_rows = whole.route(in_one, *all_rows)
        trees.append(in_one)


def test_counts_and_sums_are_those_of_a_loop() -> None:
    edges, bins, weights = core_table(80, 1, weighted=True)
    options = options_of_levels()
    growth = _core.LevelGrowth(edges, options, 3)
    part, root = part_of(edges, bins, weights, options), growth.root(0, 0.0)
    state = part.sample(0)
    n_rows, weight, counts, most = part.count(root, *state, 4, np.zeros(0))
    assert weight[0] == weights.sum()
    n_bins = [len(u) - 1 for u, _ in edges]
    for j, histogram in enumerate(counts.reshape(3, 4)):
        for b in range(4):
            assert histogram[b] == sum(
                w for w, row in zip(weights, bins, strict=True) if row[j] * 4 // n_bins[j] == b
            )
    planned, step, tried = growth.plan(root, n_rows, weight, counts, most)
    *_, sums = part.take(planned, *state, step, np.zeros_like(step), tried)
    np.testing.assert_array_equal(sums[:12], counts)  # the coarse bins of a node are four a column, too
    assert sums[12] == weights.sum()
    by_first_column = sums[13 : 13 + 16 * 12].reshape(16, 3, 4)  # its sixteen bins are the candidate groups
    for group in range(16):
        for j in range(3):
            for b in range(4):
                inside = (bins[:, 0] == group) & (bins[:, j] * 4 // n_bins[j] == b)
                assert by_first_column[group, j, b] == weights[inside].sum()


def test_trees_and_subtrees_travel() -> None:
    edges, bins, _ = core_table(60, 3, weighted=False)
    growth = _core.LevelGrowth(edges, options_of_levels(), 100)
    part = part_of(edges, bins, None, options_of_levels())
    root, state = growth.root(5, 1.0), part.sample(5)
    planned, step, tried = growth.plan(root, *part.count(root, *state, 4, np.zeros(0)))
    *rows, sums = part.take(planned, *state, step, np.zeros_like(step), tried)
    tree, [subtree] = growth.deepen(planned, [tuple(rows)], sums)
    for value in (root, planned, tree, subtree):
        assert pickle.loads(pickle.dumps(value)).__getstate__() == value.__getstate__()
        with pytest.raises(ValueError, match="end too early"):
            type(value).__new__(type(value)).__setstate__(value.__getstate__()[:-1])
    assert tree.number == 5
    assert tree.n_open == 0
