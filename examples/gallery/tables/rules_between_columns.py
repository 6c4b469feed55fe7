"""
Columns that follow from others
===============================

In the census the years of education follow from the degree, and an occupation is missing where the employer
is. Such rules are found when a density is fitted; samples keep to them, and a row that breaks one is odd.
"""

import matplotlib.pyplot as plt
import pandas as pd

import boxwood as bw
from boxwood.datasets import load_census

census = load_census().frame
forest = bw.DensityForest(30, random_state=0).fit(census)
for rule in forest.dependencies_:
    print(rule)

# %%
# Not one of a thousand drawn rows has the wrong years for its degree:
drawn = forest.sample(1000, random_state=0)
years = census.groupby("education", observed=True).education_num.first()
wrong = (drawn.education_num != drawn.education.map(years).astype(int)).sum()
print(f"{wrong} of 1,000 break the rule")

# %%
# All of them lie on the steps that lead from degree to years; columns drawn one by one lie everywhere:
alone = bw.ProductDensity(random_state=0).fit(census).sample(1000, random_state=0)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for axis, rows, title in zip(axes, (drawn, alone), ("forest", "columns alone"), strict=True):
    degrees = pd.Categorical(rows.education, list(years.sort_values().index))
    axis.scatter(degrees.codes, rows.education_num, s=12, alpha=0.3)
    axis.set_xticks(range(len(degrees.categories)), degrees.categories, rotation=90)
    axis.set_title(title)
axes[0].set_ylabel("years of education")
plt.show()

# %%
# A row that breaks it loses nats:
row = census[:1]
broken = row.assign(education_num=row.education_num + 3)
print(f"{forest.score(row) - forest.score(broken):.1f} nats less")
