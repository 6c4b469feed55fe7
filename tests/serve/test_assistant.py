"""Tools for assistants, called by the protocol's own client."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client

from boxwood.serve.assistant_server import assistant_server


def called(model: Any, tool: str, **arguments: Any) -> Any:
    async def call() -> Any:
        async with Client(assistant_server({"penguins": model})) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def test_the_tools_have_schemas(model: Any) -> None:
    async def listed() -> Any:
        async with Client(assistant_server({"penguins": model})) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(listed())}
    assert set(tools) == {"describe_table", "ask_probability", "compare_groups", "explain_row", "sample_rows"}
    schema = tools["ask_probability"].input_schema
    assert schema["required"] == ["event"]
    assert all("description" in one for one in schema["properties"].values())
    assert "probable" in tools["ask_probability"].description


def test_a_probability_is_the_librarys_and_says_how_sure_it_is(model: Any) -> None:
    event, given = "body_mass_g > 4500", "species == 'Gentoo'"
    found = called(model, "ask_probability", event=event, given=given).structured_content
    # The last bits hang on what a model was asked before: tables of answers are added up otherwise.
    assert found["event"]["probability"]["value"] == pytest.approx(model.prob(event, given=given), rel=1e-12)
    assert found["event"]["probability"]["exact"] is True
    interval = model.interval_of(event, given=given)
    assert (found["event"]["low"], found["event"]["high"]) == pytest.approx(
        (interval.low, interval.high), rel=1e-9
    )
    assert found["evidence"]["effective_rows"] == pytest.approx(model.given(given).query.effective_rows)


def test_groups_are_compared(model: Any) -> None:
    groups = {"group": "species == 'Gentoo'", "other": "species == 'Adelie'"}
    found = called(model, "compare_groups", event="body_mass_g > 4500", **groups).structured_content
    first, second = (model.prob("body_mass_g > 4500", given=given) for given in groups.values())
    assert found["difference"] == pytest.approx(first - second)
    assert found["ratio"] == pytest.approx(first / second)
    assert found["intervals_overlap"] is False


def test_a_row_is_explained_with_the_oddest_cell_first(model: Any) -> None:
    row = {"species": "Gentoo", "island": "Biscoe", "body_mass_g": 2700}
    found = called(model, "explain_row", row=row).structured_content
    excess = [cell["surprise"] - cell["usual"] for cell in found["cells"]]
    assert excess == sorted(excess, reverse=True)
    assert found["cells"][0]["column"] == "body_mass_g"
    assert found["exact"] is True


def test_simulated_rows_are_called_so(model: Any) -> None:
    found = called(model, "sample_rows", n=3, given="island == 'Dream'").structured_content
    assert found["simulated"] is True
    assert [row["island"] for row in found["rows"]] == ["Dream"] * 3


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("ask_probability", {"event": "mass > 4500"}, "no column 'mass'"),
        ("ask_probability", {"event": "sex == 'male'", "given": "body_mass_g > 90000"}, "no row can be so"),
        ("ask_probability", {"event": "true", "table": "others"}, "must be one of penguins"),
        ("ask_probability", {"event": "x" * 20_000}, "characters"),
        ("sample_rows", {"n": 101}, "1 to 100"),
        ("explain_row", {"row": {"specie": "Gentoo"}}, "Did you mean 'species'"),
    ],
)
def test_what_is_wrong_is_said(model: Any, tool: str, arguments: dict[str, Any], said: str) -> None:
    found = called(model, tool, **arguments)
    assert found.is_error
    assert said in found.content[0].text


def test_the_command_serves_standard_input_and_output(model_file: Path, model: Any) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "boxwood.cli", "mcp", str(model_file)]
    )

    async def call() -> Any:
        async with Client(command) as client:
            described = await client.call_tool("describe_table", {})
            asked = await client.call_tool("ask_probability", {"event": "species == 'Gentoo'"})
            return described.structured_content, asked.structured_content

    described, asked = asyncio.run(call())
    assert described["tables"] == ["penguins"]
    assert [column["name"] for column in described["columns"]] == list(model.schema.names)
    assert asked["event"]["probability"]["value"] == pytest.approx(
        model.prob("species == 'Gentoo'"), rel=1e-12
    )
