"""Class the tests of other libraries: private, out of scope (with the reason) or counted.

A test is private where its own source, or that of a function of its file that it calls, reads an attribute
or imported name that starts with an underscore, a name of a private module of scikit-learn's trees, forests
and neighbours, or `tree_`, the Cython structure. What is out of scope is listed here with its reason.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import linear_tests

__all__ = ["BY_THE_DRAW", "KNOWN_FAILURES", "class_of", "private_functions"]

OTHER_CLASSES = r"ExtraTree|RandomTreesEmbedding"
SWAPPED = r"DecisionTree|RandomForest"
UNSWAPPED = "tests classes that were not swapped"
SEVERAL = "several outputs of classes"
SPARSE_GRAPH = "a sparse graph of neighbours as the table of distances"

OUT_OF_SCOPE: dict[str, str] = {
    # By the parameters of the case.
    rf"\[(?=.*({OTHER_CLASSES}))(?!.*({SWAPPED}))": "tests classes that were not swapped",
    r"absolute_error|friedman_mse|poisson": "another criterion than boxwood has",
    r"^(?!.*Regressor).*multilabel": SEVERAL,
    # test_tree.py
    r"test_tree.py::test_(multioutput|classes_shape|class_weight_errors)(?!.*Regressor)": SEVERAL,
    r"test_tree.py::test_class_weights\b": SEVERAL,
    r"test_tree.py::test_min_weight_fraction_leaf\w*_on_sparse_input(?!.*Regressor)": SEVERAL,
    r"test_tree.py::test_(mae|error)\b": "another criterion than boxwood has",
    r"test_tree.py::test_almost_constant_feature": "float32: boxwood tells apart values closer than 1e-7",
    r"test_tree.py::test_big_input": "float32: boxwood takes values beyond its range",
    r"test_tree.py::test_huge_allocations": "memory that scikit-learn allocates in advance",
    r"test_tree.py::test_\w*absolute": "another criterion than boxwood has",
    # test_forest.py
    r"test_forest.py::test_\w*(multioutput|multi_output)(?!.*Regressor)": SEVERAL,
    r"test_forest.py::test_(class_weight_errors|classes_shape)": SEVERAL,
    r"test_forest.py::test_sparse_input(?!.*Regressor)": SEVERAL,
    r"test_forest.py::test_forest_classifier_oob\[.*X3-y3": SEVERAL,
    r"test_forest.py::test_(random_trees|random_hasher|distribution|parallel_train)": "not these classes",
    r"test_forest.py::test_backend_respected": "joblib's backends: boxwood's threads are native",
    r"test_forest.py::test_mse_criterion_object": "criterion objects of Cython",
    r"test_forest.py::test_(poisson|friedman)": "another criterion than boxwood has",
    # test_neighbors.py
    r"\[(?=.*(RadiusNeighbors|NearestNeighbors))(?!.*KNeighbors)": "tests classes that were not swapped",
    r"test_neighbors.py::test_(\w*radius|RadiusN|unsupervised_kn|not_fitted|is_sorted|sort_graph)": UNSWAPPED,
    r"test_neighbors.py::test_(query_equi|kneighbors_graph|nearest_neighbo|neighbors_metrics)": UNSWAPPED,
    r"test_neighbors.py::test_(kneighbors_brute|callable_metric|valid_|non_euclid|include_self)": UNSWAPPED,
    r"test_neighbors.py::test_(precomputed_sparse_inv|sparse_metric|pairwise_bool|auto_algo)": UNSWAPPED,
    r"test_neighbors.py::test_KNeighborsClassifier_multioutput": SEVERAL,
    r"test_neighbors.py::test_(precomputed_sparse|kneighbors_regressor_sparse)": SPARSE_GRAPH,
    r"test_neighbors.py::test_pipeline_with_nearest_neighbors_transformer": SPARSE_GRAPH,
    r"test_neighbors.py::test_unsupervised_inputs": "fits to another model's tree in place of a table",
    # imbalanced-learn
    r"test_condensed_nearest_neighbour.py": "another algorithm: the minority kept whole, one pass a class",
    **linear_tests.OUT_OF_SCOPE,
}
"""Patterns of test names; the first that is found gives the reason."""

KNOWN_FAILURES: dict[str, str] = {
    r"test_predict_sparse_ball_kd_tree": "a sparse table may follow a dense one; theirs refuses it",
    r"test_sample_weight_invalid": "a scalar sample_weight is every row's weight in boxwood",
    r"test_missing_value_errors": "missing values in sparse tables are allowed; theirs refuses them",
    **linear_tests.KNOWN_FAILURES,
}
"""Counted tests that fail, each with its reason."""

BY_THE_DRAW: dict[str, str] = {
    r"test_importances\[RandomForestRegressor": "passes for 26 of 30 seeds, theirs for 30: weights are "
    "frequencies, so that half of them is another bootstrap sample",
    r"test_forest_regressor_oob\[True-X0-y0": "passes for 25 of 30 seeds, theirs for 21",
}
"""Counted tests of one seed whose outcome another seed turns round: a pass of theirs is luck in part.

A row's draws depend on the bits of its target too, so that any change of those draws anew.
"""


def class_of(nodeid: str, private: dict[str, set[str]]) -> tuple[str, str]:
    """Return the class of a test, and the reason of it."""
    for pattern, reason in OUT_OF_SCOPE.items():
        if re.search(pattern, nodeid):
            return "out of scope", reason
    path, _, name = nodeid.partition("::")
    function = name.split("[")[0]
    if function in private[Path(path).name]:
        return "private", "reads what starts with an underscore, or tree_"
    return "counted", ""


def private_functions(path: Path) -> set[str]:
    """Return the functions of a test file that read private things, themselves or by one they call."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    hidden = _private_imports(tree)
    private = {name for name, node in functions.items() if _reads_private(node, hidden)}
    while True:
        calling = {name for name, node in functions.items() if name not in private and _names(node) & private}
        if not calling:
            return private
        private |= calling


def _private_imports(tree: ast.Module) -> set[str]:
    """Return imported names of private modules of the swapped classes, and names with an underscore."""
    hidden = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            inside = (
                re.match(r"sklearn\.(tree|ensemble|neighbors|linear_model)\._", node.module or "") is not None
            )
            testing = (node.module or "").endswith(("_testing", "fixes"))
            for alias in node.names:
                if inside or (alias.name.startswith("_") and not testing):
                    hidden.add(alias.asname or alias.name)
    return hidden


def _reads_private(function: ast.FunctionDef, hidden: set[str]) -> bool:
    if _names(function) & hidden:
        return True
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            dunder = node.attr.startswith("__") and node.attr.endswith("__")
            if node.attr == "tree_" or (node.attr.startswith("_") and not dunder):
                return True
        if isinstance(node, ast.ImportFrom) and any(alias.name.startswith("_") for alias in node.names):
            return True
    return False


def _names(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
