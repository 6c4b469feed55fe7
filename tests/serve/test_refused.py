"""Requests that are refused: each with its status, while others are served."""

from __future__ import annotations

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from requesting import LIMITS, TOKEN, Ask, ask_at

from boxwood.serve import explorer_app
from boxwood.serve.server import BackgroundServer

HEAD = f"Host: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nContent-Type: application/json\r\n"


def sent(server: BackgroundServer, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send bytes as they are, and return what comes back until the connection ends."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        try:
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it was refused while we sent
        found = b""
        try:
            while part := connection.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def post(path: str, length: str = "") -> bytes:
    return f"POST {path} HTTP/1.1\r\n{HEAD}{length}\r\n".encode()


def test_a_body_that_is_declared_too_large_is_not_waited_for(server: BackgroundServer) -> None:
    assert status(sent(server, post("/score", f"Content-Length: {2**30}\r\n"))) == 413


def test_a_body_without_end_is_cut(server: BackgroundServer) -> None:
    block = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = sent(server, post("/score", "Transfer-Encoding: chunked\r\n"), *[block] * 200)
    assert not answer or status(answer) == 413  # the answer may be lost where the connection breaks


def test_a_streamed_body_that_is_a_little_too_large_is_refused(server: BackgroundServer) -> None:
    block = f"{LIMITS.body_bytes + 1:x}\r\n".encode() + b" " * (LIMITS.body_bytes + 1) + b"\r\n0\r\n\r\n"
    assert status(sent(server, post("/score", "Transfer-Encoding: chunked\r\n"), block)) == 413


def test_a_slow_body_is_given_up(impatient_server: BackgroundServer) -> None:
    assert status(sent(impatient_server, post("/score", "Content-Length: 1000\r\n"), b'{"ro')) == 408


def test_slow_headers_are_given_up(impatient_server: BackgroundServer) -> None:
    assert status(sent(impatient_server, b"POST /score HTTP/1.1\r\nHost: 127")) == 408
    assert status(sent(impatient_server)) == 408


def test_large_headers_are_refused(server: BackgroundServer) -> None:
    many = "".join(f"x-{k}: {'y' * 1000}\r\n" for k in range(40))
    assert status(sent(server, f"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n{many}\r\n".encode())) == 431
    assert status(sent(server, b"GET /health HTTP/1.1\r\n", *[b"x: " + b"y" * 9000] * 4, pause=0.01)) == 431


def test_others_are_served_while_many_are_slow(server: BackgroundServer, ask: Ask) -> None:
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
    for connection in slow:
        connection.sendall(post("/score", "Content-Length: 1000\r\n") + b"{")
    assert ask("/query", {"question": "P(sex == 'male')"})[0] == 200
    for connection in slow:
        connection.close()


@pytest.mark.parametrize(
    ("body", "code", "expected"),
    [
        (b"", "bad_json", 400),
        (b"{", "bad_json", 400),
        (b"\xff\xfe", "bad_json", 400),
        (b'{"rows": [{"body_mass_g": NaN}]}', "bad_json", 400),
        (b"[" * 50_000, "bad_json", 400),
        (b'{"rows":' * 10_000, "bad_json", 400),
        (b'{"rows": ' + b"9" * 5_000 + b"}", "bad_json", 400),
        (b"[]", "invalid", 422),
        (b'{"rows": []}', "invalid", 422),
        (b'{"rows": [1]}', "invalid", 422),
        (b'{"rows": [{"mass": 1}]}', "invalid", 422),
        (b'{"rows": [{"body_mass_g": "heavy"}]}', "invalid", 422),
        (b'{"rows": [{"body_mass_g": 1e999}]}', "invalid", 422),
        (b'{"rows": [{"body_mass_g": [1]}]}', "invalid", 422),
        (b'{"rows": [{"body_mass_g": true}]}', "invalid", 422),
        (b'{"rows": [{"species": 5}]}', "invalid", 422),
        (b'{"rows": [{"species": {}}]}', "invalid", 422),
        (b'{"rows": [{"\\ud800": 5}]}', "invalid", 422),
        (b'{"rows": [{}], "row": 1}', "invalid", 422),
        (json.dumps({"rows": [{}] * (LIMITS.rows + 1)}).encode(), "too_large", 413),
    ],
    ids=lambda value: value[:30].decode("latin-1") if isinstance(value, bytes) else str(value),
)
def test_wrong_bodies_of_rows(ask: Ask, body: bytes, code: str, expected: int) -> None:
    found, said = ask("/score", body)
    assert (found, said["error"]["code"]) == (expected, code)


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/query", {}, "invalid"),
        ("/query", {"question": "P(sex == 'male')", "questions": ["mode(sex)"]}, "invalid"),
        ("/query", {"question": "P(sexx == 'male')"}, "expression"),
        ("/query", {"question": "P(" + "(" * 5_000}, "expression"),
        ("/query", {"question": "x" * 20_000}, "expression"),
        ("/query", {"questions": ["mode(sex)"] * 21}, "too_large"),
        ("/query", {"question": 5}, "invalid"),
        ("/sample", {"n": 0}, "invalid"),
        ("/sample", {"n": 10**9}, "too_large"),
        ("/sample", {"n": 1.5}, "invalid"),
        ("/sample", {"seed": -1}, "invalid"),
        ("/sample", {"given": "body_mass_g > 90000"}, "impossible"),
        ("/predict", {"rows": [{}], "column": "mass"}, "expression"),
        ("/predict", {"rows": [{}], "column": "sex", "interval": 0.9}, "invalid"),
        ("/predict", {"rows": [{}], "column": "sex", "interval": 1.5}, "invalid"),
        ("/predict", {"rows": [{}], "column": "body_mass_g", "proba": True}, "invalid"),
        ("/impute", {"rows": [{}], "how": "guess"}, "invalid"),
        ("/pair", {"x": "sex", "y": "sex"}, "invalid"),
    ],
)
def test_wrong_members(ask: Ask, path: str, body: Any, code: str) -> None:
    found, said = ask(path, body)
    assert said["error"]["code"] == code
    assert found == {"too_large": 413}.get(code, 422)


def test_an_expression_says_where_it_is_wrong(ask: Ask) -> None:
    _, said = ask("/query", {"question": "mean(mass)"})
    assert (said["error"]["start"], said["error"]["end"]) == (5, 9)


@pytest.mark.parametrize(
    "token", ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \xe9"]
)
def test_a_wrong_token_is_refused(ask: Ask, token: str) -> None:
    assert ask("/describe", headers={"authorization": token})[0] == 401


def test_health_needs_no_token(ask: Ask) -> None:
    assert ask("/health", headers={"authorization": ""}) == (200, {"status": "ok", "version": 1})


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[::2]:80"]
)
def test_another_host_is_refused(server: BackgroundServer, host: str) -> None:
    request = f"GET /health HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    assert status(sent(server, request.encode())) == 421


def test_other_origins_are_refused(ask: Ask, server: BackgroundServer) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1", f"http://localhost:{server.port}"):
        assert ask("/health", headers={"origin": origin})[0] == 403
    assert ask("/health", headers={"origin": f"http://127.0.0.1:{server.port}"})[0] == 200


def test_methods_media_types_and_paths(ask: Ask, server: BackgroundServer) -> None:
    assert ask("/query")[0] == 405
    assert ask("/describe", {})[0] == 405
    assert ask("/query", {}, {"content-type": "text/plain"})[0] == 415
    for path in (
        "/",
        "/nothing",
        "/query/",
        "/../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/page/index.html",
    ):
        assert ask(path)[0] == 404
    head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
    for path in (
        "//etc/passwd",
        "/../../etc/passwd",
        "/..%5c..%5cetc",
        "http://127.0.0.1/etc/passwd",
        "/%00",
    ):
        assert status(sent(server, f"GET {path} HTTP/1.1\r\n{head}".encode())) in (400, 404)


def test_an_explorer_is_behind_the_token_of_its_address(model: Any) -> None:
    with BackgroundServer(explorer_app(model, token="secret")) as server:
        root = f"http://127.0.0.1:{server.port}"
        assert ask_at(root, "/secret/health")[0] == 200
        for path in ("/", "/health", "/secre/health", "/secret", "/secretx/health", "//secret/health"):
            assert ask_at(root, path)[0] in (401, 404)
        for path in (
            "/secret/../health",
            "/secret/page/app.js",
            "/secret/..%2fserve/app.py",
            "/secret/app.py",
        ):
            assert ask_at(root, path)[0] in (401, 404)


def test_many_threads_get_the_same_answers(ask: Ask, model: Any) -> None:
    """Caches of a model are shared by the threads that ask it."""
    questions = [
        f"P(body_mass_g > {3000 + 20 * k} | species == 'Adelie' and year >= {2007 + k % 3})"
        for k in range(100)
    ]

    def answer(question: str) -> float:
        return float(ask("/query", {"question": question})[1]["value"])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(answer, questions * 2))
    expected = [model.ask(question).value for question in questions * 2]
    assert found == pytest.approx(expected, rel=1e-12)
