"""``boxwood compare``: all families of classifiers or regressors on one table."""

from __future__ import annotations

import json as json_
from typing import Annotated

import typer

from boxwood.cli.console import verbosity
from boxwood.cli.options import Json, MissingValues, Seed, Sql, Table, Threads, TimeBudget

__all__ = ["compare"]


def compare(
    table: Table,
    target: Annotated[
        str,
        typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict.", show_default=False),
    ],
    folds: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 5,
    time_budget: TimeBudget = 60.0,
    json: Json = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    threads: Threads = 1,
) -> None:
    """Cross-validate every family on the same folds and bracket the error that none can beat.

    Example: `boxwood compare penguins.csv --target species`
    """
    from boxwood.files import TableFile
    from boxwood.table.target_column import split_target

    with TableFile(table, sql, missing) as file:
        columns = file.read()
    X, y = split_target(columns, target)
    from boxwood.select import compare as compare_families

    found = compare_families(
        X, y, cv=folds, time_budget=time_budget, random_state=seed, n_jobs=threads, verbose=verbosity()
    )
    if json:
        typer.echo(json_.dumps(found.to_json(), ensure_ascii=False))
    else:
        typer.echo(found.to_markdown() if markdown else repr(found))
