"""The body of a request: bounded in bytes and in time, and read as JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from boxwood.serve.limits import Limits
from boxwood.serve.refusal import RefusedError

__all__ = ["parse_json", "read_json"]


async def read_json(request: Any, limits: Limits) -> Any:
    """Return the JSON of a request's body.

    Parameters
    ----------
    request : starlette.requests.Request
    limits : Limits
    """
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type != "application/json":
        raise RefusedError("media_type", "send JSON, with the header `content-type: application/json`.")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and (len(declared) > 18 or int(declared) > limits.body_bytes):
        raise _too_large(limits)
    try:
        async with asyncio.timeout(limits.receive_seconds):
            return parse_json(await _bounded(request.stream(), limits))
    except TimeoutError:
        raise RefusedError(
            "slow_body", f"the body did not come within {limits.receive_seconds:g} seconds."
        ) from None


async def _bounded(stream: AsyncIterator[bytes], limits: Limits) -> bytes:
    parts, size = [], 0
    async for part in stream:
        size += len(part)
        if size > limits.body_bytes:
            raise _too_large(limits)
        parts.append(part)
    return b"".join(parts)


def _too_large(limits: Limits) -> RefusedError:
    return RefusedError(
        "too_large", f"a body may have {limits.body_bytes:,} bytes: send the rows in several requests."
    )


def parse_json(body: bytes) -> Any:
    """Return the value of JSON text; RefusedError where it is none, or nested too deeply.

    Examples
    --------
    >>> parse_json(b'{"rows": [{"age": 40}]}')
    {'rows': [{'age': 40}]}
    """
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except RecursionError:
        raise RefusedError("bad_json", "the JSON is nested too deeply.") from None
    except ValueError as error:
        raise RefusedError("bad_json", f"the body is no JSON: {error}.") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
