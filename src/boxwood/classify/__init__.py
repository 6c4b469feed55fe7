"""Classifiers."""

from boxwood.classify.forest import RandomForestClassifier
from boxwood.classify.tree import DecisionTreeClassifier

__all__ = ["DecisionTreeClassifier", "RandomForestClassifier"]
