"""What a density says about rows that are sent: scores, explanations, predictions, filled gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import narwhals as nw
import numpy as np

from boxwood.columns import Columns
from boxwood.columns.columns import concatenated
from boxwood.novelty import p_values_of
from boxwood.randomness import generator
from boxwood.serve.answers.asking import Asking
from boxwood.serve.plain_json import plain
from boxwood.serve.rows import cells_of, read_rows, rows_of
from boxwood.table.imputation import impute as imputed

__all__ = ["explain", "impute", "predict", "score"]

BLOCK = 256
"""Rows between two looks at the clock."""


def score(asking: Asking) -> dict[str, Any]:
    """Return the log-density and the p-value of each row."""
    columns = _read(asking)
    density = asking.model.density_
    scores = _by_blocks(asking, columns, density.score_samples)
    # `density.p_values` would score the rows once more.
    p_values = p_values_of(scores, density.calibration_scores_)
    return {"log_density": plain(scores), "p_value": plain(p_values)}


def explain(asking: Asking) -> dict[str, Any]:
    """Return of each row how surprising each cell is, and what was expected in its place."""
    columns = _read(asking)
    names = asking.model.schema.names
    scores = score(asking)
    values = [cells_of(column) for column in columns]
    found = _joined([_lists(asking.model.explain(block)) for block in _blocks(asking, columns)])
    return {
        "rows": [
            {
                "log_density": scores["log_density"][k],
                "p_value": scores["p_value"][k],
                "cells": [
                    {
                        "column": name,
                        "value": values[j][k],
                        "surprise": plain(found[name][k]),
                        "expected": plain(found[f"{name} expected"][k]),
                    }
                    for j, name in enumerate(names)
                ],
            }
            for k in range(columns.n_rows)
        ]
    }


def predict(asking: Asking) -> dict[str, Any]:
    """Return what is expected of a column given the rest of each row; its own values are not read."""
    columns, column, level = _read(asking), asking["column"], asking["interval"]
    model = asking.model
    found: dict[str, Any] = {"probabilities": None, "low": None, "high": None}
    found["predicted"] = plain(_by_blocks(asking, columns, lambda block: model.predict(block, column)))
    if asking["proba"]:
        blocks = _blocks(asking, columns)
        lists = _joined([_lists(model.predict_proba(block, column)) for block in blocks])
        rows = zip(*lists.values(), strict=True)
        found["probabilities"] = [dict(zip(lists, map(plain, row), strict=True)) for row in rows]
    if level is not None:
        blocks = _blocks(asking, columns)
        found |= plain(_joined([_lists(model.predict_interval(block, column, level)) for block in blocks]))
    return found


def impute(asking: Asking) -> dict[str, Any]:
    """Return the rows with their gaps filled."""
    columns, query, rng = _read(asking), asking.model.query, generator(asking["seed"])
    filled = [imputed(query, block, asking["how"], rng) for block in _blocks(asking, columns)]
    return {"rows": rows_of(concatenated(filled))}


def _read(asking: Asking) -> Columns:
    return read_rows(asking.model.schema, asking["rows"])


def _blocks(asking: Asking, columns: Columns) -> Iterator[Columns]:
    if columns.n_rows <= BLOCK:
        yield columns
        return
    for first in range(0, columns.n_rows, BLOCK):
        asking.deadline.check()
        yield columns.take(np.arange(first, min(first + BLOCK, columns.n_rows)))


def _by_blocks(asking: Asking, columns: Columns, function: Callable[[Columns], Any]) -> Any:
    parts = [function(block) for block in _blocks(asking, columns)]
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def _lists(frame: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = nw.from_native(frame, eager_only=True).to_dict(as_series=False)
    return found


def _joined(parts: list[dict[str, list[Any]]]) -> dict[str, list[Any]]:
    if len(parts) == 1:
        return parts[0]
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}
