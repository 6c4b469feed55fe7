"""
Look at a decision tree
=======================

A tree as text, as a chart, and as boxes over two features; and a regression tree of one feature. Sets of
categories, missing values and oblique splits are shown, too.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_penguins

penguins = load_penguins().frame
features, species = penguins.drop(columns="species"), penguins["species"]
tree = bw.DecisionTreeClassifier(max_leaf_nodes=6).fit(features, species)
print(tree.export_text(decimals=1))

# %%
# Rows for which a question is true go left. A box is as high as its fraction of the rows.
tree.plot_tree(decimals=1)
plt.show()

# %%
# Two features: thin lines are the borders of the leaves. Oblique splits cut them into polygons.
bills = penguins[["bill_length_mm", "bill_depth_mm"]].dropna()
known = species[bills.index]
trees = {
    "one feature per split": bw.DecisionTreeClassifier(max_leaf_nodes=6).fit(bills, known),
    "oblique splits": bw.DecisionTreeClassifier(max_leaf_nodes=6, oblique=4, random_state=0).fit(
        bills, known
    ),
}
figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
for ax, (name, model) in zip(axes, trees.items(), strict=True):
    bw.DecisionRegionDisplay.from_estimator(model, bills, known, ax=ax)
    ax.set_title(name)
plt.show()

# %%
# One feature: class probabilities, and the predictions of a regression tree with their standard errors.
figure, axes = plt.subplots(1, 2, figsize=(12, 3.8), layout="constrained")
length = penguins[["bill_length_mm"]].dropna()
small = bw.DecisionTreeClassifier(max_leaf_nodes=5).fit(length, species[length.index])
bw.DecisionRegionDisplay.from_estimator(small, length, species[length.index], ax=axes[0])
weighed = penguins.dropna(subset=["flipper_length_mm", "body_mass_g"])
wings, mass = weighed[["flipper_length_mm"]], weighed["body_mass_g"]
regressor = bw.DecisionTreeRegressor(max_leaf_nodes=6).fit(wings, mass)
bw.PredictionDisplay.from_estimator(regressor, wings, mass, ax=axes[1])
plt.show()
