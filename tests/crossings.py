"""Counts how often Python goes into the native core."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

import boxwood as bw
from boxwood import _core

PACKAGE = Path(bw.__file__).parent


class Crossings:
    """Calls of native functions, methods and constructors, and the folders on the stack at each."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, frozenset[str]]] = []

    def counted(self, name: str, native):
        def call(*args, **kwargs):
            self.calls.append((name, _folders_on_the_stack()))
            return native(*args, **kwargs)

        return call

    def outside(self, *folders: str) -> Counter[str]:
        """Count the calls with none of these folders on the stack."""
        return Counter(name for name, on_stack in self.calls if not on_stack & set(folders))


class CountedClass:
    """Stands for a native class: a call of it is counted, all else is the class's own."""

    def __init__(self, native: type, call) -> None:
        self._native, self._call = native, call

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __getattr__(self, name: str):
        return getattr(self._native, name)


def _folders_on_the_stack() -> frozenset[str]:
    found, frame = set(), sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.is_relative_to(PACKAGE):
            found.add(path.relative_to(PACKAGE).parts[0])
        frame = frame.f_back
    return frozenset(found)


def count_crossings(monkeypatch: pytest.MonkeyPatch, *, attributes: bool = False) -> Crossings:
    """Count every call from now on; with `attributes` also every reading of a native object's attribute."""
    counted = Crossings()
    for name, native in list(vars(_core).items()):
        if isinstance(native, type):
            for member, own in list(vars(native).items()):
                if callable(own) and not member.startswith("__"):
                    monkeypatch.setattr(native, member, counted.counted(f"{name}.{member}", own))
                elif attributes and isinstance(own, property):
                    read = property(counted.counted(f"{name}.{member}", own.fget), own.fset)
                    monkeypatch.setattr(native, member, read)
            monkeypatch.setattr(_core, name, CountedClass(native, counted.counted(name, native)))
        elif callable(native):
            monkeypatch.setattr(_core, name, counted.counted(name, native))
    return counted
