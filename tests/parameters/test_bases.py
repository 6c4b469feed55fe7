"""One base for classifiers, one for forests, and no base that asks what its children are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from public_estimators import ESTIMATORS
from sklearn.base import ClassifierMixin

import boxwood as bw
from boxwood.classify.base import TableClassifier
from boxwood.parameters import declared_parameters
from boxwood.tree.forest import Forest

PACKAGE = Path(bw.__file__).parent
PARAMETERS = {name for cls in ESTIMATORS for name in declared_parameters(cls)}


@pytest.mark.parametrize("cls", [cls for cls in ESTIMATORS if issubclass(cls, ClassifierMixin)])
def test_classifiers_predict_by_their_one_base(cls):
    assert issubclass(cls, TableClassifier)
    for name in ("predict", "predict_proba", "predict_log_proba"):
        assert getattr(cls, name) is getattr(TableClassifier, name)


@pytest.mark.parametrize(
    "cls", [cls for cls in ESTIMATORS if {"n_estimators", "bootstrap"} <= set(declared_parameters(cls))]
)
def test_forests_have_one_base(cls):
    assert issubclass(cls, Forest)
    for name in ("n_estimators", "n_jobs"):
        declared = declared_parameters(cls)[name]
        assert declared.kind == {one.name: one for one in Forest._parameters}[name].kind


def asked_of_self(tree):
    """Return the names that a class asks itself for without knowing that it has them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) >= 2:
            asks = node.func.id == "hasattr" or (node.func.id == "getattr" and len(node.args) == 3)
            whom, name = node.args[:2]
            itself = isinstance(whom, ast.Name) and whom.id in ("self", "estimator")
            if asks and itself and isinstance(name, ast.Constant):
                yield name.value


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_no_base_asks_for_a_parameter_of_its_children(path):
    asked = set(asked_of_self(ast.parse(path.read_text(encoding="utf-8"))))
    assert asked & PARAMETERS == set()


def test_how_questions_are_found():
    source = 'hasattr(self, "a"), getattr(estimator, "b", None), getattr(self, "c"), hasattr(other, "d")'
    assert list(asked_of_self(ast.parse(source))) == ["a", "b"]
