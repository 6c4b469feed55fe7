"""Puts this folder on the path, for the slow twins and the random tables."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
pytest.register_assert_rewrite("core_tables", "slow_growth", "slow_leaves", "slow_trees")
