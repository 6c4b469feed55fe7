"""Models in MLflow itself: saved, logged, loaded and asked."""

from __future__ import annotations

import numpy as np
import pytest

import boxwood as bw
from boxwood.datasets import load_cars, load_penguins

mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed: `make test-plugs` installs it")
from boxwood.plugs import mlflow as plug  # noqa: E402

PENGUINS = load_penguins()
# MLflow's own warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/store.db" if _has_sqlalchemy() else str(tmp_path / "runs"))


def _has_sqlalchemy() -> bool:
    from importlib.util import find_spec

    return find_spec("sqlalchemy") is not None and find_spec("alembic") is not None


def test_saved_and_loaded(tmp_path):
    model = bw.DecisionTreeClassifier().fit(PENGUINS.data, PENGUINS.target)
    plug.save_model(model, tmp_path / "tree")
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "tree"))
    assert loaded.predict(PENGUINS.data).tolist() == model.predict(PENGUINS.data).tolist()
    own = plug.load_model(str(tmp_path / "tree"))
    np.testing.assert_array_equal(own.predict_proba(PENGUINS.data), model.predict_proba(PENGUINS.data))


def test_no_pickle_is_written(tmp_path):
    plug.save_model(bw.GaussianDensity().fit([[0.0], [1.0], [3.0]]), tmp_path / "density")
    names = {path.name for path in (tmp_path / "density").rglob("*") if path.is_file()}
    assert "model.boxwood" in names
    assert not [name for name in names if name.endswith((".pkl", ".pickle", ".joblib"))]
    requirements = (tmp_path / "density" / "requirements.txt").read_text()
    assert f"boxwood=={bw.__version__}" in requirements


@pytest.mark.parametrize(
    ("model", "method"),
    [
        (bw.DensityTree(random_state=0), "score_samples"),
        (bw.AnomalyDetector(), "score_samples"),
        (bw.TableModel(bw.DensityTree(random_state=0)), "score_rows"),
        (bw.DensityImputer(random_state=0), "transform"),
    ],
)
def test_what_predict_calls(tmp_path, model, method):
    table = PENGUINS.frame[["bill_length_mm", "bill_depth_mm"]]
    model.fit(table)
    plug.save_model(model, tmp_path / "model")
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "model")).predict(table)
    np.testing.assert_array_equal(np.asarray(loaded), np.asarray(getattr(model, method)(table)))


def test_another_method_and_its_arguments(tmp_path):
    model = bw.TableModel(random_state=0).fit(PENGUINS.frame)
    plug.save_model(model, tmp_path / "table", method="predict", arguments={"column": "species"})
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "table")).predict(PENGUINS.frame)
    assert loaded.tolist() == model.predict(PENGUINS.frame, "species").tolist()
    with pytest.raises(ValueError, match="TableModel has no method 'transform'"):
        plug.save_model(model, tmp_path / "other", method="transform")


def test_logged_in_a_run():
    X, y = load_cars(return_X_y=True)
    model = bw.RandomForestRegressor(5, random_state=0).fit(X, y)
    with mlflow.start_run():
        info = plug.log_model(model, "cars")
    loaded = mlflow.pyfunc.load_model(info.model_uri)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(plug.load_model(info.model_uri).predict(X), model.predict(X))


def test_a_signature_is_kept(tmp_path):
    X, y = load_cars(return_X_y=True)
    X = X[["weight_lb", "acceleration_s"]].astype(float)
    model = bw.DecisionTreeRegressor(max_depth=3).fit(X, y)
    signature = mlflow.models.infer_signature(X, model.predict(X))
    plug.save_model(model, tmp_path / "cars", signature=signature)
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "cars"))
    assert loaded.metadata.signature == signature
    with pytest.raises(mlflow.exceptions.MlflowException):
        loaded.predict(X[["weight_lb"]])


def test_a_broken_file_is_refused(tmp_path):
    plug.save_model(bw.GaussianDensity().fit([[0.0], [1.0], [3.0]]), tmp_path / "density")
    (path,) = (tmp_path / "density").rglob("model.boxwood")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(bw.ModelFileError):
        mlflow.pyfunc.load_model(str(tmp_path / "density"))
