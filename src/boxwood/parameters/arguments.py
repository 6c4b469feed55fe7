"""Sentences of arguments that mean the same in every method: rows, targets, weights, seeds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import FunctionType

__all__ = ["ARGUMENTS", "describe_arguments", "with_arguments"]

ARGUMENTS: Mapping[str, str] = {
    "X": "The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.",
    "y": "The target of each row.",
    "sample_weight": "What each row counts; all count the same where it is not given.",
    "n_samples": "How many rows.",
    "random_state": "Seed or generator: the same int gives the same result, None another one each time.",
    "n_jobs": "How many threads, as joblib counts them; None is one, −1 all cores.",
}
"""The sentence by the argument's name."""

IGNORED = "Here because pipelines of scikit-learn hand it on."
"""The sentence of an argument that is there for scikit-learn's sake."""

_ENTRY = re.compile(r"(?P<indent> *)(?P<name>\w+) : (?P<kind>.*)")


def with_arguments(docstring: str) -> str:
    """Return a docstring whose entries without a sentence have that of `ARGUMENTS`."""
    lines = docstring.splitlines()
    starts = [i for i, line in enumerate(lines) if line.strip() == "Parameters"]
    if not starts or starts[0] + 1 >= len(lines):
        return docstring
    done, left = lines[: starts[0] + 2], lines[starts[0] + 2 :]
    for i, line in enumerate(left):
        done.append(line)
        if line.strip().startswith("---"):
            return "\n".join([*done, *left[i + 1 :]])  # the next section
        entry = _ENTRY.fullmatch(line)
        below = left[i + 1] if i + 1 < len(left) else ""
        if entry and not below.startswith(entry["indent"] + " "):
            sentence = IGNORED if entry["kind"] == "ignored" else ARGUMENTS.get(entry["name"])
            done += [] if sentence is None else [f"{entry['indent']}    {sentence}"]
    return "\n".join(done)


def describe_arguments(cls: type) -> None:
    """Give the arguments of a class's own public methods the sentences that they have everywhere."""
    for name, member in vars(cls).items():
        # Those of a classmethod and of methods that exist only where the parameters allow them.
        function = getattr(member, "__func__", member)
        if not isinstance(function, FunctionType):
            function = getattr(function, "__wrapped__", function)
        if not name.startswith("_") and isinstance(function, FunctionType) and function.__doc__:
            function.__doc__ = with_arguments(function.__doc__)
