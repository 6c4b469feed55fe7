"""A table of the package as scikit-learn hands one out: a Bunch, or the pair of features and target."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import Any

from boxwood.columns import Columns, read_columns, to_native

__all__ = ["description", "load_table"]

_FOLDER = Path(__file__).parent / "tables"
_LIBRARIES = ("pandas", "polars", "pyarrow")


def load_table(
    name: str,
    target: str,
    *,
    return_X_y: bool,
    as_frame: bool | str,
    names: str | None = None,
) -> Any:
    """Return a table of the package.

    Parameters
    ----------
    name : str
        The file's, without its ending.
    target : str
        The column to predict.
    return_X_y, as_frame
        As in :func:`boxwood.datasets.load_penguins`.
    names : str, optional
        The column that names the rows, which is left out of the table.
    """
    from sklearn.utils import Bunch  # scikit-learn is slow to import, and this module need not be

    container = _container(as_frame)
    path = _FOLDER / f"{name}.csv"
    read = read_columns(path)
    columns = _chosen(read, [column for column in read.schema.names if column != names])
    features = [column for column in columns.schema.names if column != target]
    data = _as_container(_chosen(columns, features), container)
    values = _target(_chosen(columns, [target]), container)
    if return_X_y:
        return data, values
    bunch = Bunch(
        frame=_as_container(columns, container),
        data=data,
        target=values,
        target_name=target,
        feature_names=features,
        DESCR=description(name),
        filename=str(path),
    )
    if names is not None:
        bunch.names = [str(value) for value in to_native(_chosen(read, [names]), "numpy")[:, 0]]
    return bunch


def description(name: str) -> str:
    """Return what is said of a table beside it: what it is, its source, licence and changes."""
    text = (_FOLDER / "LICENCES.md").read_text(encoding="utf-8")
    return text.split(f"## {name}.csv\n")[1].split("\n## ")[0].strip()


def _container(as_frame: bool | str) -> str | None:
    """Return the library of the frames, None for columns of our own."""
    if as_frame is False:
        return None
    if as_frame is True:
        return next((name for name in _LIBRARIES if importlib.util.find_spec(name)), None)
    if as_frame not in _LIBRARIES:
        raise ValueError(f"as_frame must be True, False, 'pandas', 'polars' or 'pyarrow', not {as_frame!r}.")
    return as_frame


def _chosen(columns: Columns, names: list[str]) -> Columns:
    chosen = [columns[name] for name in names]
    schema = replace(columns.schema, fields=tuple(column.field for column in chosen))
    return Columns(schema, columns.n_rows, columns=chosen)


def _as_container(columns: Columns, container: str | None) -> Any:
    return columns if container is None else to_native(columns, container)


def _target(column: Columns, container: str | None) -> Any:
    if container is not None:
        return to_native(column, container)[column.schema.names[0]]
    values = to_native(column, "numpy")[:, 0]
    return values.astype(float if column[0].kind.is_number else str)
