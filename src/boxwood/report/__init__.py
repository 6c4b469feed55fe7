"""Reports: one HTML file that needs no network."""

from boxwood.report.table_report import write_report

__all__ = ["write_report"]
