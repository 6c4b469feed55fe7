"""Where the documentation of a class lies, for the link in scikit-learn's HTML of an estimator."""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

__all__ = ["SITE_VARIABLE", "DocLink", "site_address"]

SITE_VARIABLE = "BOXWOOD_DOCS"
"""The environment variable with the address of the built documentation."""


class DocLink:
    """Links an estimator's HTML to its page of the reference, where the site's address is known."""

    _doc_link_module = "boxwood"

    @property
    def _doc_link_template(self) -> str:
        site = site_address()
        return f"{site}/api/{{estimator_name}}.html" if site else ""


def site_address() -> str:
    """Return the site's address without a slash at its end: of the variable, or of the package's metadata.

    Examples
    --------
    >>> os.environ[SITE_VARIABLE] = "https://docs.example.org/boxwood/"
    >>> site_address()
    'https://docs.example.org/boxwood'
    >>> del os.environ[SITE_VARIABLE]
    """
    return (os.environ.get(SITE_VARIABLE) or _published()).rstrip("/")


@cache
def _published() -> str:
    """Return the address that the installed package declares under "Documentation", or ""."""
    try:
        declared = metadata("boxwood").get_all("Project-URL") or []
    except PackageNotFoundError:  # a source tree on the path
        declared = []
    links = dict(line.split(", ", 1) for line in declared)
    return links.get("Documentation", "")
