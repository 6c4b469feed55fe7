"""Modules that scikit-learn imports but a short command never uses: imported at their first use instead."""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

__all__ = ["defer_imports"]

DEFERRED: dict[str, tuple[str, ...]] = {
    "joblib": (),
    "numpy.f2py": (),
    "pandas": (),
    "scipy.linalg": (),
    "scipy.sparse.csgraph": ("laplacian",),
    "scipy.sparse.linalg": ("LinearOperator", "cg"),
    "scipy.special": (),
    "scipy.stats": (),
}
"""Modules that scikit-learn's base classes import, and what they take out of them only to call it later.

Together they take 0.6 of 0.75 s of processor time; a question to a forest needs none of them.
"""

_TAKERS = ("sklearn.utils.fixes", "sklearn.utils.sparsefuncs")
_IMPORT_SYSTEM = ("importlib._bootstrap", "_frozen_importlib")


class _Deferred(ModuleType):
    """Stands for a module until something is asked of it."""

    def __init__(self, name: str, functions: tuple[str, ...]) -> None:
        super().__init__(name)
        # The import statement looks at the specification of what it finds.
        self.__spec__ = importlib.machinery.ModuleSpec(name, None)
        self._functions = functions

    def __getattr__(self, name: str) -> Any:
        asking = sys._getframe(1).f_globals.get("__name__")
        # `from module import function` looks for a path, an import of a module inside of it needs one.
        if name == "__path__" and asking not in _IMPORT_SYSTEM:
            raise AttributeError(name)
        if name in self._functions and asking in _TAKERS:
            return _called_later(self, name)
        return getattr(_loaded(self), name)


def defer_imports() -> None:
    """Let modules be imported at their first use, unless they are there already."""
    import numpy  # noqa: F401  # every command needs it, and parts of it are put on it

    for name, functions in DEFERRED.items():
        if name not in sys.modules:
            sys.modules[name] = _on_parent(_Deferred(name, functions))


def _loaded(deferred: ModuleType) -> ModuleType:
    if sys.modules.get(deferred.__name__) is deferred:
        del sys.modules[deferred.__name__]
    return _on_parent(importlib.import_module(deferred.__name__))


def _called_later(deferred: ModuleType, name: str) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(_loaded(deferred), name)(*arguments, **named)

    call.__name__ = name
    return call


def _on_parent(module: ModuleType) -> ModuleType:
    # As the import system does after an import; numpy asks itself for f2py without end where it is not there.
    parent, _, name = module.__name__.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], name, module)
    return module
