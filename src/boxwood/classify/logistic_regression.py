"""Logistic regression."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.base import TableClassifier
from boxwood.classify.class_weight import CLASS_WEIGHT, class_weighted
from boxwood.classify.classes import classes_of_state, codes_in, read_classes, read_labels
from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import check_number_kinds, number_matrix
from boxwood.histogram.available import available_unless
from boxwood.linear.logistic_fit import fit_logistic, mean_of_rows
from boxwood.linear.logistic_loss import LogisticLoss
from boxwood.linear.penalty import Penalty, read_penalty
from boxwood.linear.stochastic import StochasticDescent
from boxwood.model_file import State
from boxwood.parameters import (
    Choice,
    Flag,
    Integer,
    Parameter,
    Real,
    declare,
    n_jobs,
    random_state,
    shown,
    verbose,
)
from boxwood.randomness import generator

__all__ = ["LogisticRegression"]

_SOLVERS = {
    "lbfgs": "quasi-newton",
    "newton": "newton",
    "sgd": "sgd",
    "newton-cg": "newton",
    "newton-cholesky": "newton",
    "liblinear": "quasi-newton",
    "sag": "quasi-newton",
    "saga": "quasi-newton",
}
"""scikit-learn's names beside our own: one problem has one optimum, however it is reached."""

_NOT_CONVERGED = {
    "lbfgs": "lbfgs failed to converge after {} iteration(s): increase max_iter or scale the columns.",
    "newton-cg": "newton-cg failed to converge at iteration {}. Increase the number of iterations.",
    "newton-cholesky": "Newton solver did not converge after {} iterations.",
    "newton": "Newton solver did not converge after {} iterations.",
    "liblinear": "Liblinear failed to converge, increase the number of iterations.",
    "sgd": "sgd did not converge in max_iter = {} passes: increase max_iter or tol, or take solver='lbfgs'.",
}
"""What each solver says; the others say that max_iter was reached."""


class LogisticRegression(TableClassifier):
    """Linear log-odds of the classes by maximum likelihood, penalised; two classes or many.

    scikit-learn's parameters, methods and attributes. The columns need no scaling: steps are measured by the
    curvature of the likelihood, taken from a sample of the rows where there are many. Penalised fits of
    separable classes are finite, and fits without a penalty stop when nothing is left to gain.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        With many classes they sum to 0 over these.
    intercept_ : ndarray of shape (1,) or (n_classes,)
    n_iter_ : ndarray of shape (1,)
        Steps over all rows.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> model = bw.LogisticRegression().fit(X, ["no", "no", "yes", "yes"])
    >>> print(model.predict([[0.5], [2.5]]), model.predict_proba([[1.5]]).round(2))
    ['no' 'yes'] [[0.5 0.5]]
    """

    _parameters = declare(
        Parameter(
            "penalty",
            Choice("l1", "l2", "elasticnet", "deprecated") | None,
            "Older than `C` and `l1_ratio`, which say the same.",
        ),
        Parameter(
            "C",
            Real(0.0, open_low=True, infinite=True),
            "One over the strength of the penalty; infinite for none.",
        ),
        Parameter(
            "l1_ratio",
            Real(0.0, 1.0) | None,
            "0 penalises squares, 1 absolute values, which makes coefficients exactly 0; needs the solver "
            '"saga" or "liblinear".',
        ),
        Parameter("dual", Flag(), 'Accepted for scikit-learn\'s sake, with the solver "liblinear".'),
        Parameter(
            "tol",
            Real(0.0),
            "The fit stops where a Newton step would lower the mean loss by less than a tenth of its square, "
            'whatever the columns\' units; "sgd", where a step by the gradient would by less than this '
            "fraction.",
        ),
        Parameter("fit_intercept", Flag(), "The intercept is never penalised."),
        Parameter("intercept_scaling", Real(), "Accepted for scikit-learn's sake."),
        CLASS_WEIGHT,
        random_state('Of "sgd".'),
        Parameter(
            "solver",
            Choice(*_SOLVERS),
            '"lbfgs" takes quasi-Newton steps preconditioned by the Hessian of a sample; "newton" takes '
            'Newton\'s own (iteratively reweighted least squares); "sgd" passes over the rows in random '
            "order, in batches, and can `partial_fit`. scikit-learn's other names stand for the first two.",
        ),
        Parameter(
            "max_iter",
            Integer(0),
            'Steps, or of "sgd" passes over all rows; a `ConvergenceWarning` tells where they did not '
            "suffice.",
        ),
        verbose("Accepted for scikit-learn's sake."),
        Parameter("warm_start", Flag(), "Whether to start from the last fit."),
        n_jobs("Accepted for scikit-learn's sake."),
    )

    _accept_sparse = True
    _allow_missing = False

    coef_: Any
    intercept_: NDArray[np.float64]
    n_iter_: NDArray[np.int32]
    _descent: StochasticDescent | None
    _centre: NDArray[np.float64] | None
    _weight: float

    def __init__(
        self,
        penalty: str | None = "deprecated",
        *,
        C: float = 1.0,
        l1_ratio: float | None = 0.0,
        dual: bool = False,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1,
        class_weight: Any = None,
        random_state: Any = None,
        solver: str = "lbfgs",
        max_iter: int = 100,
        verbose: int = 0,
        warm_start: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.dual = dual
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        penalty = read_penalty(self)
        self._check_solver(penalty)
        classes, codes = read_classes(self, y)
        weights = class_weighted(self.class_weight, y, len(codes), sample_weight)
        columns, codes = self._read_weighted(X, codes, weights)
        self._check_classes(classes)
        rows = _matrix(columns)
        centre = mean_of_rows(rows) if self.fit_intercept else None
        loss = self._loss(rows, codes, len(classes), columns.weights, centre, penalty)
        found = fit_logistic(
            loss,
            method=_SOLVERS[self.solver],
            lasso=penalty.lasso(loss.total),
            start=self._start(loss, classes),
            max_iter=int(self.max_iter),
            tol=float(self.tol),
            rng=generator(self.random_state) if self.solver == "sgd" else None,
        )
        if not found.converged:
            self._warn_of_iterations()
        self._take(
            columns.schema,
            classes,
            loss,
            found.x,
            found.n_iter,
            found.descent,
            penalised_size=penalty.l1_ratio > 0.0,
        )
        return self

    @available_unless(lambda self: _why_not_in_parts(self.solver))
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Pass once over more rows, by stochastic gradient descent.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), optional
            All classes that there will be; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        penalty = read_penalty(self)
        self._check_solver(penalty)
        fitted = self.__sklearn_is_fitted__()
        known = self._part_classes(classes)
        self._check_classes(known)
        labels = read_labels(self, y)
        weights = class_weighted(self.class_weight, y, len(labels), sample_weight)
        columns, codes = self._read_weighted(X, codes_in(known, labels), weights, fitted=fitted)
        rows = _matrix(columns)
        centre = self._centre if fitted else (mean_of_rows(rows) if self.fit_intercept else None)
        loss = self._loss(rows, codes, len(known), columns.weights, centre, penalty)
        before = self._weight if fitted else 0.0
        loss.ridge *= loss.total / (loss.total + before)  # the penalty is of all rows together
        descent = self._descent if fitted else None
        if descent is None:
            start = self._theta(loss) if fitted else np.zeros(loss.shape)
            descent = StochasticDescent(start, start, loss.diagonal())
        fraction = loss.total / (loss.total + before)
        descent.curvature = (1.0 - fraction) * descent.curvature + fraction * loss.diagonal()
        descent.descend(loss, generator(self.random_state))
        self._take(columns.schema, known, loss, descent.mean, 1, descent)
        self._weight += before
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the log-odds of the second class, or a score a class.

        Parameters
        ----------
        X : table or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) with two classes, else (n_samples, n_classes)
        """
        scores = self._linear(self._read(X))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def sparsify(self) -> Self:
        """Keep `coef_` as a CSR matrix, which pays where most of it is 0."""
        check_is_fitted(self)
        self.coef_ = sparse.csr_array(self.coef_)
        return self

    def densify(self) -> Self:
        """Keep `coef_` as an array."""
        check_is_fitted(self)
        self.coef_ = self._dense_coef()
        return self

    def _check_solver(self, penalty: Penalty) -> None:
        """Raise for what scikit-learn's solver of that name cannot do either."""
        name = self.solver
        if name not in ("liblinear", "saga") and penalty.l1_ratio > 0.0:
            raise ValueError(
                f"Solver {name} supports only 'l2' or None penalties, got l1_ratio={penalty.l1_ratio}. "
                "Use solver='saga'."
            )
        if name != "liblinear" and self.dual:
            raise ValueError(f"Solver {name} supports only dual=False, got dual={self.dual}")
        if name == "liblinear" and 0.0 < penalty.l1_ratio < 1.0:
            raise ValueError(f"Only 'saga' solver supports elasticnet penalty, got solver={name}.")
        if name == "liblinear" and not np.isfinite(penalty.C):
            raise ValueError("penalty=None is not supported for the liblinear solver")

    def _check_classes(self, classes: NDArray[Any]) -> None:
        if len(classes) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains only one "
                f"class: {shown(classes.tolist()[0])}"
            )
        if self.solver == "liblinear" and len(classes) > 2:
            raise ValueError(
                "The 'liblinear' solver does not support multiclass classification (n_classes >= 3). Use "
                "another solver."
            )

    def _loss(
        self,
        rows: Any,
        codes: NDArray[np.uint32],
        n_classes: int,
        weights: NDArray[np.float64] | None,
        centre: NDArray[np.float64] | None,
        penalty: Penalty,
    ) -> LogisticLoss:
        loss = LogisticLoss(rows, codes, n_classes, weights, centre, 0.0)
        loss.ridge = penalty.ridge(loss.total)
        return loss

    def _start(self, loss: LogisticLoss, classes: NDArray[Any]) -> NDArray[np.float64] | None:
        """Return the parameters of the last fit, where there is one of the same columns and classes."""
        if not self.warm_start or not self.__sklearn_is_fitted__():
            return None
        fits = np.array_equal(classes, self.classes_) and self.coef_.shape[1] == loss.X.shape[1]
        return self._theta(loss) if fits else None

    def _theta(self, loss: LogisticLoss) -> NDArray[np.float64]:
        coef = self._dense_coef()
        if loss.centre is None:
            return coef.copy()
        return np.column_stack([coef, self.intercept_ + coef @ loss.centre])

    def _take(
        self,
        schema: Schema,
        classes: NDArray[Any],
        loss: LogisticLoss,
        theta: NDArray[np.float64],
        n_iter: int,
        descent: StochasticDescent | None,
        *,
        penalised_size: bool = False,
    ) -> None:
        if len(classes) > 2:  # what all classes share changes no prediction
            shared = theta.mean(axis=0)
            if penalised_size:  # but exact zeros
                shared[: loss.X.shape[1]] = 0.0
            theta = theta - shared
        coef = np.ascontiguousarray(theta[:, : loss.X.shape[1]])
        intercept = np.zeros(len(theta))
        if loss.centre is not None:
            intercept = theta[:, -1] - coef @ loss.centre
        self._set_fitted(
            schema,
            classes_=classes,
            coef_=coef,
            intercept_=intercept,
            n_iter_=np.array([n_iter], dtype=np.int32),
            _descent=descent,
            _centre=loss.centre,
            _weight=loss.total,
        )

    def _warn_of_iterations(self) -> None:
        message = _NOT_CONVERGED.get(
            self.solver, "The max_iter was reached which means the coef_ did not converge"
        )
        warnings.warn(message.format(self.max_iter), ConvergenceWarning, stacklevel=3)

    def _dense_coef(self) -> NDArray[np.float64]:
        return self.coef_.toarray() if sparse.issparse(self.coef_) else self.coef_

    def _linear(self, columns: Columns) -> NDArray[np.float64]:
        return np.asarray(_matrix(columns) @ self._dense_coef().T) + self.intercept_

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        scores = self._linear(columns)
        return np.hstack([np.zeros_like(scores), scores]) if scores.shape[1] == 1 else scores

    def _get_state(self) -> dict[str, Any]:
        kept: dict[str, Any] = {
            "classes": self.classes_.tolist(),
            "coef": self._dense_coef(),
            "intercept": self.intercept_,
            "n_iter": int(self.n_iter_[0]),
            "weight": self._weight,
        }
        if self._centre is not None:
            kept["centre"] = self._centre
        if self._descent is not None:
            kept["theta"] = self._descent.theta
            kept["curvature"] = self._descent.curvature
            kept["n_steps"] = self._descent.n_steps
        return kept

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema, "a linear model")
        classes = classes_of_state(state)
        k, d = 1 if len(classes) == 2 else len(classes), len(schema)
        if len(classes) < 2:
            raise state.error("classes", "has fewer than two classes")
        centre = state.array("centre", np.float64, (d,)) if "centre" in state else None
        shape = (k, d + (centre is not None))
        descent = None
        if "theta" in state:
            theta = state.array("theta", np.float64, shape)
            curvature = state.array("curvature", np.float64, shape, low=np.finfo(float).tiny)
            descent = StochasticDescent(theta, theta, curvature, state.integer("n_steps", low=0))
        return {
            "classes_": classes,
            "coef_": state.array("coef", np.float64, (k, d), low=-1e300, high=1e300),
            "intercept_": state.array("intercept", np.float64, (k,), low=-1e300, high=1e300),
            "n_iter_": np.array([state.integer("n_iter", high=2**31 - 1)], dtype=np.int32),
            "_descent": descent,
            "_centre": centre,
            "_weight": state.number("weight", low=np.finfo(float).tiny, high=1e308),
        }


def _why_not_in_parts(solver: str) -> str | None:
    if solver == "sgd":
        return None
    return f"solver={solver!r} needs all rows at once. LogisticRegression(solver='sgd') has partial_fit."


def _matrix(columns: Columns) -> Any:
    if columns.is_sparse:
        return columns.sparse()
    check_number_kinds(columns.schema, "a linear model")
    return number_matrix(columns, missing=False)
