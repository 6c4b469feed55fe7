"""
Search parameters with scikit-learn
===================================

Densities are estimators of scikit-learn: they clone, go into pipelines and are searched by log-likelihood.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

import boxwood as bw

X = load_iris(as_frame=True).data
search = GridSearchCV(
    bw.DensityTree(margins="smooth"),
    {"max_leaf_nodes": [2, 4, 8, 16], "leaf": ["uniform", "histogram"]},
    scoring=bw.log_likelihood_scorer(),
)
search.fit(X)
print(search.best_params_, round(search.best_score_, 3))

# %%
# An estimator shows its parameters; each is described in the reference.
search.best_estimator_

# %%
# The same search with boxwood's own, which also tells the optimism of each candidate:
found = bw.grid_search(bw.DensityTree(margins="smooth"), {"max_leaf_nodes": [2, 4, 8, 16, 32]}, X)
found.frame

# %%
# The distance between the two lines is the optimism: it grows with the leaves.
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for column, label in {"loss": "held-out rows", "train_loss": "training rows"}.items():
    ax.plot(found.frame.max_leaf_nodes, found.frame[column], marker="o", label=label)
ax.set(xlabel="leaves at most", ylabel="minus log-likelihood, nats a row")
ax.set_xscale("log", base=2)
ax.legend(frameon=False)
plt.show()
