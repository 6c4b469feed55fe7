"""``boxwood serve`` and ``boxwood explore``: a model over HTTP, and in a browser."""

from __future__ import annotations

import importlib.util
import logging
import secrets
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from boxwood.cli.models import load_model
from boxwood.cli.options import MissingValues, Model, Seed, Sql, Threads

__all__ = ["explore", "mcp", "serve"]

_SERVE_PORT = 8080

Host = Annotated[
    str,
    typer.Option("--host", help="The address to listen at; any but 127.0.0.1 lets other machines ask."),
]
AllowHost = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="A further name that the machine is asked by; may be repeated.",
        show_default=False,
    ),
]


def serve(
    model: Model,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Has the token that requests must send; made where it is missing.",
            show_default=False,
        ),
    ] = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = _SERVE_PORT,
    allow_host: AllowHost = None,
    workers: Annotated[int, typer.Option(min=1, help="Requests that are answered at the same time.")] = 2,
    threads: Threads = 1,
) -> None:
    """Answer questions over HTTP: a JSON API, for who sends the token.

    The file is loaded again when it is replaced. `GET /openapi.json` describes the routes. Ends on Ctrl-C or
    SIGTERM, after what was asked is answered.

    Example: `boxwood serve penguins.boxwood --token-file token.txt`
    """
    _check_installed()
    from boxwood.serve.app import service_app
    from boxwood.serve.served_model import ServedModel
    from boxwood.serve.server import listen, run

    token = _token(token_file)
    served = ServedModel.of_file(model, lambda path: load_model(path, threads))
    app = service_app(served, token, threads=workers, hosts=_hosts(host, allow_host))
    listening = listen(host, port)
    _log_to_stderr()
    typer.echo(f"http://{_shown(host)}:{listening.getsockname()[1]}/", err=True)
    run(app, listening)


def explore(
    source: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|TABLE", help="A model file, or a table to fit one to.", show_default=False
        ),
    ],
    table: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Real rows to show beside a model.", show_default=False),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 0,
    host: Host = "127.0.0.1",
    allow_host: AllowHost = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    token: Annotated[
        str | None,
        typer.Option(help="Of the page's address; by default a random one.", show_default=False),
    ] = None,
    seed: Seed = 0,
    sql: Sql = None,
    missing: MissingValues = None,
    threads: Threads = -1,
) -> None:
    """Open a page in the browser to see and question a model.

    The page is served by this machine to itself, at an address with a random token. Ends on Ctrl-C.

    Example: `boxwood explore penguins.boxwood --table penguins.csv`
    """
    _check_installed()
    from boxwood.cli.fitting import fitted_source
    from boxwood.serve.app import explorer_app
    from boxwood.serve.server import listen, run

    fitted, columns = fitted_source(source, table, None, sql, missing, seed, threads)
    app = explorer_app(fitted, columns, token, hosts=_hosts(host, allow_host))
    listening = listen(host, port)
    _log_to_stderr()
    url = f"http://{_shown(host)}:{listening.getsockname()[1]}{app.root}"
    typer.echo(url, err=True)
    if browser:
        typer.launch(url)
    run(app, listening)


def mcp(
    models: Annotated[
        list[Path],
        typer.Argument(metavar="MODEL", help="Model files; their names name the tables.", show_default=False),
    ],
    threads: Threads = 1,
) -> None:
    """Let an assistant ask models, by the model context protocol on standard input and output.

    Its tools describe a table, ask a probability, compare groups, explain a row and simulate rows.

    Example: `boxwood mcp penguins.boxwood`
    """
    if importlib.util.find_spec("mcp") is None:
        raise ImportError("mcp is missing: `pip install boxwood[mcp]`.")
    from boxwood.serve.assistant_server import assistant_server

    names = [path.stem for path in models]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two models are called {name!r}: tables are named by the names of their files.")
    loaded = {path.stem: load_model(path, threads) for path in models}
    assistant_server(loaded).run("stdio")


def _check_installed() -> None:
    try:
        import httptools  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise ImportError(f"{error.name} is missing: `pip install boxwood[serve]`.") from None


def _token(file: Path | None) -> str:
    """Return the token of a file, made where it is missing; without a file a random one, which is shown."""
    if file is None:
        token = secrets.token_urlsafe(24)
        typer.echo(f"token: {token}", err=True)
        return token
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(24) + "\n", encoding="ascii")
    token = file.read_text(encoding="utf-8").strip()
    if len(token) < 16 or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{str(file)!r} has no token: it takes one line of at least 16 ASCII characters.")
    return token


def _hosts(host: str, allowed: list[str] | None) -> Collection[str]:
    from boxwood.serve.admission import LOOPBACK

    if host not in ("127.0.0.1", "localhost", "::1"):
        typer.echo(
            f"boxwood: note: {host} may be reached from other machines, and HTTP is not encrypted: put a "
            "proxy with TLS before it.",
            err=True,
        )
    return {*LOOPBACK, _shown(host), *(allowed or [])}


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _log_to_stderr() -> Any:
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="boxwood: %(message)s")
    logging.getLogger("boxwood.serve").setLevel(logging.INFO)
