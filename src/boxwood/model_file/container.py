"""The file itself: a safetensors file whose metadata holds one JSON header."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from pathlib import Path
from typing import Any

from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.tensor_file import TensorFile, parse_json
from boxwood.parameters import shown

__all__ = ["FORMAT_VERSION", "read_header", "write_container"]

FORMAT_VERSION = 1
"""Raised when a file of this version would be misread by an older reader."""

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


def read_header(file: TensorFile) -> dict[str, Any]:
    """Return the header of a model file: the format's version, who wrote it, and the model."""
    metadata = file.metadata
    if not isinstance(metadata, dict) or not isinstance(metadata.get(_KEY), str):
        raise ModelFileError("a safetensors file, but not a boxwood model file")
    header = parse_json(metadata[_KEY])
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
