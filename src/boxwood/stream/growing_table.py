"""A table that comes in batches of one schema."""

from __future__ import annotations

from boxwood.columns.columns import Columns
from boxwood.columns.part_schema import PartSchema
from boxwood.stream.growing_column import GrowingColumn

__all__ = ["GrowingTable"]


class GrowingTable:
    """A table to which batches are added; at the end its columns are those of the whole table.

    What batches make one table is the rule of `PartSchema`.

    Parameters
    ----------
    capacity : int
        How many rows are expected.

    Examples
    --------
    >>> import boxwood as bw
    >>> growing = GrowingTable(3)
    >>> growing.append(bw.read_columns({"city": ["Ulm", "Bonn"]}), "batch 0")
    >>> growing.append(bw.read_columns({"city": ["Aachen"]}), "batch 1")
    >>> growing.finish()["city"].field.categories
    ('Aachen', 'Bonn', 'Ulm')
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._shown: PartSchema | None = None
        self._columns: list[GrowingColumn] = []
        self.n_rows = 0

    @property
    def n_bytes(self) -> int:
        """How many bytes the table has, at eight a cell."""
        return 8 * self.n_rows * len(self._columns)

    def append(self, batch: Columns, name: str) -> None:
        """Add the rows of a batch; errors call it by its name."""
        shown = PartSchema.of_part(batch, name)
        self._shown = shown if self._shown is None else self._shown.merge(shown)
        self._columns = self._columns or [GrowingColumn(self._capacity) for _ in batch.schema.fields]
        for growing, column, part in zip(self._columns, batch, self._shown.fields, strict=True):
            growing.append(column, part.field)
        self.n_rows += batch.n_rows

    def whole_floats(self) -> list[str]:
        """Return the columns of floats that are integers, because they are whole and have gaps."""
        return [] if self._shown is None else self._shown.whole_floats()

    def finish(self) -> Columns:
        """Return the table."""
        assert self._shown is not None
        schema = self._shown.schema()
        columns = [growing.finish(field) for growing, field in zip(self._columns, schema.fields, strict=True)]
        return Columns(schema, self.n_rows, columns=columns)
