"""Forks processes that save in a loop, kills each at a random moment, looks at what is left.

Run as a program of its own, so that it forks before it has threads. Prints how many rounds left a draft.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

import boxwood as bw


def model_of(seed: int) -> bw.GaussianDensity:
    return bw.GaussianDensity().fit(np.random.default_rng(seed).normal(size=(400, 150)))


def save_for_ever(models: list[bw.GaussianDensity], path: Path) -> None:
    while True:
        for model in models:
            model.save(path)


def main(folder: Path, rounds: int) -> None:
    path = folder / "model.boxwood"
    models = [model_of(0), model_of(1)]
    offsets = {model.offset_ for model in models}
    models[0].save(path)
    source = random.Random(0)
    drafts = 0
    for _ in range(rounds):
        child = os.fork()
        if child == 0:
            save_for_ever(models, path)
        time.sleep(source.uniform(0.0, 0.05))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "the saving process ended by itself"
        assert bw.load(path).offset_ in offsets
        left = {entry.name for entry in folder.iterdir()} - {path.name}
        assert all(name.startswith(".") and name.endswith(".part") for name in left), left
        drafts = len(left)
    models[1].save(path)  # over all that is left
    assert bw.load(path).offset_ == models[1].offset_
    assert len(list(folder.iterdir())) == 1 + drafts
    print(drafts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
