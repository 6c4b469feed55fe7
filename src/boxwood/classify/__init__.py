"""Classifiers."""

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
