"""``boxwood sample``: synthetic rows, and their data sheet."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from boxwood.cli.console import progress
from boxwood.cli.models import QUESTIONS, load_model
from boxwood.cli.options import Format, Given, Model, Output, Seed, Threads
from boxwood.cli.outputs import check_writable

__all__ = ["sample"]

BATCH = 65_536
"""Rows that are drawn and written at a time."""


def sample(
    model: Model,
    n: Annotated[int, typer.Option("-n", min=1, help="How many rows.")] = 1000,
    output: Output = "-",
    given: Given = None,
    sheet: Annotated[
        Path | None,
        typer.Option(
            help="Write the data sheet of the rows, an HTML file; needs --compare.", show_default=False
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Real rows to compare with in the sheet.", show_default=False),
    ] = None,
    holdout: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE", help="Real rows that the model has not seen, for the sheet.", show_default=False
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="The column that the sheet's models predict from the others.",
            show_default=False,
        ),
    ] = None,
    uncorrected: Annotated[
        bool,
        typer.Option(
            "--uncorrected",
            help="Draw from the forest itself, whose probabilities answers are, without correcting the rows.",
        ),
    ] = False,
    seed: Seed = 0,
    format: Format = None,
    threads: Threads = 1,
) -> None:
    """Write synthetic rows, of those that satisfy the evidence where some is given.

    Example: `boxwood sample penguins.boxwood -n 3 --given "species == 'Gentoo'"`
    """
    if (sheet is None) != (compare is None):
        raise typer.BadParameter("a sheet needs real rows to compare with: give both --sheet and --compare.")
    if sheet is None and not (holdout is None and target is None):
        raise typer.BadParameter("--holdout and --target are of the sheet: give --sheet and --compare too.")
    check_writable(sheet)
    # A class that was named as target is drawn by its forests, but not under evidence.
    fitted = load_model(model, threads, without=("training",) if given is None else QUESTIONS)
    table = fitted if given is None else fitted.given(given)
    draw = partial(table.sample, corrected=not uncorrected)
    _write(draw, n, output, seed, format)
    if sheet is not None and compare is not None:
        _write_sheet(draw, n, seed, sheet, compare, holdout, target)


def _write(draw: Callable[..., Any], n: int, output: str, seed: int, format: str | None) -> None:
    from boxwood.files import TableWriter
    from boxwood.randomness import generator

    rng = generator(seed)
    with TableWriter(output, format) as writer, progress("rows", n) as advance:
        for first in range(0, n, BATCH):
            n_more = min(BATCH, n - first)
            writer.write(draw(n_more, random_state=rng))
            advance(n_more)


def _write_sheet(
    draw: Callable[..., Any],
    n: int,
    seed: int,
    sheet: Path,
    compare: str,
    holdout: str | None,
    target: str | None,
) -> None:
    from boxwood.files import TableFile
    from boxwood.synthetic import synthetic_report

    def read(path: str | None) -> Any:
        if path is None:
            return None
        with TableFile(path) as file:
            return file.read()

    drawn = draw(n, random_state=seed)
    synthetic_report(read(compare), drawn, read(holdout), target=target, random_state=seed).save(sheet)
