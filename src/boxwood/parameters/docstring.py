"""The section "Parameters" of a docstring, from declarations."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping

from boxwood.parameters.kind import quoted
from boxwood.parameters.parameter import Parameter

__all__ = ["with_parameters"]

WIDTH = 106


def with_parameters(docstring: str, signature: inspect.Signature, declared: Mapping[str, Parameter]) -> str:
    """Return a docstring with the section "Parameters" before its other sections.

    One that has the section already stays as it is.
    """
    lines = inspect.cleandoc(docstring).splitlines()
    headings = [i for i, line in enumerate(lines[1:]) if re.fullmatch("-{3,}", line)]
    if not declared or any(lines[i] == "Parameters" for i in headings):
        return docstring
    place = headings[0] if headings else len(lines)
    entries = [
        line
        for name, parameter in declared.items()
        for line in _entry(parameter, signature.parameters[name].default)
    ]
    section = ["Parameters", "-" * len("Parameters"), *entries, ""]
    return "\n".join([*lines[:place], *([] if headings else [""]), *section, *lines[place:]])


def _entry(parameter: Parameter, default: object) -> list[str]:
    """Return the lines that describe a parameter: name, kind and default, and its sentence below."""
    end = "" if default is inspect.Parameter.empty else f", default={quoted(default)}"
    lines = [f"{parameter.name} : {parameter.kind.text}{end}"]
    for text in parameter.described.split("\n"):
        hanging = "  " if text.startswith("- ") else ""
        lines += textwrap.wrap(
            text,
            WIDTH,
            initial_indent="    ",
            subsequent_indent="    " + hanging,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return lines
