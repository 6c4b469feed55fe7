"""Estimators to model files and back."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from boxwood.model_file.container import read_header, write_container
from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.state import State
from boxwood.model_file.tensor_file import TensorFile
from boxwood.model_file.values import Packer, Unpacker
from boxwood.parameters import shown

__all__ = ["WRONG_VALUES", "drop_parts", "load", "load_without", "save"]

_DEEPEST = 8
"""How far estimators may nest in a file: a crafted one must not exhaust the stack."""

WRONG_VALUES = (TypeError, ValueError, ArithmeticError, LookupError, RecursionError)
"""What a model's own checks may raise for values that cannot be; in a file they are the file's fault."""


def save(estimator: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a model file (see `boxwood.load`).

    Raises
    ------
    ModelFileError
        Where the estimator, or a parameter of it, is nothing that a model file can keep.
    OSError
        Where the file cannot be written; an older file of that name is then still there.
    """
    import boxwood

    packer = Packer(lambda value, where: _pack_other(packer, value, where))
    model = _pack_estimator(packer, estimator, type(estimator).__name__)
    write_container(path, {"library": boxwood.__version__, "model": model}, packer.tensors)


def load(path: str | os.PathLike[str]) -> Any:
    """Load a model that was written by an estimator's ``save``.

    The file is data, never code: a file from a stranger can be wrong, and is then refused with
    `ModelFileError`, but it cannot run anything.

    Parameters
    ----------
    path : str or path-like
        A file that `save` wrote.

    Returns
    -------
    estimator
        Fitted, of the class that was saved.

    Raises
    ------
    ModelFileError
        With the file's name and what is wrong with it.
    OSError
        Where there is no such file, or it cannot be read.

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
    return load_without(path, ())


def load_without(path: str | os.PathLike[str], parts: Collection[str]) -> Any:
    """Load a model without some entries of its state, which are neither read nor checked.

    Parameters
    ----------
    path : str or path-like
    parts : collection of str
        Entries that the model's class can do without.
    """
    try:
        with TensorFile(path) as tensors:
            return _Reader(tensors).read(read_header(tensors), parts)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fsdecode(path)!r}: {error}") from None


def _pack_other(packer: Packer, value: Any, path: str) -> Any:
    if hasattr(value, "_get_state") and hasattr(value, "get_params"):
        return {"$estimator": _pack_estimator(packer, value, path)}
    raise ModelFileError(f"{path} holds a {type(value).__name__}, which a model file cannot keep")


def _pack_estimator(packer: Packer, estimator: Any, path: str) -> dict[str, Any]:
    name = type(estimator).__name__
    if _exported(name) is not type(estimator):
        raise ModelFileError(
            f"{path}: {name} is not a class of boxwood's, so that no file of it could be read"
        )
    params = {
        key: packer.pack(value, f"{path}.params.{key}")
        for key, value in sorted(estimator.get_params(deep=False).items())
    }
    model = {"class": name, "params": params}
    if estimator.__sklearn_is_fitted__():
        _check_parameters(estimator)
        model["schema"] = estimator.schema_.to_json()
        model["state"] = packer.pack(estimator._get_state(), path)
    return model


def _check_parameters(estimator: Any) -> None:
    # Set to nonsense after the fit they would make a file that cannot be read.
    try:
        estimator._check_parameters(warn=False)
    except (TypeError, ValueError) as error:
        raise ModelFileError(str(error)) from None


class _Reader:
    """Makes estimators of a header and its tensors."""

    def __init__(self, tensors: Mapping[str, Any]) -> None:
        self._tensors = tensors
        self._unpacker = Unpacker(tensors, self._unpack_other)
        self._depth = 0

    def read(self, header: dict[str, Any], parts: Collection[str]) -> Any:
        """Return the fitted estimator of a file, all of which but some parts must be of use to it."""
        model = header.get("model")
        left_out = drop_parts(model, parts)
        estimator = self._estimator(model)
        if not estimator.__sklearn_is_fitted__():
            raise ModelFileError(f"{type(estimator).__name__} has no state: it was not fitted")
        unused = sorted(set(self._tensors) - self._unpacker.used - left_out)
        if unused:
            raise ModelFileError(f"the tensor {shown(unused[0])} belongs to nothing")
        return estimator

    def _unpack_other(self, tag: str, content: Any) -> Any:
        if tag != "$estimator":
            raise ModelFileError(f"the header holds {shown(tag)}, which this boxwood does not know")
        if self._depth >= _DEEPEST:
            raise ModelFileError("models are nested too deeply")
        self._depth += 1
        estimator = self._estimator(content)
        self._depth -= 1
        return estimator

    def _estimator(self, model: Any) -> Any:
        cls = _class_of(model)
        params = self._unpacker.unpack(model["params"])
        state = self._unpacker.unpack(model["state"]) if "state" in model else None
        try:
            estimator = _with_params(cls, params)
            if state is not None:
                checked = State(state, cls.__name__)
                estimator._restore(model["schema"], checked)
                checked.check_all_read()
        except ModelFileError:
            raise
        except WRONG_VALUES as error:
            raise ModelFileError(f"{cls.__name__}: {error}") from None
        return estimator


def drop_parts(model: Any, parts: Collection[str]) -> set[str]:
    """Drop parts of a model's state; return the names of their tensors."""
    state = model.get("state") if isinstance(model, dict) else None
    if not isinstance(state, dict):
        return set()
    return {name for part in parts for name in _tensor_names(state.pop(part, None))}


def _tensor_names(value: Any) -> Iterator[str]:
    left = [value]  # no recursion: what is left out may be nested as deeply as it likes
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if isinstance(one.get("$tensor"), str):
                yield one["$tensor"]
            left += one.values()
        elif isinstance(one, list):
            left += one


def _class_of(model: Any) -> Any:
    if not isinstance(model, dict) or not isinstance(model.get("class"), str):
        raise ModelFileError("the header names no class")
    cls = _exported(model["class"])
    if not isinstance(cls, type) or not hasattr(cls, "_restore"):
        raise ModelFileError(f"this boxwood has no model {shown(model['class'])}")
    expected = {"class", "params"} | ({"schema", "state"} if {"schema", "state"} & set(model) else set())
    if set(model) != expected:
        entry = sorted(set(model) ^ expected)[0]
        what = "is missing" if entry in expected else "is unknown"
        raise ModelFileError(f"{cls.__name__}: the entry {shown(entry)} {what}")
    return cls


def _exported(name: str) -> Any:
    import boxwood

    return getattr(boxwood, name) if name in boxwood.__all__ else None


def _with_params(cls: Any, params: Any) -> Any:
    if not isinstance(params, dict):
        raise ModelFileError(f"{cls.__name__}: the parameters are not a dictionary")
    params = cls._updated_params(params)
    unknown = sorted(set(params) - set(cls._get_param_names()))
    if unknown:
        raise ModelFileError(f"{cls.__name__} has no parameter {shown(unknown[0])}")
    return cls(**params)
