"""Photographs the report and the data sheet for the documents: report.png and sheet.png.

Run it with ``python docs/figures/pages.py`` after ``make test-browser``, which installs the browser.
"""

import io
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import boxwood as bw

FOLDER = Path(__file__).parent
PENGUINS = FOLDER.parents[1] / "examples" / "penguins.csv"
WIDTH, COLOURS = 1000, 64


def main() -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        report, sheet = folder / "report.html", folder / "sheet.html"
        write_pages(report, sheet)
        path = shutil.which("chromium") or shutil.which("google-chrome")
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=sandbox)
        photograph(browser, report, "report.png", 1500)
        photograph(browser, sheet, "sheet.png", 1000)
        browser.close()


def write_pages(report: Path, sheet: Path) -> None:
    penguins = bw.read_columns(PENGUINS)
    model = bw.TableModel(random_state=0).fit(penguins, target="species")
    bw.write_report(model, report, penguins, target="species", title="Penguins")
    held = np.arange(penguins.n_rows) % 3 == 0
    train, rest = penguins.take(np.flatnonzero(~held)), penguins.take(np.flatnonzero(held))
    drawn = bw.TableModel(random_state=0).fit(train).sample(300, random_state=0)
    bw.synthetic_report(train, drawn, rest, target="species").save(sheet)


def photograph(browser: Any, path: Path, name: str, height: int) -> None:
    """Save the top of a page in few colours, for a small file."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height})
    page.goto(path.as_uri())
    page.wait_for_function("document.documentElement.dataset.ready === 'true'")
    image = Image.open(io.BytesIO(page.screenshot()))
    image.convert("RGB").quantize(COLOURS).save(FOLDER / name, optimize=True)


if __name__ == "__main__":
    main()
