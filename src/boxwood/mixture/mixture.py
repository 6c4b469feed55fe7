"""The fitted form of trees and forests: a mixture of products of 1-D pieces on the unit cube."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.binning.bin_edges import ColumnBinEdges
from boxwood.model_file import State
from boxwood.parameters import shown

__all__ = ["Mixture"]

_ARRAYS: dict[str, Any] = {
    "node_start": np.int64,
    "set_start": np.int64,
    "feature": np.int32,
    "left": np.uint32,
    "cut": np.uint32,
    "mass": np.float64,
    "count": np.float64,
    "sets": np.uint64,
    "levels": np.uint8,
    "mean": np.float32,
    "deviation": np.float32,
}
_LEAF_KINDS = ("uniform", "histogram", "gaussian", "gaussian_full")
Event = tuple[float, float] | NDArray[np.bool_] | None


class Mixture:
    """Weighted trees whose leaves are products of 1-D pieces.

    Everything asked of a fitted tree or forest is asked of this form, and answered in closed form. It is kept
    once, in the native core; `flat` gives it as arrays.

    Parameters
    ----------
    bin_edges : list of (ndarray, bool)
        Bin edges of each column, and whether its bins are categories.
    flat : dict
        The nodes and leaves of all trees, one after another.
    weights : ndarray of shape (n_trees,)

    Attributes
    ----------
    native : _core.Mixture
    """

    def __init__(
        self, bin_edges: Sequence[ColumnBinEdges], flat: dict[str, Any], weights: NDArray[np.float64]
    ) -> None:
        self.native = _core.make_mixture(list(bin_edges), flat, weights)

    @classmethod
    def of_native(cls, native: _core.Mixture) -> Mixture:
        """Return what the core has fitted, without a copy."""
        mixture = cls.__new__(cls)
        mixture.native = native
        return mixture

    def __getstate__(self) -> dict[str, Any]:
        return {"bin_edges": self.bin_edges, "flat": self.flat, "weights": self.weights}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Mixture.__init__(self, state["bin_edges"], state["flat"], state["weights"])

    @cached_property
    def bin_edges(self) -> list[ColumnBinEdges]:
        """Bin edges of each column, and whether its bins are categories."""
        return self.native.bin_edges()

    @property
    def flat(self) -> dict[str, Any]:
        """The nodes and leaves of all trees, one after another, as arrays: copies, made anew every time."""
        return self.native.flat()

    def flat_tree(self, tree: int) -> dict[str, Any]:
        """Return the nodes and leaves of one tree as arrays."""
        return self.native.flat(tree)

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each tree."""
        return self.native.weights()

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.native.n_leaves())

    @property
    def n_leaves(self) -> int:
        """How many leaves all trees have together."""
        return int(self.native.n_leaves().sum())

    @property
    def leaf_kind(self) -> str:
        """What the leaves are: "uniform", "histogram", "gaussian" or "gaussian_full"."""
        return self.native.leaf_kind

    def log_density(self, u: NDArray[np.float64], n_threads: int = 1) -> NDArray[np.float64]:
        """Return the log-density on the cube; NaN values are summed out."""
        return self.native.log_density(u, n_threads)

    def sample(self, n_rows: int, seed: int) -> NDArray[np.float64]:
        """Draw points of the cube."""
        return self.native.sample(n_rows, seed)

    def sample_evenly(self, n_rows: int, seed: int) -> NDArray[np.float64]:
        """Draw points of the cube in the order of the leaves: one for every n-th part of their mass."""
        return self.native.sample(n_rows, seed, evenly=True)

    def apply(self, u: NDArray[np.float64]) -> NDArray[np.uint32]:
        """Return the number of the leaf of each row in each tree."""
        return self.native.apply(u)

    def probability(self, events: Sequence[Event]) -> float:
        """Return the probability that every column's event happens.

        Parameters
        ----------
        events : sequence, one entry a column
            None for anything, (low, high) for an interval of u, or flags, one a bin.

        Raises
        ------
        ValueError
            Where an event is none of these; the message names the column by its number.
        """
        asked = list(events)
        if len(asked) != len(self.bin_edges):
            raise ValueError(
                f"one event a column is needed: {len(self.bin_edges)} columns; got {len(asked)} events."
            )
        n_bins = [len(u) - 1 for u, _ in self.bin_edges]
        return self.native.probability([_checked_event(j, event, n_bins[j]) for j, event in enumerate(asked)])

    def marginal(self, column: int) -> NDArray[np.float64]:
        """Return the probability of each bin of a column."""
        return self.native.marginal(column)

    def memory_report(self) -> dict[str, int]:
        """Return the bytes that the fitted form takes: nodes (32 each), category sets, leaves, bin edges.

        A leaf takes 8 bytes besides its histograms or Gaussians: the logarithm that scoring begins with.
        """
        memory = self.native.memory()
        return {name: memory[name] for name in ("structure", "sets", "leaves", "bin_edges")}

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        flat = self.flat
        return {
            "knots": [{"u": u, "categorical": categorical} for u, categorical in self.bin_edges],
            "weights": self.weights,
            "words_per_set": int(flat["words_per_set"]),
            "leaf_kind": str(flat["leaf_kind"]),
            "n_bins": int(flat["n_bins"]),
            **{name: flat[name] for name in _ARRAYS},
        }

    @classmethod
    def from_state(cls, state: State, n_columns: int) -> Mixture:
        """Read what `to_state` gave; the native mixture checks that it is one."""
        bin_edges = [
            (entry.array("u", np.float64, (None,), low=0.0, high=1.0), entry.flag("categorical"))
            for entry in state.children("knots", n_columns)
        ]
        flat: dict[str, Any] = {name: state.array(name, dtype, (None,)) for name, dtype in _ARRAYS.items()}
        flat["words_per_set"] = state.integer("words_per_set", high=1024)
        flat["n_bins"] = state.integer("n_bins", high=1024)
        flat["leaf_kind"] = state.text("leaf_kind", _LEAF_KINDS)
        weights = state.array("weights", np.float64, (None,), low=0.0, high=1.0)
        try:
            mixture = cls(bin_edges, flat, weights)
        except ValueError as error:
            raise state.error("feature", f"is no mixture: {error}") from None
        if not _counts_add_up(flat):
            raise state.error("count", "of two children does not sum to their parent's")
        return mixture


def _checked_event(j: int, event: Any, n_bins: int) -> Event:
    """Return an event as the core takes it; raise where it is none."""
    if event is None:
        return None
    if isinstance(event, tuple):
        return _checked_interval(j, event)
    flags = np.asarray(event)
    if flags.dtype != np.bool_ or flags.ndim != 1:
        raise ValueError(
            f"column {j}: an event is None, a pair (low, high) or an array of flags (bool), one a bin; "
            f"got {shown(event)}."
        )
    if len(flags) != n_bins:
        raise ValueError(f"column {j}: one flag a bin is needed: {n_bins} bins; got {len(flags)} flags.")
    return np.ascontiguousarray(flags)


def _checked_interval(j: int, event: tuple[Any, ...]) -> tuple[float, float]:
    try:
        low, high = (float(end) for end in event)
    except (TypeError, ValueError):
        raise ValueError(
            f"column {j}: an interval is a pair of numbers (low, high); got {event!r}."
        ) from None
    if not low <= high:  # nor where one of them is NaN
        raise ValueError(f"column {j}: an interval (low, high) needs low <= high; got ({low}, {high}).")
    return low, high


def _counts_add_up(flat: dict[str, Any]) -> bool:
    """Return whether the rows of every inner node are those of its two children."""
    start = np.repeat(flat["node_start"][:-1], np.diff(flat["node_start"]))
    inner = np.flatnonzero(flat["feature"] >= 0)
    left, count = start[inner] + flat["left"][inner], flat["count"]
    return bool((np.abs(count[left] + count[left + 1] - count[inner]) <= 1e-9 * count[inner]).all())
