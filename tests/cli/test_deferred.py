"""Short commands import neither pandas nor scipy.stats; where they are used, they are the real ones."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from boxwood.cli.main import _exit_code
code = _exit_code(sys.argv[1:])
print([name for name in ('pandas.core', 'scipy.stats._stats_py', 'sklearn.metrics') if name in sys.modules])
import pandas, scipy.stats
from scipy.stats import norm
assert scipy.stats.norm.cdf(0.0) == norm.cdf(0.0) == 0.5
assert pandas.DataFrame({'a': [1, 2]}).a.sum() == 3
import pandas.api.types
sys.exit(code)
"""


def test_a_query_imports_little(folder: Path) -> None:
    arguments = ["query", "penguins.boxwood", "P(year > 2007)"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
