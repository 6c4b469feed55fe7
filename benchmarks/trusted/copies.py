"""Copies: the same model from a table given twice and with weights of any scale."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets

import boxwood as bw

__all__ = ["copies_section"]


def copies_section() -> list[str]:
    """Return the lines of a table in Markdown."""
    lines = [
        "Model files of a table given again: the same bytes?",
        "",
        "| table | model | twice | weights 2 | w/Σw | 10⁶·w |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, table in _tables().items():
        for model in _models():
            same = ["yes" if same else "no" for same in _compare(model, table)]
            lines.append(f"| {name} | {type(model).__name__} | {' | '.join(same)} |")
    return lines


def _tables() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(0)
    continuous = pd.DataFrame(rng.normal(size=(400, 3)) + rng.normal(size=(400, 1))).add_prefix("x")
    mixed = continuous.assign(kind=rng.choice(list("abc"), 400), zeros=rng.poisson(0.5, 400))
    digits = pd.DataFrame(datasets.load_digits().data[:400])
    return {"continuous": continuous, "mixed": mixed, "digits": digits}


def _models() -> list[Any]:
    return [
        bw.DensityTree(),
        bw.DensityForest(20, random_state=0),
        bw.BoostedDensity("quick", random_state=0),
    ]


def _compare(model: Any, table: pd.DataFrame) -> list[bool]:
    n = len(table)
    alone = _bytes_of(model.fit(table))
    twice = pd.concat([table, table], ignore_index=True)
    return [
        _bytes_of(model.fit(twice)) == alone,
        *(
            _bytes_of(model.fit(table, sample_weight=np.full(n, weight))) == alone
            for weight in (2.0, 1.0 / n, 1e6)
        ),
    ]


def _bytes_of(model: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        model.save(path)
        return path.read_bytes()
