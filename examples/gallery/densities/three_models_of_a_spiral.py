"""
Three models of a spiral
========================

A density tree, the mean of a hundred, and boosted trees, on rows that wind twice around a centre. Titles
have the mean log-density of new rows: higher is better.
"""

import matplotlib.pyplot as plt
import numpy as np

import boxwood as bw


def spiral(n, seed):
    rng = np.random.default_rng(seed)
    angle = 2 * np.pi * (0.25 + 1.85 * np.sqrt(rng.random(n)))
    rows = np.column_stack([angle * np.cos(angle), angle * np.sin(angle)]) / 4.4
    return rows + rng.normal(scale=0.1, size=rows.shape)


train, new = spiral(3000, 0), spiral(3000, 1)
models = {
    "DensityTree": bw.DensityTree(margins="smooth"),
    "DensityForest": bw.DensityForest(random_state=0),
    "BoostedDensity": bw.BoostedDensity(random_state=0),
}

# %%
side = np.linspace(-3.4, 3.4, 200)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
figure, axes = plt.subplots(1, 3, figsize=(10, 3.6), layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    density = np.exp(model.fit(train).score_samples(grid)).reshape(200, 200)
    ax.imshow(density**0.5, origin="lower", extent=(-3.4, 3.4, -3.4, 3.4), cmap="magma")
    ax.set(title=f"{name}: {model.score(new):.2f}", xticks=[], yticks=[])
plt.show()

# %%
# A boosted density draws rows as well:
drawn = models["BoostedDensity"].sample(3000, random_state=0)
figure, ax = plt.subplots(figsize=(3.6, 3.6), layout="constrained")
ax.scatter(*drawn.T, s=2)
ax.set(xticks=[], yticks=[])
plt.show()
