"""scikit-learn's own tests of trees and forests, with boxwood's classes in the place of theirs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import run_sklearn_tests
from classes_of_tests import BY_THE_DRAW, KNOWN_FAILURES, OUT_OF_SCOPE, class_of, private_functions


@pytest.mark.slow
def test_nine_of_ten_pass_and_every_failure_has_a_reason():
    results = run_sklearn_tests.run()
    assert len(results) > 700
    counted = [result for result in results if result.kind == "counted"]
    assert len(counted) > 120
    assert run_sklearn_tests.rate(results, lucky=False) >= 0.9
    failed = [result.name for result in counted if result.outcome == "failed"]
    assert [name for name in failed if run_sklearn_tests.known_reason(name) is None] == []


@pytest.mark.slow
def test_nine_of_ten_of_the_neighbours_pass_and_every_failure_has_a_reason():
    pytest.importorskip("imblearn")
    results = run_sklearn_tests.run("neighbors")
    assert len(results) > 500
    counted = [result for result in results if result.kind == "counted"]
    assert len(counted) > 80
    assert any("repeated_edited" in result.name for result in counted)
    assert run_sklearn_tests.rate(results) >= 0.9
    failed = [result.name for result in counted if result.outcome == "failed"]
    assert [name for name in failed if run_sklearn_tests.known_reason(name) is None] == []


@pytest.mark.slow
def test_nine_of_ten_of_the_linear_models_pass_and_every_failure_has_a_reason():
    results = run_sklearn_tests.run("linear")
    assert len(results) > 400
    counted = [result for result in results if result.kind == "counted"]
    assert len(counted) > 200
    assert run_sklearn_tests.rate(results) >= 0.9
    failed = [result.name for result in counted if result.outcome == "failed"]
    assert [name for name in failed if run_sklearn_tests.known_reason(name) is None] == []


@pytest.mark.parametrize(
    ("body", "private"),
    [
        ("assert est.tree_.node_count", True),
        ("assert est._x", True),
        ("assert hidden(est)", True),
        ("assert helper(est)", True),
        ("assert est.__class__ and est.fit", False),
        ("assert_allclose(est)", False),
    ],
)
def test_what_is_private(tmp_path: Path, body: str, private: bool):
    source = (
        "from sklearn.tree._classes import hidden\n"
        "from sklearn.utils._testing import assert_allclose\n"
        "def helper(est):\n    return est._secret\n"
        f"def test_it(est):\n    {body}\n"
    )
    ast.parse(source)
    path = tmp_path / "test_some.py"
    path.write_text(source, encoding="utf-8")
    assert ("test_it" in private_functions(path)) == private


def test_classes():
    private = {"test_tree.py": {"test_a"}, "test_forest.py": set()}
    assert class_of("tree/test_tree.py::test_a[x]", private)[0] == "private"
    assert class_of("tree/test_tree.py::test_b", private) == ("counted", "")
    assert class_of("tree/test_tree.py::test_b[ExtraTreeClassifier]", private)[0] == "out of scope"
    assert class_of("tree/test_tree.py::test_b[DecisionTreeRegressor-poisson]", private)[0] == "out of scope"
    assert all(OUT_OF_SCOPE.values())
    assert all(KNOWN_FAILURES.values())
    assert all(BY_THE_DRAW.values())


def test_luck_is_not_counted_twice():
    names = ["test_forest.py::test_forest_regressor_oob[True-X0-y0-0.7]", "test_tree.py::test_b"]
    results = [run_sklearn_tests.Result(name, "counted", "", "passed", "") for name in names]
    assert run_sklearn_tests.rate(results) == 1.0
    assert run_sklearn_tests.rate(results, lucky=False) == 0.5
