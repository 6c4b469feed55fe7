"""Reports: one HTML file that needs no network."""

__all__: list[str] = []
