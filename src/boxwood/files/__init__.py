"""Tables on disk: read whole or in batches, written in batches."""

from boxwood.files.table_file import TableFile
from boxwood.files.table_writer import TableWriter

__all__ = ["TableFile", "TableWriter"]
