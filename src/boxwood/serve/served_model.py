"""The model that is served: loaded again when its file is replaced, while requests go on."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from boxwood.columns import Columns
from boxwood.query.weighed import WeighedQuery
from boxwood.serve.axes import Axes

__all__ = ["LoadedModel", "ServedModel", "Stamp", "stamp_of"]

Stamp = tuple[int, int, int]
"""Inode, time of change and size of a file."""

MOST_THREADS = 4
"""That find the columns of one redraw at the same time."""

_log = logging.getLogger("boxwood.serve")


def stamp_of(path: Path) -> Stamp:
    """Return what differs where a file was replaced."""
    found = os.stat(path)
    return found.st_ino, found.st_mtime_ns, found.st_size


class LoadedModel:
    """A model as requests see it: one from begin to end, whatever happens to the file.

    Parameters
    ----------
    model : TableModel
    table : Columns, optional
        Real rows to show.
    version : int
        Counts the models that were loaded.
    """

    def __init__(self, model: Any, table: Columns | None = None, version: int = 1) -> None:
        self.model, self.version = model, version
        self.table = None if table is None else table.matched(model.schema)
        self.threads = ThreadPoolExecutor(self._n_threads())  # of one redraw
        self._axes: Axes | None = None
        self._lock, self._one_at_a_time = threading.Lock(), threading.Lock()
        model.query  # noqa: B018 (lays the leaves out before the first request)

    @property
    def is_weighed(self) -> bool:
        """Whether answers come by weighing draws; else they are exact."""
        return isinstance(self.model.query, WeighedQuery)

    def _n_threads(self) -> int:
        return 1 if self.is_weighed else min(MOST_THREADS, os.cpu_count() or 1)

    @contextlib.contextmanager
    def asked(self) -> Iterator[None]:
        """Hold the model while it is asked: one that weighs draws keeps them for one at a time."""
        if self.is_weighed:
            with self._one_at_a_time:
                yield
        else:
            yield

    @property
    def axes(self) -> Axes:
        """The bins of all columns, and their probabilities without evidence; made at the first use."""
        with self._lock:
            if self._axes is None:
                self._axes = Axes.of_model(self.model)
            return self._axes


class ServedModel:
    """What requests take their model from.

    Parameters
    ----------
    model : TableModel
    table : Columns, optional
    path : Path, optional
        The file that is watched.
    load : callable, optional
        Reads it.

    Attributes
    ----------
    current : LoadedModel
        Replaced in one step.
    n_failures : int
        Files that could not be loaded; the model before them stayed.
    """

    def __init__(
        self,
        model: Any,
        table: Columns | None = None,
        path: Path | None = None,
        load: Callable[[Path], Any] | None = None,
    ) -> None:
        self._path, self._load = path, load
        self._stamp = None if path is None else stamp_of(path)
        self.current = LoadedModel(model, table)
        self.n_failures = 0

    @classmethod
    def of_file(cls, path: Path, load: Callable[[Path], Any], table: Columns | None = None) -> ServedModel:
        """Load a file, to be loaded again when it is replaced."""
        stamp = stamp_of(path)
        served = cls(load(path), table, path, load)
        served._stamp = stamp  # of before the load: what comes meanwhile is noticed
        return served

    @property
    def watches(self) -> bool:
        """Whether there is a file to look at."""
        return self._path is not None and self._load is not None

    def refresh(self) -> bool:
        """Load the file where it was replaced, and return whether it was; a bad one is logged and left."""
        if self._path is None or self._load is None:
            return False
        try:
            stamp = stamp_of(self._path)
        except FileNotFoundError:
            return False  # between two files
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        try:
            before = self.current
            self.current = LoadedModel(self._load(self._path), None, before.version + 1)
        except Exception:  # whatever is wrong with the new file, the old model goes on
            self.n_failures += 1
            _log.exception("the new model file could not be loaded; the one before it stays")
            return False
        _log.info("the model file was replaced: version %d is served", self.current.version)
        return True
