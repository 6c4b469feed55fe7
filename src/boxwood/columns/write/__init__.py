"""Columns as arrays and series of other libraries, in the types that they came in."""
