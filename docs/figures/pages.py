"""Photograph the report and the data sheet for the documents: report.png and sheet.png.

Run it with ``python docs/figures/pages.py`` where chromium is installed.
"""

import io
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from saving import FOLDER

import boxwood as bw

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, COLOURS = 1000, 64


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report, sheet = folder / "report.html", folder / "sheet.html"
        write_pages(report, sheet)
        photograph(report, "report", 1500)
        photograph(sheet, "sheet", 1000)


def write_pages(report: Path, sheet: Path) -> None:
    penguins = bw.read_columns(PENGUINS)
    model = bw.TableModel(random_state=0).fit(penguins, target="species")
    bw.write_report(model, report, penguins, target="species", title="Penguins")
    held = np.arange(penguins.n_rows) % 3 == 0
    train, rest = penguins.take(np.flatnonzero(~held)), penguins.take(np.flatnonzero(held))
    drawn = bw.TableModel(random_state=0).fit(train).sample(300, random_state=0)
    bw.synthetic_report(train, drawn, rest, target="species").save(sheet)


def photograph(path: Path, name: str, height: int) -> None:
    """Save the top of a page in few colours, for a small file."""
    browser = next(found for found in map(shutil.which, BROWSERS) if found)
    shot = path.with_suffix(".png")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=20000",
    ]
    command = [browser, *options, f"--window-size={WIDTH},{height}", f"--screenshot={shot}", path.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    image = Image.open(io.BytesIO(shot.read_bytes()))
    image.convert("RGB").quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
