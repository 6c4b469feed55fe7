"""Columns: what a table is, and the one input validation through which every input comes."""

from boxwood.columns.base_measure import CATEGORIES, OPEN, BaseMeasure, ColumnMeasure
from boxwood.columns.column import MISSING_CODE, Column, Field
from boxwood.columns.columns import Columns
from boxwood.columns.export import to_native
from boxwood.columns.input_validation import read_columns
from boxwood.columns.kind import Kind
from boxwood.columns.lattice import INTEGERS, Lattice
from boxwood.columns.schema import Schema

__all__ = [
    "CATEGORIES",
    "INTEGERS",
    "MISSING_CODE",
    "OPEN",
    "BaseMeasure",
    "Column",
    "ColumnMeasure",
    "Columns",
    "Field",
    "Kind",
    "Lattice",
    "Schema",
    "read_columns",
    "to_native",
]
