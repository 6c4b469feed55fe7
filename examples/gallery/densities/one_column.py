"""
One column of every density
===========================

The same column under eight densities: steps with standard errors, curves, and a k-nearest-neighbour
estimate that does not integrate to one.
"""

import matplotlib.pyplot as plt
import numpy as np

import boxwood as bw
from boxwood.datasets import load_penguins

rng = np.random.default_rng(0)
x = np.concatenate([rng.normal(0.0, 1.0, 300), rng.normal(5.0, 0.5, 150)])[:, None]
models = [
    bw.Histogram(),
    bw.GridHistogram(),
    bw.ProductDensity(),
    bw.DensityTree(),
    bw.DensityForest(random_state=0),
    bw.BoostedDensity("quick", random_state=0),
    bw.NeighborDensity(),
    bw.GaussianDensity(),
]
figure, axes = plt.subplots(2, 4, figsize=(15, 6.4), layout="constrained", sharex=True)
for ax, model in zip(axes.flat, models, strict=True):
    bw.DensityDisplay.from_estimator(model.fit(x), x, ax=ax)
    ax.set(title=type(model).__name__, xlim=(-4, 8))
plt.show()

# %%
# Categories, counts and rounded numbers have probabilities instead. Grey bars are the rows, and the last bar
# of a column of categories is that of missing values:
penguins = load_penguins().frame
figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
for ax, name in zip(axes, ["sex", "year", "bill_depth_mm"], strict=True):
    column = penguins[[name]]
    bw.DensityDisplay.from_estimator(bw.Histogram().fit(column), column, ax=ax)
plt.show()

# %%
# One column of a forest of all columns, before and after the species is known:
forest = bw.DensityForest(random_state=0).fit(penguins)
figure, axes = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
bw.DensityDisplay.from_estimator(forest, penguins, columns="bill_length_mm", ax=axes[0])
at = {"species": "Gentoo"}
bw.DensityDisplay.from_estimator(forest, penguins, columns="bill_length_mm", at=at, ax=axes[1])
plt.show()
