"""Requests to a service of penguins."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boxwood.serve import Limits

TABLE = Path(__file__).parents[2] / "examples" / "penguins.csv"
TOKEN = "a-token-of-the-tests"
LIMITS = Limits(body_bytes=100_000, rows=500, questions=20, receive_seconds=20.0, seconds=20.0)
Ask = Callable[..., tuple[int, Any]]


def ask_at(url: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    """Return the status and the JSON of an answer; bytes are sent as they are."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"content-type": "application/json", "authorization": f"Bearer {TOKEN}", **(headers or {})}
    request = urllib.request.Request(url.rstrip("/") + path, data, sent)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
            is_json = answer.headers["content-type"] == "application/json"
            return answer.status, json.loads(text) if is_json else text
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())
