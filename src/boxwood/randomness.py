"""One way from scikit-learn's ``random_state`` to numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["check_random_state", "derived_seed", "generator", "seed_of"]


def generator(random_state: Any) -> np.random.Generator:
    """Return a generator for None, an int, a RandomState or a Generator.

    Philox is counter-based: what it draws depends on the seed and the position alone.

    Examples
    --------
    >>> bool(generator(3).random() == generator(3).random())
    True
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    return np.random.Generator(np.random.Philox(seed_of(random_state)))


def seed_of(random_state: Any) -> int:
    """Return the seed of a random state; None gives another one each time."""
    check_random_state(random_state)
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    from sklearn.utils import check_random_state as random_state_of

    return int(random_state_of(random_state).randint(2**31 - 1))


def check_random_state(random_state: Any) -> None:
    """Raise unless it is None, an integer, not negative, a RandomState or a Generator; draw nothing."""
    if isinstance(random_state, bool | np.bool_):  # numbers to Python, surely a slip here
        raise TypeError(f"random_state must be None, an integer or a generator; got {random_state}.")
    if isinstance(random_state, int | np.integer):
        if random_state < 0:
            raise ValueError(f"random_state must not be negative; got {random_state}.")
    elif random_state is not None and not isinstance(random_state, np.random.Generator):
        from sklearn.utils import check_random_state as random_state_of

        random_state_of(random_state)


def derived_seed(seed: int, *numbers: int) -> int:
    """Return a seed for a part of the work, as good as unrelated to that of any other part.

    Examples
    --------
    >>> derived_seed(0, 1) != derived_seed(0, 2)
    True
    """
    return int(np.random.SeedSequence([seed, *numbers]).generate_state(1, np.uint64)[0]) >> 1
