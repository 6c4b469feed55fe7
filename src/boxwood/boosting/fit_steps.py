"""The steps of a fit, of which fewer are needed than it may take at the most."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["FitSteps", "StageReport"]

StageReport = Callable[[int, int], None]
"""Called with how many steps of a stage are done, and how many are left at the most."""


class FitSteps:
    """Counts the steps of all stages together.

    Parameters
    ----------
    report : callable, optional
        Called with how many steps are done, and how many there are at the most: a number that falls when
        chains stop early or are given up, and is that of the steps done when the last stage ends.

    Examples
    --------
    >>> steps = FitSteps(lambda n_done, n_steps: print(f"{n_done} of {n_steps}"))
    >>> forest = steps.stage(n_after=1)
    >>> forest(2, 8)
    2 of 11
    >>> forest(3, 0)
    3 of 4
    >>> steps.stage(n_after=0)(1, 0)
    4 of 4
    """

    def __init__(self, report: Callable[[int, int], None] | None) -> None:
        self.report = report
        self.n_done = 0

    def stage(self, n_after: int) -> StageReport:
        """Begin a stage after which there are so many steps at the most."""
        before = self.n_done

        def report_stage(n_done: int, n_left: int) -> None:
            self.n_done = before + n_done
            if self.report is not None:
                self.report(self.n_done, self.n_done + n_left + n_after)

        return report_stage
