"""Tables that come in batches: what can be read so, and how batches become one table of typed columns."""

from boxwood.stream.opening import open_table
from boxwood.stream.table_source import TableSource

__all__ = ["TableSource", "open_table"]
