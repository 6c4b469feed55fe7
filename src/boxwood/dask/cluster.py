"""Where tasks run: on the workers of a client, or by Dask's own schedulers in this process."""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from boxwood.dask.calls import Call, graph_of
from boxwood.dask.versions import check_versions

__all__ = ["Cluster"]

SECONDS_WITHOUT_WORKERS = 60.0
"""A fit gives up after so long without a single worker: none may ever come again."""

MOST_NAMED = 8
"""Partitions that one error names."""

_LOOK_EVERY, _TELL_EVERY = 5.0, 0.5  # seconds
_ARITY = 8
"""Results that one task of a reduce merges: of 1,000 parts there are four rounds, whatever a part weighs."""


class Cluster:
    """Starts tasks and collects their results; a failure is told with what failed.

    Tasks are plain functions of results of other tasks, which never change: what a lost worker held is made
    again by Dask.

    Parameters
    ----------
    client : distributed.Client or None
        None: the client of this process where there is one, else the scheduler that Dask is set to.
    """

    def __init__(self, client: Any = None) -> None:
        self.client = client if client is not None else _current_client()
        if self.client is not None:
            check_versions(self.client)

    @property
    def n_threads(self) -> int:
        """How many tasks run at the same time."""
        if self.client is None:
            return 1
        return max(1, sum(self.client.nthreads().values()))

    @property
    def worker_memory(self) -> int | None:
        """Bytes of the worker that has least; None where nobody has said."""
        if self.client is None:
            return None
        workers = self.client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [worker["memory_limit"] for worker in workers if worker.get("memory_limit")]
        return min(limits, default=None)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the task of a function of values and of other tasks' results; it is not started."""
        return Call(function, arguments) if self.client is not None else self.lazy(function, *arguments)

    def lazy(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the same as a delayed object: of others' delayed objects, or for others to compute."""
        import dask

        return dask.delayed(function, pure=False)(*arguments)

    def start(self, tasks: Sequence[Any], names: Sequence[str] | None = None) -> list[Any]:
        """Start tasks and wait for them; what they give stays where it was made.

        `names` are what errors call the tasks.
        """
        if self.client is None:
            return self._persist_here(tasks, names)
        futures = self._computed(tasks)
        self._wait(futures, names)
        return futures

    def results(
        self,
        tasks: Sequence[Any],
        names: Sequence[str] | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> list[Any]:
        """Run tasks and bring their results here; `progress` is told how many are done."""
        if self.client is None:
            import dask

            found = list(dask.compute(*self._persist_here(tasks, names)))
        else:
            futures = self._computed(tasks)
            self._wait(futures, names, progress)
            found = self._gathered(futures, names)
        if progress is not None:
            progress(len(found))
        return found

    def reduce(self, tasks: Sequence[Any], merge: Callable[[list[Any]], Any], names: Sequence[str]) -> Any:
        """Merge the results of tasks in a tree, and bring what is left here; `merge` takes a list."""
        level = self.start(tasks, names)
        while len(level) > 1:
            groups = [level[k : k + _ARITY] for k in range(0, len(level), _ARITY)]
            level = [self.call(merge, group) for group in groups]
        return self.results(level)[0]

    def _computed(self, tasks: Sequence[Any]) -> list[Any]:
        with warnings.catch_warnings():
            # A table of codes is sent with the task that needs it: only so can a lost worker's be made again.
            warnings.filterwarnings("ignore", message="Sending large graph")
            calls = [task for task in tasks if isinstance(task, Call)]
            started = iter(self.client.get(graph_of(calls), [call.key for call in calls], sync=False))
            others = iter(self.client.compute([task for task in tasks if not isinstance(task, Call)]))
            return [next(started if isinstance(task, Call) else others) for task in tasks]

    def _wait(
        self,
        futures: list[Any],
        names: Sequence[str] | None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        import distributed

        lonely_since: float | None = None
        while True:
            try:
                with self.client.as_current():  # it need not be the process's own
                    distributed.wait(futures, timeout=_LOOK_EVERY if progress is None else _TELL_EVERY)
                break
            except (TimeoutError, distributed.TimeoutError):
                lonely_since = self._check_workers(lonely_since)
            if any(future.status == "error" for future in futures):
                break  # the others may take long
            if progress is not None:
                progress(sum(future.status == "finished" for future in futures))
        _raise_failed(futures, names)

    def _gathered(self, futures: list[Any], names: Sequence[str] | None) -> list[Any]:
        """Bring results here. Dask waits for a lost one for ever: beside it, somebody looks for workers."""
        found: list[Any] = []
        failed: list[BaseException] = []

        def gather() -> None:
            try:
                found.extend(self.client.gather(futures))
            except BaseException as error:
                failed.append(error)

        gathering = threading.Thread(target=gather, daemon=True)  # one that is given up stops nobody
        gathering.start()
        lonely_since: float | None = None
        while gathering.is_alive():
            gathering.join(_LOOK_EVERY)
            if gathering.is_alive():
                lonely_since = self._check_workers(lonely_since)
        if failed:
            _raise_failed(futures, names)
            raise failed[0]
        return found

    def _check_workers(self, lonely_since: float | None) -> float | None:
        if self.client.nthreads():
            return None
        lonely_since = time.monotonic() if lonely_since is None else lonely_since
        if time.monotonic() - lonely_since > SECONDS_WITHOUT_WORKERS:
            raise RuntimeError(
                f"the cluster has had no worker for {SECONDS_WITHOUT_WORKERS:g} s; start some and fit again."
            )
        return lonely_since

    def _persist_here(self, tasks: Sequence[Any], names: Sequence[str] | None) -> list[Any]:
        import dask

        try:
            return list(dask.persist(*tasks))
        except Exception:
            if names is None:
                raise
            return [_persisted(task, name) for task, name in zip(tasks, names, strict=True)]


def _raise_failed(futures: Sequence[Any], names: Sequence[str] | None) -> None:
    for k, future in enumerate(futures):
        if future.status in ("error", "cancelled", "lost"):
            error = future.exception()
            # What a lost worker held is made again while one waits for the exception.
            if type(error).__name__ == "KilledWorker":
                raise _named_killed(error, futures, names) from error
            if error is not None:
                raise _named(error, None if names is None else names[k])


def _persisted(task: Any, name: str) -> Any:
    """Run one of the tasks of which some failed, to tell which it was."""
    import dask

    try:
        return dask.persist(task)[0]
    except Exception as error:
        raise _named(error, name) from error


def _named(error: BaseException, name: str | None) -> BaseException:
    """Return an error that begins with what failed, of the same type where that is one of Python's own."""
    if name is None or str(error).startswith(name):
        return error
    kind = type(error) if type(error) in (ValueError, TypeError) else RuntimeError
    named = kind(f"{name}: {error if str(error) else type(error).__name__}")
    named.__cause__ = error
    return named


def _named_killed(error: Any, futures: Sequence[Any], names: Sequence[str] | None) -> RuntimeError:
    """Return what to tell where Dask gave up tasks whose workers died: any of those may be the reason."""
    given_up = [k for k, future in enumerate(futures) if future.status == "error"]
    which = "tasks" if names is None else ", ".join(names[k] for k in given_up[:MOST_NAMED])
    more = "" if len(given_up) <= MOST_NAMED else f" and {len(given_up) - MOST_NAMED} more"
    return RuntimeError(
        f"{which}{more}: {error.allowed_failures + 1} workers died one after another while they had this "
        "to do. Most often they want memory, as their logs tell: cut the table into more partitions, or "
        "give the workers more."
    )


def _current_client() -> Any:
    import sys

    if "distributed" not in sys.modules:  # where it is not imported nobody can have made a client
        return None
    from distributed import Client

    try:
        return Client.current()
    except ValueError:
        return None
