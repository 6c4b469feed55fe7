"""Sections of numpydoc docstrings, read by their underlines."""

from __future__ import annotations

import re


def sections(docstring):
    """Return the text below each heading, by heading; the summary is under ""."""
    found, heading = {"": ""}, ""
    lines = (docstring or "").splitlines()
    for i, line in enumerate(lines):
        below = lines[i + 1] if i + 1 < len(lines) else ""
        if line and re.fullmatch("-{3,}", below):
            heading = line
            found[heading] = ""
        elif not (re.fullmatch("-{3,}", line) and i and lines[i - 1] == heading):
            found[heading] += line + "\n"
    return found


def described(docstring, sections_in=True):
    """Return the sentences of parameters and attributes by name, "" for one without."""
    if sections_in:
        parts = sections(docstring)
        return described(parts.get("Attributes", ""), False) | described(parts.get("Parameters", ""), False)
    found, names = {}, []
    for line in docstring.splitlines():
        if line and not line.startswith(" "):
            names = [name.strip().lstrip("*") for name in line.split(" : ")[0].split(",")]
            found |= dict.fromkeys(names, "")
        elif line.strip():
            for name in names:
                found[name] += line.strip()
    return found
