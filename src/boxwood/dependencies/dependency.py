"""What a user sees of a rule: which column follows from which."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Dependency"]


@dataclass(frozen=True, repr=False)
class Dependency:
    """A column that follows from another one: equal values there come with one value here.

    Attributes
    ----------
    column : str
        The column that follows.
    parent : str
        The column that it follows from.
    of_missing : bool
        Not the column's values follow, but whether they are missing.
    from_missing : bool
        They follow from whether the parent is missing.
    n_rows : int
        Observations that show it: those with a discrete value of the parent.
    n_values : int
        Values of the parent.
    support : int
        Observations beyond the first of each value: how often the rule could have been broken.

    Examples
    --------
    >>> Dependency("education_num", "education", False, False, 48842, 16, 48826)
    education_num follows from education (48,842 rows, 16 values)
    """

    column: str
    parent: str
    of_missing: bool
    from_missing: bool
    n_rows: int
    n_values: int
    support: int

    @property
    def exception_rate(self) -> float:
        """The probability that a density leaves to rows that break the rule: 1 / (support + 2)."""
        return 1.0 / (self.support + 2.0)

    def __repr__(self) -> str:
        what = f"whether {self.column} is missing" if self.of_missing else self.column
        source = f"whether {self.parent} is missing" if self.from_missing else self.parent
        return f"{what} follows from {source} ({self.n_rows:,} rows, {self.n_values:,} values)"
