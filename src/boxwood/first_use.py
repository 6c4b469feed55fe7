"""Names of a package whose modules are imported when the names are first used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["at_first_use"]


def at_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``: it imports a name's module once and keeps the name.

    Parameters
    ----------
    package : str
    homes : mapping of name to module

    Examples
    --------
    >>> find = at_first_use("boxwood.first_use", {"sqrt": "math"})
    >>> find("sqrt")(4.0)
    2.0
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
