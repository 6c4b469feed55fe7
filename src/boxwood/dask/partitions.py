"""A table that Dask holds, as one task a partition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Partitions", "partitions_of"]


@dataclass(frozen=True)
class Partitions:
    """Tasks that give the partitions of a table, of its targets and of its weights.

    Attributes
    ----------
    tables : list
    targets, weights : list or None
        As many as there are tables, or None.
    container : {"frame", "array", "list"}
        What the table came in, for results that look like it.
    like : object
        The table itself.
    """

    tables: list[Any]
    targets: list[Any] | None
    weights: list[Any] | None
    container: str
    like: Any

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def names(self) -> list[str]:
        """What errors call the partitions."""
        return [f"partition {k}" for k in range(len(self))]


def partitions_of(X: Any, y: Any = None, sample_weight: Any = None) -> Partitions:
    """Return the partitions of a table and of what goes with its rows.

    Parameters
    ----------
    X : dask dataframe, dask array or list of delayed tables
        A delayed table may be anything that `read_columns` takes: a frame, an array, the path of a file.
    y, sample_weight : dask series, dask array, list of delayed arrays or None
        With the partitions of X. The name of a column of a dataframe X will do, too: it leaves the table.
    """
    X, y, sample_weight = _without_named(X, y, sample_weight)
    container, tables = _tasks(X, "X")
    if not tables:
        raise ValueError("X has no partitions.")
    targets = None if y is None else _matching(y, "y", len(tables))
    weights = None if sample_weight is None else _matching(sample_weight, "sample_weight", len(tables))
    return Partitions(tables, targets, weights, container, X)


def _without_named(X: Any, *named: Any) -> tuple[Any, ...]:
    """Take columns that are named out of a frame."""
    names = [name for name in named if isinstance(name, str)]
    if not names:
        return (X, *named)
    if not _is_frame(X):
        raise TypeError(f"{names[0]!r} names a column, but X is no dask dataframe. Pass the values instead.")
    unknown = [name for name in names if name not in list(X.columns)]
    if unknown:
        raise ValueError(f"X has no column {unknown[0]!r}; it has {list(X.columns)}.")
    taken = (X[one] if isinstance(one, str) else one for one in named)
    return (X.drop(columns=names), *taken)


def _matching(values: Any, name: str, n_partitions: int) -> list[Any]:
    _, tasks = _tasks(values, name)
    if len(tasks) != n_partitions:
        raise ValueError(
            f"{name} has {len(tasks)} partitions, X has {n_partitions}: they must be cut at the same rows."
        )
    return tasks


def _tasks(values: Any, name: str) -> tuple[str, list[Any]]:
    """Return what values came in, and a task for each of their partitions."""
    if isinstance(values, list | tuple):
        _check_delayed(values, name)
        return "list", list(values)
    if _is_frame(values) or (hasattr(values, "npartitions") and hasattr(values, "to_delayed")):
        if _is_array(values):
            return "array", _blocks(values)
        return "frame", list(values.to_delayed())
    if _is_array(values):
        return "array", _blocks(values)
    raise TypeError(
        f"{name} must be a dask dataframe, a dask array or a list of delayed tables, not a "
        f"{type(values).__name__}. A table that lies in memory needs no cluster: call fit of the model."
    )


def _check_delayed(values: Sequence[Any], name: str) -> None:
    from dask.base import is_dask_collection

    for k, one in enumerate(values):
        if not is_dask_collection(one) and type(one).__name__ != "Future":
            raise TypeError(
                f"{name}[{k}] is a {type(one).__name__}, not delayed. Wrap it: dask.delayed(one), or better "
                "dask.delayed(read)(path), so that the workers read it."
            )


def _is_frame(values: Any) -> bool:
    return hasattr(values, "npartitions") and hasattr(values, "columns") and hasattr(values, "to_delayed")


def _is_array(values: Any) -> bool:
    return hasattr(values, "chunks") and hasattr(values, "rechunk")


def _blocks(values: Any) -> list[Any]:
    """Return the blocks of an array, each with all of its columns."""
    whole = values.rechunk(dict.fromkeys(range(1, values.ndim), -1))
    return list(whole.to_delayed().ravel())
