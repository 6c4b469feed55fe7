"""The native core of boxwood."""

from collections.abc import Sequence
import enum
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


def start_mapping(folder: str, threshold: int) -> int:
    """
    Put blocks of memory of at least so many bytes into files without a name, until `stop_mapping` of the number that is returned.
    """

def stop_mapping(number: int) -> bool: ...

def set_array_memory(handler: object | None) -> object:
    """
    Set what gives numpy's arrays their memory in this context, and return what did before.
    """

def mapped_array_memory() -> object:
    """
    Return what gives arrays memory of mapped files while a setting is in force.
    """

def mapped_totals() -> tuple[int, int, int]:
    """
    Return how many blocks are mapped, of how many bytes, and the most bytes at a time.
    """

def mapping_failure() -> str:
    """Return why the last block could not be mapped."""

def scan_values(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> tuple[int, int, int]:
    """
    Count of NaN, index of the first NaN and of the first oversized value (−1: none).
    """

def merge_rows(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    Equal rows as one: a row of each, the number of each row, keys, sums of weights, Kish's counts.
    """

def hash_rows(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C')]:
    """128 bits of what each row holds, as two words."""

def deal_folds(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], observations: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_folds: int, seed: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]:
    """How many observations of each row fall into each fold."""

def hold_out(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], observations: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], fraction: float, seed: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
    """How many observations of each row are held out."""

def draw_uniform(keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seed: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """A number in [0, 1) for each key."""

def fit_chow_liu(codes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_observations: float) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """Parent of each column (−1: none) and log-probability of each row."""

def functional_pairs(codes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], parent: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], child: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[tuple[int, int]]:
    """
    Pairs of columns (a, b) of which b is a function of a; a code of −1 takes no part.
    """

class CellCounter:
    """
    Counts a column on a fixed grid of ordered float bits, refined in passes.
    """

    def __init__(self) -> None: ...

    def add(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """Count values in the cells that are open in this pass."""

    def merge(self, other: CellCounter) -> None:
        """Add the counts of another part of the rows."""

    def empty_like(self) -> CellCounter:
        """A counter with the same open cells and no counts in them."""

    def refine(self) -> bool:
        """Open crowded cells; true where another pass is due."""

    def cells(self) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]]:
        """Smallest value, largest value and count of each cell, ascending."""

    @property
    def total(self) -> int:
        """Total weight of the values that are not missing."""

    @property
    def missing(self) -> int:
        """Total weight of the missing values."""

def cells_of_column(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]], int]:
    """
    Cells of a whole column, as `CellCounter.cells` gives them, and the weight of missing values.
    """

def count_cells(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> CellCounter:
    """All passes over one column in memory."""

class PiecewiseCdf:
    """
    A numeric column's map onto [0, 1]: cubic pieces, atoms and exponential tails.
    """

    @property
    def x(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def u(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def mass(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def shape_left(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def shape_right(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    @property
    def left_mass(self) -> float: ...

    @property
    def left_rate(self) -> float: ...

    @property
    def right_mass(self) -> float: ...

    @property
    def right_rate(self) -> float: ...

    @property
    def total(self) -> float: ...

    def encode(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu')]) -> None: ...

    def encode_integers(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu')]) -> None: ...

    def log_density(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def log_mass_of_integers(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def decode(self, u: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def decode_integers(self, u: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]: ...

    def below(self, value: float) -> float:
        """P(X < value)."""

    def log_mass_between(self, low: float, high: float) -> float:
        """log P(low <= X < high), without cancellation."""

def integer_edge(k: float) -> float:
    """
    Where the interval of the integer k begins: at k - 0.5, or at k where that is no double.
    """

def upper_edge(k: float) -> float:
    """Where the interval of the integer k ends."""

def fit_smooth_cdf(low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], continuous_mass: float, atom_low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_masses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bin_edges: int = 1024, lower_bound: float = float('-inf'), upper_bound: float = float('inf')) -> PiecewiseCdf:
    """Fit a smooth CDF to sorted cells and put atoms (ascending) into it."""

def fit_linear_cdf(low: float, high: float, continuous_mass: float, atom_low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_masses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], lower_bound: float = float('-inf'), upper_bound: float = float('inf')) -> PiecewiseCdf:
    """The uniform CDF on [low, high] with atoms (ascending) in it."""

def piecewise_cdf(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], shape_left: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], shape_right: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], left_mass: float, left_rate: float, right_mass: float, right_rate: float) -> PiecewiseCdf:
    """A CDF from its pieces; ValueError where they are none."""

class MarginKind(enum.Enum):
    smooth = 0

    linear = 1

class MissingValues(enum.Enum):
    marginal = 0

    event = 1

class FieldKind(enum.Enum):
    number = 0

    integer = 1

    category = 2

    boolean = 3

class Margins:
    """The maps of all columns of a table onto [0, 1]."""

    def encode(self, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Points of the rows, row-major: atoms, categories and missing values as middles.
        """

    def log_derivative(self, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], missing: MissingValues, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Sum over columns of the log-density of each row's values."""

    def decode(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')] | Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int]]:
        """The values of each column at points, and how many of them are missing."""

    def is_unseen(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C')]:
        """Which points lie in the interval of categories that were never seen."""

    def columns(self) -> list[tuple[PiecewiseCdf, float, tuple[float, float] | None, float, float] | tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, float]]:
        """The map of each column: copies."""

def fit_margins(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], fields: Sequence[tuple[str, FieldKind, int]], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, unit: float, kind: MarginKind, measures: Sequence[tuple[tuple[float, float] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, float, float, float, float, bool]] | None = None, n_threads: int = 1) -> tuple[Margins, list[bool]]:
    """
    Fit the margins of a table, `weights` being whole multiples of `unit`; and of each column whether it may be cut anywhere.
    """

def margins_of_summaries(summaries: Sequence[CellCounter | Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]], fields: Sequence[tuple[str, FieldKind, int]], unit: float, kind: MarginKind, measures: Sequence[tuple[tuple[float, float] | None, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, float, float, float, float, bool]] | None = None, n_threads: int = 1) -> tuple[Margins, list[bool]]:
    """The same from counts."""

def make_margins(columns: Sequence[tuple[PiecewiseCdf, float, tuple[float, float] | None, float, float] | tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], float, float]]) -> Margins:
    """Margins from the map of each column, as `Margins.columns` gives them."""

def find_atoms(low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C')]:
    """Which cells are atoms."""

def bin_rows(margins: Margins, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, kind: MarginKind, exact: bool, n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], bool]], Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C')], bool]:
    """
    Points of the rows, bin edges of the columns, bins of the rows, and whether ordered columns are cut between any two points, as `exact` wishes where no column forbids it.
    """

def first_unfit(margins: Margins, columns: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bool]]) -> int:
    """
    The first column whose bin edges do not fit its margin, −1 where all do.
    """

class BinnedTable:
    """A table as growth reads it."""

    def __init__(self, columns: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bool]], bins: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, observations: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, groups: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

def find_bins(column: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bool], points: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C')]:
    """Bin of each point."""

def quantile_edges(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_parts: int, least_distinct: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    Neighbouring values between parts of equal weight; empty where a sample has too few values.
    """

def narrow_bins_between_thresholds(thresholds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """Bin of each value between at most 254 ascending thresholds."""

def bins_between_thresholds(thresholds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C')]:
    """Bin of each value between ascending thresholds."""

class CriterionKind(enum.Enum):
    log_likelihood = 0

    loo = 1

    squared_error = 2

    nonuniformity = 3

    gaussian_entropy = 4

    product_likelihood = 5

class LeafKind(enum.Enum):
    uniform = 0

    histogram = 1

    gaussian = 2

    gaussian_full = 3

class LossKind(enum.Enum):
    log_likelihood = 0

    loo_log_likelihood = 1

    squared_error = 2

    loo_squared_error = 3

class GrowOptions:
    def __init__(self) -> None: ...

    @property
    def criterion(self) -> CriterionKind: ...

    @criterion.setter
    def criterion(self, arg: CriterionKind, /) -> None: ...

    @property
    def best_first(self) -> bool: ...

    @best_first.setter
    def best_first(self, arg: bool, /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def max_leaf_nodes(self) -> int: ...

    @max_leaf_nodes.setter
    def max_leaf_nodes(self, arg: int, /) -> None: ...

    @property
    def min_samples_split(self) -> float: ...

    @min_samples_split.setter
    def min_samples_split(self, arg: float, /) -> None: ...

    @property
    def min_samples_leaf(self) -> float: ...

    @min_samples_leaf.setter
    def min_samples_leaf(self, arg: float, /) -> None: ...

    @property
    def min_gain(self) -> float: ...

    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...

    @property
    def max_aspect(self) -> float: ...

    @max_aspect.setter
    def max_aspect(self, arg: float, /) -> None: ...

    @property
    def uniformity_level(self) -> float: ...

    @uniformity_level.setter
    def uniformity_level(self, arg: float, /) -> None: ...

    @property
    def max_features(self) -> int: ...

    @max_features.setter
    def max_features(self, arg: int, /) -> None: ...

    @property
    def max_candidates(self) -> int: ...

    @max_candidates.setter
    def max_candidates(self, arg: int, /) -> None: ...

    @property
    def random_splits(self) -> int: ...

    @random_splits.setter
    def random_splits(self, arg: int, /) -> None: ...

    @property
    def scan_rows(self) -> int: ...

    @scan_rows.setter
    def scan_rows(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def n_directions(self) -> int: ...

    @n_directions.setter
    def n_directions(self, arg: int, /) -> None: ...

    @property
    def direction_columns(self) -> int: ...

    @direction_columns.setter
    def direction_columns(self, arg: int, /) -> None: ...

class LeafOptions:
    def __init__(self) -> None: ...

    @property
    def kind(self) -> LeafKind: ...

    @kind.setter
    def kind(self, arg: LeafKind, /) -> None: ...

    @property
    def mass_prior(self) -> float: ...

    @mass_prior.setter
    def mass_prior(self, arg: float, /) -> None: ...

    @property
    def n_leaf_bins(self) -> int: ...

    @n_leaf_bins.setter
    def n_leaf_bins(self, arg: int, /) -> None: ...

    @property
    def histogram_prior(self) -> float: ...

    @histogram_prior.setter
    def histogram_prior(self, arg: float, /) -> None: ...

    @property
    def constant_columns(self) -> list[int]: ...

    @constant_columns.setter
    def constant_columns(self, arg: Sequence[int], /) -> None: ...

    @property
    def unseen_bins(self) -> list[tuple[int, int]]: ...

    @unseen_bins.setter
    def unseen_bins(self, arg: Sequence[tuple[int, int]], /) -> None: ...

    @property
    def deviation_floor(self) -> float: ...

    @deviation_floor.setter
    def deviation_floor(self, arg: float, /) -> None: ...

class ForestOptions:
    """What forests of densities and of decisions share."""

    @property
    def first_tree(self) -> int: ...

    @first_tree.setter
    def first_tree(self, arg: int, /) -> None: ...

    @property
    def n_trees(self) -> int: ...

    @n_trees.setter
    def n_trees(self, arg: int, /) -> None: ...

    @property
    def bootstrap(self) -> bool: ...

    @bootstrap.setter
    def bootstrap(self, arg: bool, /) -> None: ...

    @property
    def max_samples(self) -> float: ...

    @max_samples.setter
    def max_samples(self, arg: float, /) -> None: ...

    @property
    def part_of_table(self) -> bool: ...

    @part_of_table.setter
    def part_of_table(self, arg: bool, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def grow(self) -> GrowOptions: ...

    @grow.setter
    def grow(self, arg: GrowOptions, /) -> None: ...

class DensityForestOptions(ForestOptions):
    def __init__(self) -> None: ...

    @property
    def candidates(self) -> list[float]: ...

    @candidates.setter
    def candidates(self, arg: Sequence[float], /) -> None: ...

    @property
    def leaf(self) -> LeafOptions: ...

    @leaf.setter
    def leaf(self, arg: LeafOptions, /) -> None: ...

class GrownTree:
    """A tree with the rows of its nodes: to be pruned, then fitted."""

    @property
    def n_leaves(self) -> int: ...

    @property
    def n_nodes(self) -> int: ...

    def columns(self) -> list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], bool]]:
        """Bin edges of each column."""

    def gains(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Gain of each node's split."""

    def features(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """Column of each node's split, −1 for leaves."""

    def losses(self, kind: LossKind, mass_prior: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """What each node would lose as a leaf."""

    def held_out_losses(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, squared_error: bool, mass_prior: float) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The same on other rows."""

    def fitted_losses(self, table: BinnedTable, options: LeafOptions, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, squared_error: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        What each node loses at points as a leaf that is fitted to its rows, which weigh what the table says.
        """

    def path(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """Alpha, number of leaves and loss along the pruning path."""

    def pruned(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alpha: float) -> GrownTree:
        """The subtree of least loss + alpha · leaves."""

    def subtree_losses(self, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alphas: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], others: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """What the best subtrees for each alpha lose by another loss."""

    def fit_leaves(self, table: BinnedTable, options: LeafOptions) -> dict[str, Any]:
        """Masses and leaves as flat arrays."""

    def fit_mixture(self, table: BinnedTable, options: LeafOptions) -> Mixture:
        """The same as a mixture of one tree."""

    def leaves_of_rows(self, table: BinnedTable) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]:
        """
        Number of the leaf of each row that the tree was grown on; the largest number for rows of weight 0.
        """

def grow_tree(table: BinnedTable, options: GrowOptions) -> GrownTree:
    """Grow a density tree."""

class FittedForest:
    """A density forest and what its growth found."""

    @property
    def mixture(self) -> Mixture: ...

    def importance(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Sum of the gains of each column's splits."""

    def gains(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Of each tree, the sum of the gains of each column's splits."""

    @property
    def min_samples_split(self) -> float: ...

    def candidate_scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Mean log-density of held-out rows for each candidate."""

def fit_density_forest(table: BinnedTable, options: DensityForestOptions, progress: object | None) -> FittedForest:
    """Grow and fit a density forest."""

class Pilot:
    """The trees that choose min_samples_split."""

    def __init__(self, table: BinnedTable, options: DensityForestOptions) -> None: ...

    @property
    def n_trees(self) -> int: ...

    @property
    def n_first(self) -> int: ...

    def densities(self, begin: int, end: int, candidate: int) -> list[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        Grow trees from begin to end down to a candidate: of each, densities at the held-out rows.
        """

    def scores(self, densities: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list[float]:
        """Mean log-density of the held-out rows for each candidate."""

    def candidate_of_others(self, scores: Sequence[float]) -> int:
        """
        Number of the candidate down to which the trees after the first are grown.
        """

    def chosen(self, scores: Sequence[float]) -> float:
        """The chosen min_samples_split."""

class Impurity(enum.Enum):
    gini = 0

    entropy = 1

    variance = 2

    gaussian_conditional_entropy = 3

class SupervisedForestOptions(ForestOptions):
    def __init__(self) -> None: ...

    @property
    def balanced(self) -> bool: ...

    @balanced.setter
    def balanced(self, arg: bool, /) -> None: ...

    @property
    def impurity(self) -> Impurity: ...

    @impurity.setter
    def impurity(self, arg: Impurity, /) -> None: ...

class SupervisedTable:
    """Rows as codes with a class or a value each."""

    def __init__(self, columns: Sequence[tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], int, int, bool, int]], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_classes: int, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None: ...

class FittedTrees:
    """Nodes of decision or regression trees, by flat arrays."""

    def __init__(self, feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing_left: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_categories: Sequence[int], direction_start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction_column: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], direction_weight: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], fill: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SupervisedPredictor:
    """What trees predict; ValueError where they are none."""

    def __init__(self, trees: FittedTrees, responses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def predict(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Mean response of the trees for each row."""

    def predict_out_of_bag(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], table: SupervisedTable, options: SupervisedForestOptions) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """The same by the trees that did not see a row; NaN where all did."""

    def apply(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')]:
        """Node of each row's leaf in each tree."""

def fit_supervised_forest(table: SupervisedTable, options: SupervisedForestOptions, progress: object | None) -> dict[str, Any]:
    """Grow decision or regression trees; flat arrays."""

def sample_weights(table: SupervisedTable, options: SupervisedForestOptions) -> Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C')]:
    """What each row weighs in the sample of each tree."""

def leaf_histograms(start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], row: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], leaves: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], skip: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, codes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_codes: int, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """
    Mean over the trees of the distributions of codes in each row's leaves, and behind it the sum of the squares of the members' weights.
    """

def gaussian_conditional_entropy(fractions: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], means: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], deviations: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """
    Entropy of the class, in bits, given a feature that is Gaussian in each class.
    """

def prune_path(feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[tuple[float, int, float]]:
    """Alpha, number of leaves and loss along the pruning path."""

def best_subtree(feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], alpha: float) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """Which nodes are leaves of the best subtree."""

class TreeShapley:
    """Shapley values of what trees predict."""

    def __init__(self, trees: FittedTrees, counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], responses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def expected(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """What is predicted where no column is known."""

    def values(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """For each row the values of the columns, one an output."""

class LevelPart:
    """A part of a table, whose rows go down trees level by level."""

    def __init__(self, table: BinnedTable, options: DensityForestOptions, n_observations: float | None = None) -> None: ...

    def sample(self, tree: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]:
        """
        The rows of a tree's sample, their weights (none: all 1) and where those of each open node begin.
        """

    def route(self, tree: LevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]:
        """The same one level further down."""

    def count(self, tree: LevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_bins: int, before: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        Rows and weight of each open node, its weight in the bins of its histograms or of its classes, and maxima. `before` are the part's own counts of the level before, or none.
        """

    def take(self, tree: LevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], step: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], tried: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        Every so many rows of each open node, their weights and how many they are; sums over all rows of nodes that are split by these.
        """

    def held_out(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C')]:
        """Bins of the rows that a pilot holds out."""

class LevelTree:
    """The upper part of a tree that is grown level by level."""

    @property
    def number(self) -> int: ...

    @property
    def n_open(self) -> int: ...

    def skeleton(self) -> LevelTree:
        """The tree without the counts of its nodes."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

class Subtree:
    """What is below a node whose rows were brought together."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

class LevelGrowth:
    """Grows trees by sums over rows that are elsewhere."""

    def __init__(self, columns: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bool]], options: DensityForestOptions, most_rows: int, held_out: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    @property
    def n_bins(self) -> int: ...

    def root(self, number: int, unit: float) -> LevelTree:
        """A tree without splits."""

    def plan(self, tree: LevelTree, n_rows: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[LevelTree, Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]]:
        """
        The tree with the sums of its open nodes, every how many of their rows are needed, and which columns.
        """

    def deepen(self, tree: LevelTree, parts: Sequence[tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[LevelTree, list[Subtree]]:
        """The tree one level further, and what is below nodes of few rows."""

    def join(self, trees: Sequence[LevelTree], subtrees: Sequence[Sequence[Subtree]]) -> tuple[dict[str, Any], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
        """Whole trees as flat arrays, and the gains of each column's splits."""

    def densities(self, tree: LevelTree, subtrees: Sequence[Subtree]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Densities of a pilot's tree at the held-out rows, for each candidate."""

def check_levels(options: DensityForestOptions) -> None:
    """
    Raise a ValueError where trees cannot be grown level by level: a node's rows are needed at once.
    """

def n_observations(table: BinnedTable) -> float:
    """Of all rows."""

def unit_of_counts(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The weight of which all are small multiples; 0: there is none."""

@overload
def distinct_numbers(table: BinnedTable) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]: ...

@overload
def distinct_numbers(table: SupervisedTable) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]:
    """Which of a table's distinct rows each row is."""

class DecisionLevelPart:
    """A part of a table, whose rows go down trees level by level."""

    def __init__(self, table: SupervisedTable, options: SupervisedForestOptions) -> None: ...

    def sample(self, tree: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]:
        """
        The rows of a tree's sample, their weights (none: all 1) and where those of each open node begin.
        """

    def route(self, tree: DecisionLevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')]]:
        """The same one level further down."""

    def count(self, tree: DecisionLevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_bins: int, before: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        Rows and weight of each open node, its weight in the bins of its histograms or of its classes, and maxima. `before` are the part's own counts of the level before, or none.
        """

    def take(self, tree: DecisionLevelTree, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], begin: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], step: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], tried: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        Every so many rows of each open node, their weights and how many they are; sums over all rows of nodes that are split by these.
        """

class DecisionLevelTree:
    """The upper part of a decision tree that is grown level by level."""

    @property
    def number(self) -> int: ...

    @property
    def n_open(self) -> int: ...

    def skeleton(self) -> DecisionLevelTree:
        """The tree without the counts of its nodes."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

class DecisionSubtree:
    """What is below a node whose rows were brought together."""

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

class DecisionLevelGrowth:
    """Grows trees by sums over rows that are elsewhere."""

    def __init__(self, columns: Sequence[tuple[int, int, bool, int]], n_classes: int, options: SupervisedForestOptions, most_rows: int) -> None: ...

    @property
    def n_bins(self) -> int: ...

    def root(self, number: int, unit: float) -> DecisionLevelTree:
        """A tree without splits."""

    def plan(self, tree: DecisionLevelTree, n_rows: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], counts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[DecisionLevelTree, Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]]:
        """
        The tree with the sums of its open nodes, every how many of their rows are needed, and which columns.
        """

    def deepen(self, tree: DecisionLevelTree, parts: Sequence[tuple[Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[DecisionLevelTree, list[DecisionSubtree]]:
        """The tree one level further, and what is below nodes of few rows."""

    def join(self, trees: Sequence[DecisionLevelTree], subtrees: Sequence[Sequence[DecisionSubtree]]) -> dict[str, Any]:
        """Whole trees as flat arrays."""

def check_decision_levels(options: SupervisedForestOptions, n_classes: int) -> None:
    """
    Raise a ValueError where trees cannot be grown level by level: a node's rows are needed at once.
    """

class Mixture:
    """A mixture of products of 1-D pieces on the unit cube."""

    def log_density(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Log-density of row-major points; NaN columns are summed out."""

    def score_training(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], table: BinnedTable, options: DensityForestOptions) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """
        The same of the rows that a forest was fitted to, and by the trees that did not see a row; NaN where all did.
        """

    def flat(self, tree: int | None = None) -> dict[str, Any]:
        """Nodes and leaves of one tree, or of all, as flat arrays: copies."""

    def bin_edges(self) -> list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], bool]]:
        """Bin edges of each column, and whether its bins are categories."""

    def weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Of each tree."""

    @property
    def leaf_kind(self) -> str: ...

    def n_leaves(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Of each tree."""

    def memory(self) -> dict[str, int]:
        """Bytes of the nodes, of sets of categories, leaves and bin edges."""

    def leaf_scales(self, tree: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        Of each leaf, the log-density less that of its histograms or Gaussians before normalising.
        """

    def apply(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C')]:
        """Number of the leaf of each row in each tree."""

    def sample(self, n_rows: int, seed: int, evenly: bool = False) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Random points; evenly: in the order of the leaves, one for every n-th part of their mass.
        """

    def probability(self, events: list[Any]) -> float:
        """
        Probability that all events happen: None, (low, high) of u, or flags of bins for each column.
        """

    def marginal(self, column: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Probability of each bin of a column."""

def make_mixture(columns: Sequence[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], bool]], flat: dict[str, Any], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Mixture:
    """A mixture from flat arrays; ValueError where they are none."""

def table_log_density(margins: Margins, mixture: Mixture, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], missing: MissingValues, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """Log-density of the rows of a table under a mixture under margins."""

def fit_table_forest(margins: Margins, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], rows: BinnedTable, options: DensityForestOptions, missing: MissingValues, progress: object | None, score: bool = True) -> tuple[Mixture, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    Fit a density forest to the rows of a table: the mixture, the sum of the gains of each column's splits, the smallest split, the log-density of each row, and on the cube that by the trees that did not see it: their number, by all of them, the mean by halves and by quarters of them, one after another. Both are empty where rows are not to be scored.
    """

def score_table_forest(margins: Margins, table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)] | Annotated[NDArray[numpy.int32], dict(shape=(None,), device='cpu', writable=False)]], rows: BinnedTable, options: DensityForestOptions, mixture: Mixture, missing: MissingValues, first: int = 0) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """
    Log-densities of rows that a forest was fitted to, from a first one on, by all trees and by those that did not see a row, as fit_table_forest gives them.
    """

def join_mixtures(parts: Sequence[Mixture]) -> Mixture:
    """The mean of all trees of several mixtures over the same bin edges."""

def sample_table(margins: Margins, mixture: Mixture, n_rows: int, seed: int, n_threads: int = 1) -> list[tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')] | Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], int]]:
    """
    Random rows: the values of each column, and how many of them are missing.
    """

class RuledMixture:
    """A mixture whose columns keep to rules."""

    def __init__(self, mixture: Mixture, components: Sequence[tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]]]) -> None:
        """
        Of each component: the root, points and widths of its entries, and ruled columns (number, low, high).
        """

    def agreement(self, component: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
        """
        Of each entry the logarithm of how far the mixture agrees by itself, and the same without each ruled column.
        """

    def sample(self, n_rows: int, seed: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Random points."""

class MapGrowOptions:
    def __init__(self) -> None: ...

    @property
    def learning_rate(self) -> float: ...

    @learning_rate.setter
    def learning_rate(self, arg: float, /) -> None: ...

    @property
    def depth_decay(self) -> float: ...

    @depth_decay.setter
    def depth_decay(self, arg: float, /) -> None: ...

    @property
    def split_penalty(self) -> float: ...

    @split_penalty.setter
    def split_penalty(self, arg: float, /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def min_samples_split(self) -> float: ...

    @min_samples_split.setter
    def min_samples_split(self, arg: float, /) -> None: ...

    @property
    def max_features(self) -> int: ...

    @max_features.setter
    def max_features(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

class MapChain:
    """Trees that move the cube onto itself, one after another."""

    def __init__(self, n_columns: int, cut: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], left_is_node: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_trees(self) -> int: ...

    @property
    def n_nodes(self) -> int: ...

    def flat(self) -> tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]]:
        """
        cut, mass, right, column and left_is_node of all nodes; ends of the trees.
        """

    def move(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], first: int, last: int, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Move points in place; give the log-density of each."""

    def move_back(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], n_threads: int = 1) -> None:
        """Move points back in place."""

def move_chains(chains: Sequence[MapChain], points: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """
    Move a matrix of points in place under each chain; give the log-density of each row under each.
    """

class Boosters:
    """Grows chains side by side, validated on held-out rows."""

    def __init__(self, options: MapGrowOptions, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, held_out_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None: ...

    def add(self, points: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], held_out: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], seeds: Sequence[int], chains: Sequence[MapChain] = []) -> None:
        """
        Begin chains, each with points and held-out points of its own, or go on with some.
        """

    def keep(self, kept: Sequence[int]) -> None:
        """Give up all chains but these."""

    def run(self, n_rounds: int, patience: int = 0, n_threads: int = 1, progress: object | None = None) -> None:
        """
        Run each up to n_rounds rounds in all, or until its patience ends; `progress` gets the rounds done and those left at the most.
        """

    @property
    def n_rounds(self) -> list[int]:
        """Of each chain."""

    def best_chains(self) -> list[MapChain]:
        """The chains up to their best rounds."""

    def held_out_log_density(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Of each held-out row under each chain."""

    def importance(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Gain of each coordinate in each chain (a row)."""

class RatioOptions:
    def __init__(self) -> None: ...

    @property
    def n_trees(self) -> int: ...

    @n_trees.setter
    def n_trees(self, arg: int, /) -> None: ...

    @property
    def patience(self) -> int: ...

    @patience.setter
    def patience(self, arg: int, /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def learning_rate(self) -> float: ...

    @learning_rate.setter
    def learning_rate(self, arg: float, /) -> None: ...

    @property
    def prior(self) -> float: ...

    @prior.setter
    def prior(self, arg: float, /) -> None: ...

    @property
    def least_leaf(self) -> float: ...

    @least_leaf.setter
    def least_leaf(self, arg: float, /) -> None: ...

class RatioTrees:
    """Trees that add up to the logarithm of a density ratio."""

    def __init__(self, n_columns: int, cut: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], left_fraction: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], roots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def n_columns(self) -> int: ...

    @property
    def n_trees(self) -> int: ...

    def flat(self) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]]:
        """
        cut, value, left_fraction, left and column of all nodes; roots of the trees.
        """

    def log_ratio(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """The sum of the trees at each point; NaN is anywhere in its column."""

def grow_ratio_trees(edges: Sequence[Sequence[float]], train: tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], held_out: tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], options: RatioOptions) -> RatioTrees:
    """
    Grow trees that tell real rows from drawn ones, as many as held-out rows gain from.
    """

def mixture_weights(density: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], prior: float, n_steps: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """
    The weights of components (a row of densities each) that make rows most likely.
    """

def gaussian_exponents(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], means: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], whitening: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """
    Half the squared length of each row less each mean, whitened; negative.
    """

def gaussian_scatters(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], means: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """
    The weighted scatter of the rows around each mean, one below the other.
    """

class NetworkTraining:
    """How networks are trained."""

    def __init__(self) -> None: ...

    @property
    def rate(self) -> float: ...

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def decay(self) -> float: ...

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def average(self) -> float: ...

    @average.setter
    def average(self, arg: float, /) -> None: ...

    @property
    def n_passes(self) -> int: ...

    @n_passes.setter
    def n_passes(self, arg: int, /) -> None: ...

    @property
    def n_cycles(self) -> int: ...

    @n_cycles.setter
    def n_cycles(self, arg: int, /) -> None: ...

    @property
    def least_gain(self) -> float: ...

    @least_gain.setter
    def least_gain(self, arg: float, /) -> None: ...

    @property
    def n_errors(self) -> float: ...

    @n_errors.setter
    def n_errors(self, arg: float, /) -> None: ...

    @property
    def most_norm(self) -> float: ...

    @most_norm.setter
    def most_norm(self, arg: float, /) -> None: ...

    @property
    def low_frequency(self) -> float: ...

    @low_frequency.setter
    def low_frequency(self, arg: float, /) -> None: ...

    @property
    def high_frequency(self) -> float: ...

    @high_frequency.setter
    def high_frequency(self, arg: float, /) -> None: ...

    @property
    def input_power(self) -> float: ...

    @input_power.setter
    def input_power(self, arg: float, /) -> None: ...

def network_size(n_inputs: int) -> int:
    """Parameters of a network."""

def train_networks(train: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], held_out: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], tasks: Sequence[tuple[Sequence[int], int, int]], options: NetworkTraining, n_threads: int = 1) -> list[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C')], float, int]]:
    """
    Train a network for each (inputs, target, seed), on rows that are (inputs, middles, widths, weights); give the parameters, the gain in nats a held-out row and the passes of each.
    """

def locate_by_networks(networks: Sequence[tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[int]]], rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], low: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
    """
    Of each row and (parameters, inputs): the mass below `low`, and the log-density there or, where `high` is above it, the logarithm of the mass between them.
    """

def network_quantiles(parameters: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], inputs: Sequence[int], levels: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
    """The score at which each row's distribution function takes its level."""

class Bins:
    """Ascending edges, and the way from a value to its bin."""

    def __init__(self, edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def is_uniform(self) -> bool: ...

    def count(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Count or weight of each bin and, last, of what lies in none."""

    def find(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C')]:
        """The bin of each value; the number of bins where it lies in none."""

    def count_by_class(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        How many values of each class lie in each bin and, last, in none: one row a class.
        """

    def add_of_class(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Add to `out` what the table, one row a class, holds for each value's class and bin.
        """

    def add_to(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Add to `out` what the table holds for each value's bin; NaN adds nothing.
        """

class Ranks:
    """An index of sorted values, for the counts of any bins."""

    def __init__(self, sorted: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def below(self, x: float) -> int:
        """How many values lie below x."""

    def uniform_counts(self, low: float, high: float, n_bins: int, cumulative: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """
        Counts of bins of equal width; weights where `cumulative` gives those of the first i values.
        """

def runs_of(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
    """The distinct values, ascending, and the weight of each."""

class KdTree:
    """Exact nearest rows by a tree of boxes."""

    def __init__(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], norm: str, p: float = 2.0) -> None: ...

    def __len__(self) -> int: ...

    def query(self, queries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]]:
        """Distances and row numbers of the k nearest rows of each query."""

    def remove(self, row: int) -> None:
        """Take a row out."""

    def visited_fraction(self, n_probes: int, k: int) -> float:
        """Mean fraction of leaves that a search looks at."""

class ProductSearch:
    """Exact nearest rows by products, Euclidean."""

    def __init__(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    def query(self, queries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]]:
        """Distances and row numbers of the k nearest rows of each query."""

    def remove(self, row: int) -> None:
        """Take a row out."""

class PartialScan:
    """Nearest rows by partial distance, categories by overlap."""

    def __init__(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], categorical: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], norm: str, p: float = 2.0) -> None: ...

    def __len__(self) -> int: ...

    def query(self, queries: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C')]]:
        """Distances and row numbers of the k nearest rows of each query."""

    def remove(self, row: int) -> None:
        """Take a row out."""

def condense(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], order: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], one_pass: bool) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
    """Rows of Hart's condensed subset."""

def gabriel_enemies(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C')]:
    """1 for rows with a Gabriel neighbour of another class."""

def column_moments(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, missing: bool) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
    """Weight, mean and variance of each class and column, NaN left out."""

def column_log_density(rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], mean: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], scale: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], log_scale: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], missing: bool) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """
    Log-density of each row under each class of independent normal columns, NaN left out.
    """

class CubeEvent:
    """What is asked of one column: intervals of u, or a point."""

    def cover(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """What each bin counts, in place of its width."""

class RuleEvent:
    """What is asked of columns of which one follows from another."""

class PairEvent:
    """What is asked of two columns together."""

class LeafTable:
    """All leaves of a mixture, column by column."""

    def __init__(self, mixture: Mixture, n_threads: int = 1) -> None: ...

    def event(self, column: int, low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], floor: float = 0.0) -> CubeEvent:
        """
        Disjoint ascending intervals of u; the event happens beside them with probability floor.
        """

    def point(self, column: int, point: float, factor: float = 1.0) -> CubeEvent:
        """One point, of which densities, times a factor, are asked."""

    def rule(self, component: tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[tuple[int, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]], factor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], others: CubeEvent, parts: Sequence[tuple[CubeEvent, CubeEvent, float, Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]]) -> RuleEvent:
        """Columns of a component of rules together."""

    def pair(self, a: int, b: int, areas: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], event_a: CubeEvent, event_b: CubeEvent) -> PairEvent:
        """A region of two columns, by its area in each pair of bins."""

    def first_leaf(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C')]:
        """Number of the first leaf of each tree, and of all leaves at the end."""

    @property
    def n_leaves(self) -> int: ...

    def bytes(self) -> int:
        """Memory that it takes."""

class QueryTables:
    """Probabilities of boxes, with tables that are kept."""

    def __init__(self, leaves: LeafTable, rules: Sequence[RuleEvent]) -> None: ...

    def probability(self, box: tuple[Sequence[int], Sequence[CubeEvent], Sequence[RuleEvent], float]) -> float:
        """Probability of one box."""

    def look_up(self, box: tuple[Sequence[int], Sequence[CubeEvent], Sequence[RuleEvent], float]) -> float:
        """The same where a table has it, else NaN."""

    def probabilities(self, boxes: Sequence[tuple[Sequence[int], Sequence[CubeEvent], Sequence[RuleEvent], float]], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Probability of each box."""

    def bytes(self) -> int:
        """Memory of the tables that are kept now."""

class Conditioned:
    """A mixture under evidence, a union of disjoint boxes."""

    def __init__(self, tables: QueryTables, boxes: Sequence[tuple[Sequence[int], Sequence[CubeEvent], Sequence[RuleEvent], float]], n_threads: int = 1) -> None: ...

    def totals(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]:
        """Probability of each box."""

    def probability(self, box: int, tables: QueryTables, more: tuple[Sequence[int], Sequence[CubeEvent], Sequence[RuleEvent], float]) -> float:
        """
        Probability of a box and of what else is asked, of other columns and rules.
        """

    def densities(self, column: int, groups: Sequence[int], n_groups: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Density in u of each bin without the column's own event, of each group of boxes.
        """

    def rule_law(self, column: int, groups: Sequence[int], n_groups: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]:
        """
        Of a column under rules: mass of each entry, and densities of bins where no value follows, present and as a gap.
        """

    def cross_moment(self, a: int, below_a: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], group_a: Sequence[int], b: int, below_b: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], group_b: Sequence[int]) -> float:
        """Integral of a function of one column times one of another."""

    def pair_masses(self, a: int, cells_a: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], b: int, cells_b: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Probability of pairs of cells."""

    @property
    def n_weights(self) -> int:
        """How many leaves all boxes have."""

    def cell_masses(self, columns: Sequence[int], cells: Sequence[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]], first: int, n: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Probability of columns' cells in some leaves, times the root of their weights.
        """

    def tie(self, pairs: Sequence[Sequence[PairEvent]]) -> None:
        """Add events across two columns, those of each box."""

    def pair_density(self, box: int, a: int, b: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Joint density in u of two ordered columns under one box."""

    def leaf_weights(self, box: int) -> tuple[Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C')]]:
        """Leaves of a box and their weights."""

    def drawn_boxes(self, n_rows: int, seed: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C')]:
        """The box that each row of a sample is drawn from."""

    def sample(self, n_rows: int, seed: int, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Random points inside the evidence."""

def shared_leaves(a: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], b: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Sequence[int], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
    """Sum over trees of the weight of the leaf that rows of a and b share."""

class RowConditionals:
    """Each column of rows given the rest of the row."""

    def __init__(self, leaves: LeafTable) -> None: ...

    def log_density(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], known: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rules: Sequence[RuleEvent], n_threads: int = 1) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')], list[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]]]:
        """
        Log-density on the cube of each value given the others of its row, and of each component of rules the mass of its entries, on a scale of each row's own.
        """

    def expectations(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], column: int, integrals: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """
        Expectations of functions of a column, given by their integrals over its bins.
        """

    def quantiles(self, points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], column: int, fractions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], end: float = 1.0, n_threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C')]:
        """Quantiles in u of a column, of its part below end."""
