"""When work must be done: asked between its parts."""

from __future__ import annotations

import time

from boxwood.serve.refusal import RefusedError

__all__ = ["Deadline"]


class Deadline:
    """A moment after which work stops.

    Parameters
    ----------
    seconds : float
        From now on.

    Examples
    --------
    >>> Deadline(60.0).check()
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raise RefusedError where the time is over."""
        if time.monotonic() > self._end:
            raise self.refusal()

    def refusal(self) -> RefusedError:
        """Return what is said where the time is over."""
        return RefusedError(
            "timeout", f"the answer takes longer than {self.seconds:g} seconds: ask for less."
        )
