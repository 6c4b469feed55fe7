"""
The error that nobody can beat
==============================

The error of the nearest neighbour brackets the Bayes error. If a model's error lies in the bracket, there
is little left to gain.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import boxwood as bw

X, y = load_breast_cancer(return_X_y=True)
display = bw.BayesErrorDisplay.from_data(X, y, random_state=0)
display.figure_.set_size_inches(9, 3.6)
plt.show()

# %%
print(display.bounds)

# %%
# A classifier of Gaussians beside it:
found = bw.cross_val_error(bw.LinearDiscriminantAnalysis(), X, y)
print(f"linear discriminant: {found.test_errors.mean():.3f} ± {found.test_errors.std():.3f}")
