"""Draws by content, written out: the slow and obvious form of cpp/table/deal_units.cpp for few units."""

from __future__ import annotations

MASK = 2**64 - 1
FOLDS, HOLD_OUT, ORDER = 1, 2, 4


def mix_bits(z: int) -> int:
    z = (z + 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def combine(key: int, other: int) -> int:
    return mix_bits(key ^ mix_bits(other))


class Draws:
    def __init__(self, seed: int, purpose: int, row_key: int) -> None:
        self.key = combine(combine(mix_bits(seed), purpose), row_key)
        self.counter = -1

    def next(self) -> int:
        self.counter += 1
        return combine(self.key, self.counter)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53


def folds(key: int, n_units: int, n_folds: int, seed: int) -> list[int]:
    draws = Draws(seed, FOLDS, key)
    fold = [draws.below(n_folds) for _ in range(n_units)]
    return [fold.count(k) for k in range(n_folds)]


def held_out(key: int, n_units: int, fraction: float, seed: int) -> int:
    draws = Draws(seed, HOLD_OUT, key)
    return sum(draws.uniform() < fraction for _ in range(n_units))
