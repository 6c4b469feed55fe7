"""``df.boxwood`` in pandas and polars."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import boxwood as bw
from boxwood.datasets import load_penguins

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
import boxwood.plugs.pandas  # noqa: E402
import boxwood.plugs.polars  # noqa: E402

MODEL = bw.TableModel(random_state=0).fit(load_penguins().frame)


def frames():
    shuffled = load_penguins(as_frame="pandas").frame.sample(40, random_state=0)
    return {"pandas": shuffled, "polars": load_penguins(as_frame="polars").frame.sample(40, seed=0)}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_series_of_answers(library):
    frame = frames()[library]
    for answer, expected in [
        (frame.boxwood.score(MODEL), MODEL.score_samples(frame)),
        (frame.boxwood.p_values(MODEL), MODEL.density_.p_values(frame)),
        (frame.boxwood.predict(MODEL, "body_mass_g"), MODEL.predict(frame, "body_mass_g")),
    ]:
        assert type(answer).__module__.startswith(library)
        np.testing.assert_array_equal(answer.to_numpy(), expected)
    assert [frame.boxwood.score(MODEL).name, frame.boxwood.predict(MODEL, "sex").name] == ["score", "sex"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_answers(library):
    frame = frames()[library]
    filled = frame.boxwood.impute(MODEL)
    assert type(filled) is type(frame)
    assert bw.read_columns(filled).n_missing == 0
    assert bw.read_columns(frame.boxwood.explain(MODEL)).n_rows == 40


def test_pandas_keeps_its_index():
    frame = frames()["pandas"]
    for answer in (frame.boxwood.score(MODEL), frame.boxwood.explain(MODEL), frame.boxwood.impute(MODEL)):
        assert answer.index.equals(frame.index)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_models_are_fitted_and_read_from_files(library, tmp_path):
    frame = frames()[library]
    assert isinstance(frame.boxwood.fit(), bw.TableModel)
    density = frame.boxwood.fit(bw.DensityTree(random_state=0))
    density.save(tmp_path / "tree.boxwood")
    for path in (tmp_path / "tree.boxwood", str(tmp_path / "tree.boxwood")):
        np.testing.assert_array_equal(frame.boxwood.score(path).to_numpy(), density.score_samples(frame))


def test_other_models():
    frame = frames()["pandas"]
    detector = bw.AnomalyDetector().fit(frame)
    np.testing.assert_array_equal(frame.boxwood.p_values(detector), detector.p_values(frame))
    numbers = frame[["bill_length_mm", "bill_depth_mm"]]
    imputer = bw.DensityImputer(random_state=0).fit(numbers)
    assert not numbers.boxwood.impute(imputer).isna().any(axis=None)
    tree = bw.DecisionTreeRegressor().fit(numbers, frame["year"])
    assert numbers.boxwood.predict(tree).name == "prediction"


def test_boxwood_itself_imports_neither():
    # scikit-learn, behind every estimator, imports pandas where it is there.
    script = (
        "import sys, boxwood; print('pandas' in sys.modules); "
        "boxwood.TableModel; print('polars' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
