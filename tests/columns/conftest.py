"""Puts this folder on the path, for the generator of hostile tables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
