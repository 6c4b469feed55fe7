"""The OpenAPI document of the service, made from the routes."""

from __future__ import annotations

from typing import Any

from boxwood.serve.limits import Limits
from boxwood.serve.refusal import STATUS_CODES
from boxwood.serve.replies import COMPONENTS, REPLIES
from boxwood.serve.routes import ROUTES, AnswerRoute

__all__ = ["openapi_document"]

_OWN = {
    "/health": "That the service is there, and how many models it has loaded; needs no token.",
    "/metrics": "Counts and times of requests, as Prometheus reads them.",
    "/openapi.json": "This document.",
}


def openapi_document(limits: Limits) -> dict[str, Any]:
    """Return the document as plain JSON values."""
    from importlib.metadata import version

    paths: dict[str, Any] = {
        route.path: {route.method.lower(): _operation(route, limits)} for route in ROUTES
    }
    for path, says in _OWN.items():
        paths[path] = {"get": {"summary": says, "responses": _responses(path)}}
    paths["/health"]["get"]["security"] = []
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "boxwood",
            "version": version("boxwood"),
            "description": "Questions to a table's density.",
        },
        "paths": paths,
        "components": {
            "schemas": COMPONENTS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(route: AnswerRoute, limits: Limits) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": route.says, "responses": _responses(route.path)}
    if route.members:
        schema = {
            "type": "object",
            "properties": {member.name: member.schema(limits) for member in route.members},
            "required": [member.name for member in route.members if member.required],
            "additionalProperties": False,
        }
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return found


def _responses(path: str) -> dict[str, Any]:
    answered: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
    if path in REPLIES:
        answered = {"application/json": {"schema": REPLIES[path]}}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    refused: dict[int, list[str]] = {}
    for code, status in STATUS_CODES.items():
        refused.setdefault(status, []).append(code)
    return {
        "200": {"description": "The answer.", "content": answered},
        **{
            str(status): {"description": " or ".join(codes), "content": error}
            for status, codes in refused.items()
        },
    }
