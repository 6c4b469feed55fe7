"""Python values as JSON and tensors, and back.

JSON values stand for themselves; what JSON lacks is an object with one key that begins with ``$``:
``{"$tensor": name}``, ``{"$tuple": [...]}``, ``{"$float": "nan"}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError

__all__ = ["Packer", "unpack"]

_DTYPES = {"f8", "f4", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1"}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Packer:
    """Turns values into JSON, putting arrays aside as named tensors.

    Parameters
    ----------
    pack_other : callable, optional
        Called as ``pack_other(value, path)`` for values that are neither JSON, tuples nor arrays; it
        gives JSON, or raises.
    """

    def __init__(self, pack_other: Callable[[Any, str], Any] | None = None) -> None:
        self.tensors: dict[str, NDArray[Any]] = {}
        self._pack_other = pack_other

    def pack(self, value: Any, path: str) -> Any:
        """Give the JSON of a value; `path` names its arrays and appears in errors."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"$float": str(value)}
        if isinstance(value, np.ndarray):
            return self._pack_array(value, path)
        if isinstance(value, list):
            return [self.pack(item, f"{path}.{i}") for i, item in enumerate(value)]
        if isinstance(value, tuple):
            return {"$tuple": [self.pack(item, f"{path}.{i}") for i, item in enumerate(value)]}
        if isinstance(value, dict):
            return {_key(key, path): self.pack(item, f"{path}.{key}") for key, item in value.items()}
        if self._pack_other is not None:
            return self._pack_other(value, path)
        raise _unpackable(value, path)

    def _pack_array(self, array: NDArray[Any], path: str) -> Any:
        if array.dtype.str[1:] not in _DTYPES:
            return {"$array": self.pack(array.tolist(), path)}
        self.tensors[path] = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="), copy=False))
        return {"$tensor": path}


def unpack(value: Any, tensors: dict[str, NDArray[Any]], unpack_other: Callable[[str, Any], Any]) -> Any:
    """Give the value of some JSON; `unpack_other` is called with a ``$`` key not known here."""
    if isinstance(value, list):
        return [unpack(item, tensors, unpack_other) for item in value]
    if not isinstance(value, dict):
        return value
    tag = next((key for key in value if key.startswith("$")), None)
    if tag is None:
        return {key: unpack(item, tensors, unpack_other) for key, item in value.items()}
    content = value[tag]
    if tag == "$tensor":
        if not isinstance(content, str) or content not in tensors:
            raise ModelFileError(f"the tensor {content!r} is missing")
        return tensors[content]
    if tag == "$float" and content in _FLOATS:
        return _FLOATS[content]
    if tag in ("$tuple", "$array") and isinstance(content, list):
        items = unpack(content, tensors, unpack_other)
        return tuple(items) if tag == "$tuple" else np.array(items, dtype=object)
    return unpack_other(tag, content)


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str) or key.startswith("$"):
        raise ModelFileError(f"{path}: a model file cannot keep the dictionary key {key!r}")
    return key


def _unpackable(value: Any, path: str) -> ModelFileError:
    return ModelFileError(f"{path} holds a {type(value).__name__}, which a model file cannot keep")
