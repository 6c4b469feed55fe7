"""
Which columns depend on each other
==================================

The model tells for each pair of columns how far they depend on each other, from 0 to 1, numbers and
categories alike, and draws any two of them.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_cars

model = bw.TableModel(bw.DensityForest(50, random_state=0)).fit(load_cars().frame)
figure, ax = plt.subplots(figsize=(6, 4.8), layout="constrained")
bw.DependenceDisplay.from_model(model, ax=ax)
plt.show()

# %%
# Two columns at a time, whatever their kinds:
figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
bw.PairDisplay.from_model(model, "weight_lb", "mpg", ax=axes[0])
bw.PairDisplay.from_model(model, "mpg", "origin", ax=axes[1])
plt.show()

# %%
# Under evidence the picture changes: among cars of eight cylinders, weight says less.
eight = model.given("cylinders == 8")
whole, part = model.dependence(), eight.dependence()
print(f"weight and consumption: {whole.set_index('column').loc['mpg', 'weight_lb']:.2f} among all,")
print(f"{part.set_index('column').loc['mpg', 'weight_lb']:.2f} among cars of eight cylinders")
