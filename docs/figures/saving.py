"""Where the scripts of this folder save their pictures: here, or in the folder BOXWOOD_FIGURES."""

import os
from pathlib import Path

import matplotlib.pyplot as plt

FOLDER = Path(os.environ.get("BOXWOOD_FIGURES", Path(__file__).parent))


def save(figure: plt.Figure, name: str) -> None:
    """Save a figure as a PNG without a date or a version in it."""
    figure.savefig(FOLDER / f"{name}.png", dpi=110, metadata={"Software": None})
    plt.close(figure)
