"""What every density owes every table; each law returns whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw
from zoo.families import ADAPTIVE
from zoo.quadrature import quadrature
from zoo.table import Table

MARGIN = 0.1
"""Nats a row that a density may be worse than a simpler one, beside three standard errors."""

MOST_UNSEEN = 0.05
"""The probability that may be kept for values beyond the cells that are listed."""

LEARNT = 0.5
"""The part of the columns' dependence that a density must have learnt."""

RATE = 0.05
"""The false alarm rate of every density,"""

RATE_MARGIN = 0.02
"""and how far it may be off beside four standard errors."""

N_SAMPLES = 1_000


@dataclass
class Visit:
    """A fitted density at a table, and what it is compared with."""

    family: str
    table: Table
    model: Any
    product: Any
    one_leaf: Any
    reference: Any
    folder: Path

    @cached_property
    def scores(self) -> np.ndarray:
        """The scores of the rows held out."""
        return np.asarray(self.model.score_samples(self.table.held_out))

    @property
    def is_counting(self) -> bool:
        """Whether the family has counting measure on discrete values; formulas have length everywhere."""
        return self.family not in ("gaussian", "neighbors")


def is_finite(visit: Visit) -> bool:
    """No score of a new row is NaN or +inf."""
    return bool((visit.scores < np.inf).all())


def has_mass_one(visit: Visit) -> bool:
    """Probabilities of all cells, or the integral over a single column, are 1."""
    table = visit.table
    if visit.family == "neighbors":  # normalised on request only
        return True
    if table.cells is not None and visit.is_counting:
        mass = np.exp(visit.model.score_samples(table.cells)).sum()
        return bool(1.0 - MOST_UNSEEN <= mass <= 1.001)
    if _is_line(table):
        points, widths = quadrature(table.train[:, 0])
        mass = (np.exp(visit.model.score_samples(points[:, None])) * widths).sum()
        return bool(abs(mass - 1.0) < 0.02)
    return True


def samples_as_it_scores(visit: Visit) -> bool:
    """Samples have a density, and fall into cells and intervals as often as their scores say."""
    table = visit.table
    sample = visit.model.sample(N_SAMPLES, random_state=1)
    if not np.isfinite(visit.model.score_samples(sample)).all():
        return False
    if table.cells is not None and visit.is_counting:
        expected = np.exp(visit.model.score_samples(table.cells))
        return _agree(_counts(sample, table.cells), expected)
    if _is_line(table) and visit.family != "neighbors":
        return _agree(*_counts_on_line(visit, np.asarray(sample)[:, 0]))
    return True


def knows_fractions(visit: Visit) -> bool:
    """Probabilities of atoms are within four standard errors of their shares among the rows."""
    table = visit.table
    of_columns = ("product", "histogram") if table.n_columns == 1 else ()
    if table.atoms is None or visit.family not in (*ADAPTIVE, *of_columns):
        return True
    n = len(table.train)
    fraction = _counts(table.train, table.atoms) / n
    probability = np.exp(visit.model.score_samples(table.atoms))
    error = np.sqrt(fraction * (1.0 - fraction) / n) + 1.0 / n
    return bool((np.abs(probability - fraction) <= 4.0 * error).all())


def is_no_better_than_the_truth(visit: Visit) -> bool:
    """No density beats the true one on new rows: where it seems to, it has another measure or no mass 1."""
    table = visit.table
    if table.log_density is None or not (visit.is_counting or "continuous" in table.tags):
        return True
    if visit.family == "neighbors":
        return True
    return _mean_is_at_least(table.log_density(table.held_out) - visit.scores, -0.05, 4.0)


def is_no_worse_than_independence(visit: Visit) -> bool:
    """New rows score as under a product of the columns' densities, or better."""
    if visit.family not in ADAPTIVE:
        return True
    return _is_no_worse(visit, visit.product)


def is_no_worse_than_one_leaf(visit: Visit) -> bool:
    """New rows score as under a tree without a split, or better."""
    if visit.family not in ADAPTIVE:
        return True
    return _is_no_worse(visit, visit.one_leaf)


def learns_dependence(visit: Visit) -> bool:
    """Where columns depend on each other, half of what the truth tells more than independence is learnt."""
    table = visit.table
    if visit.family not in ADAPTIVE or "dependent" not in table.tags or table.log_density is None:
        return True
    independent = np.asarray(visit.one_leaf.score_samples(table.held_out))
    if np.isneginf(independent).any():
        return True
    known = table.log_density(table.held_out) - independent
    return _mean_is_at_least(visit.scores - independent - LEARNT * known, 0.0, 3.0)


def is_no_worse_than_its_diagonal(visit: Visit) -> bool:
    """A Gaussian with all covariances scores new rows as one with variances alone, or better."""
    if visit.family != "gaussian":
        return True
    diagonal = bw.GaussianDensity(covariance_type="diag")
    return _is_no_worse(visit, diagonal.fit(visit.table.train, sample_weight=visit.table.weights))


def is_that_of_its_reference(visit: Visit) -> bool:
    """A table given twice, or with weights of another scale, has the same model."""
    if visit.reference is None:
        return True
    held_out = visit.table.held_out
    return np.array_equal(visit.scores, visit.reference.score_samples(held_out))


def raises_no_false_alarms(visit: Visit) -> bool:
    """Of rows held out about the false alarm rate is called odd: not more, as far as few rows can tell."""
    flagged = float((visit.model.predict(visit.table.held_out) < 0).mean())
    n_held, n_calibration = len(visit.scores), len(visit.model.calibration_scores_)
    error = np.sqrt(RATE * (1.0 - RATE) * (1.0 / n_held + 1.0 / n_calibration))
    return flagged <= RATE + RATE_MARGIN + 4.0 * float(error)


def survives_a_file(visit: Visit) -> bool:
    """Saved and loaded, it scores the same."""
    path = visit.folder / "model.bw"
    visit.model.save(path)
    try:
        loaded = bw.load(path)
    except bw.ModelFileError:
        return False
    return np.array_equal(loaded.score_samples(visit.table.held_out), visit.scores)


LAWS: dict[str, Callable[[Visit], bool]] = {
    "finite": is_finite,
    "mass": has_mass_one,
    "sampling": samples_as_it_scores,
    "fractions": knows_fractions,
    "truth": is_no_better_than_the_truth,
    "independence": is_no_worse_than_independence,
    "one leaf": is_no_worse_than_one_leaf,
    "dependence": learns_dependence,
    "diagonal": is_no_worse_than_its_diagonal,
    "reference": is_that_of_its_reference,
    "alarms": raises_no_false_alarms,
    "file": survives_a_file,
}


def _is_line(table: Table) -> bool:
    """Whether the table is one column of numbers without atoms or gaps."""
    plain = "continuous" in table.tags and not table.tags & {"gaps", "date", "tiny"}
    return plain and table.n_columns == 1


def _mean_is_at_least(values: np.ndarray, bound: float, n_errors: float) -> bool:
    if np.isnan(values).any():
        return False
    if np.isinf(values).any():
        return bool(values[np.isinf(values)].min() > 0.0)
    error = values.std() / np.sqrt(len(values))
    return bool(values.mean() >= bound - n_errors * error)


def _is_no_worse(visit: Visit, other: Any) -> bool:
    reference = other.score_samples(visit.table.held_out)
    if np.isneginf(reference).any():
        return True
    return _mean_is_at_least(visit.scores - reference, -MARGIN, 3.0)


def _counts(rows: Any, cells: Any) -> np.ndarray:
    columns = [f"c{j}" for j in range(np.shape(cells)[1])]
    found = pd.DataFrame(np.asarray(rows), columns=columns).astype(object).value_counts()
    wanted = pd.MultiIndex.from_frame(pd.DataFrame(np.asarray(cells), columns=columns).astype(object))
    return found.reindex(wanted, fill_value=0).to_numpy()


def _agree(counts: np.ndarray, expected: np.ndarray) -> bool:
    """Whether counts of samples are within five standard errors of their probabilities."""
    error = np.sqrt(N_SAMPLES * expected * (1.0 - np.minimum(expected, 1.0)) + 1.0)
    return bool((np.abs(counts - N_SAMPLES * expected) <= 5.0 * error).all())


def _counts_on_line(visit: Visit, sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    train = visit.table.train[:, 0]
    points, widths = quadrature(train)
    mass = np.exp(visit.model.score_samples(points[:, None])) * widths
    edges = np.r_[-np.inf, np.unique(train)[:: max(1, len(train) // 10)][1:-1], np.inf]
    expected = np.histogram(points, edges, weights=mass)[0]
    return np.histogram(sample, edges)[0], expected
