"""
Compare all families of classifiers
===================================

One call fits every family on the same folds. Filled dots are errors of held-out rows, open ones of a
model's own rows; the line between is the optimism.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_penguins

X, species = load_penguins(return_X_y=True)
families = [
    "prior",
    "naive Bayes, histograms",
    "linear discriminant",
    "logistic regression",
    "nearest neighbours",
    "decision tree",
    "random forest",
    "Bayes, density trees",
    "Bayes, density forests",
]
found = bw.compare(X, species, families)
print(found)

# %%
display = bw.ComparisonDisplay(found).plot()
display.figure_.set_size_inches(9, 3.8)
plt.show()
