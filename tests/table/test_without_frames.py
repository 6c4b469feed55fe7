"""Answers where neither pandas nor polars nor pyarrow is installed: structured arrays of numpy."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import boxwood as bw
from boxwood.columns import to_native
from boxwood.datasets import load_penguins

LIBRARIES = ("pandas", "polars", "pyarrow")
TABLE = load_penguins(as_frame=False).frame  # columns of a file, of no library
MODEL = bw.TableModel(random_state=0).fit(TABLE)

ANSWERS: dict[str, Callable[[], Any]] = {
    "sample": lambda: MODEL.sample(20, random_state=0),
    "given": lambda: MODEL.given(species="Gentoo").sample(5, random_state=0),
    "outliers": lambda: MODEL.outliers(TABLE),
    "explain": lambda: MODEL.explain(TABLE),
    "score_rows": lambda: MODEL.score_rows(TABLE),
    "impute": lambda: MODEL.impute(TABLE),
    "predict_proba": lambda: MODEL.predict_proba(TABLE, "species"),
    "predict_interval": lambda: MODEL.predict_interval(TABLE, "body_mass_g", 0.9),
    "predict_rows": lambda: MODEL.predict_rows(TABLE, "species"),
    "similar": lambda: MODEL.similar(TABLE, TABLE.take(np.arange(2))),
    "describe": lambda: MODEL.describe(),
    "drift": lambda: MODEL.drift(TABLE, random_state=0).to_frame(),
    "dependence": lambda: MODEL.dependence(),
    "surprises": lambda: MODEL.density_.explain(TABLE),
    "blame": lambda: bw.AnomalyDetector().fit(TABLE).explain(TABLE),
    "imputer": lambda: bw.DensityImputer(random_state=0).fit_transform(TABLE),
}


@pytest.fixture
def _no_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec

    def find_others(name: str, package: str | None = None) -> Any:
        return None if name.split(".")[0] in LIBRARIES else find(name, package)

    for name in LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(importlib.util, "find_spec", find_others)


@pytest.fixture(scope="module")
def in_frames() -> dict[str, bw.Columns]:
    """The answers as they are in a frame of pandas."""
    pd = pytest.importorskip("pandas")
    found = {name: answer() for name, answer in ANSWERS.items()}
    assert all(isinstance(frame, pd.DataFrame) for frame in found.values())
    return {name: bw.read_columns(frame) for name, frame in found.items()}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.usefixtures("_no_frames")
def test_answers_are_structured_arrays(name: str, in_frames: dict[str, bw.Columns]) -> None:
    answer = ANSWERS[name]()
    assert type(answer) is np.ndarray
    assert answer.dtype.names == in_frames[name].schema.names
    read = bw.read_columns(answer).matched(
        in_frames[name].schema
    )  # a frame also knows labels that no row has
    for column, expected in zip(read, in_frames[name], strict=True):
        np.testing.assert_allclose(column.values, expected.values, rtol=1e-12)


@pytest.mark.usefixtures("_no_frames")
def test_structured_arrays_are_tables_too() -> None:
    rows = MODEL.sample(50, random_state=0)
    assert rows["species"][0] in ("Adelie", "Chinstrap", "Gentoo")
    np.testing.assert_array_equal(MODEL.score_samples(rows[:7]), MODEL.score_samples(rows)[:7])


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_model_of_a_library_that_is_not_here(library: str, request: pytest.FixtureRequest) -> None:
    pytest.importorskip(library)
    columns = bw.read_columns(to_native(TABLE, library))
    request.getfixturevalue("_no_frames")
    rows = to_native(columns)
    assert type(rows) is np.ndarray
    assert rows.dtype.names == TABLE.schema.names
    np.testing.assert_array_equal(bw.read_columns(rows)["year"].values, TABLE["year"].values)


SCRIPT = """
import sys
from importlib.machinery import PathFinder

class Others(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        absent = name.split(".")[0] in ("pandas", "polars", "pyarrow")
        return None if absent else super().find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Others
import boxwood as bw
from boxwood.datasets import load_penguins

bunch = load_penguins()
bw.TableModel(random_state=0).fit(bunch.filename).save("penguins.boxwood")
model = bw.load("penguins.boxwood")
print(type(bunch.frame).__name__, type(model.impute(bunch.frame)).__name__, model.sample(3).dtype.names[0])
"""


def test_nothing_imports_a_library_of_frames(tmp_path: Any) -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""
    assert done.stdout.split() == ["Columns", "ndarray", "species"]
