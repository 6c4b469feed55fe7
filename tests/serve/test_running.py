"""Services over time: replaced files, ends, full queues, late answers, metrics."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from requesting import TABLE, TOKEN, Ask, ask_at

import boxwood as bw
from boxwood.serve import Limits, ServedModel, service_app
from boxwood.serve import app as app_module
from boxwood.serve.answers.asking import Asking
from boxwood.serve.protocol import _BoundedProtocol
from boxwood.serve.routes import AnswerRoute
from boxwood.serve.server import BackgroundServer

QUESTION = {"question": "P(species == 'Gentoo')"}


@pytest.fixture
def replaced(tmp_path: Path, model_file: Path) -> Path:
    return Path(shutil.copy(model_file, tmp_path / "served.boxwood"))


def test_a_replaced_file_is_loaded_without_a_lost_request(
    replaced: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "EVERY", 0.05)
    other = bw.TableModel(bw.DensityTree(random_state=0)).fit(TABLE)
    expected = {round(float(one.ask(QUESTION["question"]).value), 12) for one in (bw.load(replaced), other)}
    found, ended = [], threading.Event()
    app = service_app(ServedModel.of_file(replaced, bw.load), TOKEN)

    def ask_on() -> None:
        while not ended.is_set():
            found.append(ask_at(server.url, "/query", QUESTION))

    with BackgroundServer(app) as server:
        askers = [threading.Thread(target=ask_on) for _ in range(3)]
        for asker in askers:
            asker.start()
        other.save(replaced)
        until = time.monotonic() + 30.0
        while ask_at(server.url, "/health")[1]["version"] < 2 and time.monotonic() < until:
            time.sleep(0.02)
        assert ask_at(server.url, "/query", QUESTION)[1]["value"] == other.ask(QUESTION["question"]).value
        ended.set()
        for asker in askers:
            asker.join()
    assert {status for status, _ in found} == {200}
    assert {round(answer["value"], 12) for _, answer in found} <= expected


def test_a_bad_file_leaves_the_model(replaced: Path, caplog: pytest.LogCaptureFixture) -> None:
    served = ServedModel.of_file(replaced, bw.load)
    before = served.current
    assert not served.refresh()
    replaced.write_bytes(b"no model")
    assert not served.refresh()
    assert served.current is before
    assert served.n_failures == 1
    assert "stays" in caplog.text
    replaced.unlink()
    assert not served.refresh()


def slow_route(released: threading.Event) -> AnswerRoute:
    """Return a route that answers when the event is set, however slow the machine is."""

    def answer(asking: Asking) -> dict[str, Any]:
        while not released.wait(0.01):
            asking.deadline.check()
        return {"done": True}

    return AnswerRoute("/slow", "", answer)


def slow_app(monkeypatch: pytest.MonkeyPatch, model: Any, limits: Limits, released: threading.Event) -> Any:
    monkeypatch.setattr(app_module, "ROUTES", (slow_route(released), *app_module.ROUTES))
    return service_app(ServedModel(model), TOKEN, threads=1, limits=limits)


def wait_for_running(server: BackgroundServer, n: int) -> None:
    while f"boxwood_running {n}" not in ask_at(server.url, "/metrics")[1]:
        time.sleep(0.01)


def test_a_late_answer_is_given_up_and_its_thread_is_free_again(
    monkeypatch: pytest.MonkeyPatch, model: Any
) -> None:
    app = slow_app(monkeypatch, model, Limits(seconds=0.3), threading.Event())
    with BackgroundServer(app) as server:
        status, said = ask_at(server.url, "/slow")
        assert (status, said["error"]["code"]) == (504, "timeout")
        until = time.monotonic() + 60.0
        while status == 504 and time.monotonic() < until:
            status, _ = ask_at(server.url, "/query", QUESTION)
        assert status == 200


def test_a_full_queue_says_so_while_the_loop_answers(monkeypatch: pytest.MonkeyPatch, model: Any) -> None:
    released = threading.Event()
    app = slow_app(monkeypatch, model, Limits(waiting=1), released)
    with BackgroundServer(app) as server:
        askers = [threading.Thread(target=ask_at, args=(server.url, "/slow")) for _ in range(2)]
        for asker in askers:
            asker.start()
        wait_for_running(server, 2)
        assert ask_at(server.url, "/query", QUESTION)[0] == 503
        assert ask_at(server.url, "/health")[0] == 200
        released.set()
        for asker in askers:
            asker.join()


def test_what_was_asked_is_answered_before_the_end(monkeypatch: pytest.MonkeyPatch, model: Any) -> None:
    found: list[tuple[int, Any]] = []
    released = threading.Event()
    app = slow_app(monkeypatch, model, Limits(), released)
    server = BackgroundServer(app).start()
    asker = threading.Thread(target=lambda: found.append(ask_at(server.url, "/slow")))
    asker.start()
    wait_for_running(server, 1)
    threading.Timer(0.3, released.set).start()  # while the server waits for the answer
    server.stop()
    asker.join()
    assert found == [(200, {"done": True})]


def test_the_command_serves_and_ends_on_a_signal(replaced: Path, tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    command = [sys.executable, "-m", "boxwood.cli", "serve", str(replaced), "--port", "0"]
    with subprocess.Popen(
        [*command, "--token-file", str(token_file)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        url = process.stderr.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
        assert os.stat(token_file).st_mode & 0o077 == 0
        bearer = {"authorization": f"Bearer {token_file.read_text().strip()}"}
        assert ask_at(url, "/query", QUESTION, bearer)[0] == 200
        assert ask_at(url, "/query", QUESTION)[0] == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        assert "Traceback" not in process.stderr.read()


def test_metrics_count_requests(ask: Ask) -> None:
    def n_queries() -> int:
        text = ask("/metrics")[1]
        found = re.search(r'boxwood_requests_total\{route="/query",status="200"\} (\d+)', text)
        return int(found[1]) if found else 0

    before = n_queries()
    ask("/query", QUESTION)
    assert n_queries() == before + 1
    ask("/a-path-that-nobody-knows")
    text = ask("/metrics")[1]
    assert "nobody-knows" not in text
    assert 'boxwood_model_info{model="DensityForest",version="1"} 1' in text
    assert re.search(r'boxwood_request_seconds_bucket\{route="/query",le="\+Inf"\} \d+', text)


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_small_answers_do_not_wait_for_an_acknowledgement(
    monkeypatch: pytest.MonkeyPatch, model: Any, loop: str
) -> None:
    if loop == "asyncio":
        monkeypatch.setitem(sys.modules, "uvloop", None)
    else:
        pytest.importorskip("uvloop", reason="Windows has none")
    taken: list[tuple[str, int]] = []
    begin = _BoundedProtocol.connection_made

    def seen(protocol: Any, transport: Any) -> None:
        delay = transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        taken.append((type(transport).__module__.split(".")[0], delay))
        begin(protocol, transport)

    monkeypatch.setattr(_BoundedProtocol, "connection_made", seen)
    with BackgroundServer(service_app(ServedModel(model), TOKEN)) as server:
        assert ask_at(server.url, "/health")[0] == 200
    assert taken == [(loop, 1)]
