"""Forests whose draws are corrected by the density ratio that trees find between rows and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boxwood.columns import Columns
from boxwood.density.boxes import BoxDensity
from boxwood.dependencies import with_exceptions
from boxwood.evidence import Evidence
from boxwood.margins import Margins
from boxwood.model_file import State
from boxwood.parameters import Choice, Effect, Parameter, declare

if TYPE_CHECKING:
    from boxwood.boosting.ratio.forest_correction import FittedRows, ForestCorrection
    from boxwood.boosting.ratio.raking import Raking
    from boxwood.dependencies import RuledDensity

__all__ = ["CorrectedDraws"]


def _may_correct(estimator: Any) -> bool:
    has_products = estimator.rotation is None and estimator.leaf != "gaussian_full"
    return estimator.margins == "smooth" and has_products


class CorrectedDraws(BoxDensity):
    """A density of boxes whose `sample` keeps draws by how likely they are among rows of the table.

    The ratio is fitted when the first row is drawn, or when the model is saved: what never draws does not pay
    for it.
    """

    _parameters = declare(
        Parameter(
            "correction",
            Choice("auto") | None,
            '"auto" corrects what `sample` draws, with smooth margins and leaves of independent columns, of '
            "tables worth 200 rows, of more than 4,000 cells in distinct rows and up to 64 columns: trees of "
            "a classifier that tells draws from rows say how often a draw is kept. Not where one in sixteen "
            "would be kept at most, nor beside ids. Scores and answers are the forest's. None draws from it "
            "as it is.",
            Effect(_may_correct, 'margins="smooth", rotation=None and leaves of independent columns'),
        ),
    )

    correction: str | None
    leaf: str | None
    margins: str
    _fitted_rows: FittedRows | None
    _raking: Raking | None

    def sample(
        self, n_samples: int = 1, random_state: Any = None, *, rules: bool = True, corrected: bool = True
    ) -> Any:
        """Simulate rows.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState, Generator or None, default=None
        rules : bool, default=True
            Whether every row keeps to `dependencies_`. Else a rule is broken as often as scores have it: in
            a fraction 1 / (support + 2) of the rows.
        corrected : bool, default=True
            Whether draws are kept by the density ratio that ``correction`` finds, as rows of the table are.
            Else they are draws of the density that `score_samples` tells.

        Returns
        -------
        array or frame
            Rows like those of the fitted table, in the same container, with its types and its decimals.
        """
        draw_forest = self._corrected if corrected else self._drawn

        def draw(n_rows: int, rng: np.random.Generator) -> Columns:
            rows = self._with_fresh_ids(draw_forest(n_rows, rng))
            return rows if rules else with_exceptions(rows, self._dependencies, self.margins_, rng)

        return self._simulate(n_samples, random_state, draw)

    def _corrected(self, n_samples: int, rng: np.random.Generator) -> Columns:
        correction = self._correct()
        if correction is None:
            return self._drawn(n_samples, rng)
        return correction.rows(lambda n: self._drawn(n, rng), n_samples, rng)

    def _correct(self) -> ForestCorrection | None:
        """Return what corrects draws, None where nothing does."""
        from boxwood.boosting.ratio.forest_correction import ForestCorrection

        # Rows first: a thread that draws at the same time may have them fitted, and gone, in between.
        rows, raking = self._fitted_rows, self._raking
        if raking is not None:
            return ForestCorrection(raking, self.margins_, self._ruled)
        if rows is None:
            return None
        fitted = ForestCorrection.fit(rows, self.mixture_, self.margins_, self._ruled)
        self._raking, self._fitted_rows = None if fitted is None else fitted.raking, None
        return fitted

    def _rows_to_correct(
        self, evidence: Evidence, margins: Margins, ruled: RuledDensity, seed: int
    ) -> dict[str, Any]:
        """Return what `_correct` needs of the fitted table."""
        rows = None
        if self.correction is not None and _may_correct(self):
            from boxwood.boosting.ratio.forest_correction import FittedRows

            rows = FittedRows.of_table(evidence, margins, ruled, seed)
        return {"_fitted_rows": rows, "_raking": None}

    def _get_correction_state(self) -> dict[str, Any]:
        correction = self._correct()
        return {} if correction is None else {"correction": correction.raking.to_state()}

    def _correction_of_state(self, state: State, n_columns: int) -> dict[str, Any]:
        if "correction" not in state:  # nor in files of before it
            return {"_fitted_rows": None, "_raking": None}
        from boxwood.boosting.ratio.raking import Raking

        return {"_fitted_rows": None, "_raking": Raking.from_state(state.child("correction"), n_columns)}

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        # Files of before draws were corrected hold models that draw as they are.
        return {"correction": None, **super()._updated_params(params)}
