"""Fits a model to a Parquet file in a process of its own, and prints by how much its anonymous memory grew.

Anonymous memory is what a process cannot give back without swapping; pages of mapped files are the system's.
"""

import sys
import threading

import duckdb
import numpy as np

import boxwood as bw


def anonymous() -> int:
    """Return the bytes of anonymous memory that are resident now."""
    with open("/proc/self/status") as file:
        [kilobytes] = [line.split()[1] for line in file if line.startswith("RssAnon")]
    return 1024 * int(kilobytes)


def peak_of(work: object) -> int:
    """Return by how much anonymous memory was larger, while a function ran, than before."""
    start, highest, done = anonymous(), 0, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(0.01):
            highest = max(highest, anonymous())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        work()  # type: ignore[operator]
    finally:
        done.set()
        watching.join()
    return highest - start


if __name__ == "__main__":
    path, limit, name, parameters = sys.argv[1:]
    model = getattr(bw, name)(**eval(parameters))
    # What is imported, and what DuckDB takes for itself, is not the table's.
    type(model)(**eval(parameters)).fit(np.random.default_rng(0).normal(size=(200, 2)))
    bw.read_columns(bw.open_table(duckdb.sql("SELECT 1")))
    print(peak_of(lambda: model.fit(bw.open_table(path, limit))))
