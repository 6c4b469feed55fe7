"""Parameters that mean the same in every estimator: threads, randomness, progress."""

from __future__ import annotations

from boxwood.parameters.kind import Flag, Kind
from boxwood.parameters.number import Integer
from boxwood.parameters.object import Checked
from boxwood.parameters.parameter import Parameter
from boxwood.parameters.shown import shown
from boxwood.randomness import check_random_state

__all__ = ["MOST", "n_jobs", "random_state", "verbose"]

MOST = 2**31 - 1
"""What the core takes for "as many as you like"."""

_JOBS = Integer(-MOST, MOST)


def n_jobs(sentence: str) -> Parameter:
    """Declare ``n_jobs``: how many threads, as joblib counts them."""
    return Parameter("n_jobs", Checked("int", _check_jobs) | None, sentence)


def random_state(sentence: str) -> Parameter:
    """Declare ``random_state``: a seed, a generator, or None for another result each time."""
    return Parameter("random_state", RANDOM_STATE, sentence)


def verbose(sentence: str) -> Parameter:
    """Declare ``verbose``."""
    return Parameter("verbose", Integer(0) | Flag(), sentence)


def _check_jobs(where: str, value: object) -> None:
    _JOBS.check(where, value)
    if value == 0:
        raise ValueError(f"{where} must not be 0; −1 takes all cores.")


def _check_random_state(where: str, value: object) -> None:
    try:
        check_random_state(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{where} cannot be {shown(value)}: {error}") from None


RANDOM_STATE: Kind = Checked("int, RandomState, Generator or None", _check_random_state)
