"""A model of penguins, its service, and requests to it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import boxwood as bw
from boxwood.serve import Limits, ServedModel, service_app
from boxwood.serve.server import BackgroundServer

TABLE = Path(__file__).parents[2] / "examples" / "penguins.csv"
TOKEN = "a-token-of-the-tests"
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "penguins.boxwood"
    bw.TableModel(bw.DensityForest(n_estimators=10, random_state=0)).fit(TABLE).save(path)
    return path


@pytest.fixture(scope="session")
def model(model_file: Path) -> Any:
    """The library's side of comparisons: loaded apart from the service's."""
    return bw.load(model_file)


LIMITS = Limits(body_bytes=100_000, rows=500, questions=20, receive_seconds=0.5, seconds=20.0)


@pytest.fixture(scope="session")
def server(model_file: Path) -> Iterator[BackgroundServer]:
    app = service_app(ServedModel(bw.load(model_file)), TOKEN, limits=LIMITS)
    with BackgroundServer(app, LIMITS) as running:
        yield running


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


@pytest.fixture
def ask(server: BackgroundServer) -> Ask:
    def asked(path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        return ask_at(server.url, path, body, headers)

    return asked
