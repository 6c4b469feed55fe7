"""Random states: every kind that scikit-learn takes, and a few that it should not."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.randomness import generator, seed_of


def draws(random_state):
    return generator(random_state).random(3).tolist()


def test_a_seed_repeats():
    assert draws(7) == draws(np.int64(7)) == draws(np.uint8(7))
    assert draws(7) != draws(8)
    assert draws(2**80) == draws(2**80)


def test_none_does_not_repeat():
    assert draws(None) != draws(None)
    assert seed_of(None) != seed_of(None)


def test_generators_are_used_as_they_are():
    rng = np.random.default_rng(0)
    assert generator(rng) is rng
    assert seed_of(np.random.default_rng(0)) == seed_of(np.random.default_rng(0))


def test_a_random_state_is_advanced():
    state = np.random.RandomState(0)
    assert draws(state) != draws(state)
    assert draws(np.random.RandomState(0)) == draws(np.random.RandomState(0))


def test_draws_are_the_same_for_ever():
    # What a seed draws is part of the promise of same bytes: Philox by its seed.
    expected = np.random.Generator(np.random.Philox(3)).random(3)
    assert draws(3) == expected.tolist()


@pytest.mark.parametrize("state", [-1, np.int64(-5)])
def test_negative_seeds_are_refused(state):
    with pytest.raises(ValueError, match="random_state must not be negative"):
        generator(state)


@pytest.mark.parametrize("state", [1.5, "seed", [1], True, np.bool_(False)])
def test_what_is_no_random_state_is_refused(state):
    with pytest.raises((ValueError, TypeError), match=r"RandomState|random_state"):
        generator(state)
