"""Tables and measurements of `trust.py`."""
