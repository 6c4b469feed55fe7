"""The explorer in a browser: from a move of the mouse to the painted picture of all columns.

A forest of 100 trees is fitted to adult (15 columns) and to a table of 50 columns (20,000 rows, three
factors; 30 columns continuous, 10 integer, 10 categorical), served on loopback and opened in chromium.
A range is dragged through two columns in steps of 25 ms, there and back, with an event asked for. A time runs
from the mouse's event to the frame that shows its answer, by the browser's own clock: request, answer and
drawing of every column. A move that comes while an answer is under way waits for it unless a newer one comes,
and its waiting counts. Wall time on a shared machine, so the lower quartile stands beside the median. Bars:
100 ms on adult, 300 ms at 50 columns.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw

sys.path.insert(0, str(Path(__file__).parents[1]))
from ratio import SKIPPED, data_file, shown

N_MOVES = 60
PAUSE = 25
"""Milliseconds between two moves of the mouse."""
BARS = {"adult": 0.1, "50 columns": 0.3}
RESTING = """
() => document.querySelector(".map svg") && document.querySelector("#next button, #next:empty")
"""
"""Whether everything has come that is asked besides the charts."""
TIMES = """
() => ({
  redraws: performance.getEntriesByName("redraw").map((entry) => entry.duration / 1e3),
  requests: performance.getEntriesByType("resource").filter((entry) => entry.name.endsWith("/conditionals"))
    .map((entry) => entry.duration / 1e3),
})
"""


def main() -> str:
    adult = pd.read_csv(data_file("adult.csv.gz"), skipinitialspace=True)
    lines = [
        line_of("adult", adult, ("income", ">50K"), ["age", "hours_per_week"]),
        line_of("50 columns", wide_table(), ("g0", "a"), ["x0", "n3"]),
    ]
    head = "| table | redraws | lower quartile | median | 95 % | of it the request, median | bar |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |", *lines])


def wide_table(n: int = 20_000) -> pd.DataFrame:
    """Return 30 continuous, 10 integer and 10 categorical columns that share three factors."""
    rng = np.random.default_rng(0)
    factors = rng.normal(size=(n, 3))
    signal = factors @ rng.normal(size=(3, 50)) + rng.normal(size=(n, 50))
    numbers = {f"x{k}": signal[:, k] for k in range(30)}
    counts = {f"n{k}": np.round(3.0 * signal[:, 30 + k]).astype(int) for k in range(10)}
    labels = np.array(list("abcde"))
    groups = {f"g{k}": labels[np.clip(signal[:, 40 + k] + 2, 0, 4).astype(int)] for k in range(10)}
    return pd.DataFrame(numbers | counts | groups)


def line_of(name: str, table: pd.DataFrame, event: tuple[str, str], dragged: list[str]) -> str:
    """Serve a table's model, drag through some of its columns, and return a line of the results."""
    from boxwood.serve import explorer_app
    from boxwood.serve.server import BackgroundServer

    model = bw.TableModel(bw.DensityForest(n_estimators=100, random_state=0)).fit(table)
    with BackgroundServer(explorer_app(model, table=bw.read_columns(table), token="t")) as server:
        redraws, requests = dragged_times(server.url, event, dragged)
    quartile, median, most = np.quantile(redraws, [0.25, 0.5, 0.95])
    times = " | ".join(shown(float(time)) for time in (quartile, median, most, np.median(requests)))
    return f"| {name} | {len(redraws)} | {times} | {shown(BARS[name])} |"


def dragged_times(url: str, event: tuple[str, str], columns: list[str]) -> tuple[list[float], list[float]]:
    """Return the seconds of each redraw of drags, and those of their requests."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.goto(url)
        page.wait_for_selector("body[data-shown]")
        column, label = event
        page.locator(f".card[data-column='{column}']").get_by_role("button", name="ask").click()
        page.locator(f".card[data-column='{column}'] [data-label='{label}']").click()
        page.wait_for_function(RESTING, timeout=120_000)
        page.evaluate("() => { performance.clearMeasures(); performance.clearResourceTimings(); }")
        for each in columns:
            drag(page, each)
        found = page.evaluate(TIMES)
    return found["redraws"], found["requests"]


def drag(page: Any, column: str) -> None:
    """Drag from the middle of a chart to its right and back, and leave no evidence behind."""
    chart = page.locator(f".card[data-column='{column}'] svg")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.3 * box["width"], y)
    page.mouse.down()
    for k in range(N_MOVES):
        fraction = 0.5 + 0.4 * np.sin(np.pi * k / N_MOVES)
        page.mouse.move(box["x"] + fraction * box["width"], y)
        page.wait_for_timeout(PAUSE)
    page.wait_for_timeout(500)
    page.mouse.up()


@contextmanager
def chromium() -> Iterator[Any]:
    """Open a browser; where there is none, say so and skip."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None or importlib.util.find_spec("playwright") is None:
        print("playwright or chromium is missing: `pip install --group browser`", file=sys.stderr)
        raise SystemExit(SKIPPED)
    from playwright.sync_api import sync_playwright

    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=path, args=sandbox)


if __name__ == "__main__":
    print(main())
