"""Python values as JSON and tensors, and back.

JSON values stand for themselves; what JSON lacks is an object with one key that begins with ``$``:
``{"$tensor": name}``, ``{"$tuple": [...]}``, ``{"$range": [start, stop, step]}``, ``{"$float": "nan"}``,
``{"$strings": [...]}`` (an array of text), ``{"$labels": [...]}`` (an object array of JSON scalars),
``{"$pairs": [[key, value], ...]}`` (a dictionary with whole numbers among its keys).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.tensor_file import DTYPES
from boxwood.parameters import shown

__all__ = ["Packer", "Unpacker"]

_TENSOR_KINDS = {dtype[1:] for dtype in DTYPES.values()}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}

_DEEPEST = 64
"""How far values may nest: a crafted header must not exhaust the stack."""


class Packer:
    """Turns values into JSON, putting arrays aside as named tensors.

    Parameters
    ----------
    pack_other : callable
        Called as ``pack_other(value, path)`` for values that are neither JSON, tuples nor arrays; it
        gives JSON, or raises.

    Examples
    --------
    >>> packer = Packer(lambda value, path: str(value))
    >>> packer.pack({"mean": np.zeros(2), "size": (1, float("inf"))}, "model")
    {'mean': {'$tensor': 'model.mean'}, 'size': {'$tuple': [1, {'$float': 'inf'}]}}
    >>> packer.tensors
    {'model.mean': array([0., 0.])}
    """

    def __init__(self, pack_other: Callable[[Any, str], Any]) -> None:
        self.tensors: dict[str, NDArray[Any]] = {}
        self._pack_other = pack_other

    def pack(self, value: Any, path: str) -> Any:
        """Return the JSON of a value; `path` names its arrays and appears in errors."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"$float": str(float(value))}
        if isinstance(value, np.ndarray):
            return self._pack_array(value, path)
        if isinstance(value, list):
            return [self.pack(item, f"{path}.{i}") for i, item in enumerate(value)]
        if isinstance(value, tuple):
            return {"$tuple": [self.pack(item, f"{path}.{i}") for i, item in enumerate(value)]}
        if isinstance(value, range):
            return {"$range": [value.start, value.stop, value.step]}
        if isinstance(value, dict) and any(_is_whole(key) for key in value):
            return {
                "$pairs": [
                    [key if _is_whole(key) else _key(key, path), self.pack(item, f"{path}.{key}")]
                    for key, item in value.items()
                ]
            }
        if isinstance(value, dict):
            return {_key(key, path): self.pack(item, f"{path}.{key}") for key, item in value.items()}
        return self._pack_other(value, path)

    def _pack_array(self, array: NDArray[Any], path: str) -> Any:
        if array.dtype.kind in "UO" and array.ndim == 1:
            return self._pack_labels(array, path)
        if array.dtype.str[1:] not in _TENSOR_KINDS or np.ma.isMaskedArray(array):
            raise ModelFileError(f"{path} is an array of {array.dtype}, which a model file cannot keep")
        name = path
        while name in self.tensors:  # a key with a dot in it can look like a path
            name += "'"
        # Not ascontiguousarray, which gives arrays without dimensions one.
        self.tensors[name] = np.asarray(array, dtype=array.dtype.newbyteorder("="), order="C")
        return {"$tensor": name}

    def _pack_labels(self, array: NDArray[Any], path: str) -> Any:
        labels = [self.pack(label, f"{path}.{i}") for i, label in enumerate(array)]
        if any(isinstance(label, list | dict) and "$float" not in label for label in labels):
            raise ModelFileError(f"{path} is an array of objects, which a model file cannot keep")
        return {"$strings" if array.dtype.kind == "U" else "$labels": labels}


class Unpacker:
    """Gives values back, and remembers which tensors were asked for.

    Parameters
    ----------
    tensors : mapping of name to array
    unpack_other : callable
        Called as ``unpack_other(tag, content)`` for a ``$`` key not known here.

    Examples
    --------
    >>> Unpacker({}, print).unpack({"size": {"$tuple": [1, {"$float": "inf"}]}})
    {'size': (1, inf)}
    """

    def __init__(self, tensors: Mapping[str, NDArray[Any]], unpack_other: Callable[[str, Any], Any]) -> None:
        self.used: set[str] = set()
        self._tensors = tensors
        self._unpack_other = unpack_other

    def unpack(self, value: Any, depth: int = 0) -> Any:
        """Return the value of some JSON."""
        if depth > _DEEPEST:
            raise ModelFileError("the header is nested too deeply")
        if isinstance(value, list):
            return [self.unpack(item, depth + 1) for item in value]
        if not isinstance(value, dict):
            return value
        tag = next((key for key in value if key.startswith("$")), None)
        if tag is None:
            return {key: self.unpack(item, depth + 1) for key, item in value.items()}
        if len(value) > 1:
            raise ModelFileError(f"the header holds other keys beside {shown(tag)}")
        return self._unpack_tagged(tag, value[tag], depth)

    def _unpack_tagged(self, tag: str, content: Any, depth: int) -> Any:
        if tag == "$tensor":
            return self._tensor(content)
        if tag == "$float":
            if not isinstance(content, str) or content not in _FLOATS:
                raise ModelFileError(f"{shown(content)} is not one of {sorted(_FLOATS)}")
            return _FLOATS[content]
        if tag == "$range":
            return _range(content)
        if tag not in ("$tuple", "$strings", "$labels", "$pairs"):
            return self._unpack_other(tag, content)
        if not isinstance(content, list):
            raise ModelFileError(f"the content of {shown(tag)} is not a list")
        items = self.unpack(content, depth + 1)
        if tag == "$pairs":
            return _mapping(items)
        return tuple(items) if tag == "$tuple" else _label_array(tag, items)

    def _tensor(self, name: Any) -> NDArray[Any]:
        if not isinstance(name, str) or name not in self._tensors:
            raise ModelFileError(f"the tensor {shown(name)} is missing")
        self.used.add(name)
        return self._tensors[name]


def _range(content: Any) -> range:
    whole = isinstance(content, list) and len(content) == 3 and all(_is_whole(one) for one in content)
    if not whole or content[2] == 0:
        raise ModelFileError(f"$range is not [start, stop, step]: {shown(content)}")
    return range(*content)


def _label_array(tag: str, items: list[Any]) -> NDArray[Any]:
    allowed = str if tag == "$strings" else str | int | float | None
    if not all(isinstance(item, allowed) for item in items):
        raise ModelFileError(f"{tag} holds something else")
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.astype(np.str_) if tag == "$strings" else array


def _mapping(pairs: list[Any]) -> dict[Any, Any]:
    if not all(isinstance(pair, list) and len(pair) == 2 and _may_be_key(pair[0]) for pair in pairs):
        raise ModelFileError("$pairs holds something else than keys and values")
    return dict(pairs)


def _may_be_key(key: Any) -> bool:
    return isinstance(key, str) or _is_whole(key)


def _is_whole(key: Any) -> bool:
    return isinstance(key, int) and not isinstance(key, bool)


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str) or key.startswith("$"):
        raise ModelFileError(f"{path}: a model file cannot keep the dictionary key {shown(key)}")
    return key
