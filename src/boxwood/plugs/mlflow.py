"""Models in MLflow: a ``.boxwood`` file and how to ask it, without pickle.

MLflow's generic ``mlflow.pyfunc.load_model`` reads what `save_model` and `log_model` write.
"""

from __future__ import annotations

import importlib.metadata
import tempfile
from pathlib import Path
from typing import Any

from sklearn.base import ClassifierMixin, RegressorMixin

from boxwood.model_file import load

__all__ = ["PyFuncModel", "load_model", "log_model", "save_model"]

FILE = "model.boxwood"


class PyFuncModel:
    """A model as MLflow asks one: `predict` calls the method that was chosen when it was saved.

    Parameters
    ----------
    model : a fitted model
        What is asked.
    method : str
        Name of one of its methods, which takes a table.
    arguments : dict
        Further arguments of the method, by name.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.datasets import load_penguins
    >>> from boxwood.plugs.mlflow import PyFuncModel
    >>> table = load_penguins().frame
    >>> model = bw.TableModel(random_state=0).fit(table)
    >>> PyFuncModel(model, "predict", {"column": "species"}).predict(table[:2]).tolist()
    ['Adelie', 'Adelie']
    """

    def __init__(self, model: Any, method: str, arguments: dict[str, Any]) -> None:
        self.model = model
        self.method = method
        self.arguments = arguments

    def predict(self, model_input: Any, params: dict[str, Any] | None = None) -> Any:
        """Return what the method says about a table.

        Parameters
        ----------
        model_input : table
            The rows.
        params : dict, optional
            Arguments of the method, by name; they replace the saved ones of the same names.
        """
        return getattr(self.model, self.method)(model_input, **{**self.arguments, **(params or {})})

    def get_raw_model(self) -> Any:
        """Return the model itself; MLflow's ``unwrap_python_model`` and the like ask for it."""
        return self.model


def save_model(
    model: Any,
    path: str | Path,
    *,
    method: str | None = None,
    arguments: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """Write a fitted model as an MLflow model into a folder.

    Parameters
    ----------
    model : a fitted model
        Anything with ``save``.
    path : str or path-like
        A folder that is not there yet.
    method : str, optional
        What MLflow's ``predict`` calls. By default ``predict`` of classifiers and regressors, ``score_rows``
        of a :class:`boxwood.TableModel` (log-density and p-value), ``transform`` of what imputes, and
        ``score_samples`` of densities and detectors.
    arguments : dict, optional
        Further arguments of the method, such as ``{"column": "species"}`` for ``predict`` of a TableModel.
    **options
        Of ``mlflow.pyfunc.save_model``: ``signature``, ``input_example``, ``metadata``, ``pip_requirements``
        (by default boxwood of this version).

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.datasets import load_penguins
    >>> from boxwood.plugs.mlflow import save_model
    >>> import mlflow  # doctest: +SKIP
    >>> X, y = load_penguins(return_X_y=True)
    >>> tree = bw.DecisionTreeClassifier().fit(X, y)
    >>> save_model(tree, "penguins")  # doctest: +SKIP
    >>> mlflow.pyfunc.load_model("penguins").predict(X)  # doctest: +SKIP
    """
    import mlflow

    with tempfile.TemporaryDirectory() as folder:
        mlflow.pyfunc.save_model(path=str(path), **_pyfunc(model, folder, method, arguments, options))


def log_model(
    model: Any,
    name: str,
    *,
    method: str | None = None,
    arguments: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Log a fitted model in MLflow's active run.

    Parameters
    ----------
    model : a fitted model
        Anything with ``save``.
    name : str
        The model's, in the run.
    method, arguments
        What MLflow's ``predict`` calls, as in `save_model`.
    **options
        Of ``mlflow.pyfunc.log_model``; ``registered_model_name`` registers it.

    Returns
    -------
    mlflow.models.model.ModelInfo

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.datasets import load_penguins
    >>> from boxwood.plugs.mlflow import log_model
    >>> import mlflow  # doctest: +SKIP
    >>> model = bw.TableModel(random_state=0).fit(load_penguins().frame)
    >>> with mlflow.start_run():  # doctest: +SKIP
    ...     log_model(model, "penguins", registered_model_name="penguins")
    """
    import mlflow

    with tempfile.TemporaryDirectory() as folder:
        return mlflow.pyfunc.log_model(name=name, **_pyfunc(model, folder, method, arguments, options))


def load_model(model_uri: str) -> Any:
    """Return the model itself, with all its methods, from an address of MLflow.

    Parameters
    ----------
    model_uri : str
        Such as ``models:/penguins/1``, or a folder that `save_model` wrote.

    Examples
    --------
    >>> from boxwood.plugs.mlflow import load_model
    >>> model = load_model("models:/penguins/1")  # doctest: +SKIP
    >>> model.prob("body_mass_g > 5000")  # doctest: +SKIP
    """
    import mlflow
    from mlflow.models import Model

    folder = Path(mlflow.artifacts.download_artifacts(str(model_uri)))
    return load(folder / Model.load(str(folder)).flavors["python_function"]["data"])


def _pyfunc(
    model: Any, folder: str, method: str | None, arguments: dict[str, Any] | None, options: dict[str, Any]
) -> dict[str, Any]:
    """Write the model's file and return what MLflow's pyfunc needs to know of it."""
    asked = _method(model) if method is None else method
    if not callable(getattr(model, asked, None)):
        raise ValueError(f"{type(model).__name__} has no method {asked!r} for MLflow to call.")
    path = Path(folder) / FILE
    model.save(path)
    version = importlib.metadata.version("boxwood")
    return {
        "loader_module": __name__,
        "data_path": str(path),
        "pip_requirements": [f"boxwood=={version}"],
        "model_config": {"method": asked, "arguments": arguments or {}},
        **options,
    }


def _method(model: Any) -> str:
    if isinstance(model, ClassifierMixin | RegressorMixin):
        return "predict"
    names = ("score_rows", "transform", "score_samples", "predict")
    return next((name for name in names if hasattr(model, name)), "predict")


def _load_pyfunc(path: str, model_config: dict[str, Any]) -> PyFuncModel:
    """Load a model for ``mlflow.pyfunc``, which looks for a function of this name."""
    return PyFuncModel(load(path), model_config["method"], dict(model_config.get("arguments", {})))
