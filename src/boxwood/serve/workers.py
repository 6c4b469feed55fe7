"""Threads that answer, so that the loop which takes requests never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from boxwood.serve.deadline import Deadline
from boxwood.serve.limits import Limits
from boxwood.serve.refusal import RefusedError

__all__ = ["Workers"]


class Workers:
    """A few threads with a bounded queue before them.

    Work cannot be stopped from outside. It ends by itself at its next look at the deadline, and holds its
    thread till then: whatever is asked, no more than `n_threads` cores are busy.

    Parameters
    ----------
    n_threads : int
    limits : Limits
    """

    def __init__(self, n_threads: int, limits: Limits) -> None:
        self._limits, self._n_threads = limits, n_threads
        self._threads: ThreadPoolExecutor | None = None
        self.n_running = 0

    def open(self) -> None:
        """Take work."""
        self._threads = ThreadPoolExecutor(self._n_threads, thread_name_prefix="boxwood-serve")

    async def run(self, work: Callable[[Deadline], Any]) -> Any:
        """Return what work returns; RefusedError where the queue is full or the time is over."""
        if self.n_running >= self._n_threads + self._limits.waiting:
            raise RefusedError("busy", "too many requests are waiting: ask again in a second.")
        deadline = Deadline(self._limits.seconds)

        def begin() -> Any:
            deadline.check()  # it may be over before a thread is free
            return work(deadline)

        self.n_running += 1
        future = asyncio.get_running_loop().run_in_executor(self._threads, begin)
        future.add_done_callback(self._ended)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self._limits.seconds)
        except TimeoutError:
            raise deadline.refusal() from None

    def _ended(self, future: asyncio.Future[Any]) -> None:
        self.n_running -= 1
        if not future.cancelled():
            future.exception()  # of work that nobody waits for any more

    def close(self) -> None:
        """Take no more work."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
