"""The command line: ``boxwood fit``, ``query``, ``score`` and others."""

from boxwood.cli.main import main

__all__ = ["main"]
