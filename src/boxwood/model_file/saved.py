"""What a file says of a model, read without the model's class."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

from boxwood.model_file.container import read_header
from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.model import WRONG_VALUES, drop_parts
from boxwood.model_file.state import State
from boxwood.model_file.tensor_file import TensorFile
from boxwood.model_file.values import Unpacker
from boxwood.parameters import shown

__all__ = ["SavedModel", "read_saved"]

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A model of a file, not yet made.

    Attributes
    ----------
    name : str
        Of its class.
    schema : JSON
    """

    name: str
    schema: Any
    _params: Any
    _state: Any
    _unpacker: Unpacker

    def params(self) -> dict[str, Any]:
        """Read its parameters; one that is a model itself is another of these."""
        params = self._unpacker.unpack(self._params)
        if not isinstance(params, dict):
            raise ModelFileError(f"{self.name}: the parameters are not a dictionary")
        return params

    def state(self) -> State:
        """Read what the fit has learnt."""
        return State(self._unpacker.unpack(self._state), self.name)


def read_saved(
    path: str | os.PathLike[str], without: Collection[str], use: Callable[[SavedModel], Result]
) -> Result:
    """Return what a function makes of the model in a file, while the file is open.

    Parameters
    ----------
    path : str or path-like
    without : collection of str
        Entries of its state that are neither read nor checked.
    use : callable
        What it raises of values that cannot be is the file's fault.
    """
    try:
        with TensorFile(path) as tensors:
            model = read_header(tensors).get("model")
            drop_parts(model, without)
            unpacker = Unpacker(tensors, lambda tag, content: _within(unpacker, tag, content))
            return _used(_saved(model, unpacker), use)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fsdecode(path)!r}: {error}") from None


def _used(saved: SavedModel, use: Callable[[SavedModel], Result]) -> Result:
    try:
        return use(saved)
    except ModelFileError:
        raise
    except WRONG_VALUES as error:
        raise ModelFileError(f"{saved.name}: {error}") from None


def _saved(model: Any, unpacker: Unpacker) -> SavedModel:
    if not isinstance(model, dict) or not isinstance(model.get("class"), str):
        raise ModelFileError("the header names no class")
    return SavedModel(model["class"], model.get("schema"), model.get("params"), model.get("state"), unpacker)


def _within(unpacker: Unpacker, tag: str, content: Any) -> SavedModel:
    if tag != "$estimator":
        raise ModelFileError(f"the header holds {shown(tag)}, which this boxwood does not know")
    return _saved(content, unpacker)
