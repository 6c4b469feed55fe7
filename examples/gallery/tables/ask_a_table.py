"""
Ask a table
===========

Fit a data frame once, then ask for any probability given any evidence. The answers are sums over the leaves
of a density forest: no simulation, and no new training.
"""

import matplotlib.pyplot as plt

import boxwood as bw
from boxwood.datasets import load_census

census = load_census().frame
model = bw.TableModel(bw.DensityForest(50, random_state=0)).fit(census)

# %%
# Events and evidence are written in the table's own words.
questions = [
    ("income == '>50K'", None),
    ("income == '>50K'", "education == 'Masters'"),
    ("income == '>50K'", "education == 'Masters' and age > 40"),
    ("hours_per_week > 45", "occupation == 'Exec-managerial'"),
    ("age > 60", "workclass is missing"),
]
for event, given in questions:
    print(f"P({event} | {given}) = {model.prob(event, given=given):.2f}")

# %%
# How sure is such an answer? ``interval_of`` counts the rows behind the evidence.
answer = model.interval_of("income == '>50K'", given="education == 'Masters'")
print(f"{answer.low:.2f} to {answer.high:.2f}, from {answer.effective_rows:.0f} rows")

# %%
# A whole conditional distribution, beside the one without evidence:
figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
bw.ConditionalDisplay.from_model(model, "age", given="marital_status == 'Never-married'", ax=axes[0])
bw.ConditionalDisplay.from_model(model, "hours_per_week", given="sex == 'Female'", ax=axes[1])
plt.show()
