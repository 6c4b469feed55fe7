"""Methods that exist only where the parameters allow them, and say why where they do not."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

__all__ = ["available_unless"]


class available_unless:  # noqa: N801 (a decorator)
    """Make a method absent (`hasattr` is false, as scikit-learn asks) where `reason` gives a sentence.

    Examples
    --------
    >>> class Closed:
    ...     @available_unless(lambda self: "it is closed")
    ...     def open(self):
    ...         pass
    >>> Closed().open()
    Traceback (most recent call last):
        ...
    AttributeError: it is closed
    """

    def __init__(self, reason: Callable[[Any], str | None]) -> None:
        self._reason = reason
        self._method: Any = None

    def __call__(self, method: Callable[..., Any]) -> Any:
        """Take the method."""
        self._method = method
        update_wrapper(self, method)
        return self

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self._method
        reason = self._reason(instance)
        if reason:
            raise AttributeError(reason)
        return MethodType(self._method, instance)
