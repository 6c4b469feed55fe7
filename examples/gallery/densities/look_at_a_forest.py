"""
Look at a forest
================

Two columns at a time, the others summed out or fixed. Lines are the borders of the smallest regions that
hold 50, 90 and 99% of the penguins.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_penguins

penguins = load_penguins().frame
forest = bw.DensityForest(random_state=0).fit(penguins)
shown = ("bill_length_mm", "bill_depth_mm")
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for ax, at in zip(axes, ({}, {"species": "Gentoo"}, {"species": "Adelie", "sex": "male"}), strict=True):
    bw.DensityTreeDisplay.from_estimator(forest, penguins, columns=shown, at=at, ax=ax)
plt.show()
