"""Whatever the OpenAPI document allows, or does not, the service answers as it says, without a fault."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from requesting import TABLE, TOKEN
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

import boxwood as bw
from boxwood.serve import ServedModel, service_app
from properties import examples

CHECKS = [
    not_a_server_error,
    response_schema_conformance,
    content_type_conformance,
    status_code_conformance,
]
APP = service_app(
    ServedModel(bw.TableModel(bw.DensityTree(random_state=0)).fit(TABLE)),
    TOKEN,
    hosts=["testserver", "localhost"],
)
HEADERS = {"authorization": f"Bearer {TOKEN}"}
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP, headers=HEADERS)


def ask(case: Any) -> None:
    case.call_and_validate(headers={**(case.headers or {}), **HEADERS}, checks=CHECKS)


WITHOUT_CHECKS: dict[str, Any] = {
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": list(HealthCheck),
}


@SCHEMA.parametrize()
@examples(15, **WITHOUT_CHECKS)
def test_answers_are_as_documented(case: Any) -> None:
    ask(case)


@pytest.mark.slow
@SCHEMA.parametrize()
@examples(500, **WITHOUT_CHECKS)
def test_more_answers_are_as_documented(case: Any) -> None:
    ask(case)


def test_the_document_lists_every_route() -> None:
    with TestClient(APP, headers=HEADERS) as client:
        document = client.get("/openapi.json").json()
    assert {"/query", "/score", "/explain", "/predict", "/impute", "/sample", "/health"} <= set(
        document["paths"]
    )
    body = document["paths"]["/score"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body["required"] == ["rows"]
    assert body["properties"]["rows"]["maxItems"] == 10_000
