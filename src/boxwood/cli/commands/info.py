"""``boxwood info``: what is in a model file."""

from __future__ import annotations

import json as json_
from typing import Annotated

import typer

from boxwood.cli.models import load_model
from boxwood.cli.options import Json, Model

__all__ = ["info"]


def info(
    model: Model,
    json: Json = False,
    describe: Annotated[bool, typer.Option("--describe", help="What each column is like, too.")] = False,
) -> None:
    """Print what is in a model file: the density, its columns, the rules between them.

    Example: `boxwood info penguins.boxwood`
    """
    from boxwood.table.model_info import model_info

    fitted = load_model(model)
    found = model_info(fitted, model, describe=describe)
    typer.echo(json_.dumps(found.to_json(), ensure_ascii=False) if json else str(found))
