"""Work on tables larger than memory: large blocks of memory are mapped temporary files.

While a `MappedMemory` is at work, every block of at least its threshold, an array of numpy's or a vector of
the core, is a file without a name that is mapped. The system writes pages out and reads them again as it
needs memory; stages of a fit do not know of it, so that a model is the same to the byte.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import tempfile
from typing import Any, Self

from boxwood import _core

__all__ = ["MappedMemory", "free_memory", "memory_bytes"]

LEAST_THRESHOLD = 1 << 20
"""Smaller blocks are never files: making one takes as long as writing some 100 KB."""

PARTS = 64
"""A block of this fraction of the limit is a file; a stage has fewer blocks of nearly that size in use."""

_UNITS = {
    "": 1,
    "K": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "KI": 2**10,
    "MI": 2**20,
    "GI": 2**30,
    "TI": 2**40,
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]I?)?B?\s*", re.IGNORECASE)


class MappedMemory:
    """The memory that a call may take for itself, and where the rest of it goes.

    Use it in a ``with`` statement. Nothing is mapped until `start`; what is in use at the end stays mapped as
    long as something refers to it. Files have no name: none is left behind, however the process ends.

    Parameters
    ----------
    limit : int, str or None
        Bytes, or a size such as "2GB" or "512MiB"; None: half of what is free.
    folder : str or path-like, optional
        Where files go; by default the system's folder for temporary files (``TMPDIR``). It must be on a disk.

    Examples
    --------
    >>> import numpy as np
    >>> with MappedMemory("64MB") as memory:
    ...     memory.start()
    ...     numbers = np.zeros(1_000_000)
    ...     _core.mapped_totals()[:2]
    (1, 8000000)
    """

    def __init__(self, limit: int | str | None = None, folder: str | os.PathLike[str] | None = None) -> None:
        self.limit = memory_bytes(limit)
        self.folder = os.fspath(tempfile.gettempdir() if folder is None else folder)
        if not os.path.isdir(self.folder):
            raise FileNotFoundError(f"there is no folder {self.folder!r} for temporary files.")
        self._number: int | None = None
        self._before: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: object) -> None:
        if self._number is None:
            return
        _core.set_array_memory(self._before)
        _core.stop_mapping(self._number)
        self._number = self._before = None
        reason = _core.mapping_failure()
        if isinstance(error, MemoryError) and reason:
            raise OSError(
                errno.ENOSPC, f"{reason}. Give a folder on a disk with more room, or a larger memory_limit."
            ) from error

    @property
    def is_mapping(self) -> bool:
        """Whether large blocks are files."""
        return self._number is not None

    def start(self) -> None:
        """Have blocks of at least the threshold lie in files from now on, in this thread's context."""
        if self._number is None:
            self._number = _core.start_mapping(self.folder, max(LEAST_THRESHOLD, self.limit // PARTS))
            self._before = _core.set_array_memory(_core.mapped_array_memory())


def memory_bytes(limit: int | str | None) -> int:
    """Return a limit of memory in bytes.

    Examples
    --------
    >>> memory_bytes("1.5GB"), memory_bytes("64 MiB"), memory_bytes(4096)
    (1500000000, 67108864, 4096)
    """
    if limit is None:
        return free_memory() // 2
    found = None if not isinstance(limit, str) else _SIZE.fullmatch(limit)
    size = float(found[1]) * _UNITS[(found[2] or "").upper()] if found else limit
    if isinstance(size, bool) or not isinstance(size, int | float) or not 1 <= size < 2**63:
        raise ValueError(
            f"memory_limit must be a number of bytes or a size such as '2GB' or '512MiB'; got {limit!r}."
        )
    return int(size)


def free_memory() -> int:
    """Return how many bytes of memory the system, or the container that it is, has left."""
    left = [_number("/sys/fs/cgroup/memory.max", -_number("/sys/fs/cgroup/memory.current", 0, 0))]
    with contextlib.suppress(OSError), open("/proc/meminfo") as file:
        left += [int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:")]
    found = [size for size in left if size is not None and size > 0]
    return min(found) if found else os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def _number(path: str, plus: int | None, otherwise: int | None = None) -> Any:
    """Return the number in a file, which may not exist or say "max", plus another."""
    try:
        with open(path) as file:
            return int(file.read()) + (plus or 0)
    except (OSError, ValueError):
        return otherwise
