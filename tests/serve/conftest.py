"""A model of penguins, its service, and requests to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from requesting import LIMITS, TABLE, TOKEN, Ask, ask_at

import boxwood as bw
from boxwood.serve import ServedModel, service_app
from boxwood.serve.server import BackgroundServer


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "penguins.boxwood"
    bw.TableModel(bw.DensityForest(n_estimators=10, random_state=0)).fit(TABLE).save(path)
    return path


@pytest.fixture(scope="session")
def model(model_file: Path) -> Any:
    """The library's side of comparisons: loaded apart from the service's."""
    return bw.load(model_file)


@pytest.fixture(scope="session")
def server(model_file: Path) -> Iterator[BackgroundServer]:
    app = service_app(ServedModel(bw.load(model_file)), TOKEN, limits=LIMITS)
    with BackgroundServer(app, LIMITS) as running:
        yield running


@pytest.fixture(scope="session")
def impatient_server(model_file: Path) -> Iterator[BackgroundServer]:
    """Gives requests up that do not come at once: too soon for ordinary requests on a busy machine."""
    limits = replace(LIMITS, receive_seconds=0.5)
    app = service_app(ServedModel(bw.load(model_file)), TOKEN, limits=limits)
    with BackgroundServer(app, limits) as running:
        yield running


@pytest.fixture
def ask(server: BackgroundServer) -> Ask:
    def asked(path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        return ask_at(server.url, path, body, headers)

    return asked
