"""Kinds of values that a parameter may have, joined by ``|``: choices, and one of several kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from boxwood.parameters.shown import shown

__all__ = ["AnyOf", "Choice", "Flag", "Kind", "listed"]


class Kind(ABC):
    """What a parameter may be.

    ``text`` says it in a docstring, ``words`` in an error message. A string or None joined by ``|`` is one
    more value that is allowed: ``Integer(1) | "log" | None``.
    """

    @property
    @abstractmethod
    def text(self) -> str:
        """The kind as a docstring names it."""

    @property
    @abstractmethod
    def words(self) -> str:
        """The kind as an error message names it."""

    @abstractmethod
    def takes(self, value: object) -> bool:
        """Return whether `value` is of this kind, within its bounds or not."""

    @abstractmethod
    def check(self, where: str, value: object) -> None:
        """Raise unless `value` may be; `where` names the estimator and the parameter."""

    def __or__(self, other: Kind | str | None) -> Kind:
        return AnyOf.joined(self, other if isinstance(other, Kind) else Choice(other))


@dataclass(frozen=True, init=False)
class Choice(Kind):
    """One of some values; they are compared with their types, so that 1 is not True.

    Examples
    --------
    >>> (Choice("cv", "loo") | None).text
    '{"cv", "loo"} or None'
    """

    choices: tuple[object, ...]

    def __init__(self, *choices: object) -> None:
        object.__setattr__(self, "choices", choices)

    @property
    def text(self) -> str:
        """The choices in braces, unless there is only one; None last."""
        return listed(_names(self, braces=True))

    @property
    def words(self) -> str:
        """The choices one by one."""
        return listed(_words(self))

    def takes(self, value: object) -> bool:
        """Return whether `value` is a choice, or a string where there are strings among them."""
        named = any(isinstance(choice, str) for choice in self.choices)
        return self._has(value) or (named and isinstance(value, str))

    def check(self, where: str, value: object) -> None:
        """Raise ValueError unless `value` is a choice."""
        if not self._has(value):
            choices = ", ".join(repr(choice) for choice in self.choices)
            raise ValueError(f"{where} must be one of {choices}; got {shown(value)}.")

    def _has(self, value: object) -> bool:
        return any(type(value) is type(choice) and value == choice for choice in self.choices)


class Flag(Choice):
    """True or False."""

    def __init__(self) -> None:
        super().__init__(True, False)

    @property
    def text(self) -> str:
        """The type."""
        return "bool"

    def _has(self, value: object) -> bool:
        return isinstance(value, bool | np.bool_)


@dataclass(frozen=True)
class AnyOf(Kind):
    """One of several kinds: the first that takes a value checks it, choices before all others."""

    kinds: tuple[Kind, ...]

    @classmethod
    def joined(cls, *kinds: Kind) -> Kind:
        """Join kinds; the choices among them become one, the last but where it stood first."""
        flat = [one for kind in kinds for one in (kind.kinds if isinstance(kind, AnyOf) else [kind])]
        plain = [kind for kind in flat if type(kind) is Choice]
        merged = Choice(*(choice for kind in plain for choice in kind.choices))
        others = [kind for kind in flat if type(kind) is not Choice]
        if not others:
            return merged
        if not plain:
            return cls(tuple(others))
        return cls((merged, *others) if flat[0] in plain else (*others, merged))

    @property
    def text(self) -> str:
        """The kinds one by one; None last."""
        names: list[str] = []
        for kind in self.kinds:
            if type(kind) is Choice:
                names += _names(kind, braces=kind is self.kinds[0])
            else:
                names.append(kind.text)
        return listed(sorted(names, key=lambda name: name == "None"))

    @property
    def words(self) -> str:
        """The kinds one by one."""
        return listed([name for kind in self.kinds for name in _words(kind)])

    def takes(self, value: object) -> bool:
        """Return whether one of the kinds takes `value`."""
        return any(kind.takes(value) for kind in self.kinds)

    def check(self, where: str, value: object) -> None:
        """Raise what the kind of `value` raises; TypeError where it is of none of them."""
        for kind in sorted(self.kinds, key=lambda kind: not isinstance(kind, Choice)):
            if kind.takes(value):
                kind.check(where, value)
                return
        raise TypeError(f"{where} must be {self.words}; got {shown(value)}.")


def listed(names: list[str]) -> str:
    """Return names as a sentence lists them.

    Examples
    --------
    >>> listed(["int", "float", "None"])
    'int, float or None'
    """
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def quoted(value: object) -> str:
    """Return a value as docstrings write it, strings in double quotes."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _words(kind: Kind) -> list[str]:
    return [repr(choice) for choice in kind.choices] if isinstance(kind, Choice) else [kind.words]


def _names(choice: Choice, braces: bool) -> list[str]:
    values = [quoted(value) for value in choice.choices if value is not None]
    if braces and len(values) > 1:
        values = ["{" + ", ".join(values) + "}"]
    return [*values, *(["None"] if None in choice.choices else [])]
