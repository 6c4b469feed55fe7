"""A question to a saved forest waits for no library that it does not need."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from boxwood.cli.main import _exit_code
code = _exit_code(sys.argv[1:])
heavy = ("sklearn", "scipy", "pandas", "joblib", "pyarrow", "boxwood.table.target", "boxwood.query.weighed")
print([name for name in heavy if name in sys.modules])
sys.exit(code)
"""


def test_a_query_imports_little(folder: Path) -> None:
    arguments = ["query", "penguins.boxwood", "P(year > 2007 | species == 'Adelie')", "mean(body_mass_g)"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
