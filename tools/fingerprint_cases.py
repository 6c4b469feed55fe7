"""What `fingerprint.py` fits, and what it asks of each model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from fingerprint_hashes import ATTRIBUTES, answers, arrays_of_file, digest
from fingerprint_tables import Table

import boxwood as bw


@dataclass(frozen=True)
class Model:
    """A class by its name, with parameters; made when its case runs, so that a new name fails there alone."""

    name: str
    params: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{key}={value}' for key, value in self.params.items())})"

    def make(self) -> Any:
        """Make the estimator, with a seed wherever it takes one."""
        params = {key: made(value) for key, value in self.params.items()}
        estimator = getattr(bw, self.name)(**params)
        seeds = [key for key in estimator.get_params() if key.endswith("random_state")]
        return estimator.set_params(**dict.fromkeys(seeds, 0))


def made(value: Any) -> Any:
    """Make what a parameter says, where it is a model."""
    return value.make() if isinstance(value, Model) else value


def a(name: str, /, **params: Any) -> Model:
    """Name a model."""
    return Model(name, params)


@dataclass(frozen=True)
class Fit:
    """A case: a model that is fitted to a table, asked, saved, loaded and asked again."""

    model: Model
    table: str
    target: str | None = None
    weight: str | None = None

    def __str__(self) -> str:
        target = f" for {self.target}" if self.target else ""
        return f"{self.model} on {self.table}{target}" + (f" by {self.weight}" if self.weight else "")

    def run(self, tables: dict[str, Table]) -> dict[str, str | None]:
        """Return the hashes."""
        table = tables[self.table]
        y = () if self.target is None else (getattr(table, self.target),)
        weight = {} if self.weight is None else {"sample_weight": table.weights[self.weight]}
        model = self.model.make().fit(table.X, *y, **weight)
        told = [getattr(model, name) for name in ATTRIBUTES if hasattr(model, name)]
        if hasattr(model, "fit_resample"):
            return {"scores": digest([told, model.fit_resample(table.X, *y)]), "arrays": None}
        answered = answers(model, table.new)
        return {"scores": digest([told, answered]), "arrays": arrays_of_file(model, table.new, answered)}


@dataclass(frozen=True)
class Call:
    """A case: a function of the tables whose result is hashed."""

    function: Callable[[dict[str, Table]], Any]

    def __str__(self) -> str:
        return self.function.__name__.replace("_", " ")

    def run(self, tables: dict[str, Table]) -> dict[str, str | None]:
        """Return the hash."""
        return {"scores": digest(self.function(tables)), "arrays": None}


def densities() -> Iterator[Fit]:
    """Return the cases of densities."""
    for criterion in ("loo", "squared_error", "nonuniformity", "gaussian_entropy", "product_likelihood"):
        yield Fit(a("DensityTree", criterion=criterion), "floats")
        best_first = a("DensityTree", criterion=criterion, max_leaf_nodes=12, prune=None)
        yield Fit(best_first, "mixed", None, "counts")
    for tree in (
        a("DensityTree", splitter="binned", max_candidates=64),
        a("DensityTree", splitter="exact", margins="smooth", leaf="histogram"),
        a("DensityTree", leaf="gaussian", prune="cv", cv=3),
        a("DensityTree", prune="validation", prune_score="squared_error"),
        a("DensityTree", splitter="random", max_features=2, mass_prior=0.5, max_aspect=8.0),
        a("DensityTree", uniformity_level=0.05, min_gain=0.5, max_depth=6, min_samples_leaf=5, n_jobs=2),
    ):
        yield Fit(tree, "floats", None, "fractions")
    yield Fit(a("DensityTree", margins="smooth", leaf="gaussian"), "mixed")
    yield Fit(a("DensityTree", splitter="binned", prune="cv"), "many floats")
    for table in ("floats", "few floats", "integers", "rounded", "holes", "categories", "penguins file"):
        yield Fit(a("DensityTree"), table)
        yield Fit(a("DensityForest", n_estimators=5), table)
    for forest in (
        a("DensityForest", n_estimators=5, bootstrap=True, min_samples_split=12),
        a("DensityForest", n_estimators=5, n_jobs=2, max_leaf_nodes=20, histogram_prior=2.0, n_bins=8),
        a("DensityForest", n_estimators=5, leaf="uniform", criterion="log_likelihood", margins="linear"),
        a("DensityForest", n_estimators=5, leaf="gaussian", splitter="random", max_samples=0.5),
    ):
        yield Fit(forest, "mixed", None, "counts")
    yield Fit(a("DensityForest", n_estimators=5, min_samples_split=20), "many floats", None, "fractions")
    for table in ("very many floats", "very many mixed"):
        yield Fit(a("DensityTree", max_depth=8), table)
        yield Fit(a("DensityForest", n_estimators=2), table)
        yield Fit(a("BoostedDensity", preset="quick", n_estimators=20, n_trees=2), table)
    yield Fit(a("BoostedDensity"), "floats")
    yield Fit(a("BoostedDensity"), "many floats")
    yield Fit(a("BoostedDensity"), "curves")
    yield Fit(a("BoostedDensity", max_depth=4, n_chains=2), "categories", None, "fractions")
    yield Fit(a("BoostedDensity"), "penguins file")
    yield Fit(a("BoostedDensity", preset="quick", n_jobs=2), "mixed", None, "counts")
    yield Fit(a("BoostedDensity", preset="quick", components=["network"]), "curves", None, "fractions")
    for rule in ("scott", "fd", "shimazaki", "loo", "loo_likelihood", "cv"):
        yield Fit(a("Histogram", bins=rule), "mixed", None, "counts")
    yield Fit(a("Histogram", bins=12, range=(-4.0, 8.0), estimate="bayes"), "floats", None, "fractions")
    yield Fit(a("Histogram", estimate="map", n_origins=3), "mixed")
    yield Fit(a("Histogram", bins={"size": [-3.0, 0.0, 3.0, 6.0], "rain": 8}, alpha=3.0), "mixed")
    yield Fit(a("Histogram"), "penguins file")
    yield Fit(a("GridHistogram"), "floats", None, "fractions")
    yield Fit(a("GridHistogram", estimate="bayes", max_cells=10**6), "categories")
    yield Fit(a("ProductDensity"), "mixed", None, "counts")
    yield Fit(a("ProductDensity", marginal="gaussian", rotation="pca"), "floats", None, "fractions")
    yield Fit(a("ProductDensity", rotation="ica"), "floats")
    yield Fit(a("ProductDensity", marginal=a("DensityTree")), "holes")
    for kind in ("full", "diag", "spherical"):
        yield Fit(a("GaussianDensity", covariance_type=kind), "floats", None, "fractions")
        yield Fit(a("GaussianDensity", covariance_type=kind, shrinkage="auto"), "holes")
    yield Fit(a("NeighborDensity"), "floats")
    yield Fit(a("NeighborDensity", metric="manhattan", unbiased=True), "integers", None, "counts")
    yield Fit(a("NeighborDensity", n_neighbors=10, normalize=True, standardize=True), "floats")
    yield Fit(a("NoveltyDetector", model=a("DensityTree", margins="smooth"), cv=3), "floats", None, "counts")
    yield Fit(a("NoveltyDetector", model=a("HistogramNB")), "penguins", "classes")


def classifiers() -> Iterator[Fit]:
    """Return the cases of classifiers."""
    for density in (a("DensityForest", n_estimators=3), a("DensityTree", leaf="histogram"), a("Histogram")):
        yield Fit(a("BayesClassifier", density=density, priors="uniform"), "mixed", "classes", "counts")
    yield Fit(a("BayesClassifier", density=a("GaussianDensity")), "floats", "classes")
    yield Fit(a("PriorClassifier"), "floats", "classes", "fractions")
    yield Fit(a("GaussianNB"), "holes", "classes", "fractions")
    yield Fit(a("HistogramNB"), "mixed", "classes", "counts")
    yield Fit(a("HistogramNB", bins=8, alpha=0.5), "rounded", "classes", "fractions")
    for solver in ("gaussian", "fisher", "lstsq"):
        yield Fit(a("LinearDiscriminantAnalysis", solver=solver), "floats", "halves", "fractions")
    yield Fit(a("LinearDiscriminantAnalysis", shrinkage="auto"), "wide floats", "classes")
    yield Fit(a("LinearDiscriminantAnalysis"), "more columns than rows", "classes")
    yield Fit(a("LogisticRegression"), "more columns than rows", "classes")
    yield Fit(a("QuadraticDiscriminantAnalysis", reg_param=0.1), "floats", "classes", "counts")
    yield Fit(a("QuadraticDiscriminantAnalysis", shrinkage="auto"), "wide floats", "classes")
    for solver in ("lbfgs", "newton", "sgd"):
        yield Fit(a("LogisticRegression", solver=solver), "floats", "classes", "fractions")
    yield Fit(a("LogisticRegression", solver="saga", l1_ratio=0.5, C=0.1), "sparse", "halves")
    for criterion in ("gini", "entropy", "gaussian_conditional_entropy"):
        yield Fit(a("DecisionTreeClassifier", criterion=criterion, max_depth=6), "holes", "classes")
    for tree in (
        a("DecisionTreeClassifier", ccp_alpha="cv"),
        a("DecisionTreeClassifier", max_leaf_nodes=9, class_weight="balanced"),
        a("DecisionTreeClassifier", splitter="random", min_samples_leaf=0.02, max_features="sqrt"),
        a("RandomForestClassifier", n_estimators=10, oob_score=True, n_jobs=2),
        a("RandomForestClassifier", n_estimators=5, class_weight="balanced_subsample", criterion="entropy"),
    ):
        yield Fit(tree, "mixed", "classes", "counts")
    yield Fit(a("DecisionTreeClassifier", oblique=3, ccp_alpha=0.002), "floats", "classes", "fractions")
    yield Fit(a("DecisionTreeClassifier", monotonic_cst=[1, 0, -1]), "floats", "halves")
    yield Fit(a("DecisionTreeClassifier"), "sparse", "classes")
    yield Fit(a("RandomForestClassifier", n_estimators=3, max_depth=9), "very many mixed", "classes")
    yield Fit(a("LogisticRegression"), "very many floats", "classes")
    yield Fit(a("LinearDiscriminantAnalysis"), "very many floats", "classes")
    yield Fit(a("KNeighborsClassifier"), "very many floats", "classes")
    yield Fit(a("DecisionTreeClassifier", ccp_alpha="validation"), "penguins", "classes")
    yield Fit(a("RandomForestClassifier", n_estimators=5, oblique=2, voting="hard"), "floats", "classes")
    yield Fit(a("RandomForestClassifier", n_estimators=5, bootstrap=False), "categories", "classes")
    yield Fit(a("KNeighborsClassifier"), "floats", "classes", "counts")
    yield Fit(a("KNeighborsClassifier", n_neighbors="log", weights="distance"), "wide floats", "classes")
    yield Fit(a("KNeighborsClassifier", metric="nca", class_weight={"ash": 2.0}), "rounded", "classes")
    yield Fit(a("KNeighborsClassifier", standardize=True, missing="partial"), "penguins", "classes")


def regressors() -> Iterator[Fit]:
    """Return the cases of regressors."""
    for tree in (
        a("DecisionTreeRegressor", ccp_alpha="cv"),
        a("DecisionTreeRegressor", max_leaf_nodes=15, min_impurity_decrease=1e-4),
        a("RandomForestRegressor", n_estimators=10, oob_score=True, n_jobs=2),
    ):
        yield Fit(tree, "mixed", "values", "counts")
        yield Fit(tree, "holes", "values", "fractions")
    yield Fit(a("DecisionTreeRegressor", oblique=3, max_depth=5), "floats", "pairs", "fractions")
    yield Fit(a("DecisionTreeRegressor", monotonic_cst=[1, 0, -1]), "integers", "values")
    yield Fit(a("RandomForestRegressor", n_estimators=5, oob_score=True), "rounded", "pairs")
    yield Fit(a("RandomForestRegressor", n_estimators=3, monotonic_cst=[0, 1, 0]), "floats", "values")
    yield Fit(a("RandomForestRegressor", n_estimators=3, ccp_alpha=0.01), "floats", "values")
    yield Fit(a("DecisionTreeRegressor", max_depth=9), "very many floats", "pairs")
    yield Fit(a("KNeighborsRegressor", weights="distance", p=1), "floats", "pairs", "counts")
    yield Fit(a("KNeighborsRegressor", missing="partial"), "mixed", "values")
    for solver in ("cholesky", "pinv", "qr", "svd"):
        yield Fit(a("LinearRegression", solver=solver), "floats", "pairs", "fractions")
    yield Fit(a("LinearRegression", positive=True), "floats", "values")
    yield Fit(a("LinearRegression"), "sparse", "values", "counts")
    yield Fit(a("LinearRegression"), "more columns than rows", "values")


def samplers() -> Iterator[Fit]:
    """Return the cases of samplers of prototypes."""
    for sampler in (
        a("CondensedNearestNeighbour"),
        a("CondensedNearestNeighbour", one_pass=True),
        a("EditedNearestNeighbours", sampling_strategy="all", kind_sel="mode"),
        a("EditedNearestNeighbours", method="holdout"),
        a("RepeatedEditedNearestNeighbours"),
        a("GabrielEditing"),
        a("VoronoiEditing"),
        a("PrototypeReduction", n_prototypes=4),
    ):
        yield Fit(sampler, "floats", "classes")


def reading(tables: dict[str, Table]) -> Any:
    """Read tables of several kinds, and draw samples that come in them."""
    record = np.array([(1.5, 2, True), (2.5, 3, False)], dtype=[("a", "f8"), ("b", "i4"), ("c", "?")])
    lists = {"a": [1.0, None, 3.0], "b": ["x", None, "y"], "c": [3, 1, 3], "d": [True, False, None]}
    given = [
        *(record, lists, pl.DataFrame(lists), pa.table(lists)),
        np.ma.masked_less(np.arange(6.0).reshape(3, 2), 2.0),
        *(tables[name].X for name in ("integers", "categories", "mixed", "penguins file")),
    ]
    read = [
        *map(bw.read_columns, given),
        bw.read_columns(record, sample_weight=[2, 1]),
        bw.read_columns(lists, kinds={"b": "ordinal", "c": "categorical"}),
        *(bw.read_columns(a("Histogram").make().fit(table).sample(20, random_state=0)) for table in given),
    ]
    return [(str(columns), columns.matrix(), columns.total_weight) for columns in read]


def tree_seen_from_inside(tables: dict[str, Table]) -> Any:
    """Ask what a density tree and a forest of it look like, and for their charts' numbers."""
    table = tables["mixed"]
    results: list[Any] = []
    for model in (a("DensityTree", max_leaf_nodes=8, prune=None), a("DensityForest", n_estimators=2)):
        fitted = model.make().fit(table.X)
        results += [fitted.export_text(), fitted.rules(1), fitted.leaves_frame()]
        results.append(fitted.decision_path(table.new))
        for at in ({}, {"colour": "b"}):
            options: dict[str, Any] = {"columns": ("size", "rain"), "at": at, "resolution": 30}
            chart = bw.DensityTreeDisplay.from_estimator(fitted, **options)
            results += [chart.log_density, chart.boxes]
    return results


def decisions_seen_from_inside(tables: dict[str, Table]) -> Any:
    """Ask what decision trees look like, and for scikit-learn's twins of them."""
    table = tables["mixed"]
    tree = a("DecisionTreeClassifier", max_leaf_nodes=8).make().fit(table.X, table.classes)
    leaves = np.unique(tree.apply(table.X)).tolist()
    path = tree.cost_complexity_pruning_path(table.X, table.classes)
    permuted = tree.permutation_importance(table.X, table.classes, n_repeats=2, random_state=0)
    floats = tables["floats"]
    forest = a("RandomForestRegressor", n_estimators=3).make().fit(floats.X, floats.values)
    return [
        *map(tree.rules, leaves),
        *(tree.decision_path(table.new), path.ccp_alphas, path.impurities),
        *(permuted.importances, forest.to_sklearn().predict(floats.new), forest.apply(floats.new)),
    ]


def mixture_forms(tables: dict[str, Table]) -> Any:
    """Ask the mixtures that trees, histograms and products are."""
    table = tables["mixed"]
    results: list[Any] = []
    for model in (a("DensityForest", n_estimators=3), a("Histogram"), a("ProductDensity")):
        fitted = model.make().fit(table.X)
        form = fitted.to_mixture()
        columns = bw.read_columns(table.new).matched(fitted.schema_)
        events = [(0.2, 0.7), *([None] * (len(table.X.columns) - 1))]
        results += [form.log_density(columns), form.sample(20, 0).matrix(), form.mixture.probability(events)]
    return results


def fits_in_parts(tables: dict[str, Table]) -> Any:
    """Fit models by `partial_fit` and `merge`."""
    table = tables["floats"]
    parts = (slice(None, 200), slice(200, None))
    results = []
    for model in (
        *(a("GaussianDensity"), a("GaussianNB"), a("BayesClassifier", density=a("GaussianDensity"))),
        *(a("LinearDiscriminantAnalysis"), a("QuadraticDiscriminantAnalysis"), a("KNeighborsClassifier")),
        *(a("LogisticRegression", solver="sgd"), a("GridHistogram", bins=4, range=(-5.0, 9.0))),
        *(a(name, bins=9, range=(-5.0, 9.0)) for name in ("Histogram", "HistogramNB")),
    ):
        first, second = (model.make().fit(table.X[part], table.classes[part]) for part in parts)
        if hasattr(first, "merge"):
            results.append(answers(first.merge(second), table.new))
        second.partial_fit(table.X[parts[0]], table.classes[parts[0]])
        results.append(answers(second, table.new))
    return results


def warm_starts(tables: dict[str, Table]) -> Any:
    """Fit models further, and score a boosted density round by round."""
    table = tables["floats"]
    boosted = a("BoostedDensity", preset="quick", n_estimators=10, warm_start=True).make().fit(table.X)
    boosted.set_params(n_estimators=20).fit(table.X)
    forest = a("RandomForestClassifier", n_estimators=2, warm_start=True).make().fit(table.X, table.classes)
    forest.set_params(n_estimators=4).fit(table.X, table.classes)
    logistic = a("LogisticRegression", warm_start=True, C=0.1).make().fit(table.X, table.classes)
    logistic.set_params(C=1.0).fit(table.X, table.classes)
    asked = [answers(model, table.new) for model in (boosted, forest, logistic)]
    return [*boosted.staged_score(table.new), *asked]


def least_squares(tables: dict[str, Table]) -> Any:
    """Return standard errors, leave-one-out predictions and leverages of a linear regression."""
    table = tables["floats"]
    model = a("LinearRegression").make().fit(table.X, table.values)
    errors = [model.coef_std_error_, model.intercept_std_error_, model.residual_variance_, model.singular_]
    return [*errors, model.leave_one_out(table.X, table.values), model.leverage(table.X)]


def histogram_columns(tables: dict[str, Table]) -> Any:
    """Return edges, counts, moments and quantiles of histograms."""
    table = tables["mixed"]
    model = a("Histogram").make().fit(table.X, sample_weight=table.weights["counts"])
    names = ("edges_", "counts_", "density_", "standard_errors_", "missing_", "mean_", "variance_")
    return [*(getattr(model, name) for name in names), model.quantile([0.1, 0.5, 0.9])]


def neighbor_index(tables: dict[str, Table]) -> Any:
    """Search rows by several metrics and algorithms, with rows added and removed."""
    results = []
    for name in ("many floats", "wide floats"):
        table = tables[name]
        metrics = ("euclidean", "manhattan", "chebyshev", "minkowski", "seuclidean", "mahalanobis", "cosine")
        for metric, algorithm in [*((metric, "auto") for metric in metrics), ("euclidean", "brute")]:
            index = bw.NeighborIndex(table.X[:250], metric=metric, algorithm=algorithm, p=3.0)
            added = index.add(table.X[250:])
            index.remove(added[::3])
            results.append(index.query(table.new, n_neighbors=7))
    return results


def bayes_error(tables: dict[str, Table]) -> Any:
    """Bound the Bayes error."""
    floats, birds = tables["floats"], tables["penguins"]
    found = [
        bw.bayes_error_bounds(floats.X, floats.classes, random_state=0),
        bw.bayes_error_bounds(floats.X, floats.halves, cv=4, metric="manhattan", random_state=0),
        bw.bayes_error_bounds(birds.X, birds.classes, standardize=True, missing="partial", random_state=0),
    ]
    model = a("GaussianNB").make().fit(floats.X, floats.classes)
    local = bw.local_errors(model.predict_proba(floats.new))
    return [*map(vars, found), bw.nn_error_bounds(0.1, 3, 5), *local]


def comparison_of_families(tables: dict[str, Table]) -> Any:
    """Compare all families of classifiers."""
    table = tables["penguins"]
    found = bw.compare(table.X, pd.Series(table.classes), cv=2)
    results: list[Any] = [found.left_out, found.best, vars(found.bayes_error)]
    for name, of in found.validations.items():  # without the seconds
        results += [name, of.test_errors, of.train_errors, of.log_losses, of.brier_scores, of.probabilities]
    return results


def cross_validation(tables: dict[str, Table]) -> Any:
    """Judge densities and classifiers on held-out rows, and search among parameters."""
    table = tables["floats"]
    weight = table.weights["counts"]
    gaussian, tree = a("GaussianDensity").make(), a("DensityTree", margins="smooth").make()
    scores = [
        bw.cross_val_log_likelihood(gaussian, table.X, cv="loo", sample_weight=weight),
        bw.cross_val_log_likelihood(a("DensityTree").make(), table.X, cv=3),
        bw.cross_val_log_likelihood(a("Histogram").make(), tables["penguins file"].X, cv=0.3),
    ]
    errors = bw.cross_val_error(a("GaussianNB").make(), table.X, table.classes, cv=3, sample_weight=weight)
    searches = [
        bw.grid_search(tree, {"max_depth": [1, 3, 6]}, table.X, cv=3, one_standard_error=True),
        bw.grid_search(a("HistogramNB").make(), {"alpha": [0.1, 1.0]}, table.X, table.classes, cv=3),
    ]
    return [
        *((score.test_scores, score.train_scores, score.floor) for score in scores),
        *(errors.test_errors, errors.log_losses, errors.probabilities),
        *((search.best_params, search.losses, search.train_losses, search.spreads) for search in searches),
        bw.log_likelihood_scorer()(tree.fit(table.X), table.new),
    ]


def questions_to_ask(tables: dict[str, Table]) -> Any:
    """Choose the rows of a pool whose labels would teach most."""
    table = tables["floats"]
    model = a("GaussianNB").make().fit(table.X, table.classes)
    asked = [bw.query_most_uncertain(model, table.new, 5, strategy=name) for name in ("entropy", "margin")]
    return [*asked, bw.query_most_uncertain(a("GaussianDensity").make().fit(table.X), table.new, 5)]


def all_cases() -> list[Fit | Call]:
    """Return every case."""
    calls = (
        *(reading, tree_seen_from_inside, decisions_seen_from_inside, mixture_forms, histogram_columns),
        *(fits_in_parts, warm_starts, least_squares, neighbor_index, bayes_error),
        *(comparison_of_families, cross_validation, questions_to_ask),
    )
    return [*densities(), *classifiers(), *regressors(), *samplers(), *map(Call, calls)]
