"""
Predict whole distributions
===========================

A car's consumption given its other columns: not one number but a distribution, with intervals that hold as
often as they say.
"""

import matplotlib.pyplot as plt
import numpy as np

import boxwood as bw
from boxwood.datasets import load_cars

X, mpg = load_cars(return_X_y=True)
train = np.arange(len(X)) % 3 > 0
model = bw.ConditionalRegressor(random_state=0).fit(X[train], mpg[train])

# %%
# Ninety per cent intervals of cars that were not seen, sorted by what is predicted:
middle = model.predict(X[~train])
low, high = model.predict_interval(X[~train], 0.9).T
truth = np.asarray(mpg[~train])
order = np.argsort(middle)
place = np.arange(len(order))
figure, ax = plt.subplots(figsize=(8, 3.6), layout="constrained")
ax.fill_between(place, low[order], high[order], alpha=0.3, step="mid", label="90% interval")
ax.plot(place, middle[order], linewidth=1, label="predicted")
ax.scatter(place, truth[order], s=9, c="black", label="true", zorder=3)
ax.set(xlabel="cars, not seen in training", ylabel="mpg")
ax.legend(frameon=False)
plt.show()
print(f"{np.mean((low <= truth) & (truth <= high)):.2f} of the cars lie inside")

# %%
# The probability that a car does more than 25 miles a gallon:
chance = 1 - model.cdf(X[~train], 25.0).ravel()
for sure, part in (
    ("below 0.2", chance < 0.2),
    ("0.2 to 0.8", abs(chance - 0.5) < 0.3),
    ("above 0.8", chance > 0.8),
):
    print(f"predicted {sure}: {np.mean(truth[part] > 25):.2f} of {part.sum()} cars do")
