"""
How many bins?
==============

The number of bins decides what a histogram shows. Leave-one-out likelihood finds the number that would
predict new values best; error bars say what is noise.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_census

ages = load_census().frame[["age"]]
figure, axes = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained", sharey=True)
for ax, bins in zip(axes, ("loo_likelihood", "fd", "scott"), strict=True):
    model = bw.Histogram(bins=bins).fit(ages)
    bw.HistogramDisplay.from_estimator(model, ax=ax)
    ax.set_title(f"{bins}: {len(model.edges_[0]) - 1} bins")
plt.show()

# %%
for bins in ("loo_likelihood", "fd", "scott"):
    found = bw.cross_val_log_likelihood(bw.Histogram(bins=bins), ages)
    print(f"{bins:15} {found.test_scores.mean():.3f} nats a row on held-out rows")
