"""
Find odd rows and say why
=========================

A row can be odd though each of its cells is ordinary. The density of whole rows finds it, and the surprise
of each cell, given the rest of its row, says where to look.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_census

census = load_census().frame
model = bw.TableModel(bw.DensityForest(50, random_state=0)).fit(census)

# %%
# Three rows with a wrong cell each: a doctor aged 17, a husband who is a woman, a week of 99 hours.
wrong = census.iloc[[3, 10, 25]].copy()
wrong.loc[wrong.index[0], ["age", "education", "education_num"]] = [17, "Doctorate", 16]
wrong.loc[wrong.index[1], ["relationship", "sex"]] = ["Husband", "Female"]
wrong.loc[wrong.index[2], "hours_per_week"] = 99

# %%
# Bars are nats of surprise, ticks what is usual in the column: a cell that exceeds its tick by 3 nats is 20
# times less probable than others there, by 7 nats 1,000 times.
figure, axes = plt.subplots(3, 1, figsize=(7, 11), layout="constrained")
for i, ax in enumerate(axes):
    bw.ExplanationDisplay.from_model(model, wrong.iloc[[i]], ax=ax)
plt.show()

# %%
# The oddest rows of the census itself, and the cell that is most to blame:
model.outliers(census).head()
