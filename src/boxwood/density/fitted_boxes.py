"""The fitted form of density trees and forests, as model files keep it: all that questions need.

Without the estimators: a question from a shell waits for what it imports, and scikit-learn takes longer than
the answer.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.binning import check_bin_edges
from boxwood.columns import Columns, Schema, read_columns
from boxwood.dependencies import Dependencies, RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.mixture import Mixture, TableMixture
from boxwood.model_file import SavedModel, State, read_saved

if TYPE_CHECKING:
    from boxwood.query import Query

__all__ = ["FittedBoxes", "query_of_file"]


@dataclass(frozen=True, eq=False)
class FittedBoxes:
    """A mixture of boxes under margins and rules.

    Attributes
    ----------
    margins : Margins
    mixture : Mixture
    ruled : RuledDensity
    gaps : UnseenGaps
    missing : {"event", "ignore"}
        Whether scores have the probability of gaps in them.
    """

    margins: Margins
    mixture: Mixture
    ruled: RuledDensity
    gaps: UnseenGaps
    missing: str

    @classmethod
    def from_state(cls, state: State, schema: Schema, missing: str) -> Self:
        """Read the state of a fitted tree or forest, after checking it."""
        margins = Margins.from_state(state, "margins", schema)
        mixture = Mixture.from_state(state.child("mixture"), len(schema))
        unfit = check_bin_edges(margins, mixture.bin_edges)
        if unfit is not None:
            raise state.error("mixture", f"has bin edges that do not fit the column {unfit!r}")
        found = Dependencies.from_state(state, "dependencies", schema)
        gapless = found.unknown_gaps(margins)
        if gapless is not None:
            raise state.error("dependencies", f"has a gap of the column {gapless!r}, which has none")
        ruled = RuledDensity(found.with_mass(margins), margins, mixture, missing == "event")
        gaps = UnseenGaps.from_state(state, [margin.missing_mass for margin in margins.columns])
        return cls(margins, mixture, ruled, gaps, missing)

    def score(self, columns: Columns, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the log-density of rows."""
        event = self.missing == "event"
        density = TableMixture(self.margins, self.mixture, "event" if event else "marginal")
        scores = self.ruled.score(columns, lambda kept: density.log_density(kept, n_threads))
        return scores + self.gaps.log_probability(columns) if event else scores

    def query(self, n_rows: float, n_threads: int = 1) -> Query:
        """Return what answers questions; so many rows were fitted, where gaps do not tell."""
        from boxwood.query import Query, QueryEngine

        gaps = self.gaps if self.missing == "event" else None
        ruled = self.ruled if len(self.ruled.dependencies) else None
        engine = QueryEngine(self.margins, self.mixture, gaps, ruled, n_threads, n_rows)
        schema = self.margins.schema
        return Query(
            engine,
            lambda columns: self.score(columns, n_threads),
            lambda X: read_columns(X).matched(schema),
        )


def query_of_file(
    path: str | os.PathLike[str], n_threads: int = 1, without: Collection[str] = ()
) -> tuple[Query, Schema] | None:
    """Return the query of a forest or a tree in a model file, or of a table's; None of other models.

    Entries of the state `without` which it does are neither read nor checked.
    """
    return read_saved(path, without, lambda saved: _query_of(saved, n_threads))


def _query_of(saved: SavedModel, n_threads: int) -> tuple[Query, Schema] | None:
    model = saved.params().get("model") if saved.name == "TableModel" else saved
    if not isinstance(model, SavedModel) or model.name not in ("DensityForest", "DensityTree"):
        return None
    params = model.params()
    # Older files do not say all of it.
    missing, rotation = params.get("missing"), params.get("rotation", "unknown")
    if rotation is not None or missing not in ("event", "ignore"):
        return None
    state = saved.state() if model is saved else saved.state().child("density")
    boxes = FittedBoxes.from_state(state, Schema.from_json(saved.schema), missing)
    if boxes.mixture.leaf_kind == "gaussian_full":
        return None
    scores: Any = state.array("calibration_scores", np.float64, (None,), finite=False)
    return boxes.query(float(len(scores)), n_threads), boxes.margins.schema
