"""Classifiers."""

from boxwood.classify.bayes import BayesClassifier
from boxwood.classify.forest import RandomForestClassifier
from boxwood.classify.histogram_nb import HistogramNB
from boxwood.classify.prior import PriorClassifier
from boxwood.classify.tree import DecisionTreeClassifier

__all__ = [
    "BayesClassifier",
    "DecisionTreeClassifier",
    "HistogramNB",
    "PriorClassifier",
    "RandomForestClassifier",
]
