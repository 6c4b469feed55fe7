"""Run scikit-learn's own tests of trees and forests on boxwood's classes and give the rate that passes.

``python tests/outside/run_sklearn_tests.py`` prints a table in Markdown and every failure that counts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import sklearn
from classes_of_tests import BY_THE_DRAW, KNOWN_FAILURES, class_of, private_functions

HERE = Path(__file__).parent
SITE = Path(sklearn.__file__).parents[1]
MODULES = ("sklearn.tree.tests.test_tree", "sklearn.ensemble.tests.test_forest")


@dataclass(frozen=True)
class Result:
    """One test: its name, class, reason, outcome and message."""

    name: str
    kind: str
    reason: str
    outcome: str
    message: str


def run() -> list[Result]:
    """Run the suites in a process of their own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes.json"
        options = ["-c", os.devnull, "--rootdir", str(SITE), "-p", "no:cacheprovider", "-q", "--tb=no"]
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        subprocess.run(
            [sys.executable, "-m", "pytest", *options, "-p", "swap_classes", "--pyargs", *MODULES],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path, "OUTSIDE_OUTCOMES": str(file)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        outcomes = json.loads(file.read_text(encoding="utf-8"))
    return classed(outcomes)


def classed(outcomes: dict[str, dict[str, str]]) -> list[Result]:
    files = {name: SITE / Path(*name.split(".")).with_suffix(".py") for name in MODULES}
    private = {path.name: private_functions(path) for path in files.values()}
    return [
        Result(name, *class_of(name, private), told["outcome"], told["message"])
        for name, told in outcomes.items()
        if told["outcome"] != "skipped"
    ]


def known_reason(name: str) -> str | None:
    """Give the reason why a test fails, where it is known."""
    reasons = {**KNOWN_FAILURES, **BY_THE_DRAW}
    return next((reason for pattern, reason in reasons.items() if re.search(pattern, name)), None)


def hangs_on_draws(result: Result) -> bool:
    """Tell whether another seed may turn the outcome round."""
    return any(re.search(pattern, result.name) for pattern in BY_THE_DRAW)


def rate(results: list[Result], *, lucky: bool = True) -> float:
    """Give the share of the counted tests that pass; unless `lucky`, those that hang on draws do not."""
    counted = [result for result in results if result.kind == "counted"]
    passed = [r for r in counted if r.outcome == "passed" and (lucky or not hangs_on_draws(r))]
    return len(passed) / len(counted)


def table(results: list[Result]) -> str:
    """Give the numbers of passed and failed tests by class and reason, and the failures that count."""
    lines = ["| scikit-learn's tests on boxwood's classes | passed | failed |", "| --- | ---: | ---: |"]
    kinds = Counter((r.kind, r.reason, r.outcome) for r in results)
    for kind, reason in sorted({(r.kind, r.reason) for r in results}):
        told = f"{kind}: {reason}" if reason else f"**{kind}**"
        lines.append(f"| {told} | {kinds[kind, reason, 'passed']} | {kinds[kind, reason, 'failed']} |")
    counted = [result for result in results if result.kind == "counted"]
    by_the_draw = [result for result in counted if hangs_on_draws(result)]
    failed = [result for result in counted if result.outcome == "failed" and result not in by_the_draw]
    lines += [
        "",
        f"{rate(results):.1%} of the counted tests pass with these draws, {rate(results, lucky=False):.1%} "
        "if all that hang on the draws are taken as failed. Those that fail:",
        "",
        *_listed(failed),
        "",
        "Those that hang on the draws, whichever way they went this time:",
        "",
        *_listed(by_the_draw),
    ]
    return "\n".join(lines)


def _listed(results: list[Result]) -> list[str]:
    named = Counter(
        (r.name.split("/")[-1].split("[")[0], r.outcome, known_reason(r.name) or "unknown") for r in results
    )
    return [f"- {name} ({n} {outcome}): {reason}" for (name, outcome, reason), n in named.items()]


if __name__ == "__main__":
    told = run()
    print(table(told))
    for result in told:
        if result.kind == "counted" and result.outcome == "failed" and known_reason(result.name) is None:
            print(result.name, result.message.splitlines()[:1], file=sys.stderr)
