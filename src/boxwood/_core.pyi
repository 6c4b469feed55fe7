"""The native core of boxwood."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


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

    def add_to(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)], table: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Add to `out` what the table holds for each value's bin; NaN adds nothing.
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

def whole_number_edge(k: float) -> float:
    """
    Where the interval of the whole number k begins: at k - 0.5, or at k where that is no double.
    """

def fit_smooth_cdf(low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], continuous_mass: float, atom_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_masses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], max_knots: int = 1024) -> PiecewiseCdf:
    """Fit a smooth CDF to sorted cells and put atoms (ascending) into it."""

def fit_linear_cdf(low: float, high: float, continuous_mass: float, atom_values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], atom_masses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> PiecewiseCdf:
    """The uniform CDF on [low, high] with atoms (ascending) in it."""

def piecewise_cdf(x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], shape_left: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], shape_right: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], left_mass: float, left_rate: float, right_mass: float, right_rate: float) -> PiecewiseCdf:
    """A CDF from its pieces; ValueError where they are none."""

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

def scan_values(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> tuple[int, int, int]:
    """
    Count of NaN, index of the first NaN and of the first oversized value (−1: none).
    """
