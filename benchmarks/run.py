"""Run the benchmarks and write each one's table into its section of RESULTS.md.

Without arguments all of them, else those named: ``python benchmarks/run.py linear.py``. Most lie in this
folder; those in ``overhead`` measure what a call costs whatever it computes. A section stands
between ``<!-- linear.py -->`` and ``<!-- end linear.py -->``; what is outside of sections is left as it is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
SKIPPED = 77
NO_QUESTIONS = {"run.py", "ratio.py"}
QUESTIONS = {
    path.name: path
    for path in sorted([*HERE.glob("*.py"), *HERE.glob("overhead/*.py")])
    if path.name not in NO_QUESTIONS
}
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def main() -> int:
    wanted = sys.argv[1:] or sorted(QUESTIONS)
    unknown = [name for name in wanted if name not in QUESTIONS]
    if unknown:
        sys.exit(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(sorted(QUESTIONS))}")
    failed = [name for name in wanted if not run(name)]
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(name: str) -> bool:
    """Run one benchmark in a process of its own; False where it failed."""
    print(f"# {name}", flush=True)
    done = subprocess.run(
        [sys.executable, str(QUESTIONS[name])],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **ONE_THREAD},
    )
    if done.returncode == SKIPPED:
        print(f"{name}: skipped, its section stays as it is\n")
        return True
    if done.returncode != 0 or not done.stdout.strip():
        return False
    print(done.stdout)
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else "# Results\n"
    RESULTS.write_text(with_section(text, name, done.stdout.strip()), encoding="utf-8")
    return True


def with_section(text: str, name: str, table: str) -> str:
    """Put a table into its section, a new one at the end where there was none."""
    section = f"<!-- {name} -->\n{table}\n<!-- end {name} -->"
    pattern = re.compile(rf"<!-- {re.escape(name)} -->.*?<!-- end {re.escape(name)} -->", re.DOTALL)
    if pattern.search(text):
        return pattern.sub(lambda _: section, text)
    return f"{text.rstrip()}\n\n## {name}\n\n{section}\n"


if __name__ == "__main__":
    sys.exit(main())
