"""Who may ask: Host, Origin and token of every request, before anything else is read."""

from __future__ import annotations

import hmac
import time
from collections.abc import Collection
from typing import Any

from boxwood.serve.metrics import Metrics
from boxwood.serve.plain_json import encode
from boxwood.serve.refusal import RefusedError

__all__ = ["LOOPBACK", "Admission"]

LOOPBACK = frozenset(["127.0.0.1", "localhost", "[::1]"])
"""Names of this machine that it is asked by."""

_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)

_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # the token of a page is in its address
    (b"cache-control", b"no-store"),
    (b"content-security-policy", _PAGE_POLICY.encode()),
]

OPEN = frozenset(["/health"])
"""What a service answers without a token: that it is there."""


class Admission:
    """An ASGI app before another one, which sees no request that may not ask.

    Parameters
    ----------
    app : ASGI app
    token : str
    metrics : Metrics
    in_path : bool
        Whether the token is the first part of the path, as in an explorer's address; else it comes as
        ``Authorization: Bearer``.
    hosts : collection of str
        Names, without ports, that the machine may be asked by: a page elsewhere whose name was pointed at
        this machine has another one.
    """

    def __init__(
        self, app: Any, token: str, metrics: Metrics, in_path: bool, hosts: Collection[str] = LOOPBACK
    ) -> None:
        self._app, self._token, self._metrics = app, token.encode(), metrics
        self._in_path, self._hosts = in_path, frozenset(host.lower() for host in hosts)

    @property
    def root(self) -> str:
        """The path below which it answers."""
        return f"/{self._token.decode()}/" if self._in_path else "/"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            raise RuntimeError("the service speaks HTTP alone.")
        begin, status = time.perf_counter(), 500
        path = scope["path"]

        async def send_and_note(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        try:
            headers = dict(scope["headers"])
            self._check_host(headers)
            path = self._admitted_path(scope["path"], headers)
            await self._app({**scope, "path": path, "raw_path": None}, receive, send_and_note)
        except RefusedError as refusal:
            await _refuse(refusal, send_and_note)
        finally:
            self._metrics.add(path, status, time.perf_counter() - begin)

    def _check_host(self, headers: dict[bytes, bytes]) -> None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if name not in self._hosts:
            raise RefusedError("host", "this service is not asked by that name; see --allow-host.")
        origin = headers.get(b"origin")
        if origin is not None and origin.decode("latin-1").lower() not in (
            f"http://{host}",
            f"https://{host}",
        ):
            raise RefusedError("origin", "a page of another origin may not ask.")

    def _admitted_path(self, path: str, headers: dict[bytes, bytes]) -> str:
        if self._in_path:
            first, slash, rest = path.removeprefix("/").partition("/")
            if not hmac.compare_digest(first.encode("utf-8", "surrogateescape"), self._token):
                raise RefusedError(
                    "unauthorized", "the address has no valid token: take the one that was printed."
                )
            if not slash:
                raise RefusedError("not_found", "the address ends with a slash.")
            return f"/{rest}"
        if path in OPEN:
            return path
        kind, _, token = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self._token):
            raise RefusedError("unauthorized", "send the header `Authorization: Bearer TOKEN`.")
        return path


async def _refuse(refusal: RefusedError, send: Any) -> None:
    """Answer without reading on: the connection is closed, so that no body is waited for."""
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    if refusal.code == "unauthorized":
        headers.append((b"www-authenticate", b"Bearer"))
    body = encode(refusal.to_json())
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
