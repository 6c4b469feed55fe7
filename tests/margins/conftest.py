"""Puts this folder on the path, for the slow twin and the strategies."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
