"""How scikit-learn's tests of naive Bayes, discriminants, logistic and linear regression are classed."""

from __future__ import annotations

__all__ = ["KNOWN_FAILURES", "OUT_OF_SCOPE"]

UNSWAPPED = "tests classes that were not swapped"
DIGITS = "compares digits with LogisticRegressionCV, which was not swapped"
DOUBLE = "float32: boxwood computes in double precision"
LIMIT = "a limit of their solvers that boxwood's do not have"

OUT_OF_SCOPE: dict[str, str] = {
    r"test_naive_bayes.py::test_(discretenb|mnnb|mnb|bnb|cnb|categoricalnb|alpha|check_alpha)": UNSWAPPED,
    r"test_naive_bayes.py::\w+\[(Bernoulli|Categorical|Complement|Multinomial)NB": UNSWAPPED,
    r"test_discriminant_analysis.py::test_lda_dtype_match\[float32": DOUBLE,
    r"test_logistic.py::test_dtype_match": DOUBLE,
    r"test_logistic.py::\w+\[(.*-)?(cv|LogisticRegressionCV)\b": UNSWAPPED,
    r"test_logistic.py::test_(logistic_cv|logistic_regression_cv_refit)\[": DIGITS,
    r"test_logistic.py::test_(logistic_cv_multinomial_score)": DIGITS,
    r"test_logistic.py::test_(logistic_cv_|multinomial_cv|LogisticRegressionCV|lr_cv|lr_scoring)": UNSWAPPED,
    r"test_logistic.py::test_(logistic(_r|r)egressioncv|scores_attribute|passing_params)": UNSWAPPED,
    r"test_logistic.py::test_\w*callback": "callbacks of scikit-learn's own loops",
    r"test_logistic.py::test_(penalty_deprecated|l1_ratio_None|logisticregression_warns_with_n_jobs)": (
        "scikit-learn's deprecations of its own parameters"
    ),
    r"test_logistic.py::test_large_sparse_matrix\[.*-(liblinear|saga?)": LIMIT,
    r"test_logistic.py::test_liblinear_with_large_values": LIMIT,
    r"test_logistic.py::test_newton_cholesky_fallback": LIMIT,
    r"test_base.py::test_predict_proba_lr_large_values": UNSWAPPED,
}
"""Patterns of test names; the first that is found gives the reason."""

KNOWN_FAILURES: dict[str, str] = {
    r"test_lda_transform": "transform works with every solver; theirs refuses one",
    r"test_qda_regularization": "singular covariances are given a tiny spread, with a warning; theirs raises",
    r"test_inplace_data_preprocessing": "copy_X=False changes no table either",
    r"test_logistic.py::test_nan": "the error names column and row in place of 'Input X contains NaN.'",
    r"test_liblinear_dual_random_state": "the optimum does not hang on random_state",
    r"test_lr_penalty_l1ratio_incompatible\[l1": "penalty='l1' is no contradiction to l1_ratio's default",
}
"""Counted tests that fail, each with its reason."""
