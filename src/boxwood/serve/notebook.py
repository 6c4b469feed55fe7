"""The explorer in a notebook: its page in a frame, or the static report where that cannot be."""

from __future__ import annotations

import html
import importlib.util
import os
import tempfile
import weakref
from pathlib import Path
from typing import Any

__all__ = ["ExplorerFrame", "explore"]

_ELSEWHERE = ("COLAB_RELEASE_TAG", "JUPYTERHUB_USER", "BINDER_SERVICE_HOST", "KAGGLE_KERNEL_RUN_TYPE")
"""Variables of notebooks whose browser is on another machine, which cannot reach this one's loopback."""


class ExplorerFrame:
    """The page of a model, shown by a notebook as a frame; it is served as long as this object lives.

    Attributes
    ----------
    url : str
    """

    def __init__(self, server: Any, height: int) -> None:
        self.url: str = server.url
        self._height = height
        self._end = weakref.finalize(self, server.stop)

    def close(self) -> None:
        """End the server."""
        self._end()

    def __repr__(self) -> str:
        return f"ExplorerFrame({self.url!r})"

    def _repr_html_(self) -> str:
        return _frame(f'src="{html.escape(self.url)}"', self._height)


class ReportFrame:
    """The static report in a frame, where no page can be served."""

    def __init__(self, document: str, height: int) -> None:
        self._document, self._height = document, height

    def _repr_html_(self) -> str:
        return _frame(f'sandbox="allow-scripts" srcdoc="{html.escape(self._document)}"', self._height)


def explore(model: Any, table: Any = None, height: int = 800) -> Any:
    """Return what a notebook shows of a model.

    Parameters
    ----------
    model : TableModel
    table : table, optional
        Real rows to show.
    height : int
        In pixels.

    Returns
    -------
    ExplorerFrame or ReportFrame
    """
    if can_serve():
        from boxwood.serve.app import explorer_app
        from boxwood.serve.server import BackgroundServer

        return ExplorerFrame(BackgroundServer(explorer_app(model, table)).start(), height)
    from boxwood.report import write_report

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        write_report(model, path, table)
        return ReportFrame(path.read_text(encoding="utf-8"), height)


def can_serve() -> bool:
    """Return whether the service is installed, and the notebook's browser on this machine."""
    installed = all(importlib.util.find_spec(name) for name in ("starlette", "uvicorn", "httptools"))
    return installed and not any(name in os.environ for name in _ELSEWHERE)


def _frame(attributes: str, height: int) -> str:
    return f'<iframe {attributes} width="100%" height="{int(height)}" style="border: 0"></iframe>'
