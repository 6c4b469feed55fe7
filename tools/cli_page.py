"""Writes docs/reference/cli.md from the commands' own help; the tests check that it is current.

Run it with ``python tools/cli_page.py``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import typer

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"

INTRODUCTION = """\
# Command line

`pip install boxwood[all]` installs the program `boxwood`. It reads CSV, JSON lines and Parquet (`.gz` and
`.zst` too), and databases of DuckDB and SQLite: a whole table where there is but one, else what `--sql`
says. `-` is standard input or standard output, so that commands work in pipes. What is written to a file
appears whole or not at all.

Exit codes: 0, all went well; 1, something is wrong that the user can mend, said in one sentence; 2, wrong
usage; 3, `boxwood drift` found drift; 130, interrupted. With the variable `BOXWOOD_DEBUG` set, errors show
where they come from.

The examples below run in this order, in a folder with the file `examples/penguins.csv` of the repository.
"""


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the page as Markdown."""
    from boxwood.cli.app import app

    group: Any = typer.main.get_command(app)
    return "\n".join([INTRODUCTION, *(_command(name, command) for name, command in group.commands.items())])


WITHOUT_END = ("serve", "explore", "mcp")
"""Commands that go on until they are stopped: their examples are run by the tests of the service."""


def ending_examples() -> list[str]:
    """Return the examples of commands that end by themselves, in their order."""
    return [line for line in examples() if line.split()[1] not in WITHOUT_END]


def examples() -> list[str]:
    """Return the example of each command, in their order."""
    return re.findall(r"^\$ (boxwood .*)$", page(), re.MULTILINE)


def _command(name: str, command: Any) -> str:
    text, _, example = command.help.partition("Example: ")
    arguments = [_argument(each) for each in command.params if each.param_type_name == "argument"]
    options = [_option(each) for each in command.params if each.param_type_name == "option"]
    return "\n".join(
        [
            f"## boxwood {name}\n",
            f"{text.strip()}\n",
            f"```console\n$ {example.strip().strip('`')}\n```\n",
            "| argument | |\n| --- | --- |",
            *arguments,
            "",
            "| option | |\n| --- | --- |",
            *options,
            "",
        ]
    )


def _argument(parameter: Any) -> str:
    name = parameter.metavar + ("..." if parameter.nargs == -1 else "")
    return f"| `{name}` | {parameter.help} |".replace("MODEL|TABLE", r"MODEL\|TABLE")


def _option(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    required = " Required." if parameter.required else ""
    shown = parameter.show_default and not (parameter.default is None or parameter.is_flag)
    default = f" Default: {parameter.default}." if shown else ""
    return f"| {names} | {parameter.help}{required}{default} |"


if __name__ == "__main__":
    main()
