"""The file itself: a safetensors file whose metadata holds one JSON header."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError
from boxwood.parameters import shown

__all__ = ["DTYPES", "FORMAT_VERSION", "read_container", "write_container"]

FORMAT_VERSION = 1
"""Raised when a file of this version would be misread by an older reader."""

DTYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
"""The tensors that a model file may hold: safetensors' names and numpy's."""

_KEY = "boxwood"


def write_container(path: str | os.PathLike[str], header: dict[str, Any], tensors: dict[str, Any]) -> None:
    """Write a model file so that, whatever happens, the old or the new file is there, whole.

    It is written beside its target, flushed to the disk, then renamed over it.
    """
    from safetensors.numpy import save

    text = json.dumps({"version": FORMAT_VERSION, **header}, ensure_ascii=True, allow_nan=False)
    _replace(Path(os.path.realpath(os.fsdecode(path))), save(tensors, metadata={_KEY: text}))


def _replace(target: Path, content: bytes) -> None:
    # Part of the name only: with the rest it could be longer than the file system allows.
    draft = target.with_name(f".{target.name[:40]}.{secrets.token_hex(6)}.part")
    try:
        with open(draft, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        os.replace(draft, target)
    except BaseException:
        with contextlib.suppress(OSError):  # what went wrong first is what the caller must see
            draft.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    # The new file is in place; where a folder cannot be flushed (Windows, some network disks) a power
    # cut may bring the old one back, whole.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def read_container(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the header and the tensors of a model file.

    The file is read, not mapped: a mapped file that another program cuts short kills the process.
    """
    from safetensors import SafetensorError, deserialize

    content = _read_bytes(path)
    try:
        entries = deserialize(content)  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise ModelFileError(f"not a boxwood model file ({error})") from None
    header = _read_header(content)
    return header, {name: _tensor(name, **entry) for name, entry in entries}


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    path = os.fspath(path)  # a number would be taken for an open file
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a pipe would wait for ever
        raise OSError(f"{os.fsdecode(path)!r} is not a regular file")
    with open(path, "rb") as file:
        return file.read()


def _read_header(content: bytes) -> dict[str, Any]:
    length = int.from_bytes(content[:8], "little")
    metadata = _parse_json(content[8 : 8 + length]).get("__metadata__")
    if not isinstance(metadata, dict) or _KEY not in metadata:
        raise ModelFileError("a safetensors file, but not a boxwood model file")
    header = _parse_json(metadata[_KEY])
    _check_version(header)
    if not isinstance(header.get("library"), str):
        raise ModelFileError("the header does not say which boxwood wrote it")
    extra = sorted(set(header) - {"version", "library", "model"})
    if extra:
        raise ModelFileError(f"the header holds the unknown entry {shown(extra[0])}")
    return header


def _check_version(header: dict[str, Any]) -> None:
    version = header.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ModelFileError("the header has no format version")
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"written in format {shown(version)} by a newer boxwood ({shown(header.get('library'))}); this "
            f"one reads up to format {FORMAT_VERSION}. Upgrade boxwood to load it."
        )


def _parse_json(text: bytes | str) -> dict[str, Any]:
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


def _tensor(name: str, dtype: str, shape: list[int], data: bytearray) -> NDArray[Any]:
    if dtype not in DTYPES:
        raise ModelFileError(f"the tensor {shown(name)} has the dtype {dtype}, which no model has")
    try:
        array = np.frombuffer(data, dtype=DTYPES[dtype]).reshape(shape)
    except ValueError:
        raise ModelFileError(f"the tensor {shown(name)} has a shape that cannot be") from None
    if dtype == "BOOL" and array.size and array.view(np.uint8).max() > 1:
        raise ModelFileError(f"the tensor {shown(name)} holds booleans that are neither 0 nor 1")
    return array.astype(array.dtype.newbyteorder("="), copy=False)
