"""The memory that a test process may take.

A fault that allocates without end then fails one test with a MemoryError. Without a limit it slows down or
stops the whole machine.
"""

from __future__ import annotations

import os
import sys

__all__ = ["IS_LIMITED", "MOST_MEMORY", "limit_memory"]

MOST_MEMORY = 6 << 30
"""Bytes; several times what the largest test process of the suite takes."""

IS_LIMITED = sys.platform == "linux" and "asan" not in os.environ.get("LD_PRELOAD", "")
"""Other systems do not count the memory. A sanitizer's shadow of the memory is larger than any limit."""


def limit_memory() -> None:
    """Let allocations of this process fail, and of those that it starts, beyond `MOST_MEMORY`."""
    if not IS_LIMITED:
        return
    import resource

    # RLIMIT_DATA counts private writable memory. RLIMIT_AS would count mapped files and reserved addresses.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
