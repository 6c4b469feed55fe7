"""``boxwood fit``: from a table to a model, a summary and a report."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import Annotated, Any

import typer

from boxwood.cli.cluster import fit_on_cluster
from boxwood.cli.fitting import fit_model, read_table
from boxwood.cli.options import (
    Json,
    MemoryLimit,
    MissingValues,
    Seed,
    Sql,
    Table,
    Target,
    Threads,
    TimeBudget,
)
from boxwood.cli.outputs import check_writable
from boxwood.mapped_memory import MappedMemory

__all__ = ["fit"]


def fit(
    table: Table,
    target: Target = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="MODEL",
            help="The model file, such as model.boxwood.",
            show_default=False,
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write the report too.", show_default=False)
    ] = None,
    boosted: Annotated[
        bool, typer.Option("--boosted", help="A boosted density: better scores, answers by weighing draws.")
    ] = False,
    time_budget: TimeBudget = 60.0,
    json: Json = False,
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    threads: Threads = -1,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Fit on a Dask cluster, tcp://host:8786: TABLE is a pattern of files that its workers read.",
            show_default=False,
        ),
    ] = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Fit the distribution of a table: print a summary, save the model, write the report.

    Several files are one table where a pattern such as 'sales/*.parquet', in quotes, fits them.

    Example: `boxwood fit penguins.csv --target species -o penguins.boxwood`
    """
    check_writable(output, report)
    if dask is not None:
        fit_on_cluster(dask, table, target, output, seed, boosted, memory_limit)
        return
    with MappedMemory(memory_limit) as memory:
        columns = read_table(table, sql, missing, memory)
        _fit(columns, target, output, report, boosted, time_budget, json, seed, threads)


def _fit(
    columns: Any,
    target: str | None,
    output: Path | None,
    report: Path | None,
    boosted: bool,
    time_budget: float,
    json: bool,
    seed: int,
    threads: int,
) -> None:
    from boxwood.table.summary import summarize

    model = fit_model(columns, target, seed, threads, boosted)
    if output is not None:
        model.save(output)  # before all else: what follows may be interrupted
    found = summarize(
        model, columns, target=target, time_budget=time_budget, random_state=seed, n_jobs=threads
    )
    typer.echo(json_.dumps(found.to_json(), ensure_ascii=False) if json else str(found))
    if output is not None:
        typer.echo(f"model: {output}, {output.stat().st_size:,} bytes")
    if report is not None:
        from boxwood.report import write_report

        write_report(model, report, columns, target=target, summary=found, random_state=seed, n_jobs=threads)
        typer.echo(f"report: {report}, {report.stat().st_size:,} bytes")
