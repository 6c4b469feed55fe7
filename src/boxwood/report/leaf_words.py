"""What the rows of a tree's leaf have that others have not, in words."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.column import Column
from boxwood.report.numbers import number_text

__all__ = ["told_apart", "unlike_others"]

N_BINS = 10
"""Of a column of numbers, each with as many rows."""
LEAST = 0.05
"""Nats from which on a difference is worth a word."""


def unlike_others(rows: Columns, inside: NDArray[np.bool_], but: Collection[str], most: int = 2) -> str:
    """Return in which columns some rows differ most from all, and how.

    Parameters
    ----------
    rows : Columns
    inside : ndarray of bool
        Which rows.
    but : collection of str
        Columns that need no word, since the rows were chosen by them.
    most : int
        How many columns.

    Examples
    --------
    >>> import boxwood as bw
    >>> rows = bw.read_columns({"size": [1.0, 2.0, 8.0, 9.0], "kind": ["a", "a", "b", "b"]})
    >>> unlike_others(rows, np.array([True, True, False, False]), ["size"])
    'kind = a (100%, of all 50%)'
    """
    found = [
        (_information(column, inside), _words(column, inside)) for column in rows if column.name not in but
    ]
    found = sorted((each for each in found if each[0] >= LEAST), key=lambda each: -each[0])
    return "; ".join(words for _, words in found[:most])


def told_apart(rows: Columns, inside: NDArray[np.bool_]) -> float:
    """Return how far some rows differ from all, column by column: nats a row."""
    return sum(_information(column, inside) for column in rows)


def _information(column: Column, inside: NDArray[np.bool_]) -> float:
    """Return the Kullback-Leibler divergence of some rows' values from all rows'."""
    of_some, of_all = _fractions(column, inside)
    used = of_some > 0.0
    return float(np.sum(of_some[used] * np.log(of_some[used] / of_all[used])))


def _fractions(column: Column, inside: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    codes = _codes(column)
    of_all = np.bincount(codes) / len(codes)
    return np.bincount(codes[inside], minlength=len(of_all)) / max(1, int(inside.sum())), of_all


def _codes(column: Column) -> NDArray[np.intp]:
    """Return each row's category or bin; 0 where it is missing."""
    if not column.kind.is_number:
        return np.where(column.missing(), 0, column.values + 1).astype(np.intp)
    numbers = column.numbers()
    there = ~column.missing()
    if not there.any():
        return np.zeros(len(numbers), dtype=np.intp)
    edges = np.unique(np.quantile(numbers[there], np.linspace(0.0, 1.0, N_BINS + 1)))
    return np.where(there, np.searchsorted(edges, numbers) + 1, 0).astype(np.intp)


def _words(column: Column, inside: NDArray[np.bool_]) -> str:
    of_some, of_all = _fractions(column, inside)
    there = ~column.missing()
    if not column.kind.is_number:
        gain = np.where(
            of_some > 0.0, of_some * np.log(np.maximum(of_some, 1e-300) / of_all.clip(1e-300)), 0.0
        )
        code = int(np.argmax(gain))
        value = "missing" if code == 0 else str(column.field.categories[code - 1])
        return f"{column.name} = {value} ({of_some[code]:.0%}, of all {of_all[code]:.0%})"
    if not (inside & there).any():
        return f"{column.name} missing"
    some, all_rows = (float(np.median(column.numbers()[which])) for which in (inside & there, there))
    return f"{column.name} around {_value(column, some)} (of all {_value(column, all_rows)})"


def _value(column: Column, value: float) -> str:
    return str(np.datetime64(round(value), "us"))[:10] if column.kind == "datetime" else number_text(value)
