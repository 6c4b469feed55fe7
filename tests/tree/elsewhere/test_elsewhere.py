"""Forests whose trees are grown elsewhere are those of one call of the core, to the byte."""

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from saved_bytes import fitted, state

import boxwood as bw
from boxwood import _core
from boxwood.parameters.options import pack_options
from boxwood.tree.density import ranges
from boxwood.tree.elsewhere import growing_by, ranges_of, tree_runner


class PicklingRunner:
    """Calls functions here, as another process would: of what was pickled."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.n_calls = 0

    def by_levels(self, n_bytes: int) -> None:
        assert n_bytes > 0  # and grow whole trees

    def send(self, value: Any) -> bytes:
        return pickle.dumps(value)

    def run(
        self,
        function: Callable[..., Any],
        sent: bytes,
        arguments: Sequence[tuple[Any, ...]],
        progress: Callable[[int], None] | None = None,
    ) -> list[Any]:
        results = []
        for own in arguments:
            loaded = (pickle.loads(one) if isinstance(one, bytes) else one for one in own)
            answer = pickle.loads(pickle.dumps(function))(pickle.loads(sent), *loaded)
            results.append(pickle.loads(pickle.dumps(answer)))
            self.n_calls += 1
            if progress is not None:
                progress(len(results))
        return results


def table(n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "x": rng.normal(size=n_rows),
            "k": rng.integers(0, 4, n_rows),
            "c": rng.choice(["a", "b", "c", "rare"], n_rows, p=[0.5, 0.3, 0.19, 0.01]),
        }
    )


FORESTS = [
    bw.DensityForest(n_estimators=7, random_state=0),
    bw.DensityForest(n_estimators=20, random_state=3, max_samples=0.5),
    bw.DensityForest(n_estimators=5, bootstrap=True, min_samples_split=10, leaf="gaussian", random_state=0),
    bw.DensityForest(n_estimators=5, criterion="log_likelihood", margins="linear", random_state=0),
    bw.DensityForest(n_estimators=1, missing="ignore", random_state=0),
]


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("model", FORESTS, ids=lambda model: repr(model)[14:60])
def test_density_forests(model: Any, n_threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "FEWEST_ROWS", 50)
    rows, weights = table(), np.random.default_rng(1).integers(1, 4, 300)
    runner = PicklingRunner(n_threads)
    for given in ((rows,), (rows, None, weights)):
        wanted = fitted(model, *given)
        with growing_by(runner):
            found = fitted(model, *given)
        assert state(found) == state(wanted)
        np.testing.assert_array_equal(found.oob_log_density_, wanted.oob_log_density_)
    assert runner.n_calls >= 2 * min(model.n_estimators, 4)
    assert tree_runner() is None


@pytest.mark.parametrize(
    "model",
    [
        bw.RandomForestClassifier(n_estimators=6, oob_score=True, random_state=0),
        bw.RandomForestRegressor(n_estimators=5, random_state=0),
        bw.RandomForestClassifier(n_estimators=4, oblique=3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_decision_forests(model: Any) -> None:
    rows = table()
    y = np.where(rows["x"] + rows["k"] > 1.0, 1, 0)
    X = rows[["x", "k"]] if getattr(model, "oblique", 0) else rows
    with growing_by(PicklingRunner(1)):
        found = fitted(model, X, y)
    assert state(found) == state(fitted(model, X, y))


def test_exact_cuts_are_made_in_one_call() -> None:
    rows = table()[["x"]].assign(z=np.random.default_rng(2).normal(size=300))
    model = bw.DensityForest(n_estimators=3, splitter="exact", random_state=0)
    runner = PicklingRunner(2)
    with growing_by(runner):
        found = fitted(model, rows)
    assert runner.n_calls == 0
    assert state(found) == state(fitted(model, rows))


def test_ranges_have_every_tree_once() -> None:
    for n_trees in (1, 7, 100):
        for n_threads in (1, 3, 500):
            trees = [tree for begin, end in ranges_of(n_trees, n_threads) for tree in range(begin, end)]
            assert trees == list(range(n_trees))


def test_options_travel_whole() -> None:
    options = _core.DensityForestOptions()
    options.n_trees, options.candidates = 7, [2.0, 5.0]
    grow = options.grow
    grow.criterion, grow.max_depth = _core.CriterionKind.loo, 3
    options.grow = grow
    packed = pickle.loads(pickle.dumps(pack_options(options)))
    assert pack_options(packed.unpacked()) == pack_options(options)
    assert packed.unpacked().grow.criterion == _core.CriterionKind.loo
    assert pack_options(_core.DensityForestOptions()) != packed


def test_rows_beyond_the_table_are_refused() -> None:
    model = bw.DensityForest(n_estimators=1, random_state=0).fit(table()[["x"]])
    rows = np.random.default_rng(0).random((5, 1))
    edges = model.mixture_.bin_edges
    binned = _core.BinnedTable(edges, np.zeros((5, 1), dtype=np.uint16))
    with pytest.raises(ValueError, match="must have been binned"):
        _core.score_table_forest(
            model.margins_.native,
            rows,
            binned,
            _core.DensityForestOptions(),
            model.mixture_.native,
            _core.MissingValues.event,
            1,
        )
    with pytest.raises(ValueError, match="nothing to join"):
        _core.join_mixtures([])
