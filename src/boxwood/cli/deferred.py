"""Modules that scikit-learn imports but a short command never uses: imported at their first use instead."""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from types import ModuleType
from typing import Any

__all__ = ["defer_imports"]

DEFERRED = ("scipy.stats", "pandas")
"""scikit-learn imports both with its base classes: 0.5 of the 0.8 s that these take."""


class _Deferred(ModuleType):
    """Stands for a module until something is asked of it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_loaded(self), name)


def defer_imports() -> None:
    """Let modules be imported at their first use, unless they are there already."""
    for name in DEFERRED:
        if name not in sys.modules:
            module = _Deferred(name)
            # The import statement looks at the specification of what it finds.
            module.__spec__ = importlib.machinery.ModuleSpec(name, None)
            sys.modules[name] = module


def _loaded(deferred: ModuleType) -> ModuleType:
    if sys.modules.get(deferred.__name__) is deferred:
        del sys.modules[deferred.__name__]
    return importlib.import_module(deferred.__name__)
