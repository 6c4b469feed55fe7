"""One column of categories, from codes and labels or from the values themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column, Field, Label
from boxwood.columns.errors import at
from boxwood.columns.kind import Kind
from boxwood.columns.labels import as_label, first_invalid_text, is_missing, sorted_labels

__all__ = ["BOOLEANS", "boolean_column", "coded_column", "column_from_codes"]

BOOLEANS: tuple[Label, ...] = (False, True)


def boolean_column(name: str, codes: NDArray[Any], n_missing: int | None = None) -> Column:
    """Make a boolean column of 0, 1 and −1 (missing)."""
    codes = codes.astype(np.int32)
    if n_missing is None:
        n_missing = int(np.count_nonzero(codes == MISSING_CODE))
    return Column(Field(name, Kind.BOOLEAN, BOOLEANS), codes, n_missing)


def coded_column(name: str, values: Iterable[Any]) -> Column:
    """Make a column of category codes from hashable values; the categories are those that occur."""
    listed = list(values)
    # Labels are made once per distinct value, the rows only look codes up.
    position = {value: code for code, value in enumerate(dict.fromkeys(listed))}
    codes = np.fromiter(map(position.__getitem__, listed), np.int64, len(listed))
    labels = list(position)
    return column_from_codes(name, codes, labels)


def column_from_codes(
    name: str,
    codes: NDArray[Any],
    labels: Sequence[Any],
    kind: Kind = Kind.CATEGORICAL,
) -> Column:
    """Make a column from indices into labels, −1 where missing.

    Categories of a categorical column are sorted, so that containers and row orders do not matter; an
    ordinal column keeps the order of its labels. Labels with one spelling become one category.

    Examples
    --------
    >>> column = column_from_codes("size", np.array([0, -1, 1]), ["S", "L"])
    >>> column.field.categories, column.values
    (('L', 'S'), array([ 1, -1,  0], dtype=int32))
    """
    known = _known_labels(labels)
    distinct: Iterable[Label] = dict.fromkeys(label for label in known if label is not None)
    categories = tuple(distinct) if kind is Kind.ORDINAL else sorted_labels(distinct)
    invalid = first_invalid_text(categories)
    if invalid is not None:
        row = int(np.argmax(codes == known.index(invalid)))
        raise ValueError(f"{at(name, row)}: the string {invalid!r} is not valid Unicode.")
    position: dict[Label | None, int] = {label: code for code, label in enumerate(categories)}
    position[None] = MISSING_CODE
    table = np.fromiter(map(position.__getitem__, known), np.int32, len(known))
    table = np.append(table, np.int32(MISSING_CODE))
    values = table[codes]  # index −1 is the last entry: missing stays missing
    n_missing = int(np.count_nonzero(values == MISSING_CODE))
    return Column(Field(name, kind, categories), values, n_missing)


def _known_labels(labels: Sequence[Any]) -> list[Label | None]:
    if set(map(type, labels)) <= {str}:
        return list(labels)
    return [None if is_missing(label) else as_label(label) for label in labels]
