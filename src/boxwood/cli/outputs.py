"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

__all__ = ["check_writable"]


def check_writable(*paths: Path | None) -> None:
    """Raise where a file cannot be written: before the work of minutes whose result it is to hold."""
    for path in paths:
        if path is None:
            continue
        if path.is_dir():
            raise IsADirectoryError(f"{str(path)!r} is a directory: give the path of a file.")
        if not path.parent.is_dir():
            raise FileNotFoundError(f"there is no folder {str(path.parent)!r} to write {str(path)!r} to.")
