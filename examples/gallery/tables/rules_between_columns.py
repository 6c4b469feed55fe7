"""
Columns that follow from others
===============================

In the census the years of education follow from the degree, and an occupation is missing where the employer
is. Such rules are found when a density is fitted; samples keep to them, and a row that breaks one is odd.
"""

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
# A row that breaks it loses nats:
row = census[:1]
broken = row.assign(education_num=row.education_num + 3)
print(f"{forest.score(row) - forest.score(broken):.1f} nats less")
