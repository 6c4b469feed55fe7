"""The file itself: a safetensors file whose metadata holds one JSON header."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError

__all__ = ["FORMAT_VERSION", "read_container", "write_container"]

FORMAT_VERSION = 1
"""Raised when a file of this version would be misread by an older reader."""

_KEY = "boxwood"


def write_container(path: str | os.PathLike[str], header: dict[str, Any], tensors: dict[str, Any]) -> None:
    """Write a model file so that, whatever happens, the old or the new file is there, whole.

    It is written beside its target, flushed to the disk, then renamed over it.
    """
    from safetensors.numpy import save_file

    target = Path(os.path.realpath(path))
    text = json.dumps({"version": FORMAT_VERSION, **header}, ensure_ascii=True, allow_nan=False)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        save_file(tensors, draft, metadata={_KEY: text})
        _flush(draft)
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    _flush(target.parent)


def read_container(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read the header and the tensors of a model file."""
    from safetensors import SafetensorError, safe_open

    name = os.fspath(path)
    if not Path(name).is_file():
        raise FileNotFoundError(f"there is no file {name!r}")
    try:
        with safe_open(name, framework="numpy") as file:
            header = _read_header(name, file.metadata())
            tensors = {key: np.asarray(file.get_tensor(key)) for key in file.keys()}  # noqa: SIM118 (no mapping)
    except (SafetensorError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, ModelFileError):
            raise
        raise ModelFileError(f"{name!r} is not a boxwood model file: {error}") from None
    return header, tensors


def _read_header(name: str, metadata: dict[str, str] | None) -> dict[str, Any]:
    if not metadata or _KEY not in metadata:
        raise ModelFileError(f"{name!r} is a safetensors file, but not a boxwood model file")
    try:
        header = json.loads(metadata[_KEY])
    except (ValueError, RecursionError):
        raise ModelFileError(f"{name!r}: the header is not JSON that can be read") from None
    version = header.get("version") if isinstance(header, dict) else None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ModelFileError(f"{name!r}: the header has no format version")
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{name!r} was written in format {version} by a newer boxwood ({header.get('library', '?')}); "
            f"this one reads up to format {FORMAT_VERSION}. Upgrade boxwood to load it."
        )
    return header


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
