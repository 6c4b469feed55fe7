"""Boosting as one would write it on a blackboard, to compare the core with."""

from __future__ import annotations

import numpy as np

N_PARTS = 32


def n_log_n(n):
    return n * np.log(n) if n > 0 else 0.0


class ReferenceTree:
    """A tree of one round: grown on points of the cube, all columns tried at every node."""

    def __init__(self, points, weights, rate, decay, penalty, max_depth, min_samples_split):
        self.rate, self.decay, self.penalty = rate, decay, penalty
        self.max_depth, self.min_samples_split = max_depth, min_samples_split
        self.tied = False  # two cuts gain the same up to rounding: either would do
        d = points.shape[1]
        self.root, _ = self.grow(points, weights, np.zeros(d), np.ones(d), 0)

    def grow(self, points, weights, lower, upper, depth):
        """Return a node (None for a leaf) and what it is worth."""
        total = weights.sum()
        if depth >= self.max_depth or total < self.min_samples_split:
            return None, 0.0
        gains = [
            (self.gain(points, weights, lower, upper, j, k), j, k)
            for j in range(points.shape[1])
            for k in range(1, N_PARTS)
        ]
        gain, j, k = max(gains)
        self.tied |= sorted(gains)[-2][0] > gain - 1e-9
        cut = np.float64(np.float32(lower[j] + (upper[j] - lower[j]) * k / N_PARTS))
        part = (cut - lower[j]) / (upper[j] - lower[j])
        left = points[:, j] < cut
        volume = np.prod(upper - lower)
        step = self.rate * (1.0 - np.log2(volume)) ** -self.decay
        mass = np.float64(np.float32(part + step * (weights[left].sum() / total - part)))
        left_upper, right_lower = upper.copy(), lower.copy()
        left_upper[j] = right_lower[j] = cut
        below, worth_left = self.grow(points[left], weights[left], lower, left_upper, depth + 1)
        above, worth_right = self.grow(points[~left], weights[~left], right_lower, upper, depth + 1)
        worth = gain - self.penalty + worth_left + worth_right
        if worth <= 0.0:
            return None, 0.0
        return (j, cut, mass, lower[j], upper[j], below, above), worth

    @staticmethod
    def gain(points, weights, lower, upper, j, k):
        part = np.trunc((points[:, j] - lower[j]) * (N_PARTS / (upper[j] - lower[j])))
        left, total = weights[part < k].sum(), weights.sum()
        right, f = total - left, k / N_PARTS
        likelihood = n_log_n(left) + n_log_n(right) - left * np.log(f) - right * np.log(1.0 - f)
        return likelihood - n_log_n(total)

    def move(self, point):
        """Return the image of a point and the log-density there: from the leaf up, by the definition."""
        return self._move(self.root, point.copy())

    def _move(self, node, point):
        if node is None:
            return point, 0.0
        j, cut, mass, lower, upper, below, above = node
        left = point[j] < cut
        point, log_density = self._move(below if left else above, point)
        fraction, image_cut = (cut - lower) / (upper - lower), lower + mass * (upper - lower)
        if left:
            point[j] = lower + (point[j] - lower) / (cut - lower) * (image_cut - lower)
            return point, log_density + np.log(mass / fraction)
        point[j] = image_cut + (point[j] - cut) / (upper - cut) * (upper - image_cut)
        return point, log_density + np.log((1.0 - mass) / (1.0 - fraction))
