"""Commands that say something about each row of a table, batch by batch."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from boxwood.cli.models import QUESTIONS, load_model
from boxwood.cli.options import (
    Format,
    MemoryLimit,
    MissingValues,
    Model,
    Output,
    Seed,
    Sql,
    Table,
    Threads,
    fraction,
)
from boxwood.cli.stream import transform

__all__ = ["explain", "impute", "outliers", "predict", "score"]

Only = Annotated[bool, typer.Option("--only", help="Write the new columns alone, without the table's own.")]


def score(
    model: Model,
    table: Table,
    output: Output = "-",
    only: Only = False,
    sql: Sql = None,
    missing: MissingValues = None,
    format: Format = None,
    threads: Threads = 1,
    memory_limit: MemoryLimit = None,
) -> None:
    """Write each row's log-density and p-value beside it.

    The p-value is the probability that a row of the fitted distribution is as odd as this one.

    Example: `boxwood score penguins.boxwood penguins.csv -o scored.parquet`
    """
    fitted = load_model(model, threads, without=QUESTIONS)
    transform(
        table,
        output,
        fitted.score_rows,
        keep=not only,
        sql=sql,
        missing=missing,
        format=format,
        memory_limit=memory_limit,
    )


def explain(
    model: Model,
    table: Table,
    output: Output = "-",
    sql: Sql = None,
    missing: MissingValues = None,
    format: Format = None,
    threads: Threads = 1,
    memory_limit: MemoryLimit = None,
) -> None:
    """Write how surprising each cell is given the rest of its row, and what was expected instead.

    The surprise is −log p(cell | rest of the row), in nats.

    Example: `boxwood explain penguins.boxwood penguins.csv -o explained.csv`
    """
    fitted = load_model(model, threads, without=QUESTIONS)
    transform(
        table,
        output,
        fitted.explain,
        keep=False,
        sql=sql,
        missing=missing,
        format=format,
        memory_limit=memory_limit,
    )


def outliers(
    model: Model,
    table: Table,
    output: Output = "-",
    n: Annotated[int, typer.Option("-n", min=1, help="How many rows at most.")] = 20,
    fdr: Annotated[
        float | None,
        typer.Option(
            callback=fraction,
            help="Only rows of which at most this fraction is expected to be ordinary.",
            show_default=False,
        ),
    ] = None,
    sql: Sql = None,
    missing: MissingValues = None,
    format: Format = None,
    threads: Threads = 1,
    memory_limit: MemoryLimit = None,
) -> None:
    """Write the oddest rows, oddest first, with the column that is most to blame.

    A model knows the rows that it was fitted to. Where most rows are such rows, they are judged by the scores
    that they had while they were left out, and a note says so.

    Example: `boxwood outliers penguins.boxwood penguins.csv -n 5`
    """
    fitted = load_model(model, threads, without=["target"])

    def odd_rows(whole: Any) -> Any:
        if fitted.knows_rows(whole):
            note = "rows of the fit are judged by the scores that they had while they were left out."
            typer.echo(f"boxwood: note: {note}", err=True)
        return fitted.outliers(whole, n=n, fdr=fdr)

    transform(
        table,
        output,
        odd_rows,
        keep=False,
        sql=sql,
        missing=missing,
        format=format,
        whole=True,
        memory_limit=memory_limit,
    )


def impute(
    model: Model,
    table: Table,
    output: Output = "-",
    how: Annotated[str, typer.Option(help="median, mean, mode or draw.")] = "median",
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    format: Format = None,
    threads: Threads = 1,
    memory_limit: MemoryLimit = None,
) -> None:
    """Write the table with its gaps filled by what is expected given the rest of each row.

    Example: `boxwood impute penguins.boxwood penguins.csv -o filled.csv`
    """
    fitted = load_model(model, threads)
    from boxwood.randomness import generator

    rng = generator(seed)  # one stream for all batches

    def filled(batch: Any) -> Any:
        return fitted.impute(batch, how=how, random_state=rng)

    transform(
        table, output, filled, keep=False, sql=sql, missing=missing, format=format, memory_limit=memory_limit
    )


def predict(
    model: Model,
    table: Table,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="The column to predict; by default the target that the model was fitted with.",
            show_default=False,
        ),
    ] = None,
    output: Output = "-",
    proba: Annotated[bool, typer.Option("--proba", help="The probability of each category too.")] = False,
    interval: Annotated[
        float | None,
        typer.Option(
            metavar="LEVEL",
            callback=fraction,
            help="The ends of an interval of this probability too.",
            show_default=False,
        ),
    ] = None,
    only: Only = False,
    sql: Sql = None,
    missing: MissingValues = None,
    format: Format = None,
    threads: Threads = 1,
    memory_limit: MemoryLimit = None,
) -> None:
    """Write what is expected in a column given the rest of each row; its own values are not read.

    Example: `boxwood predict penguins.boxwood penguins.csv --target species --proba`
    """
    from boxwood.table.target_column import fitted_target

    fitted = load_model(model, threads)
    column = fitted_target(fitted) if target is None else target
    if column is None:
        raise ValueError(f"{str(model)!r} was fitted without a target: say by --target what to predict.")

    def predicted(batch: Any) -> Any:
        return fitted.predict_rows(batch, column, proba=proba, interval=interval)

    transform(
        table,
        output,
        predicted,
        keep=not only,
        sql=sql,
        missing=missing,
        format=format,
        memory_limit=memory_limit,
    )
