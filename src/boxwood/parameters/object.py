"""Kinds of parameters that are objects: instances of a class, functions, and what has a check of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boxwood.parameters.kind import Kind
from boxwood.parameters.shown import shown

__all__ = ["Checked", "Function", "Instance", "Unchecked"]


@dataclass(frozen=True)
class Instance(Kind):
    """An instance of a class, which docstrings call by a name without its article."""

    cls: type
    name: str

    @property
    def text(self) -> str:
        """The name."""
        return self.name

    @property
    def words(self) -> str:
        """The name with its article."""
        return f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"

    def takes(self, value: object) -> bool:
        """Return whether `value` is an instance."""
        return isinstance(value, self.cls)

    def check(self, where: str, value: object) -> None:
        """Raise TypeError unless `value` is an instance."""
        if not self.takes(value):
            raise TypeError(f"{where} must be {self.words}; got {shown(value)}.")


class Function(Kind):
    """A callable."""

    @property
    def text(self) -> str:
        """The type."""
        return "callable"

    @property
    def words(self) -> str:
        """The type."""
        return "a function"

    def takes(self, value: object) -> bool:
        """Return whether `value` can be called."""
        return callable(value)

    def check(self, where: str, value: object) -> None:
        """Raise TypeError unless `value` can be called."""
        if not callable(value):
            raise TypeError(f"{where} must be a function; got {shown(value)}.")


@dataclass(frozen=True)
class Unchecked(Kind):
    """What is checked later, when the table is known, or by whom it is handed to."""

    name: str

    @property
    def text(self) -> str:
        """The name."""
        return self.name

    @property
    def words(self) -> str:
        """The name."""
        return self.name

    def takes(self, value: object) -> bool:
        """Return True for anything."""
        return True

    def check(self, where: str, value: object) -> None:
        """Let everything pass."""


@dataclass(frozen=True)
class Checked(Unchecked):
    """What a rule of its own decides: ``rule(where, value)`` raises unless `value` may be."""

    rule: Callable[[str, object], None]

    def check(self, where: str, value: object) -> None:
        """Ask the rule."""
        self.rule(where, value)
