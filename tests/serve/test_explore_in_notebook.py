"""The explorer in a notebook."""

from __future__ import annotations

import re
from typing import Any

import pytest
from requesting import TABLE, ask_at


def test_a_frame_shows_a_page_that_is_served(model: Any) -> None:
    frame = model.explore(TABLE)
    found = re.fullmatch(
        r'<iframe src="(http://127\.0\.0\.1:\d+/[\w-]+/)" width="100%" .*></iframe>', frame._repr_html_()
    )
    assert found is not None
    assert ask_at(found[1], "/describe")[1]["n_table"] == 344
    frame.close()
    with pytest.raises(OSError, match="refused"):
        ask_at(found[1], "/health")


def test_the_report_is_shown_where_the_browser_is_elsewhere(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("altair")
    monkeypatch.setenv("JUPYTERHUB_USER", "someone")
    shown = model.explore()._repr_html_()
    assert "srcdoc=" in shown
    assert "&lt;html" in shown
