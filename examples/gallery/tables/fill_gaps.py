"""
Fill gaps
=========

Hide some cells that are known, fill them in, and compare: with what a median would say, and with how unsure
the imputer is itself.
"""

import matplotlib.pyplot as plt
import numpy as np

import boxwood as bw
from boxwood.datasets import load_cars

cars = load_cars().frame
rng = np.random.default_rng(0)
hidden = cars.copy()
gaps = rng.random(len(cars)) < 0.2
hidden["displacement_in3"] = cars.displacement_in3.mask(gaps)
hidden["weight_lb"] = cars.weight_lb.mask(rng.random(len(cars)) < 0.2)

imputer = bw.DensityImputer(random_state=0).fit(hidden)
filled = imputer.transform(hidden)
error = (filled.displacement_in3 - cars.displacement_in3)[gaps].abs().mean()
plain = (cars.displacement_in3.median() - cars.displacement_in3)[gaps].abs().mean()
print(f"mean error {error:.0f} cubic inches; of the median {plain:.0f}")

# %%
# Draws show how unsure a filled value is: several tables make a multiple imputation.
draws = bw.DensityImputer(strategy="draw", random_state=np.random.default_rng(1)).fit(hidden)
tables = [draws.transform(hidden).displacement_in3[gaps] for _ in range(10)]
truth = cars.displacement_in3[gaps]
figure, ax = plt.subplots(figsize=(5.4, 4.2), layout="constrained")
for table in tables:
    ax.scatter(truth, table, s=4, c="#bbbbbb")
ax.scatter(truth, filled.displacement_in3[gaps], s=14, label="filled in")
ax.axline((100, 100), slope=1, color="black", linewidth=0.8)
ax.axhline(cars.displacement_in3.median(), color="C1", linestyle=":", label="the median")
ax.set(xlabel="the hidden value (displacement_in3)", ylabel="filled in; ten draws in grey")
ax.legend(frameon=False)
plt.show()
