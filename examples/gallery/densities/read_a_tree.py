"""
Read a density tree
===================

One tree predicts worse than a forest, but a person can read it: boxes, how many rows are in them, and how
many times more than if columns were independent.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_penguins

penguins = load_penguins().frame
tree = bw.DensityTree(criterion="product_likelihood", leaf="histogram", margins="smooth", max_leaf_nodes=6)
tree.fit(penguins)
print(tree.export_text())

# %%
# The tree itself. A box is as high as its mass, and its colour shows how many times more mass it has than if
# columns were independent:
tree.plot_tree()
plt.show()

# %%
# One leaf in words, and all of them as a frame:
print(tree.rules(0))
tree.leaves_frame()[["leaf", "mass", "count", "lift"]].round(2)
