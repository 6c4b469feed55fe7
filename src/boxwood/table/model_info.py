"""What is in a model file, for a person to read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from boxwood.columns import read_columns
from boxwood.table.target_column import fitted_target

__all__ = ["ModelInfo", "model_info"]


@dataclass(frozen=True, eq=False)
class ModelInfo:
    """What `model_info` found.

    Attributes
    ----------
    path : str
    n_bytes : int
    density : str
        The density with its parameters.
    columns : list of dict
        Name, kind and number of categories of each; with a description what it is like.
    rules : list of str
    target : str or None
    """

    path: str
    n_bytes: int
    density: str
    columns: list[dict[str, Any]]
    rules: list[str]
    target: str | None = None

    def __str__(self) -> str:
        lines = [f"{self.path}: {self.n_bytes:,} bytes", self.density]
        if self.target is not None:
            lines.append(f"target: {self.target}")
        lines += ["", f"{len(self.columns)} columns:"]
        width = max(len(column["column"]) for column in self.columns)
        for column in self.columns:
            more = [
                f"{key} {_shown(value)}"
                for key, value in column.items()
                if key not in ("column", "kind") and value is not None
            ]
            lines.append(
                f"  {column['column']:<{width}}  {column['kind']}" + (f"  {', '.join(more)}" if more else "")
            )
        return "\n".join(
            lines + (["", "rules:", *(f"  {rule}" for rule in self.rules)] if self.rules else [])
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return dict(vars(self))


def model_info(model: Any, path: str | os.PathLike[str], describe: bool = False) -> ModelInfo:
    """Describe a model that was loaded from a file.

    Parameters
    ----------
    model : TableModel
    path : str or path-like
        The file.
    describe : bool, default=False
        What each column is like, too: missing values, quantiles, the most probable category.
    """
    columns: list[dict[str, Any]] = []
    for field in model.schema.fields:
        line = {"column": field.name, "kind": str(field.kind)}
        columns.append(line if field.kind.is_number else {**line, "categories": len(field.categories)})
    if describe:
        table = read_columns(model.describe())
        for j, line in enumerate(columns):
            line |= {column.name: _cell(column, j) for column in table if column.name != "column"}
    rules = [repr(rule) for rule in getattr(model.density_, "dependencies_", [])]
    name = os.fsdecode(path)
    target = fitted_target(model)
    return ModelInfo(name, os.path.getsize(name), repr(model.density_), columns, rules, target)


def _cell(column: Any, row: int) -> Any:
    if column.missing()[row]:
        return None
    value = column.values[row]
    return float(value) if column.kind.is_number else column.field.categories[int(value)]


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
