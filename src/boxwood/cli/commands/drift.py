"""``boxwood drift``: how far a new table is from a model."""

from __future__ import annotations

import json as json_
from typing import Annotated

import typer

from boxwood.cli.models import QUESTIONS, load_model
from boxwood.cli.options import Json, MissingValues, Model, Seed, Sql, Table, Threads, fraction

__all__ = ["drift"]

DRIFTED = 3


def drift(
    model: Model,
    table: Table,
    threshold: Annotated[
        float,
        typer.Option(
            metavar="P",
            callback=fraction,
            help="The false discovery rate: exit with 3 where columns, or whole rows, drifted.",
        ),
    ] = 0.01,
    json: Json = False,
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    threads: Threads = 1,
) -> None:
    """Print how far a new table is from the model, column by column and jointly; exit with 3 if it drifted.

    Example: `boxwood drift penguins.boxwood penguins.csv`
    """
    from boxwood.files import TableFile

    fitted = load_model(model, threads, without=QUESTIONS)
    with TableFile(table, sql, missing) as file:
        columns = file.read()
    found = fitted.drift(columns, fdr=threshold, random_state=seed)
    typer.echo(json_.dumps(found.to_json(), ensure_ascii=False) if json else repr(found))
    if found.has_drifted:
        raise typer.Exit(DRIFTED)
