"""The prompt of ``boxwood query``: history, and completion of columns, categories and functions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from boxwood.columns import Schema
from boxwood.query.expression.grammar import FUNCTIONS, KEYWORDS, NAME

__all__ = ["completions", "converse"]

MOST_CATEGORIES = 200

_WORDS = ("and", "or", "not", "in", "is missing", "true", "false")

_WORD = re.compile(r"[`'\"]?[\w.]*$")
_COMPARED = re.compile(rf"(?:`([^`]+)`|({NAME}))\s*(?:==|!=|=|in)\s*[\[(]?(?:[^\[(]*,)?\s*$")
_HELP = (
    "Ask P(event | evidence), mean(column | …), quantile(column, 0.9 | …); `columns` lists them; Ctrl-D ends."
)


def completions(schema: Schema, text: str) -> list[tuple[str, int]]:
    """Return what may stand at the end of a text, each with the number of characters that it replaces.

    Examples
    --------
    >>> import boxwood as bw
    >>> schema = bw.read_columns({"age": [1, 2], "home town": ["Ulm", "Bonn"]}).schema
    >>> completions(schema, "P(ag")
    [('age', 2)]
    >>> completions(schema, "P(`home town` == 'U")
    [("'Ulm'", 2)]
    """
    found = _WORD.search(text)
    word = found[0] if found else ""
    column = _COMPARED.search(text[: len(text) - len(word)])
    if column is not None:
        words: list[str] = [repr(str(label)) for label in _categories(schema, column[1] or column[2])]
    else:
        words = [*map(_written, schema.names), *(f"{name}(" for name in ("P", *FUNCTIONS)), *_WORDS]
    bare = word.strip("`'\"").lower()
    return [(each, len(word)) for each in words if each.strip("`'\"").lower().startswith(bare)]


def _categories(schema: Schema, name: str) -> tuple[Any, ...]:
    fields = [field for field in schema.fields if field.name == name and not field.kind.is_number]
    return tuple(fields[0].categories[:MOST_CATEGORIES]) if fields else ()


def _written(name: str) -> str:
    return name if re.fullmatch(NAME, name) and name not in KEYWORDS else f"`{name}`"


def converse(table: Any) -> None:
    """Read questions and print their answers until the input ends."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import FileHistory

    class ColumnCompleter(Completer):
        def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
            for text, length in completions(table.schema, document.text_before_cursor):
                yield Completion(text, start_position=-length)

    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(_history())), completer=ColumnCompleter()
    )
    print(_HELP)
    while True:
        try:
            line = session.prompt("? ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        answer_line(table, line, print)


def answer_line(table: Any, line: str, show: Callable[[str], None]) -> None:
    """Answer one line of a conversation; what is wrong with it is shown, and the conversation goes on."""
    line = line.strip()
    if not line:
        return
    if line in ("columns", "help", "?"):
        show("\n".join(f"{_written(field.name)}: {field.kind}" for field in table.schema.fields))
        return
    try:
        show(str(table.ask(line)))
    except (ValueError, TypeError) as error:
        show(str(error))


def _history() -> Path:
    """Return the file of earlier questions, in the user's folder for such things."""
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "boxwood"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "history"
