"""``boxwood report``: the one-file report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from boxwood.cli.options import MissingValues, Seed, Sql, Target, Threads, TimeBudget
from boxwood.cli.outputs import check_writable

__all__ = ["report"]


def report(
    source: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|TABLE", help="A model file, or a table to fit one to.", show_default=False
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")] = Path("report.html"),
    table: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Rows to show beside a model: odd ones, and their histograms.",
            show_default=False,
        ),
    ] = None,
    target: Target = None,
    time_budget: TimeBudget = 60.0,
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    threads: Threads = 1,
) -> None:
    """Write an HTML report of a table's distribution, in one file that needs no network.

    Example: `boxwood report penguins.csv --target species -o penguins.html`
    """
    from boxwood.cli.fitting import fitted_source

    check_writable(output)
    fitted, columns = fitted_source(source, table, target, sql, missing, seed, threads)
    from boxwood.report import write_report

    write_report(
        fitted, output, columns, target=target, time_budget=time_budget, random_state=seed, n_jobs=threads
    )
    typer.echo(f"{output}: {output.stat().st_size:,} bytes", err=True)
