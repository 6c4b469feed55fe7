"""How a model was fitted, so that it can be repeated."""

from __future__ import annotations

import platform
from html import escape
from importlib.metadata import version
from typing import Any

from boxwood.report.page import html_table
from boxwood.table.summary import TableSummary

__all__ = ["how_made"]


def how_made(model: Any, summary: TableSummary | None) -> str:
    """Return versions, parameters, and the lines that make the same model again."""
    import numpy
    import scipy
    import sklearn

    versions = [
        ("boxwood", version("boxwood")),
        ("Python", platform.python_version()),
        ("numpy", numpy.__version__),
        ("scipy", scipy.__version__),
        ("scikit-learn", sklearn.__version__),
    ]
    target = "" if summary is None or summary.target is None else f", target={summary.target!r}"
    code = (
        "import boxwood as bw\n\n"
        f"density = bw.{model.density_!r}\n"
        f"model = bw.TableModel(density).fit(table{target})"
    )
    return (
        f"<pre tabindex='0'>{escape(code)}</pre>"
        + html_table(("package", "version"), versions, "Versions")
        + "<p class='soft'>The same table, parameters and seed give the same model on any machine.</p>"
    )
