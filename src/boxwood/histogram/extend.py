"""Schemas and counts that grow: categories which later rows bring along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind, Schema
from boxwood.columns.labels import sorted_labels
from boxwood.histogram.column import ColumnHistogram

__all__ = ["extended_schema", "fitted_into"]


def extended_schema(schema: Schema, other: Schema) -> Schema:
    """Return a schema with the categories of both; all else must agree when columns are matched."""
    if len(schema) != len(other):
        return schema  # matching says what is wrong
    fields = tuple(_extended(mine, theirs) for mine, theirs in zip(schema.fields, other.fields, strict=True))
    return replace(schema, fields=fields)


def fitted_into(histogram: ColumnHistogram, field: Field, new: Field) -> ColumnHistogram:
    """Return a column's counts in the categories of an extended field."""
    if histogram.edges is not None or field.categories == new.categories:
        return histogram
    places = [new.categories.index(label) for label in field.categories]
    counts, given = _placed(histogram.counts, places, len(new.categories)), histogram.given
    if given is not None:
        given = replace(given, counts=_placed(given.counts, places, len(counts)))
    return replace(histogram, counts=counts, mass=np.zeros(len(counts)), given=given, _handles={})


def _placed(counts: NDArray[np.float64], places: list[int], n_bins: int) -> NDArray[np.float64]:
    placed = np.zeros(n_bins)
    placed[places] = counts
    return placed


def _extended(mine: Field, theirs: Field) -> Field:
    if mine.kind is not Kind.CATEGORICAL or theirs.kind is not Kind.CATEGORICAL:
        return mine
    if mine.categories == theirs.categories:
        return mine
    union = sorted_labels(dict.fromkeys((*mine.categories, *theirs.categories)))
    return replace(mine, categories=tuple(union))
