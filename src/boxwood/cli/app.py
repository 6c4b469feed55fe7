"""The commands, by name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Any

import typer

from boxwood.cli.commands import ask, compare, drift, fit, info, report, rows, sample, serve

__all__ = ["app"]

INTERRUPTED = 130

app = typer.Typer(
    name="boxwood",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
    help="The distribution behind a table: fit it, ask it, find what is odd, simulate, fill gaps.",
    epilog="`boxwood COMMAND --help` shows a command with an example.",
)


def ends_quietly(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that ends without a trace of Python: when nobody reads on, and when interrupted."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        try:
            command(**arguments)
            sys.stdout.flush()
        except BrokenPipeError:
            # Python flushes standard output when it ends, and would complain there.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit from None
        except KeyboardInterrupt:
            typer.echo("boxwood: interrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from None

    return run


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"boxwood {version('boxwood')}")
        raise typer.Exit


@app.callback()  # type: ignore[untyped-decorator]
def options(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take what comes before a command."""


for command in (
    fit.fit,
    ask.query,
    rows.score,
    rows.explain,
    rows.outliers,
    rows.impute,
    rows.predict,
    sample.sample,
    compare.compare,
    report.report,
    drift.drift,
    info.info,
    serve.serve,
    serve.explore,
    serve.mcp,
):
    app.command()(ends_quietly(command))
