"""What came of looking for drift."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.columns import Schema
from boxwood.table.drift.column_drift import ColumnDrift
from boxwood.table.frames import frame_of
from boxwood.table.outliers import discoveries

__all__ = ["Drift"]

MOST_LINES = 20


@dataclass(frozen=True, repr=False)
class Drift:
    """How far a new table is from a model, column by column and in whole rows.

    Attributes
    ----------
    columns : tuple of ColumnDrift
    joint_distance : float
        How far the log-densities of new rows lie below those of held-out rows of the fitted table: by how
        much more often they have a score up to some value. Some event of whole rows differs by at least as
        much. Rows that are likelier than held-out ones, as those of the fit are, have not drifted.
    joint_p_value : float
    n_rows : float
        How many rows the new table is worth.
    fdr : float
        Which fraction of `drifted` may be wrong.
    """

    columns: tuple[ColumnDrift, ...]
    joint_distance: float
    joint_p_value: float
    n_rows: float
    fdr: float
    schema: Schema

    @property
    def drifted(self) -> list[str]:
        """Columns that drifted, those with the smallest p-values first (Benjamini-Hochberg)."""
        p_values = np.array([one.p_value for one in self.columns])
        return [self.columns[k].column for k in discoveries(p_values, self.fdr)]

    @property
    def has_drifted(self) -> bool:
        """Whether a column drifted, or whole rows did at a p-value below the rate."""
        return bool(self.drifted) or self.joint_p_value < self.fdr

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        drifted = set(self.drifted)
        columns = [{**dataclasses.asdict(one), "drifted": one.column in drifted} for one in self.columns]
        joint = {"distance": self.joint_distance, "p_value": self.joint_p_value}
        return {"n_rows": self.n_rows, "drifted": self.has_drifted, "joint": joint, "columns": columns}

    def __getitem__(self, column: str) -> ColumnDrift:
        for one in self.columns:
            if one.column == column:
                return one
        raise KeyError(column)

    def to_frame(self) -> Any:
        """Return a frame with a line for each column, the farthest first."""
        lines = sorted(self.columns, key=lambda one: (one.p_value, -one.distance))
        drifted = set(self.drifted)
        names = ("column", "distance", "p_value", "missing", "missing_before", "unseen")
        found: dict[str, Any] = {name: [getattr(one, name) for one in lines] for name in names}
        found["drifted"] = np.array([one.column in drifted for one in lines])
        return frame_of(self.schema, found)

    def __repr__(self) -> str:
        lines = sorted(self.columns, key=lambda one: (one.p_value, -one.distance))
        drifted = set(self.drifted)
        width = max(len(one.column) for one in self.columns)
        text = [
            f"Drift of {self.n_rows:.0f} rows: {len(drifted)} of {len(self.columns)} columns drifted; "
            f"whole rows are odder by {self.joint_distance:.3f} (p = {self.joint_p_value:.2g})"
        ]
        for one in lines[:MOST_LINES]:
            mark = "*" if one.column in drifted else " "
            more = f", missing {one.missing_before:.1%} → {one.missing:.1%}" * (
                one.missing > 0.0 or one.missing_before > 0.001
            )
            more += f", {one.unseen:.1%} unseen" * (one.unseen > 0.0)
            text.append(f"{mark} {one.column:<{width}}  {one.distance:.3f} (p = {one.p_value:.2g}){more}")
        if len(lines) > MOST_LINES:
            text.append(f"  and {len(lines) - MOST_LINES} more")
        return "\n".join(text)
