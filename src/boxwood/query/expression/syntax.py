"""What an expression says, as a tree of its parts and where they stand in the text."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = [
    "Arithmetic",
    "Combination",
    "Comparison",
    "Constant",
    "FunctionCall",
    "Membership",
    "Missingness",
    "Name",
    "Negation",
    "Node",
    "Question",
]


@dataclass(frozen=True, slots=True)
class Node:
    """A part of an expression: the characters from `start` to `end`, and how deep it is nested."""

    start: int
    end: int
    depth: int


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """A number, a text or a truth value."""

    value: Fraction | str | bool


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A column's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """Parts joined by + and −, or by * and /; the first operator is that before the first part."""

    operators: tuple[str, ...]
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """A chain such as ``30 <= age < 40``."""

    operators: tuple[str, ...]
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """Whether a value is among others."""

    part: Node
    items: tuple[Node, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Missingness(Node):
    """Whether a value is missing."""

    part: Node
    negated: bool


@dataclass(frozen=True, slots=True)
class Negation(Node):
    """A condition that must not hold."""

    part: Node


@dataclass(frozen=True, slots=True)
class Combination(Node):
    """Conditions of which all must hold, or one."""

    all_of: bool
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Question(Node):
    """An event and, in ``P(event | evidence)``, the evidence."""

    event: Node
    evidence: Node | None
    is_probability: bool


@dataclass(frozen=True, slots=True)
class FunctionCall(Node):
    """A function of columns and values such as ``quantile(age, 0.9 | city == 'Ulm')``."""

    function: str
    arguments: tuple[Node, ...]
    evidence: Node | None
