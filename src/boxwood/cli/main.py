"""The program's entry: errors become one sentence and an exit code."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

__all__ = ["main"]

USER_ERROR = 1

_NEEDED = ("typer", "rich", "pyarrow", "prompt_toolkit")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit with 0, with 1 where the user can mend it, with 2 for wrong usage.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the process.
    """
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(
            f"boxwood: the command line needs {', '.join(missing)}: install them with "
            "`pip install boxwood[cli]`."
        )
    sys.exit(_exit_code(arguments))


def _exit_code(arguments: Sequence[str] | None) -> int:
    # Imports make many objects that stay: looking through them for garbage took a tenth of a question.
    gc.set_threshold(50_000, 20, 20)
    import typer

    from boxwood.cli.app import app

    # Typer's own copy of click, or click: the base of all usage errors.
    usage_error: Any = typer.BadParameter.__mro__[2]

    if "BOXWOOD_DEBUG" in os.environ:
        return _run(app, arguments)
    warnings.showwarning = _show_warning
    try:
        return _run(app, arguments)
    except usage_error as error:
        error.show()
        return int(error.exit_code)
    except (ValueError, TypeError, OSError, ImportError, MemoryError) as error:
        print(f"boxwood: {_sentence(error)}", file=sys.stderr)
        return USER_ERROR


def _run(app: object, arguments: Sequence[str] | None) -> int:
    import typer

    assert isinstance(app, typer.Typer)
    found = typer.main.get_command(app).main(
        None if arguments is None else list(arguments), prog_name="boxwood", standalone_mode=False
    )
    return found if isinstance(found, int) else 0


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{os.fsdecode(error.filename)!r}: {error.strerror.lower()}."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror.lower()}."
    return _without_lists(str(error)) or type(error).__name__


def _without_lists(text: str) -> str:
    """Return a message with lists of names within its sentences, where it had one a line."""
    lines: list[str] = []
    for line in text.rstrip().splitlines():
        if line.startswith("- ") and lines:
            lines[-1] += (" " if lines[-1].endswith(":") else ", ") + line.removeprefix("- ")
        else:
            lines.append(line)
    if len(lines) == len(text.rstrip().splitlines()):
        return text
    return ". ".join(line.removesuffix(".") for line in lines) + "."


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    print(f"boxwood: note: {message}", file=sys.stderr)
