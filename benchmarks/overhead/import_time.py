"""How long ``import boxwood`` takes, and the first use of a model, each in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # ratio.py

from ratio import shown

STEPS = {
    "import boxwood": ("", "import boxwood"),
    "import numpy": ("", "import numpy"),
    "import sklearn.base": ("import numpy", "import sklearn.base"),
    "first use: boxwood.GaussianDensity, scikit-learn imported": (
        "import boxwood, sklearn.base, sklearn.utils.validation, scipy.special",
        "boxwood.GaussianDensity",
    ),
    "first use: boxwood.GaussianDensity, nothing imported": ("import boxwood", "boxwood.GaussianDensity"),
}
PROGRAM = "import time\n{before}\nstart = time.perf_counter()\n{step}\nprint(time.perf_counter() - start)"


def main(repeats: int = 7) -> str:
    """Return the table: for each step the best of some fresh interpreters, in turns."""
    best = dict.fromkeys(STEPS, float("inf"))
    for _ in range(repeats):
        for name, (before, step) in STEPS.items():
            best[name] = min(best[name], seconds(PROGRAM.format(before=before, step=step)))
    base = best["import numpy"]
    rows = [f"| {name} | {shown(time)} | {time / base:.2f} |" for name, time in best.items()]
    return "\n".join(["| step | time | ratio to numpy |", "| --- | ---: | ---: |", *rows])


def seconds(program: str) -> float:
    """Run a program that prints a time."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return float(done.stdout)


if __name__ == "__main__":
    print(main())
