"""Settings of the property tests: where examples come from, and how many.

The profile is chosen by pytest's option ``--hypothesis-profile``:

- ``same`` (the default) runs the same examples in every run, on every machine. `make test` and continuous
  integration use it.
- ``random`` runs ten times as many examples, from the seed of ``--hypothesis-seed``. `make test-random` uses
  it.
"""

from __future__ import annotations

import os
import shlex
from typing import Any

from hypothesis import HealthCheck, settings

__all__ = ["RANDOM", "SAME", "TIMES_AS_MANY", "examples", "how_to_repeat", "register_profiles"]

SAME = "same"
RANDOM = "random"
TIMES_AS_MANY = 10
"""Examples of the profile `RANDOM` for each example of the profile `SAME`."""

_ORDINARY = 100
"""Examples of a test that does not say how many; the profiles' ``max_examples`` are multiples of it."""


def register_profiles() -> None:
    """Register the profiles, and load the one of `make test`.

    No profile depends on time or on earlier runs: examples have no deadline, a slow machine is no fault, and
    no examples are stored.
    """
    timeless: dict[str, Any] = {
        "deadline": None,
        "database": None,
        "suppress_health_check": [HealthCheck.too_slow],
    }
    settings.register_profile(SAME, max_examples=_ORDINARY, derandomize=True, **timeless)
    settings.register_profile(
        RANDOM, max_examples=TIMES_AS_MANY * _ORDINARY, derandomize=False, print_blob=True, **timeless
    )
    settings.load_profile(SAME)


def examples(n: int, **changes: Any) -> settings:
    """Return the settings of a property test with ``n`` examples, or as many times more as the profile says.

    Every property test takes its number of examples from here, since a profile cannot multiply a number that
    a test sets itself.
    """
    return settings(max_examples=n * settings.default.max_examples // _ORDINARY, **changes)


def how_to_repeat(node_ids: list[str], seed: str | None) -> list[str]:
    """Return the lines that say how to repeat failed tests of a run from a random seed."""
    option = [] if seed is None else [f"--hypothesis-seed={seed}"]
    lines = [] if seed is None else [f"All property tests again: make test-random SEED={seed}"]
    python = os.path.join(".venv", "bin", "python")
    for node_id in node_ids:
        command = [python, "-m", "pytest", f"--hypothesis-profile={RANDOM}", *option, node_id]
        lines.append(f"This test alone: {shlex.join(command)}")
    return lines
