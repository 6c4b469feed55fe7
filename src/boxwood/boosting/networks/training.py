"""Training of networks: their rows, how long it takes, and the order of the columns by a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.cube_points import CubePoints
from boxwood.boosting.networks.column_network import ColumnNetwork, locate
from boxwood.boosting.networks.inputs import network_inputs
from boxwood.boosting.normal_scores import normal_scores
from boxwood.boosting.steps import Steps
from boxwood.randomness import derived_seed, generator

__all__ = ["MOST_PASSES", "NetworkRows", "best_orders", "training_options"]

NETWORKS = 2000
"""Where the seeds of networks begin among those that are derived from the model's."""
FRACTION_HELD = 0.1
"""Of the rows, left out of training where none are held out of the whole fit."""

MOST_CYCLES, MOST_PASSES = 4, 90
"""Cycles of training, and passes of all of them together."""
DECAY = 0.2
"""Of weights, where all these passes are affordable. Fewer do not overfit: decay costs protein half a nat."""
ENOUGH_ROWS = 256
"""Tables of fewer distinct rows get as many more passes: eight cells of categories are a single batch."""
FEWEST_OF_PILOT, ROWS_OF_PILOT, PASSES_OF_PILOT = 500, 4000, 3
FEWEST_ORDERS = 3
"""That are tried, however many columns make a pilot long."""
ROUNDS_OF_ORDERS, BEST_ORDERS, SPREAD_OF_PLACES = 2, 4, 1.0 / 6.0
"""Rounds of orders near the best ones: columns by their mean places there, give or take a sixth of all."""
ROWS_FOR_GAINS = 256
"""On which the columns' part in a network is found."""
MOST_COLUMNS_FOR_GAINS = 64
"""With more of them the columns that a network reads share alike: it would take longer than training."""

Rows = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
Task = tuple[list[int], int, int]


@dataclass(frozen=True, eq=False)
class NetworkRows:
    """Rows as networks see them: inputs, middles and widths of the normal scores to explain, and weights.

    Attributes
    ----------
    train, held : tuple of ndarray of float32
    steps : dict
    """

    train: Rows
    held: Rows
    steps: dict[int, Steps]

    @classmethod
    def of_points(cls, points: CubePoints, held: CubePoints, seed: int) -> Self:
        """Read points; rows are held out of training where none are given."""
        if not len(held.u):
            n_rows = int(points.row[-1]) + 1
            chosen = generator(derived_seed(seed, NETWORKS)).permutation(n_rows) < FRACTION_HELD * n_rows
            points, held = points.part(~chosen), points.part(chosen)
        return cls(_rows(points, points.steps), _rows(held, points.steps), points.steps)

    @property
    def n_rows(self) -> int:
        """Rows to train on."""
        return len(self.train[3])

    @property
    def worth(self) -> float:
        """What the rows to train on weigh together."""
        return float(self.train[3].sum())

    @property
    def n_columns(self) -> int:
        """Columns of the table."""
        return self.train[0].shape[1]

    def first(self, n_rows: int) -> NetworkRows:
        """Return some of the rows to train on, evenly spread."""
        few = np.linspace(0, self.n_rows - 1, min(n_rows, self.n_rows)).astype(np.intp)
        few_held = np.linspace(0, len(self.held[3]) - 1, min(n_rows, len(self.held[3]))).astype(np.intp)
        train = tuple(np.ascontiguousarray(part[few]) for part in self.train)
        held = tuple(np.ascontiguousarray(part[few_held]) for part in self.held)
        return NetworkRows(train, held, self.steps)  # type: ignore[arg-type]

    def tasks(self, order: NDArray[np.int64], seed: int) -> list[Task]:
        """Return what the networks of an order are to learn: each column but the first by those before it."""
        known = order.tolist()
        return [(known[:i], known[i], derived_seed(seed, NETWORKS, known[i])) for i in range(1, len(known))]

    def gains(self, networks: Sequence[ColumnNetwork]) -> NDArray[np.float64]:
        """Divide what networks gain between their columns and those that they read.

        A column's part is what a network loses where the column's values are those of other rows.
        """
        total = float(self.train[3].sum())
        gains = np.zeros(self.n_columns)
        parts = self._losses_without(networks) if self.n_columns <= MOST_COLUMNS_FOR_GAINS else None
        for k, network in enumerate(networks):
            lost = np.ones(len(network.inputs)) if parts is None else parts[network.inputs, k]
            part = lost / lost.sum() if lost.sum() > 0.0 else np.full(len(lost), 1.0 / len(lost))
            gains[network.column] += 0.5 * network.gain * total
            gains[network.inputs] += 0.5 * network.gain * total * part
        return gains

    def _losses_without(self, networks: Sequence[ColumnNetwork]) -> NDArray[np.float64]:
        """Return the nats that each network (column) loses where a column (row) is that of other rows."""
        inputs, middles, *_ = self.first(ROWS_FOR_GAINS).held
        shuffled = [inputs]
        for j in range(self.n_columns):
            other = inputs.copy()
            other[:, j] = np.roll(other[:, j], 1)
            shuffled.append(other)
        own = middles[:, [network.column for network in networks]].astype(np.float64)
        scores = np.tile(own, (len(shuffled), 1))
        _, logs = locate(networks, np.concatenate(shuffled), scores, scores)
        means = logs.reshape(len(shuffled), len(inputs), -1).mean(axis=1)
        return np.maximum(means[0] - means[1:], 0.0)


def _rows(points: CubePoints, steps: dict[int, Steps]) -> Rows:
    first, weights = points.first_of_rows(), points.weights_of_rows()
    if weights is None:
        weights = np.ones(len(first))
    u = points.u[first[weights > 0.0]]
    lower, upper = u.copy(), u.copy()
    for j, of_column in steps.items():
        lower[:, j], upper[:, j] = of_column.around(u[:, j])
    low, high = normal_scores(lower), normal_scores(upper)
    return (
        network_inputs(u, steps),
        (0.5 * (low + high)).astype(np.float32),
        (high - low).astype(np.float32),
        weights[weights > 0.0].astype(np.float32),
    )


def training_options(n_rows: int, n_networks: int, most_visits: int) -> _core.NetworkTraining:
    """Return how networks are trained: in cycles about twice as long each, while held-out rows gain.

    All passes that are affordable are made: where the first cycle had a whole number of them and the others
    just as many times two, four and eight, a table with 5% more rows was passed half as often.

    The luckiest of n networks that know nothing gains √(2·log n) standard errors on held-out rows: a network
    of a table with many columns must gain as much. Each is seen in every cycle, and counts as often.
    """
    options = _core.NetworkTraining()
    most_passes = MOST_PASSES * max(1, ENOUGH_ROWS // max(1, n_rows))
    options.n_passes = int(np.clip(round(most_visits / max(1, n_rows * n_networks)), 1, most_passes))
    options.n_cycles = next(n for n in range(MOST_CYCLES, 0, -1) if options.n_passes >= 2**n - 1)
    if _are_all_passes_affordable(n_rows, n_networks, most_visits):
        options.decay = DECAY
    options.n_errors = max(options.n_errors, np.sqrt(2.0 * np.log(max(1, n_networks * options.n_cycles))))
    return options


def _are_all_passes_affordable(n_rows: int, n_networks: int, most_visits: int) -> bool:
    return n_rows * n_networks * MOST_PASSES <= most_visits


def best_orders(
    rows: NetworkRows, n_orders: int, n_tried: int, most_visits: int, seed: int, n_threads: int
) -> list[NDArray[np.int64]]:
    """Return the orders of columns that explain held-out rows best after a short training on few rows.

    Where all passes of training are affordable, half of those tried are random, the others near the best so
    far, in two rounds (the cross-entropy method). Of larger tables two thirds as many are tried, all random:
    a pilot on few of their rows knows the best orders too badly to look near them. Fewer than asked for where
    there are not as many orders. The pilot visits a quarter of the rows that networks of an order may visit
    in training, an eighth of large tables, which take longest, and half of them where it has the fewest rows.
    """
    n_rounds, divisor = ROUNDS_OF_ORDERS, 4
    if not _are_all_passes_affordable(rows.n_rows, rows.n_columns - 1, most_visits):
        n_rounds, divisor, n_tried = 0, 8, n_tried * 2 // 3
    visits_a_row = PASSES_OF_PILOT * rows.n_columns
    affordable = most_visits // (2 * FEWEST_OF_PILOT * visits_a_row)
    n_tried = max(FEWEST_ORDERS, min(n_tried, affordable))
    n_rows = most_visits // (divisor * n_tried * visits_a_row)
    few = rows.first(int(np.clip(n_rows, FEWEST_OF_PILOT, ROWS_OF_PILOT)))
    rng = generator(derived_seed(seed, NETWORKS + 1))
    n_near = n_tried // (2 * ROUNDS_OF_ORDERS)
    n_first = max(n_orders, n_tried - n_rounds * n_near)
    tried = _new_orders(n_first, np.zeros(rows.n_columns), 1.0, [], rng)
    if len(tried) <= n_orders:
        return tried
    gains = _gains_of_orders(few, tried, 0, seed, n_threads)
    for _ in range(n_rounds):
        best = [tried[k] for k in np.argsort(-gains, kind="stable")[:BEST_ORDERS]]
        places = np.mean([np.argsort(order) for order in best], axis=0)
        near = _new_orders(n_near, places, SPREAD_OF_PLACES * rows.n_columns, tried, rng)
        if near:
            gains = np.append(gains, _gains_of_orders(few, near, len(tried), seed, n_threads))
            tried += near
    return [tried[k] for k in np.argsort(-gains, kind="stable")[:n_orders]]


def _new_orders(
    n: int,
    places: NDArray[np.float64],
    spread: float,
    known: Sequence[NDArray[np.int64]],
    rng: np.random.Generator,
) -> list[NDArray[np.int64]]:
    """Draw orders that are not known: columns by their places and normal errors of some spread."""
    drawn = [
        tuple(np.argsort(row).tolist()) for row in places + spread * rng.normal(size=(4 * n, len(places)))
    ]
    before = {tuple(order.tolist()) for order in known}
    new = [order for order in dict.fromkeys(drawn) if order not in before]
    return [np.array(order, dtype=np.int64) for order in new[:n]]


def _gains_of_orders(
    rows: NetworkRows, orders: Sequence[NDArray[np.int64]], n_before: int, seed: int, n_threads: int
) -> NDArray[np.float64]:
    """Return the nats a held-out row that networks of each order gain in a short training."""
    options = _core.NetworkTraining()
    options.n_passes, options.n_cycles = PASSES_OF_PILOT, 1
    options.least_gain, options.n_errors = 0.0, 0.0
    tasks = [rows.tasks(order, derived_seed(seed, n_before + k)) for k, order in enumerate(orders)]
    trained = _core.train_networks(rows.train, rows.held, [t for of in tasks for t in of], options, n_threads)
    return np.array([gain for _, gain, _ in trained]).reshape(len(orders), -1).sum(axis=1)
