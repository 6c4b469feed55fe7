"""A server of the model context protocol, with tools that ask models."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, get_type_hints

from boxwood.serve.assistant import Assistant
from boxwood.serve.limits import Limits
from boxwood.serve.refusal import refusal_of
from boxwood.serve.served_model import LoadedModel

__all__ = ["assistant_server"]

INSTRUCTIONS = """\
These tools answer from a probability model that was fitted to a table. Conditions are expressions such as
"age > 40 and sex == 'Male'", "city in ['Bonn', 'Ulm']", "income is missing"; names with spaces stand in
backticks. Call describe_table first for the names of columns and categories. Quote numbers as they are given:
`exact` says whether a value follows from the model in closed form, else `standard_error` says how far it may
be off; `low` and `high` are the interval that the number of rows behind an answer leaves."""

_SAYS = {
    "table": "The table's name; may be left out where there is but one.",
    "event": "What may happen, such as \"income == '>50K'\".",
    "given": "What is known, such as \"age > 40 and sex == 'Male'\".",
    "group": "One group, such as \"sex == 'Male'\".",
    "other": "The other group, such as \"sex == 'Female'\".",
    "row": "Values by column; what is left out is missing.",
    "n": "How many rows, at most 100.",
    "seed": "The same seed, the same rows.",
}


def assistant_server(models: Mapping[str, Any], limits: Limits | None = None) -> Any:
    """Return a server of the model context protocol.

    Parameters
    ----------
    models : mapping of name to TableModel
    limits : Limits, optional
    """
    from importlib.metadata import version

    from mcp.server.mcpserver import MCPServer

    server = MCPServer("boxwood", instructions=INSTRUCTIONS, version=version("boxwood"), log_level="WARNING")
    loaded = {name: LoadedModel(model) for name, model in models.items()}
    for tool in Assistant(loaded, limits or Limits()).tools:
        server.add_tool(_described(tool), description=_description(tool), structured_output=True)
    return server


def _described(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a tool whose parameters say what they are, and whose complaints reach the assistant."""
    from mcp.server.mcpserver.exceptions import ToolError
    from pydantic import Field

    @wraps(tool)
    def answered(**arguments: Any) -> dict[str, Any]:
        try:
            return tool(**arguments)
        except Exception as raised:
            refusal = refusal_of(raised)
            if refusal is None:
                raise
            raise ToolError(str(refusal)) from None

    hints = get_type_hints(tool)
    parameters = [
        one.replace(annotation=Annotated[hints[name], Field(description=_SAYS[name])])
        for name, one in inspect.signature(tool).parameters.items()
    ]
    shown: Any = answered
    shown.__signature__ = inspect.Signature(parameters, return_annotation=dict[str, Any])
    shown.__annotations__ = {one.name: one.annotation for one in parameters} | {"return": dict[str, Any]}
    return answered


def _description(tool: Callable[..., Any]) -> str:
    """Return what a docstring says before its sections."""
    text, _, _ = (tool.__doc__ or "").partition("Parameters\n")
    return " ".join(text.split())
