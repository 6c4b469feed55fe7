"""Forests that are grown level by level, on parts of a table, are those of one call of the core, to the byte."""

import pickle
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

import boxwood as bw
from boxwood.tree.density import levels
from boxwood.tree.elsewhere import growing_by


class Several(list[Any]):
    """The outputs of one call."""


class PicklingGraph:
    """Calls functions at once, as other processes would: of what was pickled; results are bytes."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self.n_calls: dict[str, int] = {}

    def call(self, function: Callable[..., Any], *arguments: Any, outputs: int | None = None) -> Any:
        self.n_calls[function.__name__] = self.n_calls.get(function.__name__, 0) + 1
        answer = function(*(_loaded(argument) for argument in arguments))
        if outputs is None:
            return pickle.dumps(answer)
        assert len(answer) == outputs
        return Several(pickle.dumps(one) for one in answer)

    def start(self, tasks: Sequence[Any]) -> list[Any]:
        return list(tasks)

    def results(self, tasks: Sequence[Any]) -> list[Any]:
        return [pickle.loads(task) for task in tasks]


def _loaded(value: Any) -> Any:
    if isinstance(value, list):
        return [_loaded(one) for one in value]
    return pickle.loads(value) if isinstance(value, bytes) else value


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


def table(n_rows: int, share: int = 50, seed: int = 0) -> pd.DataFrame:
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
    return pd.concat([frame, frame[: n_rows // share]], ignore_index=True)


def state(model: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        model.save(path)
        return path.read_bytes()


def fitted(model: Any, *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(*args)


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
    monkeypatch.setattr(levels, "ROWS_OF_A_SUBTREE", 200)
    monkeypatch.setattr(levels, "TREES_AT_ONCE", 4)
    for given in ((table(3000),), (table(3000, share=2),), (table(2000), None, frequencies(2040))):
        wanted = fitted(model, *given)
        runner = LevelRunner(n_threads)
        with growing_by(runner):
            found = fitted(model, *given)
        assert runner.reasons == []
        assert runner.graph.n_calls["deepen"] > 4
        assert state(found) == state(wanted)
        np.testing.assert_array_equal(found.oob_log_density_, wanted.oob_log_density_)


def frequencies(n_rows: int) -> NDArray[np.int64]:
    return np.random.default_rng(5).integers(0, 4, n_rows)
