"""Growth as METHODS §3 says it, slowly: every candidate of every node, criteria from their definitions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from core_tables import Table
from reference_regions import Candidate, Region, half_of, whole_region
from reference_trees import ReferenceNode
from scipy.special import gammaln, kolmogorov

from boxwood import _core

VARIANCE_FLOOR = 1e-4 / 12.0
COARSE_GROUPS = 4
ROWS_MISSED = 5.0
ASPECT_ROUNDING = 1e-12


# ---- candidates ---------------------------------------------------------------------------------------


def candidates(
    table: Table,
    region: Region,
    max_candidates: int = 1024,
    all_partitions: bool = False,
    beside_rows: bool = True,
) -> list[Candidate]:
    """All cuts of all columns; categories stand in the order of their density, or part in any way.

    Without `beside_rows` binned cuts through empty stretches keep away from rows.
    """
    found = []
    for j, (_, categorical) in enumerate(table.columns):
        if categorical:
            found += _partitions(table, region, j) if all_partitions else _prefixes(table, region, j)
        elif table.is_exact(j):
            found += _midpoints(table, region, j)
        else:
            edges = _bin_edges(table, region, j, max_candidates)
            found += edges if beside_rows else _away_from_rows(table, region, j, edges)
    return found


def _midpoints(table: Table, region: Region, j: int) -> list[Candidate]:
    low, high = region.ranges[j]
    values = table.points[region.rows, j]
    stops = np.unique(np.concatenate([[low], values, [high]]))
    found = []
    for a, b in pairwise(stops):
        middle = 0.5 * (a + b)
        if middle >= high:  # between neighbouring doubles there is no other
            continue
        # The core's expression: where five rows are missed to the last bit, another one decides otherwise.
        found.append(Candidate(j, middle, values < middle, (middle - low) * (1.0 / (high - low))))
    return found


def _bin_edges(table: Table, region: Region, j: int, max_candidates: int) -> list[Candidate]:
    u = table.columns[j][0]
    low, high = region.ranges[j][0], region.ranges[j][-1] + 1
    n_groups = min(max_candidates, high - low)
    bins = table.bins[region.rows, j]
    found = []
    for c in range(1, n_groups):
        cut = low + -(-c * (high - low) // n_groups)
        found.append(Candidate(j, cut, bins < cut, (u[cut] - u[low]) * (1.0 / (u[high] - u[low]))))
    return found


def _away_from_rows(table: Table, region: Region, j: int, edges: list[Candidate]) -> list[Candidate]:
    """Keep the cuts that are away from the rows of the denser side of an empty stretch.

    At least as far as this side has bins a row, or halfway to the other side, rounded up.
    """
    w = table.weights[region.rows]
    found = []
    for below in dict.fromkeys(edge.left.tobytes() for edge in edges):  # a stretch: cuts that part rows alike
        groups = [c for c, edge in enumerate(edges, 1) if edge.left.tobytes() == below]
        first, last = edges[groups[0] - 1], edges[groups[-1] - 1]
        left, right = float(w[first.left].sum()), float(w[~first.left].sum())
        half = len(groups) // 2 if left and right else np.inf
        keep_left = min(np.ceil(groups[0] / left), half) if left else 0
        keep_right = min(np.ceil((len(edges) + 1 - groups[-1]) / right), half) if right else 0
        if left and right and left < w.sum() * first.fraction:
            keep_left = 0
        elif left and right and left > w.sum() * last.fraction:
            keep_right = 0
        low, high = groups[0] + keep_left, groups[-1] - keep_right
        if left and right:
            low, high = min(low, high), max(low, high)
        found += [edges[c - 1] for c in groups if low <= c <= high]
    return found


def _partitions(table: Table, region: Region, j: int) -> list[Candidate]:
    u = table.columns[j][0]
    members = region.ranges[j]
    bins = table.bins[region.rows, j]
    total = sum(u[c + 1] - u[c] for c in members)
    found = []
    for size in range(1, len(members)):
        for chosen in combinations(members, size):
            width = sum(u[c + 1] - u[c] for c in chosen)
            found.append(Candidate(j, frozenset(chosen), np.isin(bins, chosen), width / total))
    return found


def _prefixes(table: Table, region: Region, j: int) -> list[Candidate]:
    u = table.columns[j][0]
    bins = table.bins[region.rows, j]
    w = table.weights[region.rows]
    density = {c: w[bins == c].sum() / (u[c + 1] - u[c]) for c in region.ranges[j]}
    order = sorted(region.ranges[j], key=density.__getitem__)
    prefixes = [frozenset(order[:size]) for size in range(1, len(order))]
    return [c for c in _partitions(table, region, j) if c.cut in prefixes]


# ---- criteria -----------------------------------------------------------------------------------------


def gain_of(criterion: str, table: Table, region: Region, candidate: Candidate) -> float:
    w = table.weights[region.rows]
    total = float(table.weights.sum())
    volume, fraction, left = region.volume, candidate.fraction, candidate.left
    parts = [(w[left], volume * fraction), (w[~left], volume * (1.0 - fraction))]
    if criterion == "log_likelihood":
        return sum(_log_likelihood(p, total, v) for p, v in parts) - _log_likelihood(w, total, volume)
    if criterion == "loo":
        return _loo_error(w, total, volume) - sum(_loo_error(p, total, v) for p, v in parts)
    if criterion == "squared_error":
        return sum(_squared(p, total, v) for p, v in parts) - _squared(w, total, volume)
    if criterion == "nonuniformity":
        return abs(float(w[left].sum() / w.sum()) - fraction)
    if criterion == "gaussian_entropy":
        return _entropy_gain(table, region, left)
    return _product_gain(table, region, candidate)


def _log_likelihood(w: np.ndarray, total: float, volume: float) -> float:
    """Σ log p over the rows of a box of constant density p = n/(N·V)."""
    n = float(w.sum())
    return 0.0 if n == 0.0 else sum(wi * np.log(n / (total * volume)) for wi in w)


def _loo_error(w: np.ndarray, total: float, volume: float) -> float:
    """∫p² − 2/N·Σ p₋ᵢ(xᵢ), one copy of a row left out at a time."""
    n = float(w.sum())
    if total <= 1.0:
        return n**2 / (total**2 * volume)
    left_out = sum(wi * (n - 1.0) / ((total - 1.0) * volume) for wi in w)
    return n**2 / (total**2 * volume) - 2.0 / total * left_out


def _squared(w: np.ndarray, total: float, volume: float) -> float:
    """p²·V."""
    return (float(w.sum()) / (total * volume)) ** 2 * volume


def _entropy_gain(table: Table, region: Region, left: np.ndarray) -> float:
    x = np.column_stack([table.place(j)[region.rows] for j in range(len(table.columns))])
    w = table.weights[region.rows]
    fraction = w[left].sum() / w.sum()
    integer = _entropy(x, w)
    return float(
        integer - fraction * _entropy(x[left], w[left]) - (1.0 - fraction) * _entropy(x[~left], w[~left])
    )


def _entropy(x: np.ndarray, w: np.ndarray) -> float:
    if w.sum() <= 0.0:
        return 0.0
    d = x.shape[1]
    centred = x - np.average(x, axis=0, weights=w)
    covariance = (centred * w[:, None]).T @ centred / w.sum()
    covariance = covariance + VARIANCE_FLOOR * np.eye(d)
    return float(0.5 * (np.linalg.slogdet(covariance)[1] + d * np.log(2.0 * np.pi * np.e)))


def _product_gain(table: Table, region: Region, candidate: Candidate) -> float:
    """Evidence of coarse histograms of the other columns, and the likelihood of uniform halves."""
    w = table.weights[region.rows]
    left = candidate.left
    gain = 0.0
    for j in range(len(table.columns)):
        if j == candidate.feature:
            continue
        groups, n_groups = _coarse_groups(table, region, j)
        gain += _evidence(groups[left], w[left], n_groups) + _evidence(groups[~left], w[~left], n_groups)
        gain -= _evidence(groups, w, n_groups)
    n, n_left = w.sum(), w[left].sum()
    for part, fraction in ((n_left, candidate.fraction), (n - n_left, 1.0 - candidate.fraction)):
        gain += part * np.log(part / (n * fraction)) if part > 0.0 else 0.0
    return float(gain)


def _evidence(groups: np.ndarray, w: np.ndarray, n_groups: int) -> float:
    """Log of the Dirichlet–multinomial probability of the rows' bins, prior ½."""
    counts = np.bincount(groups, weights=w, minlength=n_groups)
    a = 0.5
    return float(
        gammaln(n_groups * a)
        - gammaln(n_groups * a + counts.sum())
        + np.sum(gammaln(counts + a) - gammaln(a))
    )


def _coarse_groups(table: Table, region: Region, j: int) -> tuple[np.ndarray, int]:
    if table.is_exact(j):
        low, high = region.ranges[j]
        at = (table.points[region.rows, j] - low) * (COARSE_GROUPS / (high - low))
        return np.clip(at, 0, COARSE_GROUPS - 1).astype(int), COARSE_GROUPS
    members = region.ranges[j]
    n_groups = min(COARSE_GROUPS, len(members))
    position = np.searchsorted(members, table.bins[region.rows, j])
    return position * n_groups // len(members), n_groups


# ---- termination --------------------------------------------------------------------------------------


def uniformity_p_value(table: Table, region: Region) -> float:
    """Kolmogorov–Smirnov by the definition of the statistic, Bonferroni-corrected."""
    p_values = []
    w = table.weights[region.rows]
    n = float(w.sum())
    for j in range(len(table.columns)):
        if not table.is_exact(j) and len(region.ranges[j]) < 2:
            continue
        d = _distance(table, region, j)
        root = np.sqrt(n)
        p_values.append(float(kolmogorov((root + 0.12 + 0.11 / root) * d)))
    return min(1.0, min(p_values) * len(p_values)) if p_values else 1.0


def _distance(table: Table, region: Region, j: int) -> float:
    w = table.weights[region.rows]
    n = w.sum()
    if table.is_exact(j):
        low, high = region.ranges[j]
        x = table.points[region.rows, j]
        jumps = [
            max(abs(w[below].sum() / n - (v - low) / (high - low)) for below in (x < v, x <= v)) for v in x
        ]
        return float(max(jumps))
    u = table.columns[j][0]
    members = region.ranges[j]
    widths = np.array([u[c + 1] - u[c] for c in members])
    counts = np.array([w[table.bins[region.rows, j] == c].sum() for c in members])
    return float(np.max(np.abs(np.cumsum(counts) / n - np.cumsum(widths) / widths.sum())))


def _may_be_empty(expected: float, options: Any) -> bool:
    """Return whether an empty side gains something: a uniform density would have had some rows there."""
    if options.criterion == _core.CriterionKind.gaussian_entropy:
        return False
    return options.min_samples_leaf <= 0.0 or expected >= max(options.min_samples_leaf, ROWS_MISSED)


def _was_cut(region: Region, table: Table, candidate: Candidate, options: Any) -> bool:
    """Return whether the candidate cuts an empty margin again that may be cut off only once."""
    j = candidate.feature
    low = not candidate.left.any()
    if not table.is_exact(j) or not (low or candidate.left.all()):
        return False
    points = table.points[region.rows, j]
    once = options.min_samples_leaf <= 0.0 or points.min() == points.max()
    return once and (j, low) in region.cut_margins


def allowed(region: Region, table: Table, candidate: Candidate, options: Any) -> bool:
    """Whether a candidate leaves enough rows on either side and no box that is too thin."""
    w = table.weights[region.rows]
    left = w[candidate.left].sum()
    for part, fraction in ((left, candidate.fraction), (w.sum() - left, 1.0 - candidate.fraction)):
        if part == 0.0 and not _may_be_empty(w.sum() * fraction, options):
            return False
        if 0.0 < part < options.min_samples_leaf:
            return False
    if _was_cut(region, table, candidate, options):
        return False
    if not 0.0 < candidate.fraction < 1.0:
        return False
    if np.isfinite(options.max_aspect):
        for fraction in (candidate.fraction, 1.0 - candidate.fraction):
            widths = [w * fraction if k == candidate.feature else w for k, w in enumerate(region.widths)]
            if max(widths) / min(widths) > options.max_aspect * (1.0 + ASPECT_ROUNDING):
                return False
    return True


def is_final(table: Table, region: Region, depth: int, options: Any) -> bool:
    n = table.weights[region.rows].sum()
    if depth >= options.max_depth or n < options.min_samples_split or n < 2.0 * options.min_samples_leaf:
        return True
    if n <= 0.0:
        return True
    return options.uniformity_level > 0.0 and uniformity_p_value(table, region) >= options.uniformity_level


@dataclass
class Best:
    """The gains of all candidates of a node that are allowed."""

    gain: float
    found: list[tuple[float, Candidate]]
    rounding: float = 0.0
    """How far the core's gains may be from these."""

    def gain_of(self, feature: int, cut: Any) -> float:
        for gain, candidate in self.found:
            if candidate.feature == feature and candidate.cut == cut:
                return gain
        raise AssertionError(f"the core cut column {feature} at {cut}, which is no candidate")

    def candidate(self, feature: int, cut: Any) -> Candidate:
        return next(c for _, c in self.found if c.feature == feature and c.cut == cut)


def best_split(
    criterion: str, table: Table, region: Region, depth: int, options: Any, all_partitions: bool = False
) -> Best:
    """Try everything. The product criterion has an order of categories of its own: then all partitions."""
    if is_final(table, region, depth, options):
        return Best(-np.inf, [])
    found, rounding = [], 0.0
    all_partitions = all_partitions or criterion == "product_likelihood"
    beside_rows = criterion in ("gaussian_entropy", "product_likelihood")
    for candidate in candidates(table, region, options.max_candidates, all_partitions, beside_rows):
        if not allowed(region, table, candidate, options):
            continue
        gain = gain_of(criterion, table, region, candidate)
        error = rounding_of(criterion, table, region, candidate, gain)
        if gain > options.min_gain - error:  # rounding decides at the bound itself
            found.append((gain, candidate))
            rounding = max(rounding, error)
    return Best(max((gain for gain, _ in found), default=-np.inf), found, rounding)


def rounding_of(criterion: str, table: Table, region: Region, candidate: Candidate, gain: float) -> float:
    """Return how far two ways to compute a gain may be apart.

    Squared densities of thin boxes are large numbers, whose difference the gain is.
    """
    error = 1e-9 * max(1.0, abs(gain))
    if criterion not in ("loo", "squared_error"):
        return error
    w = table.weights[region.rows] / table.weights.sum()
    left, fraction = float(w[candidate.left].sum()), candidate.fraction
    right = float(w[~candidate.left].sum())
    terms = (left + right) ** 2 + left**2 / fraction + right**2 / (1.0 - fraction)
    return error + 1e-13 * terms / region.volume


# ---- the whole tree -----------------------------------------------------------------------------------


def cut_of(table: Table, bin_edges: Any, node: ReferenceNode) -> Any:
    """What a node of the core cuts, in the words of `Candidate`."""
    j = node.feature
    if table.columns[j][1]:
        return frozenset(node.left_bins)
    bin = node.left_bins[-1] + 1
    return bin_edges[j][0][bin] if table.is_exact(j) else bin


def replay(
    criterion: str,
    table: Table,
    bin_edges: Any,
    nodes: dict[int, ReferenceNode],
    gains: np.ndarray,
    options: Any,
) -> None:
    """Grow slowly, node by node in the core's order; every choice of the core must be a best one.

    Ties are left to the core: among candidates whose gains differ by rounding alone, any is right.
    """
    per_node = criterion in ("nonuniformity", "gaussian_entropy")
    # The product criterion orders categories by a principal component: no partition of all is promised.
    promised = criterion != "product_likelihood" or not _has_sets(table)
    total = table.weights.sum()
    root = whole_region(table)
    frontier = [(0, root, 0, best_split(criterion, table, root, 0, options))]
    n_nodes = 1
    n_leaves = 1

    def priority(entry: Any) -> float:
        _, region, _, best = entry
        scale = table.weights[region.rows].sum() / total if per_node else 1.0
        return scale * best.gain if np.isfinite(best.gain) else -np.inf

    while frontier and n_leaves < options.max_leaf_nodes:
        if options.best_first:
            split_next = [e for e in frontier if nodes[e[0]].children[0] == n_nodes]
            if not split_next:
                assert not promised or all(not e[3].found for e in frontier), "growth stopped too early"
                break
            entry = split_next[0]
            highest = max(priority(e) for e in frontier)
            is_highest = priority(entry) >= highest - max(e[3].rounding for e in [*frontier, entry])
            assert is_highest or not promised, "not the best node next"
            frontier.remove(entry)
        else:
            entry = frontier.pop()
        number, region, depth, best = entry
        node = nodes[number]
        assert node.count == table.weights[region.rows].sum()
        if node.feature < 0:
            missed = best.found and best.gain > options.min_gain + best.rounding
            assert not missed or not promised, "a split was missed"
            continue
        assert best.found, "a final node was split"
        cut = cut_of(table, bin_edges, node)
        gain = best.gain_of(node.feature, cut)
        tolerance = best.rounding
        assert abs(gain - gains[number]) <= tolerance
        assert gain >= best.gain - tolerance or not promised, "not the best split"
        assert node.children == (n_nodes, n_nodes + 1)
        n_nodes += 2
        n_leaves += 1
        candidate = best.candidate(node.feature, cut)
        for side in (1, 0):
            half = half_of(table, region, candidate, side == 0)
            found = best_split(criterion, table, half, depth + 1, options)
            frontier.append((node.children[side], half, depth + 1, found))
    assert n_nodes == len(nodes)


def _has_sets(table: Table) -> bool:
    """Whether the order of categories matters."""
    return any(categorical and len(u) > 3 for u, categorical in table.columns)
