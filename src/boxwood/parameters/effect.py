"""When a parameter has an effect: under some values of the other parameters, but not under all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boxwood.parameters.kind import listed, quoted
from boxwood.parameters.shown import shown

__all__ = ["Effect", "differs", "only_with"]


@dataclass(frozen=True)
class Effect:
    """The condition under which a parameter has an effect.

    Parameters
    ----------
    holds : callable
        Called with the estimator.
    words : str
        The condition in code, which follows "only with".

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> folds = only_with(prune="cv")
    >>> folds.words, folds.holds(SimpleNamespace(prune="loo"))
    ('prune="cv"', False)
    """

    holds: Callable[[Any], bool]
    words: str


def only_with(**values: Any) -> Effect:
    """Return the condition that each parameter has one of its values; several values are given as a tuple.

    Examples
    --------
    >>> only_with(splitter=("auto", "binned"), leaf="histogram").words
    'splitter="auto" or "binned" and leaf="histogram"'
    """
    wanted = {name: value if isinstance(value, tuple) else (value,) for name, value in values.items()}

    def holds(estimator: Any) -> bool:
        return all(_is_one_of(getattr(estimator, name), among) for name, among in wanted.items())

    return Effect(
        holds,
        " and ".join(f"{name}={listed([quoted(one) for one in among])}" for name, among in wanted.items()),
    )


def differs(value: Any, default: Any) -> bool:
    """Return whether a value is another one than the default."""
    if value is default:
        return False
    try:
        return type(value) is not type(default) or bool(value != default)
    except ValueError:  # arrays
        return True


def idle_message(estimator: Any, name: str, effect: Effect | None) -> str:
    """Return what a warning says of a parameter without an effect."""
    value = shown(getattr(estimator, name))
    only = "" if effect is None else f" It has one only with {effect.words}."
    return f"{type(estimator).__name__}: {name}={value} has no effect.{only}"


def _is_one_of(value: Any, among: tuple[Any, ...]) -> bool:
    return any(not differs(value, one) for one in among)
