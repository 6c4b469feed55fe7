"""The type of the fixture that runs commands."""

from collections.abc import Callable

Run = Callable[..., tuple[int, str, str]]
"""Arguments to exit code, standard output and standard error."""
