"""The members of requests: declared once, checked in a request and written into the OpenAPI document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from boxwood.parameters import shown
from boxwood.serve.limits import Limits
from boxwood.serve.refusal import RefusedError

__all__ = [
    "Boolean",
    "Expression",
    "Member",
    "Name",
    "Names",
    "Number",
    "Rows",
    "Texts",
    "Whole",
    "read_members",
]


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member of a request's JSON object.

    Attributes
    ----------
    name : str
    says : str
        What it is, for the document.
    required : bool
    default : object
        Where it is left out or null.
    """

    name: str
    says: str = ""
    required: bool = False
    default: Any = None

    def schema(self, limits: Limits) -> dict[str, Any]:
        """Return its JSON schema."""
        kind, *rest = self._schema(limits)
        found: dict[str, Any] = {"type": kind if self.required else [kind, "null"], "description": self.says}
        if self.default is not None:
            found["default"] = self.default
        for part in rest:
            found |= part
        return found

    def read(self, value: Any, limits: Limits) -> Any:
        """Return what a value means; RefusedError where it is none of this member."""
        if value is None and not self.required:
            return self.default
        return self._read(value, limits)

    def _schema(self, limits: Limits) -> list[Any]:
        raise NotImplementedError

    def _read(self, value: Any, limits: Limits) -> Any:
        raise NotImplementedError

    def _wrong(self, value: Any, wanted: str) -> RefusedError:
        return RefusedError("invalid", f"{self.name!r} must be {wanted}; got {shown(value)}.")


@dataclass(frozen=True, kw_only=True)
class Expression(Member):
    """Text in the grammar of expressions; blank text is none."""

    def _schema(self, limits: Limits) -> list[Any]:
        return ["string", {"maxLength": limits.expression_characters}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, str):
            raise self._wrong(value, "text")
        if len(value) > limits.expression_characters:
            raise RefusedError(
                "expression",
                f"{self.name!r} has {len(value):,} characters; {limits.expression_characters:,} are allowed.",
            )
        if not value.strip():
            if self.required:
                raise self._wrong(value, "an expression")
            return self.default
        return value


@dataclass(frozen=True, kw_only=True)
class Name(Member):
    """The name of a column, or one of some words."""

    words: tuple[str, ...] = ()

    def _schema(self, limits: Limits) -> list[Any]:
        if not self.words:
            return ["string"]
        return ["string", {"enum": [*self.words, *([] if self.required else [None])]}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, str) or (self.words and value not in self.words):
            raise self._wrong(value, f"one of {', '.join(self.words)}" if self.words else "a column's name")
        return value


@dataclass(frozen=True, kw_only=True)
class Boolean(Member):
    """True or false."""

    def _schema(self, limits: Limits) -> list[Any]:
        return ["boolean"]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, bool):
            raise self._wrong(value, "true or false")
        return value


@dataclass(frozen=True, kw_only=True)
class Whole(Member):
    """A whole number between two ends."""

    low: int = 0
    high: int = 2**32 - 1

    def _schema(self, limits: Limits) -> list[Any]:
        return ["integer", {"minimum": self.low, "maximum": self.high}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if isinstance(value, float) and math.isfinite(value) and value.is_integer():
            value = int(value)  # to JSON, 3.0 is a whole number too
        wanted = f"a whole number from {self.low} to {self.high}"
        if isinstance(value, bool) or not isinstance(value, int) or value < self.low:
            raise self._wrong(value, wanted)
        if value > self.high:
            raise RefusedError(
                "too_large" if self.name == "n" else "invalid", f"{self.name!r} must be {wanted}."
            )
        return value


@dataclass(frozen=True, kw_only=True)
class Number(Member):
    """A number between 0 and 1, without the ends."""

    def _schema(self, limits: Limits) -> list[Any]:
        return ["number", {"exclusiveMinimum": 0, "exclusiveMaximum": 1}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value < 1.0:
            raise self._wrong(value, "a number between 0 and 1")
        return float(value)


@dataclass(frozen=True, kw_only=True)
class Texts(Member):
    """A list of questions."""

    def _schema(self, limits: Limits) -> list[Any]:
        items = {"type": "string", "minLength": 1, "maxLength": limits.expression_characters}
        return ["array", {"items": items, "minItems": 1, "maxItems": limits.questions}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, list) or not value:
            raise self._wrong(value, "a list of questions")
        if len(value) > limits.questions:
            raise RefusedError(
                "too_large", f"a request may have {limits.questions:,} questions; got {len(value):,}."
            )
        one = Expression(name=self.name, required=True)
        return [one.read(text, limits) for text in value]


@dataclass(frozen=True, kw_only=True)
class Names(Member):
    """A list of names of columns."""

    def _schema(self, limits: Limits) -> list[Any]:
        return ["array", {"items": {"type": "string"}, "minItems": 1, "maxItems": limits.rows}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
            raise self._wrong(value, "a list of names of columns")
        if len(value) > limits.rows:
            raise RefusedError("too_large", f"a request may have {limits.rows:,} names; got {len(value):,}.")
        return value


@dataclass(frozen=True, kw_only=True)
class Rows(Member):
    """A list of rows, objects with values by column."""

    def _schema(self, limits: Limits) -> list[Any]:
        cell = {"type": ["string", "number", "boolean", "null"]}
        items = {"type": "object", "additionalProperties": cell}
        return ["array", {"items": items, "minItems": 1, "maxItems": limits.rows}]

    def _read(self, value: Any, limits: Limits) -> Any:
        if not isinstance(value, list) or not value:
            raise self._wrong(value, "a list of rows, each an object with values by column")
        if len(value) > limits.rows:
            raise RefusedError("too_large", f"a request may have {limits.rows:,} rows; got {len(value):,}.")
        for k, row in enumerate(value):
            if not isinstance(row, dict):
                raise RefusedError(
                    "invalid", f"row {k} must be an object with values by column; got {shown(row)}."
                )
        return value


def read_members(members: Sequence[Member], body: Any, limits: Limits) -> dict[str, Any]:
    """Return the members of a request by name; RefusedError where one is unknown, missing or wrong."""
    if not isinstance(body, dict):
        raise RefusedError("invalid", f"the body must be a JSON object; got {shown(body)}.")
    known = [member.name for member in members]
    for name in body:
        if name not in known:
            raise RefusedError(
                "invalid", f"there is no member {shown(name)}; a request has {', '.join(known)}."
            )
    for member in members:
        if member.required and member.name not in body:
            raise RefusedError("invalid", f"{member.name!r} is missing.")
    return {member.name: member.read(body.get(member.name), limits) for member in members}
