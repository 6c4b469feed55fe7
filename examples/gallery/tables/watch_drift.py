"""
Watch drift
===========

Fit the cars of 1970 to 1975, and ask how far those of later years are from them. Columns are called drifted
at a false discovery rate.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_cars

cars = load_cars().frame
early = cars.query("year <= 1975").drop(columns="year")
model = bw.TableModel(bw.DensityForest(50, random_state=0)).fit(early)

# %%
# The oil crisis shows: consumption first of all.
later = {year: part.drop(columns="year") for year, part in cars.query("year > 1975").groupby("year")}
found = {year: model.drift(part, random_state=0) for year, part in later.items()}
for year, drift in found.items():
    print(year, "drifted:", ", ".join(drift.drifted) or "nothing")

# %%
figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for column in ("mpg", "weight_lb", "horsepower", "origin"):
    distances = [
        dict(zip(frame.column, frame.distance, strict=True))[column]
        for frame in (drift.to_frame() for drift in found.values())
    ]
    ax.plot(list(found), distances, marker="o", label=column)
ax.set(xlabel="year", ylabel="distance from 1970 to 1975")
ax.legend(frameon=False)
plt.show()

# %%
# The report of one year in full:
found[1982].to_frame()
