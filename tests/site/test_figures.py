"""Pictures of the documents are those that their scripts draw today."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "docs" / "figures"
SCRIPTS = sorted(path for path in FIGURES.glob("*.py") if path.stem != "saving")
EXPLORER = ("explore-light-1400", "explore-light-400", "explore-dark-1400", "explore-dark-400")
"""Photographs of the explorer with a table that is not in the repository."""

TOLERANCE = 0.015
"""Mean difference of two pictures' pixels, from 0 to 1: fonts stay below it, another model does not."""


def drawn_by(script: Path) -> list[str]:
    """Return the names of the pictures that a script saves."""
    text = script.read_text(encoding="utf-8")
    return re.findall(r'(?:save|photograph)\([\w.]+, "(\w+)"', text)


def difference(one: Path, other: Path) -> float:
    """Return the mean difference of the pixels that two pictures of nearly equal size share."""
    a, b = (plt.imread(path)[..., :3] for path in (one, other))
    assert np.allclose(a.shape[:2], b.shape[:2], atol=40), f"{a.shape} pixels here, {b.shape} today"
    height, width = np.minimum(a.shape[:2], b.shape[:2])
    return float(np.abs(a[:height, :width] - b[:height, :width]).mean())


def test_every_picture_has_a_script_and_a_place():
    drawn = {name for script in SCRIPTS for name in drawn_by(script)}
    pictures = {path.stem for path in FIGURES.glob("*.png")}
    assert drawn == pictures - set(EXPLORER)
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[a-z]*/*.md")]
    text = "".join(path.read_text(encoding="utf-8") for path in pages)
    assert {name for name in pictures if f"figures/{name}.png" not in text} == set()


def test_another_picture_is_noticed(tmp_path):
    for name, slope in (("one", 1.0), ("other", -1.0)):
        figure, ax = plt.subplots(figsize=(3, 2))
        ax.imshow(np.tanh(slope * np.linspace(-2, 2, 50))[:, None] * np.ones(50), aspect="auto")
        figure.savefig(tmp_path / f"{name}.png")
        plt.close(figure)
    assert difference(tmp_path / "one.png", tmp_path / "one.png") == 0.0
    assert difference(tmp_path / "one.png", tmp_path / "other.png") > TOLERANCE


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, marks=pytest.mark.browser if script.stem == "pages" else pytest.mark.slow)
        for script in SCRIPTS
    ],
    ids=lambda script: script.stem,
)
def test_pictures_are_those_of_today(script, tmp_path):
    env = {**os.environ, "BOXWOOD_FIGURES": str(tmp_path), "MPLBACKEND": "agg"}
    subprocess.run([sys.executable, str(script)], env=env, check=True)
    found = {name: difference(FIGURES / f"{name}.png", tmp_path / f"{name}.png") for name in drawn_by(script)}
    assert max(found.values()) < TOLERANCE, f"{found}: run python docs/figures/{script.name}"
