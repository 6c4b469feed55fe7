"""Models that commands fit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boxwood.cli.console import progress, verbosity
from boxwood.cli.models import load_model

if TYPE_CHECKING:
    from boxwood.mapped_memory import MappedMemory

__all__ = ["fit_model", "fitted_source", "new_model", "read_table"]

_MODEL_ENDING = ".boxwood"


def read_table(
    path: str, sql: str | None, missing: Sequence[str] | None, memory: MappedMemory | None = None
) -> Any:
    """Return the whole table of a file, or of all files that a pattern fits, within the memory given."""
    from boxwood.files import TableFile
    from boxwood.stream.readers import is_pattern

    if is_pattern(path):
        return _read_pattern(path, sql, missing, memory)
    with TableFile(path, sql, missing) as file, progress("rows", file.n_rows()) as advance:
        columns = file.read(memory, advance)
    if not columns.n_rows:
        raise ValueError(f"{path!r} has no rows: a table needs at least one.")
    return columns


def _read_pattern(
    path: str, sql: str | None, missing: Sequence[str] | None, memory: MappedMemory | None
) -> Any:
    from boxwood.stream.opening import open_table

    if sql is not None:
        raise ValueError("--sql asks one file: give its path, not a pattern of several.")
    source = open_table(path, missing_values=missing)
    with source.memory() as default, progress("rows", source.n_rows) as advance:
        return source.read(default if memory is None else memory, advance)


def fit_model(columns: Any, target: str | None, seed: int, threads: int, boosted: bool = False) -> Any:
    """Return a TableModel fitted to a table, with a bar on a terminal."""
    from boxwood.table.target_column import split_target

    if target is not None:
        split_target(columns, target)  # says what is wrong with it before any work is done
    return new_model(seed, threads, boosted).fit(columns, target=target)


def new_model(seed: int, threads: int, boosted: bool) -> Any:
    """Return the model that commands fit, with a bar on a terminal."""
    from boxwood.density import BoostedDensity, DensityForest
    from boxwood.table import TableModel

    kind = BoostedDensity if boosted else DensityForest
    return TableModel(kind(random_state=seed, n_jobs=threads, verbose=verbosity()), random_state=seed)


def fitted_source(
    source: str,
    table: str | None,
    target: str | None,
    sql: str | None,
    missing: Sequence[str] | None,
    seed: int,
    threads: int,
) -> tuple[Any, Any]:
    """Return a model and, where there is one, the table: of a model file, or fitted to a table."""
    if os.path.splitext(source)[1] == _MODEL_ENDING:
        return load_model(source, threads), None if table is None else read_table(table, sql, missing)
    columns = read_table(source, sql, missing)
    return fit_model(columns, target, seed, threads), columns
