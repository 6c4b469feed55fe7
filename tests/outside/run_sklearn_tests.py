"""Run other libraries' own tests on boxwood's classes and give the rate that passes.

``python tests/outside/run_sklearn_tests.py [linear|neighbors|trees]`` prints a table in Markdown and every
failure that counts.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from classes_of_tests import BY_THE_DRAW, KNOWN_FAILURES, class_of, private_functions

HERE = Path(__file__).parent
ROOT = HERE.anchor  # of all folders that libraries may be installed in
_SAMPLERS = "imblearn.under_sampling._prototype_selection.tests.test_"

SUITES: dict[str, dict[str, str]] = {
    "linear": {
        "sklearn.tests.test_naive_bayes": "sklearn.naive_bayes",
        "sklearn.tests.test_discriminant_analysis": "sklearn.discriminant_analysis",
        "sklearn.linear_model.tests.test_logistic": "sklearn.linear_model",
        "sklearn.linear_model.tests.test_base": "sklearn.linear_model",
    },
    "trees": {
        "sklearn.tree.tests.test_tree": "sklearn.tree",
        "sklearn.ensemble.tests.test_forest": "sklearn.ensemble",
    },
    "neighbors": {
        "sklearn.neighbors.tests.test_neighbors": "sklearn.neighbors",
        f"{_SAMPLERS}condensed_nearest_neighbour": "imblearn.under_sampling",
        f"{_SAMPLERS}edited_nearest_neighbours": "imblearn.under_sampling",
        f"{_SAMPLERS}repeated_edited_nearest_neighbours": "imblearn.under_sampling",
    },
}
"""Test modules of other libraries, and where the classes come from that are swapped for them."""


@dataclass(frozen=True)
class Result:
    """One test: its name, class, reason, outcome and message."""

    name: str
    kind: str
    reason: str
    outcome: str
    message: str


def installed(suite: str) -> dict[str, str]:
    """Return a suite's modules whose library is installed."""
    return {name: home for name, home in SUITES[suite].items() if find_spec(name.split(".")[0])}


def run(suite: str = "trees") -> list[Result]:
    """Run a suite in a process of its own."""
    modules = installed(suite)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "outcomes.json"
        options = ["-c", os.devnull, "--rootdir", ROOT, "-p", "no:cacheprovider", "-q", "--tb=no"]
        path = os.pathsep.join([str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])])
        subprocess.run(
            [sys.executable, "-m", "pytest", *options, "-p", "swap_classes", "--pyargs", *modules],
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": path,
                "OUTSIDE_OUTCOMES": str(file),
                "OUTSIDE_SWAPPED": ",".join(set(modules.values())),
            },
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        outcomes = json.loads(file.read_text(encoding="utf-8"))
    return classed(outcomes, modules)


def classed(outcomes: dict[str, dict[str, str]], modules: Iterable[str]) -> list[Result]:
    """Return each test that ran with its class."""
    files = [Path(find_spec(name).origin) for name in modules]
    private = {path.name: private_functions(path) for path in files}
    return [
        Result(name, *class_of(name, private), outcome["outcome"], outcome["message"])
        for name, outcome in outcomes.items()
        if outcome["outcome"] != "skipped"
    ]


def known_reason(name: str) -> str | None:
    """Return the reason why a test fails, where it is known."""
    reasons = {**KNOWN_FAILURES, **BY_THE_DRAW}
    return next((reason for pattern, reason in reasons.items() if re.search(pattern, name)), None)


def hangs_on_draws(result: Result) -> bool:
    """Return whether another seed may turn the outcome round."""
    return any(re.search(pattern, result.name) for pattern in BY_THE_DRAW)


def rate(results: list[Result], *, lucky: bool = True) -> float:
    """Return the fraction of the counted tests that pass; unless `lucky`, those that hang on draws do not."""
    counted = [result for result in results if result.kind == "counted"]
    passed = [r for r in counted if r.outcome == "passed" and (lucky or not hangs_on_draws(r))]
    return len(passed) / len(counted)


def table(results: list[Result]) -> str:
    """Return the numbers of passed and failed tests by class and reason, and the failures that count."""
    lines = ["| their tests on boxwood's classes | passed | failed |", "| --- | ---: | ---: |"]
    kinds = Counter((r.kind, r.reason, r.outcome) for r in results)
    for kind, reason in sorted({(r.kind, r.reason) for r in results}):
        outcome = f"{kind}: {reason}" if reason else f"**{kind}**"
        lines.append(f"| {outcome} | {kinds[kind, reason, 'passed']} | {kinds[kind, reason, 'failed']} |")
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
    outcome = run(*sys.argv[1:])
    print(table(outcome))
    for result in outcome:
        if result.kind == "counted" and result.outcome == "failed" and known_reason(result.name) is None:
            print(result.name, result.message.splitlines()[:1], file=sys.stderr)
