"""HTTP with bounds: headers that are too large or come too slowly end their connection."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from boxwood.serve.limits import Limits
from boxwood.serve.plain_json import encode
from boxwood.serve.refusal import RefusedError

__all__ = ["bounded_protocol"]

_PHRASES = {408: "Request Timeout", 431: "Request Header Fields Too Large"}


class _BoundedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol, which by itself waits for headers without end, and takes them of any size."""

    limits = Limits()
    _in_head = True
    _head_bytes = 0
    _refused = False
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        # Whole headers were counted when they were complete; this counts those that are not.
        if self._in_head and self._head_bytes > self.limits.header_bytes:
            self._refuse(RefusedError("headers", "the headers are too large."))

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_head()

    def on_headers_complete(self) -> None:
        self._stop_timer()
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.limits.header_bytes:
            self._refuse(RefusedError("headers", "the headers are too large."))
            return
        self._in_head, self._head_bytes = False, 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = True
        if not self._refused:
            super().on_message_complete()

    def _await_head(self) -> None:
        self._stop_timer()
        slow = RefusedError("slow_body", "the headers came too slowly.")
        self._timer = self.loop.call_later(self.limits.receive_seconds, self._refuse, slow)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, refusal: RefusedError) -> None:
        self._refused = True
        if self.transport.is_closing():
            return
        body = encode(refusal.to_json())
        head = (
            f"HTTP/1.1 {refusal.status} {_PHRASES[refusal.status]}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def bounded_protocol(bounds: Limits) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol with the limits of a service."""

    class Bounded(_BoundedProtocol):
        limits = bounds

    return Bounded
