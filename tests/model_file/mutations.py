"""Model files with something changed: bytes, the header's values, or the numbers of the tensors."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from crafting import joined, parts

ODD_VALUES: list[Any] = [
    *[None, True, False, -1, 0, 1, 2, 3, 7, 255, 256, 65_535, 2**31 - 1, 2**31, 2**32, 2**53, 2**63, 10**400],
    *[0.0, 0.5, 1.0, -1.0, 1e-320, 1e-12, 1e12, 1e300, 1.7976931348623157e308],
    *["", "x", "event", "numeric", "categorical", "2024-01-01", "\0", "ß" * 50, "1" * 5000],
    *[{"$float": "nan"}, {"$float": "inf"}, {"$float": "-inf"}, {"$tuple": [1, 2]}, {"$labels": ["a", 1]}],
    *[[], {}, [0], ["a", "b"], {"a": 1}, [[1]], {"$pairs": [[0, 1]]}, {"$strings": ["a"]}, {"$tensor": "a"}],
]
ODD_FLOATS = [
    *[np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-320, 1e-300, 1e-12, 1e12, 1e300, 1.7e308],
    *[1.0 - 2.0**-53, 1.0 + 2.0**-52, 2.0**53, -(2.0**63)],
]


@dataclass(frozen=True, eq=False)
class Saved:
    """A model file that mutations begin with."""

    name: str
    content: bytes

    @cached_property
    def _parts(self) -> tuple[str, dict[str, Any]]:
        header, tensors = parts(self.content)
        return json.dumps(header), tensors

    @property
    def header(self) -> Any:
        """A copy of the header."""
        return json.loads(self._parts[0])

    @property
    def tensors(self) -> dict[str, Any]:
        """The tensors, in a dictionary of its own; a change makes a copy of an array."""
        return dict(self._parts[1])


def mutated(files: Sequence[Saved], seed: int) -> tuple[Saved, bytes]:
    """Return one of some files with something changed, and which it was; a seed tells all of it."""
    source = random.Random(seed)
    saved = files[seed % len(files)]
    kind = source.random()
    if kind < 0.15:
        return saved, _changed_bytes(saved.content, source)
    if kind < 0.20:
        return saved, _spliced_bytes(saved.content, source.choice(files).content, source)
    header, tensors = saved.header, saved.tensors
    for _ in range(source.choice([1, 1, 1, 2, 4])):
        part = source.random()
        if part < 0.4 or not tensors:
            header = _changed_header(header, source)
        elif part < 0.9:
            _changed_tensor(tensors, source)
        else:
            _borrowed_tensor(tensors, source.choice(files).tensors, source)
    return saved, joined(header, tensors)


# Bytes.


def _changed_bytes(content: bytes, source: random.Random) -> bytes:
    kind = source.randrange(5)
    if kind < 2:
        changed = bytearray(content)
        for _ in range(source.choice([1, 1, 1, 2, 8])):
            changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
        return bytes(changed)
    if kind == 2:
        return content[: source.randrange(len(content))]
    i, j = sorted(source.randrange(len(content)) for _ in range(2))
    middle = [b"", content[i:j] * 2, source.randbytes(source.randrange(40)), source.randbytes(j - i)]
    return content[:i] + source.choice(middle) + content[j:]


def _spliced_bytes(content: bytes, other: bytes, source: random.Random) -> bytes:
    """Put a part of another file in place of one, of the same length half of the times."""
    i, j = sorted(source.randrange(len(content)) for _ in range(2))
    k = source.randrange(len(other))
    length = j - i if source.random() < 0.5 else source.randrange(len(other))
    return content[:i] + other[k : k + length] + content[j:]


# The header.


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every list or dictionary within a JSON value with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _changed_header(header: Any, source: random.Random) -> Any:
    places = list(_places(header))
    if not places:
        return header
    within, key = source.choice(places)
    kind = source.randrange(8)
    if kind == 0:
        del within[key]
    elif kind == 1 and isinstance(within, list):
        within.insert(key, json.loads(json.dumps(within[key])))
    elif kind == 2:
        elsewhere, other = source.choice(places)
        within[key] = json.loads(json.dumps(elsewhere[other]))
    elif kind < 6 and _is_number(within[key]):
        within[key] = source.choice(
            [within[key] + 1, within[key] - 1, -within[key], 2 * within[key], within[key] / 3]
        )
    else:
        # A copy: the next change may be within it, and would change what other seeds get.
        within[key] = copy.deepcopy(source.choice(ODD_VALUES))
    return header


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e100


# The tensors.


def _changed_tensor(tensors: dict[str, Any], source: random.Random) -> None:
    name = source.choice(sorted(tensors))
    change: Callable[[Any, random.Random], Any] = source.choice(
        [_with_odd_items, _with_odd_items, _with_odd_items, _with_near_items, _moved, _resized, _other_dtype]
    )
    if change is _resized and source.random() < 0.5:  # all that have this length: a consistent lie
        length, cut = tensors[name].shape[:1], source.randrange(1 << 30)
        for other in [one for one in tensors if tensors[one].shape[:1] == length]:
            tensors[other] = _resized(tensors[other], random.Random(cut))
        return
    tensors[name] = np.ascontiguousarray(change(tensors[name], source))


def _borrowed_tensor(tensors: dict[str, Any], others: dict[str, Any], source: random.Random) -> None:
    name = source.choice(sorted(tensors))
    if others:
        alike = [other for other in others if other.split(".")[-1] == name.split(".")[-1]]
        tensors[name] = others[source.choice(sorted(alike or others))]


def _with_odd_items(array: Any, source: random.Random) -> Any:
    flat = array.flatten()
    for _ in range(source.choice([1, 1, 2, 5, max(flat.size, 1)])):
        if flat.size:
            with np.errstate(over="ignore"):
                flat[source.randrange(flat.size)] = _odd_item(flat, source)
    return flat.reshape(array.shape)


def _odd_item(flat: Any, source: random.Random) -> Any:
    if flat.dtype.kind == "f":
        return source.choice([*ODD_FLOATS, -flat[0], flat[source.randrange(flat.size)]])
    if flat.dtype.kind == "b":
        return source.random() < 0.5
    bounds = np.iinfo(flat.dtype)
    near = [0, 1, 2, bounds.max, bounds.max - 1, bounds.min, flat.size, flat.size - 1, bounds.max // 2]
    item = source.choice([*near, int(flat[source.randrange(flat.size)]), source.getrandbits(bounds.bits - 1)])
    return min(max(item, bounds.min), bounds.max)


def _with_near_items(array: Any, source: random.Random) -> Any:
    flat = array.flatten()
    if flat.size and flat.dtype.kind == "f":
        at = source.randrange(flat.size)
        with np.errstate(all="ignore"):
            flat[at] = source.choice(
                [np.nextafter(flat[at], np.inf), np.nextafter(flat[at], -np.inf), -flat[at], 1.001 * flat[at]]
            )
    elif flat.size and flat.dtype.kind in "iu":
        at, bounds = source.randrange(flat.size), np.iinfo(flat.dtype)
        flat[at] = min(max(int(flat[at]) + source.choice([-2, -1, 1, 2]), bounds.min), bounds.max)
    return flat.reshape(array.shape)


def _moved(array: Any, source: random.Random) -> Any:
    flat = array.flatten()
    kind = source.randrange(4)
    if kind == 0:
        flat = flat[::-1]
    elif kind == 1:
        flat = np.sort(flat)
    elif kind == 2 and flat.size:
        flat = np.roll(flat, source.randrange(flat.size))
    elif flat.size:
        flat[:] = flat[source.randrange(flat.size)]
    return flat.reshape(array.shape)


def _resized(array: Any, source: random.Random) -> Any:
    n = len(array) if array.ndim else 0
    if n == 0:
        return np.zeros((source.randrange(4),), dtype=array.dtype)
    keep = source.choice([0, 1, n - 1, n // 2, n, n])
    extra = array[: source.choice([0, 1, n])]
    return np.concatenate([array[:keep], extra])


def _other_dtype(array: Any, source: random.Random) -> Any:
    with np.errstate(all="ignore"):
        return array.astype(source.choice([np.float64, np.float32, np.int64, np.int32, np.uint8, np.bool_]))
