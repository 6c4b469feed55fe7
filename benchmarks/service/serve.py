"""The service on loopback, asked about adult: the highest rate that it holds, and how long answers take.

A process of its own serves a forest of 100 trees, as `boxwood serve` does; this one asks by a few connections
that stay open. The highest rate is that of closed loops: each connection asks again once it has its answer.
Then requests come at half that rate at fixed moments, whether the last one is answered or not, and the time
of each is counted from the moment it was due. Memory is that of the serving process, before and after.
Questions are single ones on changing columns and values. Client and server share the cores of the machine
with whatever else runs there; the load average is given. Seconds of each part: ``SECONDS`` or the first
argument.
Bars: 0 errors and p99 under 20 ms at half the rate; a one-row score in 1 ms (p50).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from ratio import data_file, shown

import boxwood as bw
from boxwood.serve.rows import rows_of

SECONDS, N_TREES, N_CONNECTIONS = 5.0, 100, 4
TOKEN = "the-token-of-the-benchmark"


class Connection:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self.port = port

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def ask(self, path: str, body: bytes) -> int:
        """Return the status of an answer, once it is read."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", answer)
        await self.reader.readexactly(int(found[1]) if found else 0)
        return int(answer[9:12])


async def opened(port: int, n: int) -> list[Connection]:
    """Return some open connections."""
    connections = [Connection(port) for _ in range(n)]
    for one in connections:
        await one.open()
    return connections


def questions(seed: int) -> Iterator[bytes]:
    """Return single questions without end, with changing values."""
    rng = random.Random(seed)
    levels = ["Bachelors", "HS-grad", "Masters", "Doctorate", "11th"]
    while True:
        age, hours = rng.randrange(20, 70), rng.randrange(20, 60)
        text = rng.choice(
            [
                f"P(income == '>50K' | age >= {age})",
                f"P(hours_per_week > {hours} | education == '{rng.choice(levels)}')",
                f"P(age < {age} and hours_per_week > {hours})",
            ]
        )
        yield json.dumps({"question": text}).encode()


async def highest_rate(connections: list[Connection], seconds: float) -> tuple[float, int]:
    """Return requests a second of closed loops, and how many failed."""
    until = time.perf_counter() + seconds
    counts = [0, 0]

    async def loop(k: int, connection: Connection) -> None:
        asked = questions(k)
        while time.perf_counter() < until:
            counts[await connection.ask("/query", next(asked)) != 200] += 1

    await asyncio.gather(*(loop(k, one) for k, one in enumerate(connections)))
    return sum(counts) / seconds, counts[1]


async def at_rate(connections: list[Connection], rate: float, seconds: float) -> tuple[list[float], int]:
    """Return how long each answer took from the moment that it was due, and how many failed."""
    start, due, times, failed = time.perf_counter(), iter(range(int(rate * seconds))), [], 0

    async def loop(k: int, connection: Connection) -> None:
        nonlocal failed
        asked = questions(100 + k)
        for i in due:
            moment = start + i / rate
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            failed += await connection.ask("/query", next(asked)) != 200
            times.append(time.perf_counter() - moment)

    await asyncio.gather(*(loop(k, one) for k, one in enumerate(connections)))
    return times, failed


async def one_row_scores(connection: Connection, row: dict[str, object], n: int = 1_000) -> list[float]:
    """Return the time of each of some scores of a row, one after another."""
    body, times = json.dumps({"rows": [row]}).encode(), []
    for _ in range(n):
        begin = time.perf_counter()
        assert await connection.ask("/score", body) == 200
        times.append(time.perf_counter() - begin)
    return times


def memory_of(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


async def measured(port: int, pid: int, row: dict[str, object], seconds: float) -> str:
    few = await opened(port, N_CONNECTIONS)
    await highest_rate(few, min(seconds, 5.0))  # what a model keeps is there
    before = memory_of(pid)
    rate, failed = await highest_rate(few, seconds)
    # Opened now: a server closes a connection on which nothing has come for half a minute.
    many = few + await opened(port, 3 * N_CONNECTIONS)
    times, failed_at_half = await at_rate(many, 0.5 * rate, seconds)
    scores = await one_row_scores(few[0], row)
    after = memory_of(pid)
    half, score = (np.quantile(part, [0.5, 0.99]) for part in (times, scores))
    lines = [
        f"| highest rate of single questions, {seconds:g} s | {rate:,.0f} a second, {failed} errors |",
        f"| at half that rate: p50, p99 | {shown(half[0])}, {shown(half[1])}, {failed_at_half} errors |",
        f"| score of one row: p50, p99 | {shown(score[0])}, {shown(score[1])} |",
        f"| memory before and after | {before:,.0f} MiB, {after:,.0f} MiB |",
        f"| load average, cores | {os.getloadavg()[0]:.1f}, {os.cpu_count()} |",
    ]
    return "\n".join(["| what | found |", "| --- | ---: |", *lines])


def main(seconds: float = SECONDS) -> str:
    table = data_file("adult.csv.gz")
    with tempfile.TemporaryDirectory() as folder:
        path, token = Path(folder) / "adult.boxwood", Path(folder) / "token"
        token.write_text(TOKEN)
        model = bw.TableModel(bw.DensityForest(n_estimators=N_TREES, random_state=0)).fit(table)
        model.save(path)
        row = rows_of(bw.read_columns(table).take(np.arange(1)))[0]
        command = [
            sys.executable,
            "-m",
            "boxwood.cli",
            "serve",
            str(path),
            "--token-file",
            str(token),
            "--port",
            "0",
        ]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stderr is not None
                port = int(process.stderr.readline().strip().rstrip("/").rsplit(":", 1)[1])
                return asyncio.run(measured(port, process.pid, row, seconds))
            finally:
                process.terminate()


if __name__ == "__main__":
    print(main(*map(float, sys.argv[1:])))
