"""Base measures of columns: where values have probabilities, and not densities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxwood.columns import ColumnMeasure, Schema
from boxwood.columns.base_measure import CATEGORIES, OPEN
from boxwood.columns.kind import Kind
from boxwood.columns.lattice import INTEGERS
from boxwood.margins import Margins, NumberMargin

__all__ = ["lengths", "measures_of_margins"]


def measures_of_margins(margins: Margins) -> list[ColumnMeasure]:
    """Return the base measure of a density under margins."""
    found = []
    for margin in margins.columns:
        if not isinstance(margin, NumberMargin):
            found.append(CATEGORIES)
        elif margin.lattice is not None:
            found.append(ColumnMeasure(True, margin.lattice, np.zeros(0), OPEN))
        else:
            found.append(ColumnMeasure(False, None, margin.atoms, OPEN))
    return found


def lengths(schema: Schema) -> list[ColumnMeasure]:
    """Return the base measure of a density with respect to length; integers count, as their steps are 1."""
    number = ColumnMeasure(False, None, np.zeros(0), OPEN)
    integer = replace(number, all_discrete=True, lattice=INTEGERS)
    kinds = {Kind.INTEGER: integer}
    return [kinds.get(field.kind, number) if field.kind.is_number else CATEGORIES for field in schema.fields]
