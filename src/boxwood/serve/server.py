"""Servers of an app: one that a command runs, and one beside other work."""

from __future__ import annotations

import gc
import socket
import threading
from typing import Any, Self

from boxwood.serve.admission import Admission
from boxwood.serve.limits import Limits

__all__ = ["BackgroundServer", "listen", "run", "server_of"]

MOST_CONNECTIONS = 1_000


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """Return a socket that listens; port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.create_server((host, port), family=family, backlog=MOST_CONNECTIONS)
    # asyncio sends small answers at once (TCP_NODELAY) only where a socket is known to be of TCP; one that
    # `create_server` makes is not, and every answer waited 40 ms for the client's acknowledgement.
    return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=made.detach())


def server_of(app: Admission, limits: Limits | None = None) -> Any:
    """Return uvicorn's server of an app, with bounds on headers and connections.

    It ends on SIGINT and SIGTERM: it takes no more connections, and answers what was asked.
    """
    import uvicorn

    from boxwood.serve.protocol import bounded_protocol

    bounds = limits or Limits()
    config = uvicorn.Config(
        app,
        http=bounded_protocol(bounds),
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=int(bounds.seconds) + 1,
    )
    return uvicorn.Server(config)


def run(app: Admission, listening: socket.socket, limits: Limits | None = None) -> None:
    """Serve an app until a signal ends it."""
    # What is there now stays: the collector need not walk through modules and the model between two answers.
    gc.collect()
    gc.freeze()
    server_of(app, limits).run(sockets=[listening])


class BackgroundServer:
    """A server on a thread, while it is entered.

    Parameters
    ----------
    app : Admission
    limits : Limits, optional
    port : int
        0 takes a free one.
    """

    def __init__(self, app: Admission, limits: Limits | None = None, port: int = 0) -> None:
        self._server = server_of(app, limits)
        self._listening = listen(port=port)
        self.port: int = self._listening.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}{app.root}"
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._listening]}, daemon=True
        )

    def start(self) -> Self:
        """Begin to serve; requests that come before it does wait for it."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Answer what was asked, and end."""
        self._server.should_exit = True
        self._thread.join()
        self._listening.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
