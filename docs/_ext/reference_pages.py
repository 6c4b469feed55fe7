"""Writes the reference: a page for every public name, and an index of groups."""

import importlib
import inspect
from pathlib import Path

import boxwood

GROUPS = {
    "Tables": [
        "read_columns",
        "Columns",
        "open_table",
        "TableSource",
        "summarize",
        "TableSummary",
        "write_report",
    ],
    "Tables inside the package": [
        "datasets.load_penguins",
        "datasets.load_census",
        "datasets.load_cars",
    ],
    "Questions to a table": ["TableModel", "Event", "QueryError", "ExpressionError", "EventTooLargeError"],
    "Densities": [
        "DensityForest",
        "BoostedDensity",
        "DensityTree",
        "GaussianDensity",
        "Histogram",
        "GridHistogram",
        "ProductDensity",
        "NeighborDensity",
    ],
    "Anomalies": ["AnomalyDetector", "NoveltyDetector"],
    "Gaps": ["DensityImputer"],
    "Synthetic rows": ["synthetic_report", "SyntheticReport"],
    "Classifiers": [
        "BayesClassifier",
        "ConditionalClassifier",
        "DecisionTreeClassifier",
        "GaussianNB",
        "HistogramNB",
        "KNeighborsClassifier",
        "LinearDiscriminantAnalysis",
        "LogisticRegression",
        "PriorClassifier",
        "QuadraticDiscriminantAnalysis",
        "RandomForestClassifier",
    ],
    "Regressors": [
        "ConditionalRegressor",
        "DecisionTreeRegressor",
        "KNeighborsRegressor",
        "LinearRegression",
        "RandomForestRegressor",
    ],
    "Nearest neighbours": [
        "NeighborIndex",
        "CondensedNearestNeighbour",
        "EditedNearestNeighbours",
        "GabrielEditing",
        "PrototypeReduction",
        "RepeatedEditedNearestNeighbours",
        "VoronoiEditing",
    ],
    "Bayes error": [
        "bayes_error_bounds",
        "BayesErrorBounds",
        "local_errors",
        "LocalErrors",
        "nn_error_bounds",
    ],
    "Validation and choice": [
        "compare",
        "Comparison",
        "cross_val_error",
        "ClassifierValidation",
        "RegressorValidation",
        "cross_val_log_likelihood",
        "CrossValidation",
        "log_likelihood_scorer",
        "LogLikelihoodScorer",
        "grid_search",
        "GridSearch",
        "query_most_uncertain",
    ],
    "Charts": [
        "DensityDisplay",
        "DensityTreeDisplay",
        "TreeDisplay",
        "PairDisplay",
        "ConditionalDisplay",
        "DependenceDisplay",
        "ExplanationDisplay",
        "HistogramDisplay",
        "DecisionRegionDisplay",
        "PredictionDisplay",
        "PrototypeDisplay",
        "ComparisonDisplay",
        "BayesErrorDisplay",
    ],
    "Model files": ["load", "ModelFileError"],
    "On a Dask cluster": [
        "dask.fit",
        "dask.score_samples",
        "dask.predict",
        "dask.predict_proba",
        "dask.impute",
        "dask.sample",
    ],
    "Other libraries": [
        "plugs.frame_methods.FrameMethods",
        "plugs.pandas.PandasMethods",
        "plugs.polars.PolarsMethods",
        "plugs.pyod.BoxwoodDetector",
        "plugs.shap.explanation",
        "plugs.mlflow.save_model",
        "plugs.mlflow.log_model",
        "plugs.mlflow.load_model",
        "plugs.mlflow.PyFuncModel",
    ],
}
"""Public names by group; a name with a dot is of a module of the package."""

HIDDEN = {"get_metadata_routing", "set_output", "set_callbacks"}
"""Methods of scikit-learn whose docstrings refer to its own glossary."""


def groups() -> dict[str, list[str]]:
    """Return the groups, with names that nobody has grouped yet in one of their own."""
    known = {name for names in GROUPS.values() for name in names}
    rest = [name for name in boxwood.__all__ if name not in known]
    return {**GROUPS, **({"More": rest} if rest else {})}


def value_of(name: str):
    """Return what a name of `GROUPS` stands for."""
    *modules, last = name.split(".")
    return getattr(importlib.import_module(".".join(["boxwood", *modules])), last)


def link_targets() -> dict[str, str]:
    """Return what a document's code may say for a public name, and the name's address.

    Of a name with a dot the last part is enough, unless it is also a method: ``sample`` is that of a density.
    """
    names = [name for group in groups().values() for name in group]
    classes = [value_of(name) for name in names if inspect.isclass(value_of(name))]
    methods = {key for cls in classes for key in methods_of(cls)}
    short = {name.split(".")[-1]: f"boxwood.{name}" for name in names if name.split(".")[-1] not in methods}
    return short | {name: f"boxwood.{name}" for name in names}


def is_hidden(name: str) -> bool:
    """Say whether a member has no place in the reference."""
    return name.startswith("_") or name.endswith("_request") or name in HIDDEN


def methods_of(cls: type) -> list[str]:
    """Return the public methods of a class, inherited ones too, but none of Python's own classes."""
    found = [name for name, member in inspect.getmembers(cls) if inspect.isroutine(member)]
    return [name for name in found if not is_hidden(name) and not hasattr(tuple, name) and defined(cls, name)]


def defined(cls: type, name: str) -> bool:
    """Say whether a method comes from a class with a docstring for it."""
    return bool(inspect.getdoc(getattr(cls, name)))


def write_pages(folder: Path) -> None:
    """Write the index and the page of each name, only where they change."""
    folder.mkdir(exist_ok=True)
    pages = {"index": index_page()}
    for names in groups().values():
        pages |= {name: page_of(name) for name in names}
    for name, text in pages.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.glob("*.rst"):
        if path.name.removesuffix(".rst") not in pages:
            path.unlink()


def index_page() -> str:
    """Return the page that lists all names by group."""
    lines = [
        *heading("API reference", "="),
        "Everything here is in ``boxwood.__all__``, or public in the module that its name shows.",
        "What is not here may change without notice.",
        "",
        *toctree(groups()),
    ]
    for title, names in groups().items():
        lines += [*heading(title, "-"), ".. list-table::", "   :widths: 30 70", ""]
        for name in names:
            value = value_of(name)
            lines += [f"   * - :py:obj:`{name} <boxwood.{name}>`", f"     - {first_line(value)}"]
        lines.append("")
    return "\n".join(lines)


def toctree(grouped: dict[str, list[str]]) -> list[str]:
    """Return the hidden table of contents of all pages."""
    names = [name for group in grouped.values() for name in group]
    return [".. toctree::", "   :hidden:", "", *(f"   {name}" for name in names), ""]


def page_of(name: str) -> str:
    """Return the page of a class or function."""
    value, full = value_of(name), f"boxwood.{name}"
    lines = heading(name, "=")
    if not inspect.isclass(value):
        return "\n".join([*lines, f".. autofunction:: {full}", "", *gallery_of(full)])
    if issubclass(value, Exception):
        return "\n".join([*lines, f".. autoexception:: {full}", ""])
    methods = methods_of(value)
    lines += [f".. autoclass:: {full}", "", *gallery_of(full)]
    if methods:
        lines += [*heading("Methods", "-"), ".. list-table::", "   :widths: 30 70", ""]
    for method in methods:
        summary = first_line(getattr(value, method))
        lines += [f"   * - :py:obj:`{method} <{full}.{method}>`", f"     - {summary}"]
    lines.append("")
    for method in methods:
        lines += [f".. automethod:: {full}.{method}", ""]
    properties = [
        key
        for key, member in inspect.getmembers(value)
        if isinstance(member, property) and not is_hidden(key)
    ]
    described = [key for key in properties if inspect.getdoc(getattr(value, key))]
    if described:
        lines += heading("Properties", "-")
    for key in described:
        lines += [f".. autoproperty:: {full}.{key}", ""]
    return "\n".join(lines)


def gallery_of(full: str) -> list[str]:
    """Return the examples of the gallery that use a name."""
    return [f".. minigallery:: {full}", "   :add-heading: In the gallery", "   :heading-level: -", ""]


def first_line(value) -> str:
    """Return the first sentence of a docstring, with its code as reStructuredText has it."""
    paragraph = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
    return paragraph.replace("`", "``").replace("````", "``").replace("*", r"\*").replace("|", r"\|")


def heading(text: str, line: str) -> list[str]:
    """Return a heading with its underline."""
    return [text, line * len(text), ""]
