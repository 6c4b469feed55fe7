"""Classifiers.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from boxwood.first_use import at_first_use

if TYPE_CHECKING:
    from boxwood.classify.bayes import BayesClassifier
    from boxwood.classify.forest import RandomForestClassifier
    from boxwood.classify.gaussian_nb import GaussianNB
    from boxwood.classify.histogram_nb import HistogramNB
    from boxwood.classify.k_neighbors import KNeighborsClassifier
    from boxwood.classify.linear_discriminant import LinearDiscriminantAnalysis
    from boxwood.classify.logistic_regression import LogisticRegression
    from boxwood.classify.prior import PriorClassifier
    from boxwood.classify.quadratic_discriminant import QuadraticDiscriminantAnalysis
    from boxwood.classify.tree import DecisionTreeClassifier

__all__ = [
    "BayesClassifier",
    "DecisionTreeClassifier",
    "GaussianNB",
    "HistogramNB",
    "KNeighborsClassifier",
    "LinearDiscriminantAnalysis",
    "LogisticRegression",
    "PriorClassifier",
    "QuadraticDiscriminantAnalysis",
    "RandomForestClassifier",
]

__getattr__ = at_first_use(
    __name__,
    {
        "BayesClassifier": "boxwood.classify.bayes",
        "DecisionTreeClassifier": "boxwood.classify.tree",
        "GaussianNB": "boxwood.classify.gaussian_nb",
        "HistogramNB": "boxwood.classify.histogram_nb",
        "KNeighborsClassifier": "boxwood.classify.k_neighbors",
        "LinearDiscriminantAnalysis": "boxwood.classify.linear_discriminant",
        "LogisticRegression": "boxwood.classify.logistic_regression",
        "PriorClassifier": "boxwood.classify.prior",
        "QuadraticDiscriminantAnalysis": "boxwood.classify.quadratic_discriminant",
        "RandomForestClassifier": "boxwood.classify.forest",
    },
)
