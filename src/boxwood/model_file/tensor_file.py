"""A safetensors file whose tensors are read one by one, when they are asked for."""

from __future__ import annotations

import io
import json
import math
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError
from boxwood.parameters import shown

__all__ = ["DTYPES", "TensorFile", "parse_json"]

DTYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
"""The tensors that a model file may hold: safetensors' names and numpy's."""

LONGEST_HEADER = 100_000_000
"""Bytes, as in safetensors."""

_ENTRY = {"dtype", "shape", "data_offsets"}


class TensorFile(Mapping[str, NDArray[Any]]):
    """The tensors of a file by name; a context manager.

    The layout is checked when the file is opened: every byte behind the header belongs to one tensor. A
    tensor is read, not mapped: a mapped file that another program cuts short kills the process.

    Parameters
    ----------
    path : str or path-like

    Attributes
    ----------
    metadata : dict of str to str
    """

    metadata: dict[str, Any]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = _opened(path)
        self._read: dict[str, NDArray[Any]] = {}
        try:
            size = os.fstat(self._file.fileno()).st_size
            header = self._read_header(size)
            self.metadata = header.pop("__metadata__", {})
            self._start = self._file.tell()
            self._entries = {name: _checked_entry(name, entry) for name, entry in header.items()}
            _check_layout(self._entries, size - self._start)
        except BaseException:
            self._file.close()
            raise

    def _read_header(self, size: int) -> dict[str, Any]:
        length = int.from_bytes(self._file.read(8), "little")
        if size < 8 or length > min(size - 8, LONGEST_HEADER):
            raise ModelFileError("not a boxwood model file (its header is longer than the file)")
        try:
            return parse_json(self._file.read(length))
        except ModelFileError as error:
            raise ModelFileError(f"not a boxwood model file ({error})") from None

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._read:  # once: a crafted header may name a tensor many times
            self._read[name] = self._tensor(name, *self._entries[name])
        return self._read[name]

    def _tensor(self, name: str, dtype: str, shape: tuple[int, ...], start: int, end: int) -> NDArray[Any]:
        content = np.empty(end - start, dtype=np.uint8)
        self._file.seek(self._start + start)
        if self._file.readinto(content.data) != len(content):
            raise ModelFileError(f"the tensor {shown(name)} is cut short: the file changed while it was read")
        if dtype == "BOOL" and len(content) and content.max() > 1:
            raise ModelFileError(f"the tensor {shown(name)} holds booleans that are neither 0 nor 1")
        try:
            array = content.view(DTYPES[dtype]).reshape(shape)
        except ValueError:
            raise ModelFileError(f"the tensor {shown(name)} has a shape that cannot be") from None
        return array.astype(array.dtype.newbyteorder("="), copy=False)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _opened(path: str | os.PathLike[str]) -> io.BufferedReader:
    path = os.fspath(path)  # a number would be taken for an open file
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a pipe would wait for ever
        raise OSError(f"{os.fsdecode(path)!r} is not a regular file")
    return Path(os.fsdecode(path)).open("rb")


def _checked_entry(name: str, entry: Any) -> tuple[str, tuple[int, ...], int, int]:
    if not isinstance(entry, dict) or set(entry) != _ENTRY:
        raise ModelFileError(f"not a boxwood model file (what it says of {shown(name)} is no tensor)")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise ModelFileError(f"the tensor {shown(name)} has the dtype {str(dtype)[:20]}, which no model has")
    if not _are_counts(shape) or len(shape) > 32 or not _are_counts(offsets) or len(offsets) != 2:
        raise ModelFileError(f"the tensor {shown(name)} has a shape that cannot be")
    start, end = offsets
    if end - start != math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize:
        raise ModelFileError(
            f"not a boxwood model file (the tensor {shown(name)} has another size than shape)"
        )
    return dtype, tuple(shape), start, end


def _are_counts(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)


def _check_layout(entries: Mapping[str, tuple[str, tuple[int, ...], int, int]], size: int) -> None:
    reached = 0
    for start, end, name in sorted((start, end, name) for name, (_, _, start, end) in entries.items()):
        if start != reached or end > size:
            raise ModelFileError(
                f"not a boxwood model file (the tensor {shown(name)} is not where it should be)"
            )
        reached = end
    if reached != size:
        raise ModelFileError("not a boxwood model file (its tensors do not fill it)")


def parse_json(text: bytes | str) -> dict[str, Any]:
    """Return a JSON object; keys that come twice and constants that are not JSON are refused."""
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except ModelFileError:
        raise
    except (ValueError, RecursionError):
        raise ModelFileError("the header is not JSON that can be read") from None
    if not isinstance(value, dict):
        raise ModelFileError("the header is not a JSON object")
    return value


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # Readers differ in which of two equal keys they believe.
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ModelFileError("the header holds a key twice")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ModelFileError(f"the header holds {name}, which is not JSON")
