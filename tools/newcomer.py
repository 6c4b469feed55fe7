"""Follows the tutorial as a newcomer would: its code and commands, in an empty folder, by a given Python.

Run it with ``python tools/newcomer.py PYTHON``; PYTHON is an interpreter with boxwood, its extras and pandas,
such as that of an environment with a wheel. Without an argument it is the present one. What
a block prints must be what the tutorial shows.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

RUNNER = """
import doctest, pathlib, sys
text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
test = doctest.DocTestParser().get_doctest(text, {}, "tutorial", sys.argv[1], 0)
result = doctest.DocTestRunner(optionflags=int(sys.argv[2])).run(test)
print(f"{result.attempted} examples, {result.failed} failed")
sys.exit(result.failed > 0)
"""


def main() -> int:
    """Follow the tutorial; return 0 where all went as shown."""
    python = Path(sys.argv[1] if len(sys.argv) > 1 else sys.executable).absolute()
    with tempfile.TemporaryDirectory() as folder:
        problems = list(follow(python, Path(folder)))
    print("\n".join(problems) or f"{TUTORIAL.name}: all as shown, by {python.name}")
    return 1 if problems else 0


def follow(python: Path, folder: Path, text: str | None = None) -> Iterator[str]:
    """Run the tutorial's blocks in a folder; yield what is otherwise than shown."""
    text = TUTORIAL.read_text(encoding="utf-8") if text is None else text
    script = folder / "tutorial.txt"
    script.write_text(python_blocks(text), encoding="utf-8")
    # As a newcomer has it: no path of a checkout, and the programs of the environment.
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    env |= {"PATH": f"{python.parent}{os.pathsep}{env.get('PATH', '')}", "PYTHONIOENCODING": "utf-8"}
    done = run([str(python), "-c", RUNNER, str(script), str(OPTIONS)], folder, env)
    if done.returncode:
        yield f"the code of the tutorial fails:\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return
    for command, shown in console_examples(text):
        done = run(["/bin/sh", "-c", command], folder, env)
        said = done.stdout + done.stderr
        if done.returncode or not doctest.OutputChecker().check_output(shown, said, OPTIONS):
            yield f"$ {command}\nshown:\n{shown}\nsaid (exit code {done.returncode}):\n{said[-4000:]}"


def run(command: list[str], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command and keep what it says."""
    return subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8", check=False
    )


def python_blocks(text: str) -> str:
    """Return the examples of a document, a blank line between blocks."""
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "\n".join(blocks)


def console_examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command after a dollar sign, and what is shown below it."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


if __name__ == "__main__":
    sys.exit(main())
