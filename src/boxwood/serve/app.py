"""The app: routes, threads, metrics, a page where there is one, and the admission before them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any

from boxwood.columns import read_columns
from boxwood.serve.admission import LOOPBACK, Admission
from boxwood.serve.answers.asking import Asking
from boxwood.serve.body import read_json
from boxwood.serve.deadline import Deadline
from boxwood.serve.limits import Limits
from boxwood.serve.members import read_members
from boxwood.serve.metrics import Metrics
from boxwood.serve.openapi import openapi_document
from boxwood.serve.page_files import page_files
from boxwood.serve.plain_json import encode
from boxwood.serve.refusal import RefusedError, refusal_of
from boxwood.serve.routes import ROUTES, AnswerRoute
from boxwood.serve.served_model import ServedModel
from boxwood.serve.workers import Workers

__all__ = ["explorer_app", "service_app"]

EVERY = 1.0
"""Seconds between two looks at the model's file."""

_log = logging.getLogger("boxwood.serve")


def service_app(
    served: ServedModel,
    token: str,
    *,
    threads: int = 2,
    limits: Limits | None = None,
    hosts: Collection[str] = LOOPBACK,
) -> Admission:
    """Return the service: the JSON API, for who sends the token.

    Parameters
    ----------
    served : ServedModel
    token : str
    threads : int
        That answer.
    limits : Limits, optional
    hosts : collection of str
        Names that the machine may be asked by.
    """
    return _admitting(served, token, threads, limits or Limits(), hosts, {}, in_path=False)


def explorer_app(
    model: Any,
    table: Any = None,
    token: str | None = None,
    *,
    threads: int = 2,
    limits: Limits | None = None,
    hosts: Collection[str] = LOOPBACK,
) -> Admission:
    """Return the explorer: its page and the JSON API, below a token in the address.

    Parameters
    ----------
    model : TableModel or ServedModel
    table : table, optional
        Real rows to show.
    token : str, optional
        By default a random one.
    threads : int
    limits : Limits, optional
    hosts : collection of str
    """
    columns = None if table is None else read_columns(table)
    served = model if isinstance(model, ServedModel) else ServedModel(model, columns)
    token = token or secrets.token_urlsafe(24)
    return _admitting(served, token, threads, limits or Limits(), hosts, page_files(), in_path=True)


def _admitting(
    served: ServedModel,
    token: str,
    threads: int,
    limits: Limits,
    hosts: Collection[str],
    files: dict[str, tuple[bytes, str]],
    in_path: bool,
) -> Admission:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException

    workers = Workers(threads, limits)
    metrics = Metrics([*(route.path for route in ROUTES), "/health", "/metrics", "/openapi.json", *files])

    @contextlib.asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        workers.open()
        watch = asyncio.create_task(_watch(served))
        try:
            yield
        finally:
            watch.cancel()
            workers.close()

    app = Starlette(
        routes=[
            *(_answer_route(route, served, workers, limits) for route in ROUTES),
            *_own_routes(served, workers, metrics, limits),
            *(_file_route(path, *file) for path, file in files.items()),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, RefusedError: _refused},
    )
    app.router.redirect_slashes = False
    return Admission(app, token, metrics, in_path, hosts)


async def _watch(served: ServedModel) -> None:
    """Load a replaced file on a thread of its own, so that requests go on meanwhile."""
    while served.watches:
        await asyncio.sleep(EVERY)
        await asyncio.to_thread(served.refresh)


def _answer_route(route: AnswerRoute, served: ServedModel, workers: Workers, limits: Limits) -> Any:
    from starlette.routing import Route

    async def endpoint(request: Any) -> Any:
        try:
            members = {}
            if route.members:
                members = read_members(route.members, await read_json(request, limits), limits)
            loaded = served.current  # this request's model, whatever comes

            def work(deadline: Deadline) -> bytes:
                with loaded.asked():
                    return encode(route.answer(Asking(loaded, members, limits, deadline)))

            return _json(await workers.run(work))
        except Exception as error:
            refusal = refusal_of(error)
            if refusal is None:
                _log.exception("a request to %s failed", route.path)
                refusal = RefusedError("error", "something went wrong here; the log of the service has more.")
            raise refusal from None

    return Route(route.path, endpoint, methods=[route.method])


def _own_routes(served: ServedModel, workers: Workers, metrics: Metrics, limits: Limits) -> list[Any]:
    from starlette.responses import Response
    from starlette.routing import Route

    document = encode(openapi_document(limits))

    async def health(request: Any) -> Any:
        return _json(encode({"status": "ok", "version": served.current.version}))

    async def metrics_text(request: Any) -> Any:
        info = {"model": type(served.current.model.density_).__name__, "version": str(served.current.version)}
        gauges = {"running": float(workers.n_running), "reload_failures": float(served.n_failures)}
        return Response(metrics.text(info, gauges), media_type="text/plain; version=0.0.4")

    async def openapi(request: Any) -> Any:
        return _json(document)

    named: dict[str, Callable[..., Any]] = {
        "/health": health,
        "/metrics": metrics_text,
        "/openapi.json": openapi,
    }
    return [Route(path, endpoint, methods=["GET"]) for path, endpoint in named.items()]


def _file_route(path: str, content: bytes, media_type: str) -> Any:
    from starlette.responses import Response
    from starlette.routing import Route

    async def endpoint(request: Any) -> Any:
        return Response(content, media_type=media_type)

    return Route(path, endpoint, methods=["GET"])


def _json(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Any:
    from starlette.responses import Response

    return Response(body, status, headers, media_type="application/json")


async def _http_error(request: Any, error: Any) -> Any:
    code, message = {
        404: ("not_found", "there is nothing here; GET openapi.json lists the routes."),
        405: ("method", "this route has another method; GET openapi.json lists the routes."),
    }[error.status_code]
    return _json(encode(RefusedError(code, message).to_json()), error.status_code, error.headers)


async def _refused(request: Any, refusal: RefusedError) -> Any:
    headers = {}
    if refusal.code in ("slow_body", "too_large", "media_type"):
        headers["connection"] = "close"  # the rest of the body is not read
    if refusal.code == "busy":
        headers["retry-after"] = "1"
    return _json(encode(refusal.to_json()), refusal.status, headers)
