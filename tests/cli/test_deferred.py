"""Short commands import neither pandas nor scipy.stats; where they are used, they are the real ones."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from boxwood.cli.main import _exit_code
code = _exit_code(sys.argv[1:])
heavy = ('pandas.core', 'scipy.stats._stats_py', 'sklearn.metrics', 'scipy.special._ufuncs',
         'numpy.f2py.rules', 'scipy.sparse.linalg._isolve', 'boxwood.boosting.model',
         'boxwood.table.target', 'boxwood.query.weighed')
print([name for name in heavy if name in sys.modules])
from sklearn.utils.fixes import laplacian
import numpy
assert laplacian(numpy.array([[0, 1], [1, 0]])).tolist() == [[1, -1], [-1, 1]]
import scipy.spatial, scipy.sparse.linalg, scipy.special
from scipy.sparse.linalg._eigen import arpack
assert scipy.special.expit(0.0) == 0.5
assert scipy.sparse.linalg.LinearOperator is arpack.LinearOperator
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
