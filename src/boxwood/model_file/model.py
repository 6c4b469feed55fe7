"""Estimators to model files and back."""

from __future__ import annotations

import os
from typing import Any

from boxwood.model_file.container import read_container, write_container
from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.state import State
from boxwood.model_file.values import Packer, unpack

__all__ = ["load", "save"]

_DEEPEST = 8
"""How far estimators may nest in a file: a crafted one must not exhaust the stack."""


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a model file (see `boxwood.load`)."""
    import boxwood

    packer = Packer(lambda value, where: _pack_estimator_value(packer, value, where))
    model = _pack_estimator(packer, estimator, type(estimator).__name__)
    write_container(path, {"library": boxwood.__version__, "model": model}, packer.tensors)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model that was written by an estimator's ``save``.

    The file is data, never code: a file from a stranger can be wrong, and is then refused with
    `ModelFileError`, but it cannot run anything.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    estimator
        Fitted, of the class that was saved.

    Examples
    --------
    >>> import boxwood as bw, tempfile, os
    >>> model = bw.GaussianDensity().fit([[0.0, 1.0], [1.0, 3.0], [2.0, 2.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(os.path.join(folder, "model.boxwood"))
    ...     again = bw.load(os.path.join(folder, "model.boxwood"))
    >>> bool(again.score([[1.0, 2.0]]) == model.score([[1.0, 2.0]]))
    True
    """
    header, tensors = read_container(path)
    try:
        return _unpack_estimator(header.get("model"), tensors, depth=0)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)!r}: {error}") from None


def _pack_estimator_value(packer: Packer, value: Any, path: str) -> Any:
    if hasattr(value, "_get_state") and hasattr(value, "get_params"):
        return {"$estimator": _pack_estimator(packer, value, path)}
    raise ModelFileError(f"{path} holds a {type(value).__name__}, which a model file cannot keep")


def _pack_estimator(packer: Packer, estimator: Any, path: str) -> dict[str, Any]:
    params = {
        name: packer.pack(value, f"{path}.params.{name}")
        for name, value in sorted(estimator.get_params(deep=False).items())
    }
    model = {"class": type(estimator).__name__, "params": params}
    if estimator.__sklearn_is_fitted__():
        model["schema"] = estimator.schema_.to_json()
        model["state"] = packer.pack(estimator._get_state(), path)
    return model


def _unpack_estimator(model: Any, tensors: dict[str, Any], depth: int) -> Any:
    if not isinstance(model, dict) or not isinstance(model.get("class"), str):
        raise ModelFileError("the header names no class")
    if depth > _DEEPEST:
        raise ModelFileError("models are nested too deeply")
    cls = _find_class(model["class"])

    def unpack_other(tag: str, content: Any) -> Any:
        if tag == "$estimator":
            return _unpack_estimator(content, tensors, depth + 1)
        raise ModelFileError(f"the header holds {tag!r}, which this boxwood does not know")

    estimator = _with_params(cls, unpack(model.get("params"), tensors, unpack_other))
    if "state" in model:
        state = State(unpack(model["state"], tensors, unpack_other), cls.__name__)
        try:
            estimator._restore(model.get("schema"), state)
        except ModelFileError:
            raise
        except ValueError as error:
            raise ModelFileError(str(error)) from None
    return estimator


def _find_class(name: str) -> Any:
    import boxwood

    cls = getattr(boxwood, name) if name in boxwood.__all__ else None
    if not isinstance(cls, type) or not hasattr(cls, "_restore"):
        raise ModelFileError(f"this boxwood has no model {name!r}")
    return cls


def _with_params(cls: Any, params: Any) -> Any:
    if not isinstance(params, dict):
        raise ModelFileError("the parameters are not a dictionary")
    unknown = sorted(set(params) - set(cls._get_param_names()))
    if unknown:
        raise ModelFileError(f"{cls.__name__} has no parameter {unknown[0]!r}")
    return cls(**params)
