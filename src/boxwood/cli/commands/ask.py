"""``boxwood query``: questions to a model, on the command line, from a file, or at a prompt."""

from __future__ import annotations

import json as json_
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from boxwood.cli.models import load_questions
from boxwood.cli.options import Given, Json, Model, Threads

__all__ = ["query"]


def query(
    model: Model,
    questions: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="P(…), mean(…), quantile(…), …", show_default=False),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file", "-f", help="A file with a question a line; # begins a comment.", show_default=False
        ),
    ] = None,
    given: Given = None,
    json: Json = False,
    threads: Threads = -1,
) -> None:
    """Answer questions; without any, begin a prompt.

    `P(event | evidence)`, and `mean`, `median`, `std`, `mode`, `probabilities`, `entropy` of a column,
    `quantile(column, p, …)`, `interval(column, level)`, `density(column == value, …)` and
    `mi(column, column)`, each with `| evidence` where wanted.

    Example: `boxwood query penguins.boxwood "P(body_mass_g > 4500 | species == 'Adelie')"`
    """
    asked: Iterable[str] = list(questions or [])
    if file is not None:
        asked = [*asked, *_questions(file.read_text(encoding="utf-8").splitlines())]
    table = load_questions(model, threads)
    if given is not None:
        table = table.given(given)
    if not asked and file is None:
        if sys.stdin.isatty():
            from boxwood.cli.prompt import converse

            converse(table)
            return
        asked = _questions(sys.stdin)
    for question in asked:
        answer = table.ask(question)
        typer.echo(json_.dumps(answer.to_json(), ensure_ascii=False) if json else str(answer))


def _questions(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that ask something, each as it comes: a pipe may wait for the answer."""
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()
