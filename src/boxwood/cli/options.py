"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Format",
    "Given",
    "Json",
    "MemoryLimit",
    "MissingValues",
    "Model",
    "Output",
    "Seed",
    "Sql",
    "Table",
    "Target",
    "Threads",
    "TimeBudget",
    "fraction",
]


def fraction(value: float | None) -> float | None:
    """Return an option's value, or say that it must lie between 0 and 1."""
    if value is not None and not 0.0 < value < 1.0:
        raise typer.BadParameter(f"it must lie between 0 and 1; got {value:g}.")
    return value


def _n_threads(value: int) -> int:
    if value == 0:
        raise typer.BadParameter("it must not be 0; -1 takes all cores.")
    return value


Model = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A model file, as written by `boxwood fit`.", show_default=False),
]
Table = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A CSV, JSON-lines, Parquet, DuckDB or SQLite file; - is standard input.",
        show_default=False,
    ),
]
Sql = Annotated[
    str | None,
    typer.Option(
        "--sql",
        metavar="QUERY",
        help="What to read of a database; other files are called `input` in it.",
        show_default=False,
    ),
]
MissingValues = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="Text of a CSV file that stands for a missing value; may be repeated.",
        show_default=False,
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", help="A .csv, .tsv, .jsonl or .parquet file; - is standard output."
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="csv, tsv, jsonl or parquet; by default the file's ending tells.",
        show_default=False,
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        "--memory-limit",
        metavar="SIZE",
        help="Memory to stay within, such as 2GB or 512MiB; by default half of what is free. What needs more "
        "is kept in temporary files.",
        show_default=False,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target", "-t", metavar="COLUMN", help="The column to predict from the others.", show_default=False
    ),
]
Given = Annotated[
    str | None,
    typer.Option(
        "--given", "-g", metavar="EXPRESSION", help="Evidence that rows satisfy.", show_default=False
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[
    int,
    typer.Option("--seed", min=0, help="Seeds everything that is drawn: the same seed, the same result."),
]
Threads = Annotated[
    int,
    typer.Option(
        "--threads", callback=_n_threads, help="Threads; -1 takes all cores. Results do not depend on it."
    ),
]
TimeBudget = Annotated[
    float,
    typer.Option(
        "--time-budget", metavar="SECONDS", help="Seconds that the comparison of all families may take."
    ),
]
