"""Trees of a forest that are grown elsewhere: by other processes, on a cluster.

A tree depends on the table in bins, the options and its number alone. So whoever has the first two can grow
any of them, and the forest is the same to the byte as one that was grown in one call of the core.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Protocol

import numpy as np

from boxwood import _core
from boxwood.parameters.options import PackedOptions, pack_options

__all__ = [
    "TaskGraph",
    "TravellingTable",
    "TreeRunner",
    "as_it_is",
    "growing_by",
    "made_once",
    "ranges_of",
    "tree_runner",
]

RANGES_A_THREAD = 4
"""Ranges of trees for each thread: a worker that is slow, or lost, holds the others up less."""


@dataclass(frozen=True, eq=False)
class TravellingTable:
    """A table as the core grows trees on it, and the options, in a form that travels.

    Attributes
    ----------
    kind : {"BinnedTable", "SupervisedTable"}
        What the core calls it.
    arguments : tuple
        What it is made of.
    options : PackedOptions
        Of the whole forest.
    """

    kind: str
    arguments: tuple[Any, ...]
    options: PackedOptions
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def table(self) -> Any:
        """Return the table as the core reads it; the last one that a process made is kept."""
        return made_once("table", self.token, self.made)

    def made(self) -> Any:
        """Make the table."""
        return getattr(_core, self.kind)(*self.arguments)

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays: what a worker needs to grow whole trees, of which the core makes a copy."""
        return sum(array.nbytes for array in _arrays_in(self.arguments))

    def of_part(self, arguments: tuple[Any, ...], options: Any) -> TravellingTable:
        """Return a table of the same kind that is made of other rows, with options of its own."""
        return TravellingTable(self.kind, arguments, pack_options(options))

    def options_of(self, begin: int, end: int) -> Any:
        """Return the options of a range of trees, grown by one thread."""
        options = self.options.unpacked()
        options.n_threads = 1
        options.first_tree += begin
        options.n_trees = end - begin
        return options


def _arrays_in(arguments: Any) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            yield argument
        elif isinstance(argument, list | tuple):
            yield from _arrays_in(argument)


_LAST: dict[str, tuple[str, Any]] = {}
_LOCK = RLock()  # what is made of a table makes the table first


def made_once(kind: str, token: str, make: Callable[[], Any]) -> Any:
    """Return what was made for a token; a process keeps the last of each kind, as these do not travel."""
    with _LOCK:
        if kind not in _LAST or _LAST[kind][0] != token:
            _LAST[kind] = (token, make())
        return _LAST[kind][1]


def as_it_is(value: Any) -> Any:
    """Return a value: the task that others take it from, so that it travels once."""
    return value


class TaskGraph(Protocol):
    """Runs functions of other functions' results, somewhere; these stay there until they are asked for."""

    @property
    def n_threads(self) -> int:
        """How many calls run at the same time."""

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what stands for a call, in others' arguments and lists of these; `[i]` for an output."""

    def start(self, tasks: Sequence[Any]) -> list[Any]:
        """Run calls; what comes back stands for their results."""

    def results(self, tasks: Sequence[Any]) -> list[Any]:
        """Run calls, or take those that were run, and return their results."""


class TreeRunner(Protocol):
    """Calls functions of what was sent ahead, several at a time, somewhere."""

    @property
    def n_threads(self) -> int:
        """How many calls run at the same time."""

    def by_levels(self, n_bytes: int) -> TaskGraph | None:
        """Return what grows trees level by level, where a table of so many bytes calls for it."""

    def refuse_levels(self, reason: str) -> None:
        """Take note that trees are grown whole all the same."""

    def send(self, value: Any) -> Any:
        """Send a table, or a forest; what comes back stands for it in `run`."""

    def run(
        self,
        function: Callable[..., Any],
        sent: Any,
        arguments: Sequence[tuple[Any, ...]],
        progress: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Return ``function(table, *arguments)`` for each of the arguments, in their order.

        `progress` is told how many calls are done.
        """


_RUNNER: ContextVar[TreeRunner | None] = ContextVar("boxwood_tree_runner", default=None)


@contextmanager
def growing_by(runner: TreeRunner) -> Iterator[None]:
    """Let the trees of forests that are fitted inside be grown by a runner."""
    token = _RUNNER.set(runner)
    try:
        yield
    finally:
        _RUNNER.reset(token)


def tree_runner() -> TreeRunner | None:
    """Return who grows trees here; None where the core grows all of them in one call."""
    return _RUNNER.get()


def ranges_of(n_trees: int, n_threads: int) -> list[tuple[int, int]]:
    """Cut the trees of a forest into ranges for so many threads.

    Examples
    --------
    >>> ranges_of(10, 1)
    [(0, 2), (2, 4), (4, 6), (6, 8), (8, 10)]
    """
    size = max(1, n_trees // (RANGES_A_THREAD * n_threads))
    return [(begin, min(begin + size, n_trees)) for begin in range(0, n_trees, size)]
