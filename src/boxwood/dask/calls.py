"""Calls of functions as a graph of Dask: what a fit starts by the thousand.

`dask.delayed` copies and culls the graph of each argument at every call, which took 10 ms a call of a fit by
levels, nine tenths of the driver's time. Here a call only notes what it needs; all that is needed is put in
one graph when it is started.
"""

from __future__ import annotations

import operator
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Call", "graph_of"]


class Call:
    """A function of values and of other calls' results, or futures of them, that is not started."""

    def __init__(
        self, function: Callable[..., Any], arguments: Sequence[Any], key: str | None = None
    ) -> None:
        self.function, self.arguments = function, tuple(arguments)
        self.key = key or f"{getattr(function, '__name__', 'call')}-{uuid.uuid4().hex}"

    def __getitem__(self, i: int) -> Call:
        """Return the call that takes one of several outputs.

        Its key says which, so that it is in a graph once. It is not kept here: it holds this call, and a
        cycle would keep the futures among the arguments, and so rows on the workers, till it is collected.
        """
        return Call(operator.getitem, (self, i), f"getitem-{i}-{self.key}")


@dataclass(frozen=True)
class _Slot:
    """The place of a result among the arguments of a call."""

    number: int


@dataclass(frozen=True, eq=False)
class _Bound:
    """A function with its arguments, in which results are still slots."""

    key: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]

    def __dask_tokenize__(self) -> str:
        """Return the key of the call: what it holds may be a whole table, which nobody need hash."""
        return self.key


def graph_of(calls: Sequence[Call]) -> dict[str, Any]:
    """Return the graph of calls and of all calls that they need."""
    graph: dict[str, Any] = {}
    waiting = list(calls)
    while waiting:
        call = waiting.pop()
        if call.key in graph:
            continue
        needed: list[Any] = []
        arguments = tuple(_with_slots(argument, needed) for argument in call.arguments)
        graph[call.key] = (
            _called,
            _Bound(call.key, call.function, arguments),
            [one.key if isinstance(one, Call) else one for one in needed],
        )
        waiting += [one for one in needed if isinstance(one, Call)]
    return graph


def _with_slots(argument: Any, needed: list[Any]) -> Any:
    """Return an argument with slots in the place of results, which are noted."""
    if isinstance(argument, Call) or type(argument).__name__ == "Future":
        needed.append(argument)
        return _Slot(len(needed) - 1)
    if type(argument) in (list, tuple):
        return type(argument)(_with_slots(one, needed) for one in argument)
    return argument


def _filled(argument: Any, results: Sequence[Any]) -> Any:
    if isinstance(argument, _Slot):
        return results[argument.number]
    if type(argument) in (list, tuple):
        return type(argument)(_filled(one, results) for one in argument)
    return argument


def _called(bound: _Bound, results: Sequence[Any]) -> Any:
    """Call a function by the results that it needs."""
    return bound.function(*_filled(bound.arguments, results))
